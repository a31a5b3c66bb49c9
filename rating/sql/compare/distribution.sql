-- How the differences of ratings are spread over the players that both runs rate: the second run's less the first's.
-- Grain: one row. Rating points, rounded; null where nobody is rated by both.
SELECT
    count(*) AS players,
    round(min(difference), 6) AS least,
    round(quantile_cont(difference, 0.05), 6) AS p05,
    round(quantile_cont(difference, 0.25), 6) AS p25,
    round(quantile_cont(difference, 0.5), 6) AS median,
    round(quantile_cont(difference, 0.75), 6) AS p75,
    round(quantile_cont(difference, 0.95), 6) AS p95,
    round(max(difference), 6) AS greatest,
    round(avg(abs(difference)), 6) AS mean_absolute
FROM (
    SELECT other.rating - one.rating AS difference
    FROM compared_standing AS one
    JOIN compared_standing AS other USING (pool, device, player_key)
    WHERE one.which = 'one' AND other.which = 'other'
)
