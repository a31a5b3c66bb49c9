-- What the people at a hand's table brought to it: their numbers after all that was rated before, and after what was
-- held for them and applied at its start.
-- Grain: slot that had been rated. Key and order: slot. Rating points. $slots: of the table; $hand_key: the hand.
WITH this AS (
    SELECT ended_at, game_id, hand_no, hand_id FROM hand WHERE hand_key = $hand_key
)
SELECT change.slot, max(change.hands) AS hands, arg_max(change.rating_after, change.hands) AS rating
FROM rating_change AS change
JOIN hand ON hand.hand_key = coalesce(change.applied_hand_key, change.hand_key)
CROSS JOIN this
WHERE change.slot IN (SELECT unnest($slots))
  AND (
      (hand.ended_at, hand.game_id, hand.hand_no, hand.hand_id)
          < (this.ended_at, this.game_id, this.hand_no, this.hand_id)
      OR change.applied_hand_key = $hand_key
  )
GROUP BY change.slot
ORDER BY change.slot
