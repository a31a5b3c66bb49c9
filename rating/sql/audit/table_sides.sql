-- The sides of a rated hand.
-- Grain: side of the hand $hand_key. Key and order: side. Rating points; canasta points; scores in [0, 1].
SELECT hand_side.side, hand_side.rating, side_result.points, hand_side.expected, hand_side.actual
FROM hand_side
JOIN side_result USING (hand_key, side)
WHERE hand_side.hand_key = $hand_key
ORDER BY hand_side.side
