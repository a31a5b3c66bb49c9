-- Players by id or by name, whatever its case.
-- Grain: player. Key and order: player. Parameters: $wanted; $sees_hidden: whether hidden players are found.
SELECT player_key, player, coalesce(name, player) AS name
FROM player
WHERE (player = $wanted OR lower(coalesce(name, player)) = lower($wanted)) AND ($sees_hidden OR show_skill)
ORDER BY player
