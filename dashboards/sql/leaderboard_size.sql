-- How many rows a pool's leaderboard has for this viewer and this search.
-- Grain: the list, one row. Units: rows of pool x player x device.
-- Parameters: $pool, $search ('' for everyone), $sees_hidden
SELECT count(*) AS size
FROM standing
JOIN player USING (player_key)
WHERE standing.pool = $pool
    AND ($sees_hidden OR standing.public_place IS NOT NULL)
    AND (
        $search = ''
        OR contains(strip_accents(lower(player.name)), strip_accents(lower($search)))
        OR player.player = $search
    )
