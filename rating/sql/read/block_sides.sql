-- The sides of a block's hands with their canasta points.
-- Grain: side. Key: hand_key, side. Order: none. Hands as in block_hands.
SELECT hand_key, CAST(side AS BIGINT) AS side, CAST(points AS BIGINT) AS points
FROM side_result
WHERE hand_key BETWEEN $least AND $greatest
  AND ($is_dense OR hand_key IN (SELECT block.hand_key FROM block))
