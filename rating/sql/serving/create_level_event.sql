-- Every level event with its evidence.
-- Grain: level event. Key and order: pool, device, player_key, hands. Instants in UTC.
-- `line`: what the check held Form against; for a relegation the own line less the points of relegation.
CREATE TABLE serving.level_event AS
SELECT
    event.pool,
    event.device,
    event.player_key,
    event.hands,
    hand.hand_id,
    hand.ended_at,
    event.kind,
    event.from_level,
    event.to_level,
    event.form,
    event.form_needed AS line,
    event.hands_needed,
    event.games,
    event.games_needed,
    event.hands_since_move
FROM rating_event AS event
JOIN hand USING (hand_key)
ORDER BY event.pool, event.device, event.player_key, event.hands
