-- Hands that end at the same instant as another, in the total order of hands.
-- Grain: hand of $keys. Key: hand_key. Order: instant, then the bytes of game, its number, the bytes of hand.
SELECT hand.hand_key
FROM hand
WHERE hand.hand_key IN (SELECT unnest($keys))
ORDER BY hand.ended_at, hand.game_id, hand.hand_no, hand.hand_id
