-- The latest version of a hand, and whether it counts. Key: hand_id.
SELECT
    hand_key,
    hand_key NOT IN (SELECT hand_key FROM correction) AS counts
FROM hand
WHERE hand_id = $hand_id
ORDER BY hand_key DESC
LIMIT 1
