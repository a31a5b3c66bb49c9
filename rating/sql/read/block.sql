-- The hands of a block whose keys do not lie together; empty for one whose keys do.
-- Reads `given` (hand_key). Grain: hand of `given`. Key: hand_key.
CREATE OR REPLACE TEMP TABLE block AS
SELECT hand_key FROM given
