-- Players whose games stop before their end, mostly with them behind; who ended them, the log does not say.
-- Grain: pool x player. Key: both. Order: unfinished games behind, falling, then the key.
WITH stopped AS (
    SELECT *
    FROM live_game
    WHERE NOT is_over
      AND NOT is_left
      AND last_at < (SELECT max(last_at) FROM live_game) - to_days($idle_days)
)
SELECT
    stopped.pool,
    player.player,
    count(*) FILTER (WHERE stopped.is_behind) AS unfinished_behind,
    count(*) AS unfinished_games,
    list(stopped.game_id ORDER BY stopped.last_at, stopped.game_id) FILTER (WHERE stopped.is_behind) AS game_ids
FROM stopped
JOIN player USING (player_key)
GROUP BY stopped.pool, player.player
HAVING unfinished_behind >= $games AND unfinished_behind >= $share * unfinished_games
ORDER BY unfinished_behind DESC, stopped.pool, player.player
