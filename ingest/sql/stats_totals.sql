-- Totals and freshness. One row. Times are UTC.
SELECT
    (SELECT count(*) FROM hand_current) AS hands,
    (SELECT count(*) FROM hand) AS versions,
    (SELECT count(DISTINCT hand_id) FROM hand) - (SELECT count(*) FROM hand_current) AS void,
    (SELECT count(*) FROM correction) AS corrections,
    (SELECT count(DISTINCT game_id) FROM hand_current) AS games,
    (SELECT count(*) FROM player) AS players,
    (SELECT count(*) FROM hand_event_log) AS full_logs,
    (SELECT count(*) FROM quarantine WHERE status = 'open') AS quarantined,
    (SELECT count(*) FROM ingest_batch) AS batches,
    (SELECT max(finished_at) FROM ingest_batch) AS last_batch_at,
    (SELECT min(ended_at) FROM hand_current) AS first_hand_at,
    (SELECT max(ended_at) FROM hand_current) AS last_hand_at
