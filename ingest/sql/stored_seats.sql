-- Seats with their players' ids, an empty one where the player is not there. Grain: hand version x seat.
-- Order: hand_key, seat. hand_key from $first to $last.
SELECT
    hand_key,
    seat,
    side,
    kind,
    CASE WHEN seat.player_key IS NOT NULL THEN coalesce(player, '') END AS player,
    skill
FROM seat
LEFT JOIN player USING (player_key)
WHERE hand_key BETWEEN $first AND $last
ORDER BY hand_key, seat
