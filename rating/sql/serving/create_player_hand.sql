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
    concat_ws(
        ', ',
        CASE WHEN seats.side_0 = change.side AND seats.player_0 <> change.player_key THEN seats.label_0 END,
        CASE WHEN seats.side_1 = change.side AND seats.player_1 <> change.player_key THEN seats.label_1 END,
        CASE WHEN seats.side_2 = change.side AND seats.player_2 <> change.player_key THEN seats.label_2 END,
        CASE WHEN seats.side_3 = change.side AND seats.player_3 <> change.player_key THEN seats.label_3 END
    ) AS partners,
    concat_ws(
        ', ',
        CASE WHEN seats.side_0 <> change.side THEN seats.label_0 END,
        CASE WHEN seats.side_1 <> change.side THEN seats.label_1 END,
        CASE WHEN seats.side_2 <> change.side THEN seats.label_2 END,
        CASE WHEN seats.side_3 <> change.side THEN seats.label_3 END
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
    (
        coalesce(seats.hides_0 AND seats.player_0 <> change.player_key, FALSE)
        OR coalesce(seats.hides_1 AND seats.player_1 <> change.player_key, FALSE)
        OR coalesce(seats.hides_2 AND seats.player_2 <> change.player_key, FALSE)
        OR coalesce(seats.hides_3 AND seats.player_3 <> change.player_key, FALSE)
    ) AS beside_hidden
FROM rating_change AS change
JOIN hand USING (hand_key)
JOIN table_seats AS seats USING (hand_key)
JOIN side_points USING (hand_key, side)
ORDER BY change.pool, change.device, change.player_key, change.hands
