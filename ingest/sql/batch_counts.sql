-- How many rows each batch has in each table, beside what it recorded. Grain: a batch. Order: batch.
WITH counted AS (
    SELECT
        hand.batch,
        count(*) AS hands,
        sum(coalesce(seats, 0))::BIGINT AS seats,
        sum(coalesce(side_results, 0))::BIGINT AS side_results
    FROM hand
    LEFT JOIN (SELECT hand_key, count(*) AS seats FROM seat GROUP BY hand_key) USING (hand_key)
    LEFT JOIN (SELECT hand_key, count(*) AS side_results FROM side_result GROUP BY hand_key) USING (hand_key)
    GROUP BY hand.batch
)
SELECT
    batch,
    kind,
    previous_hash,
    batch_hash,
    {'hands': ingest_batch.hands, 'seats': ingest_batch.seats, 'side_results': ingest_batch.side_results,
     'player_records': ingest_batch.player_records, 'corrections': ingest_batch.corrections} AS recorded,
    {'hands': coalesce(counted.hands, 0), 'seats': coalesce(counted.seats, 0),
     'side_results': coalesce(counted.side_results, 0),
     'player_records': coalesce(record.rows, 0), 'corrections': coalesce(act.rows, 0)} AS counted
FROM ingest_batch
LEFT JOIN counted USING (batch)
LEFT JOIN (SELECT batch, count(*) AS rows FROM player_record GROUP BY batch) AS record USING (batch)
LEFT JOIN (SELECT batch, count(*) AS rows FROM correction GROUP BY batch) AS act USING (batch)
ORDER BY batch
