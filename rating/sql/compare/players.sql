-- Every player that either run rates, and whether the runs differ: in rating, level or the dates of promotions.
-- Grain: pool x device x player. Key: all three. Order: difference of ratings, biggest first, then the key. A player
-- whom one run does not rate stands first. Rating points; instants in UTC.
WITH one AS (
    SELECT * FROM compared_standing WHERE which = 'one'
),
other AS (
    SELECT * FROM compared_standing WHERE which = 'other'
),
one_promotion AS (
    SELECT * FROM compared_promotion WHERE which = 'one'
),
other_promotion AS (
    SELECT * FROM compared_promotion WHERE which = 'other'
)
SELECT
    coalesce(one.pool, other.pool) AS pool,
    coalesce(one.device, other.device) AS device,
    player.player,
    coalesce(player.name, player.player) AS name,
    one.rating AS rating_one,
    other.rating AS rating_other,
    other.rating - one.rating AS rating_difference,
    one.level AS level_one,
    other.level AS level_other,
    one_promotion.promotions AS promotions_one,
    other_promotion.promotions AS promotions_other,
    one.rating IS DISTINCT FROM other.rating
        OR one.level IS DISTINCT FROM other.level
        OR one_promotion.promotions IS DISTINCT FROM other_promotion.promotions AS differs
FROM one
FULL JOIN other USING (pool, device, player_key)
LEFT JOIN one_promotion USING (pool, device, player_key)
LEFT JOIN other_promotion USING (pool, device, player_key)
JOIN player USING (player_key)
ORDER BY
    rating_difference IS NULL DESC,
    abs(rating_difference) DESC,
    coalesce(one.pool, other.pool),
    coalesce(one.device, other.device),
    player.player
