-- The pools that hold a rating this viewer may see.
-- Grain: pool. Key: pool. Order: the live pools first, each kind by name.
-- Parameters: $sees_hidden
SELECT DISTINCT pool
FROM standing
WHERE $sees_hidden OR public_place IS NOT NULL
ORDER BY pool
