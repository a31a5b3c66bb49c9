-- Record a batch. Grain: the batch.
INSERT INTO ingest_batch (
    batch, kind, level, started_at, finished_at, lines, loaded, duplicates, quarantined, warnings,
    hands, seats, side_results, player_records, corrections, refusals, hash_form, previous_hash, batch_hash
)
VALUES (
    $batch, $kind, $level, $started_at, $finished_at, $lines, $loaded, $duplicates, $quarantined, $warnings,
    $hands, $seats, $side_results, $player_records, $corrections, $refusals, $hash_form, $previous_hash, $batch_hash
)
