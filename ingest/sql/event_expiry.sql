-- That a hand version's events expired; no row where they did not.
-- Grain: hand version $hand_key. Instants in UTC; null: not recorded.
SELECT ended_before, expired_at
FROM event_expiry
WHERE hand_key = $hand_key
