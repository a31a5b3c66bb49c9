-- Rows that belong to no batch or no hand. Grain: a table with such rows.
SELECT 'hand' AS of_table, count(*) AS rows FROM hand ANTI JOIN ingest_batch USING (batch)
UNION ALL
SELECT 'seat', count(*) FROM seat ANTI JOIN hand USING (hand_key)
UNION ALL
SELECT 'side_result', count(*) FROM side_result ANTI JOIN hand USING (hand_key)
UNION ALL
SELECT 'hand_event_log', count(*) FROM hand_event_log ANTI JOIN hand USING (hand_key)
UNION ALL
SELECT 'event_expiry', count(*) FROM event_expiry ANTI JOIN hand USING (hand_key)
UNION ALL
SELECT 'player_record', count(*) FROM player_record ANTI JOIN ingest_batch USING (batch)
UNION ALL
SELECT 'correction', count(*) FROM correction ANTI JOIN ingest_batch USING (batch)
UNION ALL
SELECT 'quarantine', count(*) FROM quarantine ANTI JOIN ingest_batch USING (batch)
UNION ALL
SELECT 'quarantine_finding', count(*) FROM quarantine_finding ANTI JOIN quarantine USING (quarantine_key)
ORDER BY of_table
