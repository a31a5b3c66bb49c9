-- One page of a pool's leaderboard.
-- Grain: pool x player x device. Key: player, device. Units: rating points.
-- Order: placed players by Rating, then the self-rated; ties by Form, player and device, so the order is total.
-- `rank` counts the placed players that this viewer may see, before the search narrows the list.
-- Parameters: $pool, $search ('' for everyone), $sees_hidden, $rows, $skip
WITH visible AS (
    SELECT
        standing.*,
        player.player,
        player.name,
        player.self_rating,
        standing.level <> '' AS is_placed
    FROM standing
    JOIN player USING (player_key)
    WHERE standing.pool = $pool AND ($sees_hidden OR player.show_skill)
),
ranked AS (
    SELECT
        *,
        row_number() OVER (ORDER BY is_placed DESC, rating DESC, form DESC, player, device) AS place
    FROM visible
)
SELECT
    CASE WHEN is_placed THEN place END AS rank,
    player,
    name,
    pool,
    device,
    self_rating,
    level,
    rating_shown,
    form,
    last_change_shown,
    hands,
    games,
    last_hand_at
FROM ranked
WHERE contains(strip_accents(lower(name)), strip_accents(lower($search))) OR player = $search
ORDER BY place
LIMIT $rows OFFSET $skip
