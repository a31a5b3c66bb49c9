-- One page of a pool's leaderboard.
-- Grain: pool x player x device. Key: player, device. Units: rating points; instants in UTC.
-- Order: place: placed players by Rating, then the self-rated; it is total.
-- `rank` is the place among the placed players that this viewer may see, whatever the search leaves.
-- Parameters: $pool, $search ('' for everyone), $sees_hidden, $rows, $skip
WITH found AS (
    SELECT
        standing.player_key,
        standing.device,
        CASE WHEN $sees_hidden THEN standing.place ELSE standing.public_place END AS visible_place
    FROM standing
    JOIN player USING (player_key)
    WHERE standing.pool = $pool
        AND visible_place IS NOT NULL
        AND (
            $search = ''
            OR contains(strip_accents(lower(player.name)), strip_accents(lower($search)))
            OR player.player = $search
        )
    ORDER BY visible_place
    LIMIT $rows OFFSET $skip
)
SELECT
    CASE WHEN standing.level <> '' THEN found.visible_place END AS rank,
    player.player,
    player.name,
    standing.pool,
    standing.device,
    player.self_rating,
    standing.level,
    standing.rating_shown,
    standing.form,
    standing.last_change_shown,
    standing.hands,
    standing.games,
    standing.last_hand_at
FROM found
JOIN standing USING (player_key, device)
JOIN player USING (player_key)
WHERE standing.pool = $pool
ORDER BY found.visible_place
