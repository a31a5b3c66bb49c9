-- The slots of some players in one pool.
-- Grain: slot. Key and order: slot. $players: ids; $device: empty in live pools.
SELECT run_slot.slot, player.player
FROM run_slot
JOIN player USING (player_key)
WHERE run_slot.pool = $pool AND run_slot.device = $device AND player.player IN (SELECT unnest($players))
ORDER BY run_slot.slot
