-- What was done to a hand, the load of each version first; `kind` is null for a load.
-- Grain: version or correction of $hand_id. Order: the versions, then the corrections in order of acting.
SELECT NULL AS kind, NULL AS operator, NULL AS corrected_at, NULL AS why, 0 AS act, hand_key
FROM hand
WHERE hand_id = $hand_id
UNION ALL
SELECT kind, operator, corrected_at, why, correction_key AS act, hand_key
FROM correction
WHERE hand_id = $hand_id
ORDER BY act, hand_key
