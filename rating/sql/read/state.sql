-- A checkpoint: every slot's numbers after a part.
-- Grain: slot of the file $file. Key and order: slot, which is the row's number.
SELECT rating, form, previous_rating, peak_rating, hands, games, level, moved_at, last_key
FROM read_parquet($file)
