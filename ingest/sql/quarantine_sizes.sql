-- How large some lines in quarantine are, in bytes, and the checking level that refused each.
-- Grain: a line. Key and order: quarantine_key. Reads `numbered`.
SELECT quarantine_key, level, octet_length(raw) AS size
FROM quarantine
SEMI JOIN numbered USING (quarantine_key)
JOIN ingest_batch USING (batch)
ORDER BY quarantine_key
