-- One line in quarantine. Key: quarantine_key.
SELECT
    quarantine_key,
    hand_id,
    source.name AS file,
    line,
    quarantine.batch,
    status,
    finished_at AS refused_at,
    level,
    closed_at,
    closed_by,
    why,
    raw
FROM quarantine
JOIN source USING (source)
JOIN ingest_batch USING (batch)
WHERE quarantine_key = $key
