-- What the fold asks of the hands of a block: which pool, the game's last or not, which game that somebody left.
-- Grain: hand. Key: hand_key. Order: none. Hands whose keys lie in $least..$greatest, void ones too; when they are
-- not $is_dense, only those of `block` (hand_key). ruleset: place in $rulesets, from 1, and 0 where no hand of it
-- counts; device: number in `device`, 0 in live mode; game: number in `left_game`, -1 where nobody left.
SELECT
    hand.hand_key,
    CAST(hand.game_over AS BIGINT) AS is_over,
    CAST(hand.mode = 'solo' AS BIGINT) AS is_solo,
    CAST(coalesce(list_position(CAST($rulesets AS VARCHAR[]), hand.ruleset), 0) AS BIGINT) AS ruleset,
    coalesce(device.number, 0) AS device,
    coalesce(left_game.game, -1) AS game
FROM hand
LEFT JOIN device ON device.device = CASE WHEN hand.mode = 'solo' THEN coalesce(hand.device, '') END
LEFT JOIN left_game ON left_game.game_id = hand.game_id
WHERE hand.hand_key BETWEEN $least AND $greatest
  AND ($is_dense OR hand.hand_key IN (SELECT block.hand_key FROM block))
