-- Hands that count, by kind of source, writer, mode, rule set and month of their end (UTC).
-- Grain: grouping x value. Order: grouping, value.
SELECT 'source' AS grouping, source.kind AS value, count(*) AS hands
FROM hand_current
JOIN source USING (source)
GROUP BY ALL
UNION ALL
SELECT 'writer', coalesce(engine, ''), count(*) FROM hand_current GROUP BY ALL
UNION ALL
SELECT 'mode', mode, count(*) FROM hand_current GROUP BY ALL
UNION ALL
SELECT 'ruleset', ruleset, count(*) FROM hand_current GROUP BY ALL
UNION ALL
SELECT 'month', strftime(ended_at, '%Y-%m'), count(*) FROM hand_current GROUP BY ALL
ORDER BY grouping, value
