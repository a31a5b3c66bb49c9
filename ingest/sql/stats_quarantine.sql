-- Open lines in quarantine by the code of an error; a line with two errors counts under both. Order: code.
SELECT code, count(DISTINCT quarantine_key) AS lines
FROM quarantine_finding
JOIN quarantine USING (quarantine_key)
WHERE status = 'open' AND severity = 'error'
GROUP BY code
ORDER BY code
