-- What a hand did to one player's numbers, and when the level had moved last.
-- Grain: one row or none: the change of $slot by the hand $hand_key. `moved_at`: rated hands at the last placing or
-- promotion before this hand, 0 before placing. `level_before`: empty before placing.
WITH own AS (
    SELECT *, coalesce(lag(level) OVER (PARTITION BY slot ORDER BY hands), '') AS level_before
    FROM rating_change
    WHERE slot = $slot
)
SELECT
    own.*,
    applied.hand_id AS applied_hand_id,
    (
        SELECT coalesce(max(event.hands), 0)
        FROM rating_event AS event
        WHERE event.slot = $slot AND event.kind IN ('placed', 'promoted') AND event.hands < own.hands
    ) AS moved_at,
    (
        SELECT event.kind FROM rating_event AS event WHERE event.slot = $slot AND event.hands = own.hands
    ) AS event
FROM own
LEFT JOIN hand AS applied ON applied.hand_key = own.applied_hand_key
WHERE own.hand_key = $hand_key
