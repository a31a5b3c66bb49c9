-- The numbers of the games of some hands that somebody left.
-- Reads `given` (hand_key). Grain: hand of `given`. Key: hand_key. Order: none.
SELECT hand.hand_key, left_game.game
FROM hand
JOIN left_game USING (game_id)
SEMI JOIN given USING (hand_key)
