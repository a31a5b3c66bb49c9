-- Two people who only play each other: every person that either met in a pool is the other.
-- Grain: pool x pair. Key and order: pool, player, other. Rating points, rounded.
WITH circle AS (
    SELECT slot, min(other_key) AS other_key, sum(hands) AS hands, sum(gain_points) AS gain_points
    FROM live_meeting
    GROUP BY slot
    HAVING count(DISTINCT other_key) = 1
)
SELECT
    run_slot.pool,
    one.player,
    two.player AS other,
    circle.hands,
    round(circle.gain_points, 4) AS gain_points,
    round(other_circle.gain_points, 4) AS other_gain_points
FROM circle
JOIN run_slot USING (slot)
JOIN run_slot AS other_slot ON other_slot.pool = run_slot.pool AND other_slot.player_key = circle.other_key
JOIN circle AS other_circle
    ON other_circle.slot = other_slot.slot AND other_circle.other_key = run_slot.player_key
JOIN player AS one ON one.player_key = run_slot.player_key
JOIN player AS two ON two.player_key = circle.other_key
WHERE circle.hands >= $hands AND other_circle.hands >= $hands AND one.player < two.player
ORDER BY run_slot.pool, one.player, two.player
