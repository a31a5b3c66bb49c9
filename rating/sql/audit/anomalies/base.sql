-- What the anomalies look at: the rated live player-hands of a run, and who met whom in them.

-- Grain: rated live player-hand. Key: slot, hands. Rating points.
CREATE OR REPLACE TEMP TABLE live_change AS
SELECT slot, pool, player_key, hand_key, side, hands, rating_before, rating_after, change, held
FROM rating_change
WHERE pool LIKE 'live/%';

-- Grain: slot x other person x whether a partner. Key: all three. `gain_points` is what the hands brought less what they cost,
-- `raised_points` only what those brought that raised the Rating. Held hands are left out: the person was away.
CREATE OR REPLACE TEMP TABLE live_meeting AS
SELECT
    live_change.slot,
    seat.player_key AS other_key,
    seat.side = live_change.side AS is_partner,
    count(*) AS hands,
    sum(live_change.change) AS gain_points,
    sum(greatest(live_change.change, 0)) AS raised_points
FROM live_change
JOIN seat ON seat.hand_key = live_change.hand_key
WHERE seat.kind = 'human' AND seat.player_key <> live_change.player_key AND NOT live_change.held
GROUP BY ALL
