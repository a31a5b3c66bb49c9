-- Hands as they are stored. Grain: a hand version. Key and order: hand_key, from $first to $last.
SELECT
    hand_key, hand_id, game_id, hand_no, epoch_us(started_at) AS started_at, epoch_us(ended_at) AS ended_at,
    mode, ruleset, options, device, dealer, ended_by, out_seat, concealed, special, game_over, winner, turns,
    engine, seed, extra, events_hash, content_hash, batch,
    coalesce(hand_event_log.cards, 'suit') AS cards, deal, events,
    hand_key IN (SELECT hand_key FROM event_expiry WHERE hand_key BETWEEN $first AND $last) AS has_expired
FROM hand
LEFT JOIN hand_event_log USING (hand_key)
WHERE hand_key BETWEEN $first AND $last
ORDER BY hand_key
