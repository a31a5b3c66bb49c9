-- Players with many hands that end at once; special hands are left out, which may.
-- Grain: pool x player. Key: both. Order: hands, falling, then the key. Rating points, rounded; instants in UTC.
SELECT
    live_change.pool,
    player.player,
    count(*) AS hands,
    round(sum(live_change.change), 4) AS gain_points,
    arg_min(hand.hand_id, (hand.ended_at, hand.hand_id)) AS first_hand,
    arg_max(hand.hand_id, (hand.ended_at, hand.hand_id)) AS last_hand
FROM live_change
JOIN hand USING (hand_key)
JOIN player ON player.player_key = live_change.player_key
WHERE hand.ended_by <> 'special'
  AND (hand.turns <= $turns OR hand.ended_at - hand.started_at < to_seconds($seconds))
GROUP BY live_change.pool, player.player
HAVING count(*) >= $hands
ORDER BY hands DESC, live_change.pool, player.player
