-- The level events of the slots $slots, in order.
-- Grain: level event. Key and order: slot, hands. Parameters: $slots.
SELECT
    event.slot,
    event.hands,
    hand.hand_id,
    hand.ended_at,
    event.kind,
    event.from_level,
    event.to_level,
    event.form,
    event.form_needed,
    event.hands_needed,
    event.games,
    event.games_needed,
    event.hands_since_move
FROM rating_event AS event
JOIN hand USING (hand_key)
WHERE event.slot IN $slots
ORDER BY event.slot, event.hands
