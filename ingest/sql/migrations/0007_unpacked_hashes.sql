-- Content hashes are kept as they are: there is nothing in them to pack, and looking for it took a twentieth of a load.

DROP VIEW hand_current;
ALTER TABLE hand RENAME TO hand_before;

-- Grain: one version of a hand. Key: hand_key. Times are UTC instants. Points are canasta points.
CREATE TABLE hand (
    hand_key BIGINT NOT NULL,            -- order of loading, from 1
    hand_id VARCHAR NOT NULL,
    game_id VARCHAR NOT NULL,
    hand_no INTEGER NOT NULL,            -- from 1 within the game
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP NOT NULL,
    mode VARCHAR NOT NULL,               -- live | solo
    ruleset VARCHAR NOT NULL,
    options VARCHAR NOT NULL,            -- JSON object with sorted keys: only what differs from the rule set's defaults
    device VARCHAR,                      -- solo only
    dealer TINYINT NOT NULL,
    ended_by VARCHAR NOT NULL,           -- out | stock | special
    out_seat TINYINT,                    -- the seat that went out or laid the special hand
    concealed BOOLEAN NOT NULL,
    special VARCHAR,
    game_over BOOLEAN NOT NULL,
    winner TINYINT,                      -- side, when game_over; null in a draw
    turns INTEGER,
    engine VARCHAR,                      -- provenance only
    seed VARCHAR,                        -- provenance only
    extra VARCHAR,                       -- JSON object with sorted keys: fields this version does not know, by path
    events_hash BLOB,                    -- of deal and events; null for a summary. Outlives the events
    content_hash BLOB NOT NULL USING COMPRESSION uncompressed, -- of everything above but hand_key, with seats and side results
    source INTEGER NOT NULL,
    line BIGINT NOT NULL,                -- in the source, from 1
    batch INTEGER NOT NULL
);

INSERT INTO hand
FROM hand_before
ORDER BY hand_key;

DROP TABLE hand_before;

-- Grain: a hand that counts: the latest version, not void.
CREATE VIEW hand_current AS
SELECT * FROM hand WHERE hand_key NOT IN (SELECT hand_key FROM correction);
