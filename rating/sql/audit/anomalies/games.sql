-- How each person's live games went, for the anomalies about leaving.
-- Grain: game x person. Key: both. `is_left`: the person did not play the last of the game's hands that they had a seat in.
-- `is_behind`: their side's points when they left, or at the game's last hand, were fewer than another side's.
-- `is_over`: the game reached its end. Of the hands that the run saw: $hand_watermark, $correction_watermark.
CREATE OR REPLACE TEMP TABLE live_game AS
WITH live_hand AS (
    SELECT hand_key, game_id, hand_no, ended_at, game_over, ruleset
    FROM hand
    WHERE mode = 'live'
      AND hand_key <= $hand_watermark
      AND hand_key NOT IN (SELECT hand_key FROM correction WHERE correction_key <= $correction_watermark)
),
standing AS (
    SELECT
        own.hand_key,
        own.side,
        own.score_before < max(other.score_before) AS was_behind,
        own.score_after < max(other.score_after) AS is_behind
    FROM side_result AS own
    JOIN side_result AS other ON other.hand_key = own.hand_key AND other.side <> own.side
    SEMI JOIN live_hand ON live_hand.hand_key = own.hand_key
    GROUP BY own.hand_key, own.side, own.score_before, own.score_after
),
taken AS (
    SELECT
        live_hand.game_id,
        'live/' || live_hand.ruleset AS pool,
        live_hand.hand_no,
        seat.player_key,
        standing.was_behind,
        standing.is_behind,
        max(CASE WHEN seat.kind = 'human' THEN live_hand.hand_no ELSE 0 END)
            OVER (PARTITION BY live_hand.game_id, seat.player_key) AS last_played
    FROM live_hand
    JOIN seat USING (hand_key)
    JOIN standing USING (hand_key, side)
    WHERE seat.kind <> 'computer'
),
over AS (
    SELECT game_id, bool_or(game_over) AS is_over, max(ended_at) AS last_at
    FROM live_hand
    GROUP BY game_id
)
SELECT
    taken.game_id,
    taken.pool,
    taken.player_key,
    over.is_over,
    over.last_at,
    max(taken.hand_no) > max(taken.last_played) AS is_left,
    CASE
        WHEN max(taken.hand_no) > max(taken.last_played)
            THEN arg_min(taken.was_behind, taken.hand_no) FILTER (WHERE taken.hand_no > taken.last_played)
        ELSE arg_max(taken.is_behind, taken.hand_no)
    END AS is_behind
FROM taken
JOIN over USING (game_id)
GROUP BY taken.game_id, taken.pool, taken.player_key, over.is_over, over.last_at
