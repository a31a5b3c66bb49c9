-- How far the log goes now.
-- Grain: the warehouse, one row: greatest hand, correction and batch, 0 where there is none.
SELECT
    (SELECT coalesce(max(hand_key), 0) FROM hand) AS hand_watermark,
    (SELECT coalesce(max(correction_key), 0) FROM correction) AS correction_watermark,
    (SELECT coalesce(max(batch), 0) FROM ingest_batch) AS batch_watermark
