-- The seats of a block's hands, each packed into one number: player, skill, kind, side and seat.
-- Grain: seat. Key: hand_key and the lowest 4 bits of `packed`. Order: none. Hands as in block_hands.
-- Bits 0-3: seat; 4-7: side; 8-11: kind (human, stand_in, computer); 12-15: skill from 1 (beginner, intermediate,
-- expert), 0 where no computer plays; from 16: player_key, 0 for nobody.
SELECT
    hand_key,
    (CAST(coalesce(player_key, 0) AS BIGINT) << 16)
    | (CASE skill WHEN 'beginner' THEN 1 WHEN 'intermediate' THEN 2 WHEN 'expert' THEN 3 ELSE 0 END << 12)
    | (CASE kind WHEN 'human' THEN 0 WHEN 'stand_in' THEN 1 ELSE 2 END << 8)
    | (CAST(side AS BIGINT) << 4)
    | seat AS packed
FROM seat
WHERE hand_key BETWEEN $least AND $greatest
  AND ($is_dense OR hand_key IN (SELECT block.hand_key FROM block))
