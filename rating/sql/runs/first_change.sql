-- The first hand in the total order that a run must rate again, or for the first time.
-- Grain: one row or none. Parameters: the run's watermarks.
-- It is the first of: hands loaded since, hands voided or replaced since, and the hands of people whose first
-- self-rating came since. Those are joined before voided hands are left out, not from `hand_current`, for which
-- DuckDB would read every hand.
WITH said_since AS (
    SELECT player_key
    FROM player
    WHERE self_rating IS NOT NULL AND self_rating_batch > $batch_watermark
),
touched AS (
    SELECT ended_at, game_id, hand_no, hand_id
    FROM hand_current
    WHERE hand_key > $hand_watermark
    UNION ALL
    SELECT hand.ended_at, hand.game_id, hand.hand_no, hand.hand_id
    FROM correction
    JOIN hand USING (hand_key)
    WHERE correction.correction_key > $correction_watermark AND hand.hand_key <= $hand_watermark
    UNION ALL
    SELECT hand.ended_at, hand.game_id, hand.hand_no, hand.hand_id
    FROM said_since
    JOIN seat USING (player_key)
    JOIN hand USING (hand_key)
    ANTI JOIN correction USING (hand_key)
)
SELECT ended_at, game_id, hand_no, hand_id
FROM touched
ORDER BY ended_at, game_id, hand_no, hand_id
LIMIT 1
