-- Who sat at each table, for show.
-- Grain: hand. Key: hand_key. `seats` in order of seats: side, player (0 for a computer), label, whether that
-- player hides their skill.
CREATE OR REPLACE TEMP TABLE table_seats AS
SELECT
    seat.hand_key,
    list(
        {
            'side': seat.side,
            'player_key': coalesce(seat.player_key, 0),
            'label': CASE
                WHEN seat.kind = 'computer' THEN 'Computer (' || seat.skill || ')'
                ELSE coalesce(player.name, player.player)
            END,
            'hides': NOT coalesce(player.show_skill, TRUE)
        }
        ORDER BY seat.seat
    ) AS seats
FROM seat
SEMI JOIN hand_side USING (hand_key)
LEFT JOIN player USING (player_key)
GROUP BY seat.hand_key
