-- Every rated player-hand. A held hand bears its own hand_id; `applied_hand_id` is the hand at whose start it was applied.
-- Grain: pool x device x player x hand. Key and order: pool, device, player, hands. Instants in UTC; rating points;
-- scores in [0, 1]. $sees_hidden: without it players who hide their skill are left out, and in the hands they played
-- what would tell their Rating; the others' numbers are rounded as the pages show them.
WITH hiding AS (
    SELECT DISTINCT seat.hand_key
    FROM seat
    JOIN player USING (player_key)
    WHERE NOT $sees_hidden AND NOT player.show_skill
)
SELECT
    change.pool,
    player.player,
    change.device,
    hand.hand_id,
    hand.ended_at,
    told(change.rating_before) AS rating_before,
    told(change.rating_after) AS rating_after,
    exact(change.k_factor) AS k_factor,
    told_share(CASE WHEN hiding.hand_key IS NULL THEN change.expected END) AS expected,
    told_share(CASE WHEN hiding.hand_key IS NULL THEN change.actual END) AS actual,
    told_share(CASE WHEN hiding.hand_key IS NULL THEN change.surprise END) AS surprise,
    exact(CASE WHEN $sees_hidden THEN change.change ELSE floor(change.rating_after + 0.5) - floor(change.rating_before + 0.5) END) AS change,
    told(change.form_before) AS form_before,
    told(change.form_after) AS form_after,
    change.hands,
    change.games,
    change.level,
    change.held,
    applied.hand_id AS applied_hand_id
FROM rating_change AS change
JOIN player USING (player_key)
JOIN hand USING (hand_key)
LEFT JOIN hiding USING (hand_key)
LEFT JOIN hand AS applied ON applied.hand_key = change.applied_hand_key
WHERE $sees_hidden OR player.show_skill
ORDER BY change.pool, change.device, player.player, change.hands
