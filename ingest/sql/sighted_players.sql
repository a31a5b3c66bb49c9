-- Give a key to every person seen for the first time, in order of sight.
-- Grain: a new person. Reads `sighted` (place, player), each player once, and `player`.
INSERT INTO player (player_key, player, show_skill)
SELECT
    (SELECT coalesce(max(player_key), 0) FROM player) + row_number() OVER (ORDER BY place),
    player,
    true
FROM sighted
ANTI JOIN player USING (player)
