-- Lines in quarantine with a status and of a hand (null: any), the oldest first.
-- Grain: a line. Key and order: quarantine_key. At most $most.
SELECT
    quarantine_key,
    hand_id,
    source.name AS file,
    line,
    quarantine.batch,
    status,
    finished_at AS refused_at,
    list(code ORDER BY position) FILTER (severity = 'error') AS codes,
    arg_min(message, position) FILTER (severity = 'error') AS message
FROM quarantine
JOIN source USING (source)
JOIN ingest_batch USING (batch)
JOIN quarantine_finding USING (quarantine_key)
WHERE ($status IS NULL OR status = $status) AND ($hand_id IS NULL OR hand_id = $hand_id)
GROUP BY ALL
ORDER BY quarantine_key
LIMIT $most
