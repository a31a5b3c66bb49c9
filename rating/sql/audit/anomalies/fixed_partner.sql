-- Players whose partner never changes.
-- Grain: pool x player. Key: both. Order: hands, falling, then the key. Rating points, rounded.
SELECT
    run_slot.pool,
    player.player,
    partner.player AS partner,
    with_partner.hands,
    round(with_partner.gain_points, 4) AS gain_points
FROM (
    SELECT slot, min(other_key) AS partner_key, sum(hands) AS hands, sum(gain_points) AS gain_points
    FROM live_meeting
    WHERE is_partner
    GROUP BY slot
    HAVING count(*) = 1
) AS with_partner
JOIN run_slot USING (slot)
JOIN player ON player.player_key = run_slot.player_key
JOIN player AS partner ON partner.player_key = with_partner.partner_key
WHERE with_partner.hands >= $hands
ORDER BY with_partner.hands DESC, run_slot.pool, player.player
