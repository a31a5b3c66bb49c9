-- Who sat at each table, for show; canasta seats four at most.
-- Grain: hand. Key: hand_key. Of each seat: side, player (0 for a computer), label, whether that player hides their
-- skill; null where there is no such seat.
CREATE OR REPLACE TEMP TABLE table_seats AS
WITH labelled AS (
    SELECT
        seat.hand_key,
        seat.seat,
        seat.side,
        coalesce(seat.player_key, 0) AS player_key,
        CASE
            WHEN seat.kind = 'computer' THEN 'Computer (' || seat.skill || ')'
            ELSE coalesce(player.name, player.player)
        END AS label,
        NOT coalesce(player.show_skill, TRUE) AS hides
    FROM seat
    LEFT JOIN player USING (player_key)
)
SELECT
    labelled.hand_key,
    any_value(labelled.side) FILTER (labelled.seat = 0) AS side_0,
    any_value(labelled.player_key) FILTER (labelled.seat = 0) AS player_0,
    any_value(labelled.label) FILTER (labelled.seat = 0) AS label_0,
    any_value(labelled.hides) FILTER (labelled.seat = 0) AS hides_0,
    any_value(labelled.side) FILTER (labelled.seat = 1) AS side_1,
    any_value(labelled.player_key) FILTER (labelled.seat = 1) AS player_1,
    any_value(labelled.label) FILTER (labelled.seat = 1) AS label_1,
    any_value(labelled.hides) FILTER (labelled.seat = 1) AS hides_1,
    any_value(labelled.side) FILTER (labelled.seat = 2) AS side_2,
    any_value(labelled.player_key) FILTER (labelled.seat = 2) AS player_2,
    any_value(labelled.label) FILTER (labelled.seat = 2) AS label_2,
    any_value(labelled.hides) FILTER (labelled.seat = 2) AS hides_2,
    any_value(labelled.side) FILTER (labelled.seat = 3) AS side_3,
    any_value(labelled.player_key) FILTER (labelled.seat = 3) AS player_3,
    any_value(labelled.label) FILTER (labelled.seat = 3) AS label_3,
    any_value(labelled.hides) FILTER (labelled.seat = 3) AS hides_3
FROM labelled
GROUP BY labelled.hand_key
