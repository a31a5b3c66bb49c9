-- A block's sides with their canasta points.
-- Grain: side of a hand of `block` (position, hand_key), whose keys lie in $least..$greatest.
-- Key: position, side. Order: none.
SELECT block.position, side_result.side, side_result.points
FROM block
JOIN side_result USING (hand_key)
WHERE side_result.hand_key BETWEEN $least AND $greatest
