-- What keeps ratings apart: pool and, in solo, device.
-- Grain: mode x ruleset x device of the hands that count. Key and order: mode, ruleset, device ('' in live).
SELECT DISTINCT mode, ruleset, CASE WHEN mode = 'solo' THEN coalesce(device, '') ELSE '' END AS device
FROM hand_current
ORDER BY mode, ruleset, device
