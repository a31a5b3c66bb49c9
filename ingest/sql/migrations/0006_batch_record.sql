-- Batches whose hash covers their whole record, and how many refused lines each brought into quarantine.

ALTER TABLE ingest_batch ADD COLUMN hash_form TINYINT;   -- 1: contents alone; 2: the record, contents and their origin
ALTER TABLE ingest_batch ADD COLUMN refusals BIGINT;     -- rows of quarantine that came with this batch

-- Earlier batches keep their hashes; what is in quarantine now is what they brought.
UPDATE ingest_batch
SET hash_form = 1, refusals = (SELECT count(*) FROM quarantine WHERE quarantine.batch = ingest_batch.batch);
