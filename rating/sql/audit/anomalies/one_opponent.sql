-- Rating raised mostly in hands against one opponent. The share is of what single hands raised the Rating by: hands that
-- lowered it stand on neither side, so it lies in [0, 1]. A hand against two counts whole for each of them.
-- Grain: pool x player x opponent. Key: all three. Order: what was raised against the opponent, falling, then the key. Rating
-- points, rounded.
WITH whole AS (
    SELECT slot, count(*) AS hands, sum(change) AS gain_points, sum(greatest(change, 0)) AS raised_points
    FROM live_change
    GROUP BY slot
)
SELECT
    run_slot.pool,
    player.player,
    opponent.player AS opponent,
    live_meeting.hands AS hands_against,
    whole.hands,
    round(whole.gain_points, 4) AS gain_points,
    round(live_meeting.raised_points, 4) AS raised_against_points,
    round(whole.raised_points, 4) AS raised_points,
    round(live_meeting.raised_points / whole.raised_points, 4) AS share
FROM live_meeting
JOIN whole USING (slot)
JOIN run_slot USING (slot)
JOIN player ON player.player_key = run_slot.player_key
JOIN player AS opponent ON opponent.player_key = live_meeting.other_key
WHERE NOT live_meeting.is_partner
  AND live_meeting.hands >= $hands
  AND whole.gain_points >= $gain_points
  AND live_meeting.raised_points >= $share * whole.raised_points
ORDER BY raised_against_points DESC, run_slot.pool, player.player, opponent.player
