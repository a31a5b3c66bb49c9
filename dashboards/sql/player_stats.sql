-- What a player did in all hands played in person, rated or not, in one mode, rule set and device.
-- Grain: mode x ruleset x device x player, one row or none. Units: counts; points a hand.
-- Parameters: $pool (mode/ruleset), $device, $player_key
SELECT
    hands,
    games,
    wins,
    average_points,
    canasta_known_hands,
    natural_canastas,
    mixed_canastas,
    seven_canastas,
    ace_canastas,
    wild_canastas,
    out_known_hands,
    went_out
FROM player_stats
WHERE mode || '/' || ruleset = $pool AND device = $device AND player_key = $player_key
