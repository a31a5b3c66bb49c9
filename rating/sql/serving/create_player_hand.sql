-- Every rated hand of every player, with who played and what it changed.
-- Grain: pool x device x player x hand. Key and order: pool, device, player_key, hands.
-- Units: canasta points, rating points, scores in [0, 1]; instants in UTC. points_against: the best other side's.
-- beside_hidden: somebody else at the table hides their skill, and `expected` would tell others their Rating.
CREATE TABLE serving.player_hand AS
WITH side_points AS (
    SELECT own.hand_key, own.side, own.points, max(other.points) AS points_against
    FROM side_result AS own
    JOIN side_result AS other ON other.hand_key = own.hand_key AND other.side <> own.side
    GROUP BY own.hand_key, own.side, own.points
)
SELECT
    change.pool,
    change.device,
    change.player_key,
    change.hands,
    hand.hand_id,
    hand.ended_at,
    CAST(change.side AS INTEGER) AS side,
    array_to_string(
        list_transform(
            list_filter(
                table_seats.seats,
                lambda seat: seat.side = change.side AND seat.player_key <> change.player_key
            ),
            lambda seat: seat.label
        ),
        ', '
    ) AS partners,
    array_to_string(
        list_transform(
            list_filter(table_seats.seats, lambda seat: seat.side <> change.side), lambda seat: seat.label
        ),
        ', '
    ) AS opponents,
    side_points.points,
    side_points.points_against,
    change.rating_before,
    change.rating_after,
    change.k_factor,
    change.expected,
    change.actual,
    change.surprise,
    change.change,
    change.form_after,
    change.games,
    change.level,
    change.held,
    len(list_filter(table_seats.seats, lambda seat: seat.hides AND seat.player_key <> change.player_key)) > 0
        AS beside_hidden
FROM rating_change AS change
JOIN hand USING (hand_key)
JOIN table_seats USING (hand_key)
JOIN side_points USING (hand_key, side)
ORDER BY change.pool, change.device, change.player_key, change.hands
