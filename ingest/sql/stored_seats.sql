-- Seats with their players' ids. Grain: hand version x seat. Order: hand_key, seat. hand_key from $first to $last.
SELECT hand_key, seat, side, kind, player, skill
FROM seat
LEFT JOIN player USING (player_key)
WHERE hand_key BETWEEN $first AND $last
ORDER BY hand_key, seat
