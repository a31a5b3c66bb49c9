-- Hands that end at the same instant as another, in the total order of hands.
-- Reads `given` (hand_key). Grain: hand of `given`. Key: hand_key.
-- Order: instant, then the bytes of game, its number, the bytes of hand.
SELECT hand.hand_key
FROM hand
SEMI JOIN given USING (hand_key)
ORDER BY hand.ended_at, hand.game_id, hand.hand_no, hand.hand_id
