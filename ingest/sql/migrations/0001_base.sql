-- The base tables: what was played, who played it, what came and what was refused.
-- Keys are given by the loader in order of arrival; no index is kept, so cost and memory do not grow with history.

-- Grain: an applied step of the schema. Key: version, from 1.
CREATE TABLE schema_migration (
    version INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    applied_at TIMESTAMP NOT NULL
);

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
    content_hash BLOB NOT NULL,          -- of everything above but hand_key, with seats and side results
    source INTEGER NOT NULL,
    line BIGINT NOT NULL,                -- in the source, from 1
    batch INTEGER NOT NULL
);

-- Grain: hand version x seat. Key and physical order: hand_key, seat.
CREATE TABLE seat (
    hand_key BIGINT NOT NULL,
    seat TINYINT NOT NULL,
    side TINYINT NOT NULL,
    kind VARCHAR NOT NULL,               -- human | stand_in | computer
    player_key INTEGER,                  -- null for a computer
    skill VARCHAR                        -- beginner | intermediate | expert, of the computer that played
);

-- Grain: hand version x side. Key and physical order: hand_key, side. All in points, but for the counts of canastas.
CREATE TABLE side_result (
    hand_key BIGINT NOT NULL,
    side TINYINT NOT NULL,
    score_before INTEGER NOT NULL,
    points INTEGER NOT NULL,
    score_after INTEGER NOT NULL,
    canasta_points INTEGER NOT NULL,
    three_points INTEGER NOT NULL,
    going_out_points INTEGER NOT NULL,
    meld_points INTEGER NOT NULL,
    holding_points INTEGER NOT NULL,     -- negative or zero
    penalty_points INTEGER NOT NULL,     -- negative or zero
    special_points INTEGER NOT NULL,
    natural_canastas SMALLINT NOT NULL,
    mixed_canastas SMALLINT NOT NULL,
    seven_canastas SMALLINT NOT NULL,
    ace_canastas SMALLINT NOT NULL,
    wild_canastas SMALLINT NOT NULL
);

-- Grain: a hand version whose cards and events are kept. Key: hand_key.
CREATE TABLE hand_event_log (
    hand_key BIGINT NOT NULL,
    cards VARCHAR NOT NULL,              -- rank | suit: how cards are written
    deal VARCHAR NOT NULL,               -- JSON object: holdings, upcards
    events VARCHAR NOT NULL
);

-- Grain: a person. Key: player_key, in order of first sight (in a hand or in a players' file).
CREATE TABLE player (
    player_key INTEGER NOT NULL,
    player VARCHAR NOT NULL,             -- the id that hands use
    name VARCHAR,                        -- null until a players' file says
    self_rating VARCHAR,                 -- the first recorded: it starts every pool
    self_rating_batch INTEGER,           -- the batch that recorded it
    shown_self_rating VARCHAR,           -- the latest
    show_skill BOOLEAN NOT NULL,
    joined_at TIMESTAMP
);

-- Grain: a new statement about a person from a players' file, in order of arrival. Key: record_key.
CREATE TABLE player_record (
    record_key BIGINT NOT NULL,          -- order of loading, from 1
    player_key INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    self_rating VARCHAR,
    show_skill BOOLEAN NOT NULL,
    joined_at TIMESTAMP,
    extra VARCHAR,
    content_hash BLOB NOT NULL,
    source INTEGER NOT NULL,
    line BIGINT NOT NULL,
    batch INTEGER NOT NULL
);

-- Grain: a file, stream or operator's act that hands came from. Key: source.
CREATE TABLE source (
    source INTEGER NOT NULL,
    name VARCHAR NOT NULL,               -- the path as given, or '-' for standard input
    kind VARCHAR NOT NULL                -- log | score_sheet
);

-- Grain: one transaction that changed the record. Key: batch, from 1.
CREATE TABLE ingest_batch (
    batch INTEGER NOT NULL,
    started_at TIMESTAMP NOT NULL,
    finished_at TIMESTAMP NOT NULL,
    kind VARCHAR NOT NULL,               -- load | retry | void | correct
    level TINYINT NOT NULL,              -- checking level
    lines BIGINT NOT NULL,               -- read, blank lines not counted
    loaded BIGINT NOT NULL,              -- new hands and new statements about players
    duplicates BIGINT NOT NULL,
    quarantined BIGINT NOT NULL,
    warnings BIGINT NOT NULL,
    hands BIGINT NOT NULL,               -- rows of each table that came with this batch
    seats BIGINT NOT NULL,
    side_results BIGINT NOT NULL,
    player_records BIGINT NOT NULL,
    corrections BIGINT NOT NULL,
    previous_hash BLOB NOT NULL,         -- 32 zero bytes before the first batch
    batch_hash BLOB NOT NULL             -- SHA-256: this batch's contents chained to previous_hash
);

-- Grain: a refused line. Key: quarantine_key. The line is kept as it came.
CREATE TABLE quarantine (
    quarantine_key BIGINT NOT NULL,
    hand_id VARCHAR,
    raw BLOB NOT NULL,
    raw_hash BLOB NOT NULL,              -- SHA-256 of raw
    source INTEGER NOT NULL,
    line BIGINT NOT NULL,
    batch INTEGER NOT NULL,
    status VARCHAR NOT NULL,             -- open | loaded | dropped
    closed_at TIMESTAMP,
    closed_by VARCHAR,
    why VARCHAR
);

-- Grain: what is wrong with a refused line. Key: quarantine_key, position.
CREATE TABLE quarantine_finding (
    quarantine_key BIGINT NOT NULL,
    position INTEGER NOT NULL,
    event INTEGER,
    code VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,           -- error | warning
    message VARCHAR NOT NULL,
    rule VARCHAR,
    expected VARCHAR,                    -- JSON
    found VARCHAR                        -- JSON
);

-- Grain: an operator's act on a hand, append-only. Key: correction_key, in order of acting.
CREATE TABLE correction (
    correction_key BIGINT NOT NULL,
    kind VARCHAR NOT NULL,               -- void | replace
    hand_id VARCHAR NOT NULL,
    hand_key BIGINT NOT NULL,            -- the version that no longer counts
    replacement_hand_key BIGINT,         -- the version that counts instead
    operator VARCHAR NOT NULL,
    corrected_at TIMESTAMP NOT NULL,
    why VARCHAR NOT NULL,
    batch INTEGER NOT NULL
);

-- Grain: a snapshot number that was given out; never given twice. Key: snapshot.
CREATE TABLE snapshot (
    snapshot INTEGER NOT NULL,
    started_at TIMESTAMP NOT NULL
);

-- Grain: a hand that counts: the latest version, not void.
CREATE VIEW hand_current AS
SELECT * FROM hand WHERE hand_key NOT IN (SELECT hand_key FROM correction);
