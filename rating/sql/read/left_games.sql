-- Games that somebody left, numbered from 0.
-- Grain: game. Key and order: game_id. Voided hands are left out last, which halves its time.
CREATE OR REPLACE TEMP TABLE left_game AS
SELECT game_id, row_number() OVER (ORDER BY game_id) - 1 AS game
FROM (
    SELECT DISTINCT hand.game_id
    FROM seat
    JOIN hand USING (hand_key)
    ANTI JOIN correction USING (hand_key)
    WHERE seat.kind = 'stand_in'
)
ORDER BY game_id
