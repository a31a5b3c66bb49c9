-- How many players stand at one level in the first run and at another in the second.
-- Grain: level in the first run x level in the second, where they differ. Key and order: the levels, lowest first.
-- An empty level: not yet placed; none: not rated by that run.
SELECT one.level AS level_one, other.level AS level_other, count(*) AS players
FROM (SELECT * FROM compared_standing WHERE which = 'one') AS one
FULL JOIN (SELECT * FROM compared_standing WHERE which = 'other') AS other USING (pool, device, player_key)
WHERE one.level IS DISTINCT FROM other.level
GROUP BY one.level, one.level_position, other.level, other.level_position
ORDER BY one.level_position NULLS FIRST, other.level_position NULLS FIRST
