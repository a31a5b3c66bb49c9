-- Which hands' events expired, so that no other loss of events is taken for it.

-- Grain: a hand version whose events were deleted because they were past their time. Key: hand_key.
CREATE TABLE event_expiry (
    hand_key BIGINT NOT NULL,
    ended_before TIMESTAMP,              -- hands that ended earlier were past their time; null: before this table
    expired_at TIMESTAMP                 -- null: before this table
);

-- What was missing until now cannot be told apart from what expired.
INSERT INTO event_expiry
SELECT hand_key, NULL, NULL
FROM hand
ANTI JOIN hand_event_log USING (hand_key)
WHERE events_hash IS NOT NULL
ORDER BY hand_key;
