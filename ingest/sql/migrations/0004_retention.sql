-- How long the events of full logs are kept.

-- Grain: a decision, append-only. Key: decision; the last one holds. Without one, events are kept for good.
CREATE TABLE retention (
    decision INTEGER NOT NULL,
    days INTEGER,                        -- after the hand ended; null: for good
    decided_at TIMESTAMP NOT NULL,
    decided_by VARCHAR NOT NULL
);
