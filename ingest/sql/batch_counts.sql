-- The batches as they are recorded, and how many rows each has in each table. Grain: a batch. Order: batch.
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
    ingest_batch.*,
    {'hands': coalesce(counted.hands, 0), 'seats': coalesce(counted.seats, 0),
     'side_results': coalesce(counted.side_results, 0),
     'player_records': coalesce(record.rows, 0), 'corrections': coalesce(act.rows, 0),
     'refusals': coalesce(refusal.rows, 0)} AS counted
FROM ingest_batch
LEFT JOIN counted USING (batch)
LEFT JOIN (SELECT batch, count(*) AS rows FROM player_record GROUP BY batch) AS record USING (batch)
LEFT JOIN (SELECT batch, count(*) AS rows FROM correction GROUP BY batch) AS act USING (batch)
LEFT JOIN (SELECT batch, count(*) AS rows FROM quarantine GROUP BY batch) AS refusal USING (batch)
ORDER BY batch
