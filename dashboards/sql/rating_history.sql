-- A player's Rating and Form along every rated hand of one pool and device.
-- Grain: rated hand. Key: hands (1..n). Units: rating points; instants in UTC. Order: hands.
-- Parameters: $pool, $device, $player_key
SELECT hands, ended_at, partners, opponents, rating_before, rating_after, form_after
FROM player_hand
WHERE pool = $pool AND device = $device AND player_key = $player_key
ORDER BY hands
