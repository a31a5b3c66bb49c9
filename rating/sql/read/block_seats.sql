-- A block's seats, kinds and skills as the fold codes them.
-- Grain: seat of a hand of `block` (position, hand_key), whose keys lie in $least..$greatest.
-- Key: position, seat. Order: none. player_key 0: nobody's seat. skill 0: no computer plays.
SELECT
    block.position,
    seat.seat,
    seat.side,
    CAST(CASE seat.kind WHEN 'human' THEN 0 WHEN 'stand_in' THEN 1 ELSE 2 END AS TINYINT) AS kind,
    coalesce(seat.player_key, 0) AS player_key,
    CAST(
        CASE seat.skill WHEN 'beginner' THEN 1 WHEN 'intermediate' THEN 2 WHEN 'expert' THEN 3 ELSE 0 END
        AS TINYINT
    ) AS skill
FROM block
JOIN seat USING (hand_key)
WHERE seat.hand_key BETWEEN $least AND $greatest
