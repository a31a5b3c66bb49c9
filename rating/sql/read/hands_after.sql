-- The hands that count, after a place in the total order of hands.
-- Grain: hand. Key: hand_key. Order: none; the caller sorts by instant and asks for the rest only where instants tie.
-- ended_at_us: microseconds since 1970, UTC. Parameters: the place, all null for the start of the log.
SELECT hand_key, epoch_us(ended_at) AS ended_at_us
FROM hand_current
WHERE $ended_at IS NULL
   OR (ended_at >= $ended_at AND (ended_at, game_id, hand_no, hand_id) > ($ended_at, $game_id, $hand_no, $hand_id))
