-- Every rated player-hand. A held hand bears its own hand_id; `applied_hand_id` is the hand at whose start it was applied.
-- Grain: pool x device x player x hand. Key and order: pool, device, player, hands. Instants in UTC; rating points;
-- scores in [0, 1]. $sees_hidden: whether players who hide their skill are in it.
SELECT
    change.pool,
    player.player,
    change.device,
    hand.hand_id,
    hand.ended_at,
    exact(change.rating_before) AS rating_before,
    exact(change.rating_after) AS rating_after,
    exact(change.k_factor) AS k_factor,
    exact(change.expected) AS expected,
    exact(change.actual) AS actual,
    exact(change.surprise) AS surprise,
    exact(change.change) AS change,
    exact(change.form_before) AS form_before,
    exact(change.form_after) AS form_after,
    change.hands,
    change.games,
    change.level,
    change.held,
    applied.hand_id AS applied_hand_id
FROM rating_change AS change
JOIN player USING (player_key)
JOIN hand USING (hand_key)
LEFT JOIN hand AS applied ON applied.hand_key = change.applied_hand_key
WHERE $sees_hidden OR player.show_skill
ORDER BY change.pool, change.device, player.player, change.hands
