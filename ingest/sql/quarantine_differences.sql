-- Lines in quarantine that nothing legal makes so. Grain: such a line, with what is wrong. Order: quarantine_key.
SELECT
    quarantine_key,
    batch,
    CASE
        WHEN raw_hash <> unhex(sha256(raw)) THEN 'its line is not what came'
        WHEN status NOT IN ('open', 'loaded', 'dropped') OR (status = 'open') <> (closed_at IS NULL)
            THEN 'its status is not what an operator or a load leaves'
        WHEN faulty.quarantine_key IS NULL THEN 'what was wrong with it is missing'
    END AS what
FROM quarantine
LEFT JOIN (
    SELECT DISTINCT quarantine_key FROM quarantine_finding WHERE severity = 'error'
) AS faulty USING (quarantine_key)
WHERE what IS NOT NULL
ORDER BY quarantine_key
