-- The finished runs, with when and why the present one became current; null for the others.
-- Grain: run. Key and order: run. Instants in UTC; seconds.
SELECT
    rating_run.*,
    present.run IS NOT NULL AS is_current,
    present.since AS current_since,
    present.why AS current_why
FROM rating_run
LEFT JOIN (SELECT run, since, why FROM current_run ORDER BY act DESC LIMIT 1) AS present
    ON present.run = rating_run.run
ORDER BY rating_run.run
