-- Every level event with its evidence: what the check asked for and found.
-- Grain: level event. Key and order: pool, device, player, hands. Instants in UTC; rating points.
-- $sees_hidden: whether players who hide their skill are in it. Without it Forms are in whole points.
SELECT
    hand.hand_id,
    event.pool,
    player.player,
    event.device,
    event.kind,
    event.from_level,
    event.to_level,
    hand.ended_at,
    told(event.form) AS form,
    exact(event.form_needed) AS form_needed,
    event.hands,
    event.hands_needed,
    event.games,
    event.games_needed,
    event.hands_since_move
FROM rating_event AS event
JOIN player USING (player_key)
JOIN hand USING (hand_key)
WHERE $sees_hidden OR player.show_skill
ORDER BY event.pool, event.device, player.player, event.hands
