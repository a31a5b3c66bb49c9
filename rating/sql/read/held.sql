-- What is held after a part.
-- Grain: held change of the file $file. Key: hand_key, slot. Order: that of the hands.
SELECT hand_key, slot, side, surprise
FROM read_parquet($file)
