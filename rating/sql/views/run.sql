-- The whole record of one run, as views over its files; they hold what can be derived from what is stored.
-- Ratings, Forms and K in rating points; hands are rated hands, games finished games; points are canasta points.
-- `run_level` (position, level, form_line, hands_needed, games_needed) is made from the run's parameters beforehand.

-- Grain: slot, that is pool x device x player. Key: slot.
CREATE OR REPLACE TEMP VIEW run_slot AS
SELECT
    slot.slot,
    pool.mode || '/' || pool.ruleset AS pool,
    pool.mode,
    pool.ruleset,
    pool.device,
    slot.player_key,
    slot.start_rating
FROM read_parquet(getvariable('rating_slot_file')) AS slot
JOIN read_parquet(getvariable('rating_pool_file')) AS pool USING (pool_key);

-- Grain: rated hand x side. Key: hand_key, side. Expected and actual score in [0, 1].
CREATE OR REPLACE TEMP VIEW hand_side AS
SELECT hand_key, side, rating, expected, actual, actual - expected AS surprise
FROM read_parquet(getvariable('rating_side_files'));

-- Grain: rated player-hand. Key: slot, hands. The hand is the one that was rated; a held change was applied at the
-- start of the hand `applied_hand_key`, which is null where nothing was held. hands, games and level are after it.
CREATE OR REPLACE TEMP VIEW rating_change AS
SELECT
    change.slot,
    run_slot.pool,
    run_slot.device,
    run_slot.player_key,
    change.hand_key,
    nullif(change.applied_key, 0) AS applied_hand_key,
    change.side,
    change.hands,
    change.games,
    coalesce(run_level.level, '') AS level,
    coalesce(lag(change.rating) OVER in_order, run_slot.start_rating) AS rating_before,
    change.rating AS rating_after,
    change.k_factor,
    hand_side.expected,
    hand_side.actual,
    hand_side.surprise,
    change.rating - coalesce(lag(change.rating) OVER in_order, run_slot.start_rating) AS change,
    coalesce(lag(change.form) OVER in_order, run_slot.start_rating) AS form_before,
    change.form AS form_after,
    change.applied_key <> 0 AS held
FROM read_parquet(getvariable('rating_change_files')) AS change
JOIN run_slot USING (slot)
JOIN hand_side USING (hand_key, side)
LEFT JOIN run_level ON run_level.position = change.level
WINDOW in_order AS (PARTITION BY change.slot ORDER BY change.hands);

-- Grain: level event. Key: slot, hands. What the check asked for and found; `form_needed` is the line of the level
-- reached (promoted), the own line (warned, recovered), or the own line less the points of relegation (relegated).
CREATE OR REPLACE TEMP VIEW rating_event AS
SELECT
    event.slot,
    run_slot.pool,
    run_slot.device,
    run_slot.player_key,
    event.hand_key,
    event.hands,
    ['placed', 'promoted', 'relegated', 'warned', 'recovered'][event.kind] AS kind,
    coalesce(from_level.level, '') AS from_level,
    to_level.level AS to_level,
    event.form,
    event.form_needed,
    event.hands_needed,
    event.games,
    event.games_needed,
    event.hands_since_move
FROM read_parquet(getvariable('rating_event_files')) AS event
JOIN run_slot USING (slot)
LEFT JOIN run_level AS from_level ON from_level.position = event.from_level
JOIN run_level AS to_level ON to_level.position = event.to_level;

-- Grain: slot that has been rated, as the run leaves it. Key: slot. level_position is -1 before placing.
CREATE OR REPLACE TEMP VIEW run_standing AS
SELECT
    run_slot.slot,
    run_slot.pool,
    run_slot.device,
    run_slot.player_key,
    run_slot.start_rating,
    state.rating,
    state.form,
    state.previous_rating,
    state.peak_rating,
    state.last_key AS last_hand_key,
    state.level AS level_position,
    coalesce(run_level.level, '') AS level,
    CAST(state.hands AS INTEGER) AS hands,
    CAST(state.games AS INTEGER) AS games,
    CAST(state.hands - state.moved_at AS INTEGER) AS hands_since_move
FROM (
    SELECT *, file_row_number AS slot
    FROM read_parquet(getvariable('rating_state_file'), file_row_number = true)
) AS state
JOIN run_slot USING (slot)
LEFT JOIN run_level ON run_level.position = state.level
WHERE state.hands > 0
