-- The numbers of the games of some hands that somebody left.
-- Grain: hand of $keys. Key: hand_key. Order: none.
SELECT hand.hand_key, left_game.game
FROM hand
JOIN left_game USING (game_id)
WHERE hand.hand_key IN (SELECT unnest(CAST($keys AS BIGINT[])))
