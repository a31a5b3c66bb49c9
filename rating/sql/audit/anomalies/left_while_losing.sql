-- Players who left games for good, mostly while behind.
-- Grain: pool x player. Key: both. Order: games left while behind, falling, then the key.
SELECT
    live_game.pool,
    player.player,
    count(*) FILTER (WHERE live_game.is_left AND live_game.is_behind) AS left_behind,
    count(*) FILTER (WHERE live_game.is_left) AS left_games,
    count(*) AS games,
    list(live_game.game_id ORDER BY live_game.last_at, live_game.game_id)
        FILTER (WHERE live_game.is_left AND live_game.is_behind) AS game_ids
FROM live_game
JOIN player USING (player_key)
GROUP BY live_game.pool, player.player
HAVING left_behind >= $games AND left_behind >= $share * left_games
ORDER BY left_behind DESC, live_game.pool, player.player
