-- Every side of every hand that the run saw, rated or not; `unrated_because` says why one is not.
-- Grain: hand x side. Key and order: the total order of hands (ended_at, game_id, hand_no, hand_id), side.
-- Instants in UTC; canasta points; rating points; scores in [0, 1]. $sees_hidden: without it what a player who hides
-- their skill played alone is left out, and so are the numbers of a hand that they sat at; other numbers are rounded
-- as the pages show them.
WITH hiding AS (
    SELECT DISTINCT seat.hand_key
    FROM seat
    JOIN player USING (player_key)
    WHERE NOT $sees_hidden AND NOT player.show_skill
)
SELECT
    hand.hand_id,
    hand.game_id,
    hand.hand_no,
    hand.ended_at,
    hand.mode || '/' || hand.ruleset AS pool,
    CASE WHEN hand.mode = 'solo' THEN coalesce(hand.device, '') ELSE '' END AS device,
    side_result.side,
    side_result.points,
    hand_side.hand_key IS NOT NULL AS rated,
    CASE WHEN hand_side.hand_key IS NULL THEN 'no other person played it' ELSE '' END AS unrated_because,
    told(CASE WHEN hiding.hand_key IS NULL THEN hand_side.rating END) AS side_rating,
    told_share(CASE WHEN hiding.hand_key IS NULL THEN hand_side.expected END) AS expected,
    told_share(CASE WHEN hiding.hand_key IS NULL THEN hand_side.actual END) AS actual,
    told_share(CASE WHEN hiding.hand_key IS NULL THEN hand_side.surprise END) AS surprise
FROM hand
JOIN side_result USING (hand_key)
LEFT JOIN hand_side USING (hand_key, side)
LEFT JOIN hiding USING (hand_key)
WHERE hand.hand_key <= $hand_watermark
  AND hand.hand_key NOT IN (
      SELECT correction.hand_key FROM correction WHERE correction.correction_key <= $correction_watermark
  )
  AND (hand.mode <> 'solo' OR hiding.hand_key IS NULL)
ORDER BY hand.ended_at, hand.game_id, hand.hand_no, hand.hand_id, side_result.side
