-- Who a player is.
-- Grain: player. Key: player. Units: instants in UTC.
-- Parameters: $player
SELECT player_key, player, name, self_rating, show_skill, joined_at
FROM player
WHERE player = $player
