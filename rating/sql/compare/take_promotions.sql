-- Keep the promotions of the run that the cursor sees, as those of $which.
-- Grain: pool x device x player that was promoted.
INSERT INTO compared_promotion
SELECT
    $which,
    event.pool,
    event.device,
    event.player_key,
    list({'level': event.to_level, 'ended_at': hand.ended_at} ORDER BY event.hands)
FROM rating_event AS event
JOIN hand USING (hand_key)
WHERE event.kind = 'promoted'
GROUP BY event.pool, event.device, event.player_key
