-- A slot's last rated hands, latest first.
-- Grain: rated player-hand. Key: hands. Order: hands, falling. Parameters: $slot, $rows.
SELECT
    change.hands,
    hand.hand_id,
    hand.ended_at,
    change.rating_before,
    change.rating_after,
    change.k_factor,
    change.expected,
    change.actual,
    change.surprise,
    change.change,
    change.form_after,
    change.games,
    change.level,
    change.held
FROM rating_change AS change
JOIN hand USING (hand_key)
WHERE change.slot = $slot AND change.hands > (SELECT max(hands) FROM rating_change WHERE slot = $slot) - $rows
ORDER BY change.hands DESC
