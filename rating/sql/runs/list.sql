-- The finished runs, with when and why the present one became current.
-- Grain: run. Key and order: run. Instants in UTC; seconds.
SELECT
    rating_run.*,
    rating_run.run IS NOT DISTINCT FROM (SELECT arg_max(run, act) FROM current_run) AS is_current
FROM rating_run
ORDER BY run
