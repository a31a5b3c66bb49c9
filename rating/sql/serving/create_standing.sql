-- Where each player stands in each pool; `computed` is the table that the build made.
-- Grain: pool x device x player. Key and order: pool, device, player_key.
-- place: from 1 within the pool: placed players by Rating, then the self-rated; ties by Form, player and device.
-- public_place: the same among players who show their skill, null for the others.
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
    relegation_form,
    CAST(row_number() OVER board AS INTEGER) AS place,
    CASE WHEN player.show_skill THEN CAST(row_number() OVER public_board AS INTEGER) END AS public_place
FROM computed
JOIN player USING (player_key)
WINDOW
    board AS (
        PARTITION BY pool ORDER BY level <> '' DESC, rating DESC, form DESC, player.player, device
    ),
    public_board AS (
        PARTITION BY pool, player.show_skill
        ORDER BY level <> '' DESC, rating DESC, form DESC, player.player, device
    )
ORDER BY pool, device, player_key
