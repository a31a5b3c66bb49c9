-- The last rated hands of each of the slots $slots, latest first.
-- Grain: rated player-hand. Key: slot, hands. Order: slot, then hands falling. Parameters: $slots, $rows (of each),
-- $sees_hidden: without it what would tell the Rating of somebody at the table who hides it is left out.
WITH change AS (
    SELECT *
    FROM rating_change
    WHERE slot IN $slots
    QUALIFY hands > max(hands) OVER (PARTITION BY slot) - $rows
)
SELECT
    change.slot,
    change.hands,
    hand.hand_id,
    hand.ended_at,
    change.rating_before,
    change.rating_after,
    change.k_factor,
    CASE WHEN $sees_hidden OR NOT beside.hides THEN change.expected END AS expected,
    CASE WHEN $sees_hidden OR NOT beside.hides THEN change.actual END AS actual,
    CASE WHEN $sees_hidden OR NOT beside.hides THEN change.surprise END AS surprise,
    change.change,
    change.form_after,
    change.games,
    change.level,
    change.held
FROM change
JOIN hand USING (hand_key)
CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(NOT player.show_skill), false) AS hides
    FROM seat
    JOIN player USING (player_key)
    WHERE seat.hand_key = change.hand_key AND seat.player_key <> change.player_key
) AS beside
ORDER BY change.slot, change.hands DESC
