-- Who was rated for a hand when it was played, and with which K.
-- Grain: player of the hand $hand_key whose change was not held. Key and order: player. Rating points.
-- $slots: of the hand's players.
SELECT player.player, change.k_factor
FROM rating_change AS change
JOIN player USING (player_key)
WHERE change.slot IN (SELECT unnest($slots)) AND change.hand_key = $hand_key AND NOT change.held
ORDER BY player.player
