-- Whose numbers the slots of a run hold.
-- Grain: slot of the file $file. Key and order: slot.
SELECT pool_key, CAST(player_key AS BIGINT) AS player_key, start_rating
FROM read_parquet($file)
ORDER BY slot
