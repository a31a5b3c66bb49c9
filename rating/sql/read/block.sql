-- The hands of a block whose keys do not lie together; empty for one whose keys do.
-- Grain: hand of $keys. Key: hand_key.
CREATE OR REPLACE TEMP TABLE block AS
SELECT unnest(CAST($keys AS BIGINT[])) AS hand_key
