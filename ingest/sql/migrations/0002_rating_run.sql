-- Rating runs: what was folded with which parameters, and which run is current.

-- Grain: a finished run; its rows never change. Key: run. Its history lies in <warehouse>.runs/<run>/.
CREATE TABLE rating_run (
    run INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    parameters VARCHAR NOT NULL,         -- name of the parameter set
    parameters_toml VARCHAR NOT NULL,    -- the whole set
    parameters_hash VARCHAR NOT NULL,    -- SHA-256, hexadecimal
    code_version VARCHAR NOT NULL,
    hand_watermark BIGINT NOT NULL,      -- greatest hand_key that it saw
    correction_watermark BIGINT NOT NULL,
    batch_watermark INTEGER NOT NULL,
    hands BIGINT NOT NULL,
    rated BIGINT NOT NULL,
    changes BIGINT NOT NULL,
    events BIGINT NOT NULL,
    started_at TIMESTAMP NOT NULL,
    seconds DOUBLE NOT NULL
);

-- Grain: an act of making a run current, append-only. Key: act; the last one holds.
CREATE TABLE current_run (
    act INTEGER NOT NULL,
    run INTEGER NOT NULL,
    since TIMESTAMP NOT NULL,
    why VARCHAR NOT NULL
);
