-- Players whose Rating rose a lot in few hands after it had settled; of each the steepest rise.
-- Grain: pool x player. Key: both. Order: rise, falling, then the key. Rating points, rounded; instants in UTC.
WITH stretch AS (
    SELECT
        slot,
        hands,
        hand_key,
        rating_after,
        lag(rating_after, $window_hands) OVER in_order AS rating_then,
        lag(hand_key, $window_hands) OVER in_order AS hand_key_then
    FROM live_change
    WINDOW in_order AS (PARTITION BY slot ORDER BY hands)
),
steepest AS (
    SELECT slot, arg_max(stretch, (stretch.rating_after - stretch.rating_then, -stretch.hands)) AS rise
    FROM stretch
    WHERE hands - $window_hands >= $settled_hands
    GROUP BY slot
)
SELECT
    run_slot.pool,
    player.player,
    round(steepest.rise.rating_after - steepest.rise.rating_then, 4) AS rise_points,
    round(steepest.rise.rating_then, 4) AS rating_from,
    round(steepest.rise.rating_after, 4) AS rating_to,
    steepest.rise.hands - $window_hands AS hands_from,
    steepest.rise.hands AS hands_to,
    first_hand.hand_id AS from_hand,
    last_hand.hand_id AS to_hand
FROM steepest
JOIN run_slot USING (slot)
JOIN player ON player.player_key = run_slot.player_key
JOIN hand AS first_hand ON first_hand.hand_key = steepest.rise.hand_key_then
JOIN hand AS last_hand ON last_hand.hand_key = steepest.rise.hand_key
WHERE steepest.rise.rating_after - steepest.rise.rating_then >= $rise_points
ORDER BY rise_points DESC, run_slot.pool, player.player
