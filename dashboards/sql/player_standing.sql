-- Where a player stands in every pool and on every device.
-- Grain: pool x device. Key: pool, device. Units: rating points; progress from 0 to 1.
-- Order: pool, most rated hands first, device.
-- Parameters: $player_key
SELECT
    pool,
    device,
    rating_shown,
    last_change_shown,
    form,
    level,
    hands,
    games,
    last_hand_at,
    peak_rating,
    hands_since_move,
    at_risk,
    next_level,
    next_form,
    next_hands,
    next_games,
    form_progress,
    hands_progress,
    games_progress,
    progress,
    relegation_form
FROM standing
WHERE player_key = $player_key
ORDER BY pool, hands DESC, device
