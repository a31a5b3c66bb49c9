-- What players did in all hands that they played in person, rated or not.
-- Grain: mode x ruleset x device x player. Key and order: mode, ruleset, device, player_key.
-- A win: more points than every other side. Canastas are the side's. Points a hand.
-- Known hands: those that tell who, if anybody, went out; those that tell canastas. A score sheet does not tell the
-- former, and one in which no hand has a canasta does not tell the latter.
CREATE TABLE serving.player_stats AS
WITH ranked_side AS (
    SELECT
        *,
        row_number() OVER best = 1 AND count(*) OVER level = 1 AS is_winner
    FROM side_result
    WINDOW best AS (PARTITION BY hand_key ORDER BY points DESC, side), level AS (PARTITION BY hand_key, points)
),
sheet_without_canastas AS (
    SELECT hand.source
    FROM hand_current AS hand
    JOIN side_result USING (hand_key)
    WHERE hand.engine = 'score sheet'
    GROUP BY hand.source
    HAVING max(natural_canastas) = 0 AND max(mixed_canastas) = 0
)
SELECT
    hand.mode,
    hand.ruleset,
    CASE WHEN hand.mode = 'solo' THEN coalesce(hand.device, '') ELSE '' END AS device,
    seat.player_key,
    CAST(count(*) AS INTEGER) AS hands,
    CAST(count(*) FILTER (hand.game_over) AS INTEGER) AS games,
    CAST(count(*) FILTER (own.is_winner) AS INTEGER) AS wins,
    sum(own.points) / count(*) AS average_points,
    CAST(count(*) FILTER (sheet.source IS NULL) AS INTEGER) AS canasta_known_hands,
    CAST(sum(own.natural_canastas) AS INTEGER) AS natural_canastas,
    CAST(sum(own.mixed_canastas) AS INTEGER) AS mixed_canastas,
    CAST(sum(own.seven_canastas) AS INTEGER) AS seven_canastas,
    CAST(sum(own.ace_canastas) AS INTEGER) AS ace_canastas,
    CAST(sum(own.wild_canastas) AS INTEGER) AS wild_canastas,
    CAST(
        count(*) FILTER (
            WHERE hand.out_seat IS NOT NULL
            OR (hand.ended_by = 'stock' AND hand.engine IS DISTINCT FROM 'score sheet')
        ) AS INTEGER
    ) AS out_known_hands,
    CAST(count(*) FILTER (hand.out_seat = seat.seat) AS INTEGER) AS went_out
FROM hand_current AS hand
JOIN seat USING (hand_key)
JOIN ranked_side AS own USING (hand_key, side)
LEFT JOIN sheet_without_canastas AS sheet ON hand.engine = 'score sheet' AND hand.source = sheet.source
WHERE seat.kind = 'human'
GROUP BY ALL
ORDER BY ALL
