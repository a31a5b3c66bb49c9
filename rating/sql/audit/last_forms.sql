-- Form and finished games after the last rated hands of each of the slots $slots.
-- Grain: rated player-hand, the last $rows of a slot. Key and order: slot, hands. Rating points.
SELECT slot, form_after, games
FROM rating_change
WHERE slot IN $slots
QUALIFY hands > max(hands) OVER (PARTITION BY slot) - $rows
ORDER BY slot, hands
