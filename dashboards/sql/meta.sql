-- What the snapshot is: its number and age, and what it rests on.
-- Grain: the snapshot, one row. Units: counts; instants in UTC.
-- `players` counts those whom this viewer may see, so that it gives nobody away.
-- Parameters: $sees_hidden
SELECT
    meta.snapshot,
    meta.published_at,
    meta.hands,
    meta.rated_hands,
    meta.last_hand_at,
    (SELECT count(*) FROM player WHERE $sees_hidden OR player.show_skill) AS players
FROM meta
