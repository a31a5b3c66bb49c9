-- What each player said first of their own play; null where nothing was said.
-- Grain: player. Key and order: player_key.
SELECT player_key, self_rating
FROM player
ORDER BY player_key
