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
    -- The same id again within the block: the first line speaks for it.
    SELECT
        row,
        first_value(row) OVER (PARTITION BY hand_id ORDER BY row) AS first_row,
        first_value(content_hash) OVER (PARTITION BY hand_id ORDER BY row) AS first_hash
    FROM incoming
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
    JOIN twins USING (row)
    LEFT JOIN versions USING (row)
),
places AS (
    -- New hands whose place in their game is taken: by a stored hand that counts, or by an earlier line.
    SELECT judged.row, hand_current.hand_id AS other
    FROM hand_current
    JOIN judged USING (game_id, hand_no)
    WHERE judged.verdict = 'new'
    UNION ALL
    SELECT row, other
    FROM (
        SELECT
            row,
            first_value(row) OVER place AS first_row,
            first_value(hand_id) OVER place AS other
        FROM judged
        WHERE verdict = 'new'
        WINDOW place AS (PARTITION BY game_id, hand_no ORDER BY row)
    )
    WHERE first_row < row
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
