-- A player's level events in one pool and on one device, with what each needed and had.
-- Grain: level event. Key: hands. Units: rating points, rated hands, finished games. Order: hands.
-- Parameters: $pool, $device, $player_key
SELECT hands, ended_at, kind, from_level, to_level, form, line, hands_needed, games, games_needed
FROM level_event
WHERE pool = $pool AND device = $device AND player_key = $player_key
ORDER BY hands
