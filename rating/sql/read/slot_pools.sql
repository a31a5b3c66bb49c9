-- The pools of a run.
-- Grain: pool of the file $file. Key and order: pool_key.
SELECT mode, ruleset, device
FROM read_parquet($file)
ORDER BY pool_key
