-- All versions of a hand with where they came from and what withdrew them.
-- Grain: a version. Key and order: hand_key.
SELECT
    hand.*,
    source.name AS file,
    finished_at AS loaded_at,
    ingest_batch.kind AS loaded_by,
    hand_key NOT IN (SELECT hand_key FROM correction) AS counts
FROM hand
JOIN source USING (source)
JOIN ingest_batch USING (batch)
WHERE hand_id = $hand_id
ORDER BY hand_key
