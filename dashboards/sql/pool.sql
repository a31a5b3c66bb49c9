-- The pools that hold a rating this viewer may see.
-- Grain: pool. Key: pool. Order: the live pools first, each kind by name.
-- Parameters: $sees_hidden
SELECT standing.pool
FROM standing
JOIN player USING (player_key)
WHERE $sees_hidden OR player.show_skill
GROUP BY standing.pool
ORDER BY standing.pool
