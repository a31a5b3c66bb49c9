-- Rating gained mostly against one opponent.
-- Grain: pool x player x opponent. Key: all three. Order: gain against the opponent, falling, then the key. Rounded.
WITH whole AS (
    SELECT slot, count(*) AS hands, sum(change) AS gain_points
    FROM live_change
    GROUP BY slot
)
SELECT
    run_slot.pool,
    player.player,
    opponent.player AS opponent,
    live_meeting.hands AS hands_against,
    whole.hands,
    round(live_meeting.gain_points, 4) AS gain_against_points,
    round(whole.gain_points, 4) AS gain_points,
    round(live_meeting.gain_points / whole.gain_points, 4) AS share
FROM live_meeting
JOIN whole USING (slot)
JOIN run_slot USING (slot)
JOIN player ON player.player_key = run_slot.player_key
JOIN player AS opponent ON opponent.player_key = live_meeting.other_key
WHERE NOT live_meeting.is_partner
  AND live_meeting.hands >= $hands
  AND whole.gain_points >= $gain_points
  AND live_meeting.gain_points >= $share * whole.gain_points
ORDER BY gain_against_points DESC, run_slot.pool, player.player, opponent.player
