-- A player's rated hands in one pool and on one device, latest first, with the level event each brought.
-- Grain: rated hand. Key: hands. Units: points; rating points; scores from 0 to 1; instants in UTC.
-- Order: hands, downwards.
-- `expected` is left out beside a player who hides their skill, because it would tell their Rating.
-- Parameters: $pool, $device, $player_key, $sees_hidden, $rows, $skip
SELECT
    hand.hands,
    hand.hand_id,
    hand.ended_at,
    hand.partners,
    hand.opponents,
    hand.points,
    hand.points_against,
    hand.rating_before,
    hand.rating_after,
    CASE WHEN $sees_hidden OR NOT hand.beside_hidden THEN hand.expected END AS expected,
    hand.actual,
    hand.held,
    event.kind,
    event.to_level
FROM player_hand AS hand
LEFT JOIN level_event AS event
    ON event.pool = hand.pool
    AND event.device = hand.device
    AND event.player_key = hand.player_key
    AND event.hands = hand.hands
WHERE hand.pool = $pool AND hand.device = $device AND hand.player_key = $player_key
ORDER BY hand.hands DESC
LIMIT $rows OFFSET $skip
