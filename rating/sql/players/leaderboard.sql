-- A pool's leaderboard; `computed` is the table of standings of the run.
-- Grain: player x device. Key: player, device. Units: rating points; instants in UTC.
-- Order: placed players by Rating, then those not yet placed; ties by Form, id and device, so the order is total.
-- `rank` counts the placed players that may be seen. Parameters: $pool, $rows, $sees_hidden.
WITH visible AS (
    SELECT
        computed.*,
        player.player,
        coalesce(player.name, player.player) AS name,
        coalesce(player.shown_self_rating, player.self_rating) AS self_rating,
        computed.level <> '' AS is_placed
    FROM computed
    JOIN player USING (player_key)
    WHERE computed.pool = $pool AND ($sees_hidden OR player.show_skill)
),
ranked AS (
    SELECT *, row_number() OVER (ORDER BY is_placed DESC, rating DESC, form DESC, player, device) AS place
    FROM visible
)
SELECT
    pool,
    CASE WHEN is_placed THEN place END AS rank,
    player,
    name,
    device,
    self_rating,
    rating_shown,
    rating,
    form,
    level,
    last_change_shown,
    hands,
    games,
    last_hand_at
FROM ranked
ORDER BY place
LIMIT $rows
