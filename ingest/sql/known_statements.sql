-- What is known of the players that a block speaks of.
-- Grain: a statement. Key: player, record_key. Order: player, record_key. Reads `sighted`.
SELECT player, player_record.show_skill, content_hash
FROM player_record
JOIN player USING (player_key)
SEMI JOIN sighted USING (player)
ORDER BY player, record_key
