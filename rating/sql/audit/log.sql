-- The log as a run saw it, one row a seat, in the total order of hands.
-- Grain: hand x seat. Key and order: ended_at, game_id, hand_no, hand_id, seat. Points are the seat's side's.
-- $hand_ids null: every hand.
SELECT
    hand.hand_key,
    hand.hand_id,
    hand.game_id,
    hand.hand_no,
    hand.ended_at,
    hand.mode,
    hand.ruleset,
    coalesce(hand.device, '') AS device,
    hand.game_over,
    seat.seat,
    seat.side,
    seat.kind,
    player.player,
    seat.skill,
    side_result.points
FROM hand
JOIN seat USING (hand_key)
JOIN side_result USING (hand_key, side)
LEFT JOIN player USING (player_key)
WHERE hand.hand_key <= $hand_watermark
  AND ($hand_ids IS NULL OR hand.hand_id IN (SELECT unnest(CAST($hand_ids AS VARCHAR[]))))
  AND NOT EXISTS (
      SELECT 1
      FROM correction
      WHERE correction.hand_key = hand.hand_key AND correction.correction_key <= $correction_watermark
  )
ORDER BY hand.ended_at, hand.game_id, hand.hand_no, hand.hand_id, seat.seat
