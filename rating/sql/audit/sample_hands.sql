-- A sample of the hands that a run saw, the same for the same seed.
-- Grain: hand. Key: hand_id. Order: the total order of hands. $sample: how many; $seed: any text.
SELECT hand_id
FROM (
    SELECT *
    FROM hand
    WHERE hand_key <= $hand_watermark
      AND hand_key NOT IN (SELECT hand_key FROM correction WHERE correction_key <= $correction_watermark)
    ORDER BY md5($seed || hand_id), hand_id
    LIMIT $sample
)
ORDER BY ended_at, game_id, hand_no, hand_id
