-- Which of the incoming hands is new, a duplicate or a conflict.
-- Grain: an incoming hand. Key: row. Order: row.
-- Reads `incoming` (row, hand_id, game_id, hand_no, content_hash), `hand`, `hand_current`.
WITH versions AS (
    -- Stored versions of the incoming ids: the same content as any of them is a duplicate.
    SELECT
        incoming.row,
        bool_or(hand.content_hash = incoming.content_hash) AS is_same
    FROM hand
    JOIN incoming USING (hand_id)
    GROUP BY incoming.row
),
twins AS (
    -- Ids that are there more than once: the first line speaks for them.
    SELECT
        hand_id,
        min(row) AS first_row,
        arg_min(content_hash, row) AS first_hash
    FROM incoming
    GROUP BY hand_id
    HAVING count(*) > 1
),
judged AS (
    SELECT
        incoming.row,
        incoming.game_id,
        incoming.hand_no,
        incoming.hand_id,
        CASE
            WHEN versions.is_same OR (twins.first_row < row AND twins.first_hash = content_hash) THEN 'duplicate'
            WHEN versions.row IS NOT NULL OR twins.first_row < row THEN 'conflict'
            ELSE 'new'
        END AS verdict
    FROM incoming
    LEFT JOIN twins USING (hand_id)
    LEFT JOIN versions USING (row)
),
shared_places AS (
    -- Places in a game that more than one new hand names: the first line has it.
    SELECT
        game_id,
        hand_no,
        min(row) AS first_row,
        arg_min(hand_id, row) AS other
    FROM judged
    WHERE verdict = 'new'
    GROUP BY game_id, hand_no
    HAVING count(*) > 1
),
places AS (
    -- New hands whose place in their game is taken: by a stored hand that counts, or by an earlier line.
    SELECT judged.row, hand_current.hand_id AS other
    FROM hand_current
    JOIN judged USING (game_id, hand_no)
    WHERE judged.verdict = 'new'
    UNION ALL
    SELECT judged.row, shared_places.other
    FROM judged
    JOIN shared_places USING (game_id, hand_no)
    WHERE judged.verdict = 'new' AND shared_places.first_row < judged.row
),
taken AS (
    SELECT row, min(other) AS other
    FROM places
    GROUP BY row
)
SELECT
    judged.row,
    CASE WHEN taken.row IS NOT NULL THEN 'game_conflict' ELSE judged.verdict END AS verdict,
    taken.other
FROM judged
LEFT JOIN taken USING (row)
WHERE judged.verdict <> 'new' OR taken.row IS NOT NULL
ORDER BY row
