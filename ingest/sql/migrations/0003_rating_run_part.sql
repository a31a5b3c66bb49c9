-- The parts of a run's history: files that never change and that later runs share.

-- Grain: run x part, in the order of hands. Key: run, part.
CREATE TABLE rating_run_part (
    run INTEGER NOT NULL,
    part INTEGER NOT NULL,               -- from 1
    folder VARCHAR NOT NULL,             -- under <warehouse>.runs: the name of the run that wrote it
    number INTEGER NOT NULL,             -- of its files in that folder
    hands BIGINT NOT NULL,
    rated BIGINT NOT NULL,
    changes BIGINT NOT NULL,
    sides BIGINT NOT NULL,
    events BIGINT NOT NULL,
    last_ended_at TIMESTAMP,             -- the part's last hand in the total order; null when it has none
    last_game_id VARCHAR,
    last_hand_no INTEGER,
    last_hand_id VARCHAR
);
