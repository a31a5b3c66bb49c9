-- Where each player stands in each pool; `computed` is the table that the build made.
-- Grain: pool x device x player. Key and order: pool, device, player_key.
CREATE TABLE serving.standing AS
SELECT
    pool,
    device,
    player_key,
    rating,
    form,
    level,
    hands,
    games,
    last_change_shown,
    rating_shown,
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
FROM computed
ORDER BY pool, device, player_key
