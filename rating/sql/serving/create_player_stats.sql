-- What players did in all hands that they played in person, rated or not.
-- Grain: mode x ruleset x device x player. Key and order: mode, ruleset, device, player_key.
-- A win: more points than every other side. Canastas are the side's. Points a hand.
CREATE TABLE serving.player_stats AS
WITH ranked_side AS (
    SELECT
        *,
        row_number() OVER best = 1 AND count(*) OVER level = 1 AS is_winner
    FROM side_result
    WINDOW best AS (PARTITION BY hand_key ORDER BY points DESC, side), level AS (PARTITION BY hand_key, points)
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
    CAST(sum(own.natural_canastas) AS INTEGER) AS natural_canastas,
    CAST(sum(own.mixed_canastas) AS INTEGER) AS mixed_canastas,
    CAST(sum(own.seven_canastas) AS INTEGER) AS seven_canastas,
    CAST(sum(own.ace_canastas) AS INTEGER) AS ace_canastas,
    CAST(sum(own.wild_canastas) AS INTEGER) AS wild_canastas,
    CAST(count(*) FILTER (hand.out_seat = seat.seat) AS INTEGER) AS went_out
FROM hand_current AS hand
JOIN seat USING (hand_key)
JOIN ranked_side AS own USING (hand_key, side)
WHERE seat.kind = 'human'
GROUP BY ALL
ORDER BY ALL
