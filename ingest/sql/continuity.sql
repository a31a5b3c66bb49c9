-- Where a game's hands do not follow each other: a number is missing, or the score steps.
-- Grain: a hand that came with batch $first_batch or later, or whose predecessor did. Order: game_id, hand_no.
-- Reads `doubtful` (game_id), each game once. Lists are by side, in points.
WITH score AS (
    SELECT
        hand_key,
        list(score_before ORDER BY side) AS score_before,
        list(score_after ORDER BY side) AS score_after
    FROM side_result
    SEMI JOIN (SELECT hand_key FROM hand_current SEMI JOIN doubtful USING (game_id)) USING (hand_key)
    GROUP BY hand_key
),
followed AS (
    SELECT
        hand_id,
        game_id,
        hand_no,
        batch,
        source,
        line,
        score_before,
        lag(hand_no) OVER game AS hand_no_before,
        lag(batch) OVER game AS batch_before,
        lag(score_after) OVER game AS score_after_before
    FROM hand_current
    SEMI JOIN doubtful USING (game_id)
    JOIN score USING (hand_key)
    WINDOW game AS (PARTITION BY game_id ORDER BY hand_no, hand_id)
)
SELECT
    source.name AS file,
    followed.line,
    hand_id,
    game_id,
    hand_no,
    hand_no_before,
    score_before,
    score_after_before
FROM followed
JOIN source USING (source)
WHERE hand_no_before IS NOT NULL
    AND greatest(batch, batch_before) >= $first_batch
    AND (hand_no > hand_no_before + 1 OR score_before <> score_after_before)
ORDER BY game_id, hand_no, hand_id
