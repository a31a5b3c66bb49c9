-- What the snapshot is and what it rests on.
-- Grain: the snapshot, one row. Counts; instants in UTC.
CREATE TABLE serving.meta AS
SELECT
    CAST($snapshot AS INTEGER) AS snapshot,
    CAST($published_at AS TIMESTAMP) AS published_at,
    CAST($run AS VARCHAR) AS run,
    CAST($parameters AS VARCHAR) AS parameters,
    CAST($parameters_toml AS VARCHAR) AS parameters_toml,
    CAST($hands AS BIGINT) AS hands,
    CAST($rated_hands AS BIGINT) AS rated_hands,
    (SELECT count(*) FROM player) AS players,
    (SELECT min(ended_at) FROM hand_current) AS first_hand_at,
    (SELECT max(ended_at) FROM hand_current) AS last_hand_at,
    (SELECT count(*) FROM quarantine WHERE status = 'open') AS quarantined
