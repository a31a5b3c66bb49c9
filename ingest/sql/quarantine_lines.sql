-- Some lines in quarantine as they came, with the codes of what is wrong with each.
-- Grain: a line. Key and order: quarantine_key. Reads `numbered`.
SELECT quarantine_key, source.name AS file, line, raw, coalesce(codes, []) AS codes
FROM quarantine
SEMI JOIN numbered USING (quarantine_key)
JOIN source USING (source)
LEFT JOIN (
    SELECT quarantine_key, list(code ORDER BY position) AS codes
    FROM quarantine_finding
    SEMI JOIN numbered USING (quarantine_key)
    GROUP BY quarantine_key
) USING (quarantine_key)
ORDER BY quarantine_key
