-- What the people at a hand's table brought to it: their numbers after all that was rated before, and after what was
-- held for them and applied at its start; of those not rated before, what they start from.
-- Grain: slot. Key and order: slot. Rating points. $slots: of the table; $hand_key: the hand.
WITH this AS (
    SELECT ended_at, game_id, hand_no, hand_id FROM hand WHERE hand_key = $hand_key
),
earlier AS (
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
)
SELECT
    run_slot.slot,
    coalesce(earlier.hands, 0) AS hands,
    coalesce(earlier.rating, run_slot.start_rating) AS rating
FROM run_slot
LEFT JOIN earlier USING (slot)
WHERE run_slot.slot IN (SELECT unnest($slots))
ORDER BY run_slot.slot
