-- The last Ratings of every slot of a checkpoint, for a Form that is a window.
-- Grain: slot x place in its ring, of the file $file. Key and order: slot, place.
SELECT unnest(recent) AS recent
FROM read_parquet($file)
