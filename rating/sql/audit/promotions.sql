-- Level events with what each needed and had, the hand that did it, and the state before.
-- Grain: level event. Key: slot, hands. Order: the total order of hands, then pool, device, player, hands.
-- Rating points; rated hands; finished games; instants in UTC. $player_key null: everybody's; $since null: all.
SELECT
    event.kind,
    player.player,
    coalesce(player.name, player.player) AS name,
    event.pool,
    event.device,
    event.from_level,
    event.to_level,
    hand.hand_id,
    hand.game_id,
    hand.hand_no,
    hand.ended_at,
    change.held,
    event.form,
    event.form_needed,
    event.hands,
    event.hands_needed,
    event.games,
    event.games_needed,
    event.hands_since_move,
    change.rating_before,
    change.rating_after,
    change.form_before
FROM rating_event AS event
JOIN rating_change AS change USING (slot, hands)
JOIN player ON player.player_key = event.player_key
JOIN hand ON hand.hand_key = event.hand_key
WHERE ($player_key IS NULL OR event.player_key = $player_key)
  AND ($since IS NULL OR hand.ended_at >= $since)
ORDER BY
    hand.ended_at, hand.game_id, hand.hand_no, hand.hand_id, event.pool, event.device, player.player, event.hands
