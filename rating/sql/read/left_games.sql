-- Games that somebody left, numbered from 0.
-- Grain: game. Key and order: game_id.
CREATE OR REPLACE TEMP TABLE left_game AS
SELECT game_id, row_number() OVER (ORDER BY game_id) - 1 AS game
FROM (
    SELECT DISTINCT hand_current.game_id
    FROM seat
    JOIN hand_current USING (hand_key)
    WHERE seat.kind = 'stand_in'
)
ORDER BY game_id
