-- A block's hands: which pool, and what the fold asks of a hand.
-- Grain: hand of `block` (position, hand_key), whose keys lie in $least..$greatest. Key: position. Order: none.
-- `pool` is a row of `pool` (pool, mode, ruleset, device); `game` a number of `left_game`, -1 where nobody left.
SELECT
    block.position,
    pool.pool,
    hand.game_over AS is_over,
    coalesce(left_game.game, -1) AS game
FROM block
JOIN hand USING (hand_key)
JOIN pool
    ON pool.mode = hand.mode
    AND pool.ruleset = hand.ruleset
    AND pool.device = CASE WHEN hand.mode = 'solo' THEN coalesce(hand.device, '') ELSE '' END
LEFT JOIN left_game USING (game_id)
WHERE hand.hand_key BETWEEN $least AND $greatest
