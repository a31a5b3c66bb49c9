-- Where a hand stands in the total order of hands.
-- Grain: the hand $hand_key, one row.
SELECT ended_at, game_id, hand_no, hand_id
FROM hand
WHERE hand_key = $hand_key
