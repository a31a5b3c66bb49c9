-- What a standing is made of besides the parameters: the numbers as the run leaves them.
-- Grain: slot that has been rated. Key and order: pool, device, player_key. Rating points; instants in UTC.
-- $player_key null: everybody.
SELECT
    standing.slot,
    standing.pool,
    standing.device,
    standing.player_key,
    standing.rating,
    standing.form,
    standing.previous_rating,
    standing.peak_rating,
    standing.level,
    standing.level_position,
    standing.hands,
    standing.games,
    standing.hands_since_move,
    hand.ended_at AS last_hand_at
FROM run_standing AS standing
JOIN hand ON hand.hand_key = standing.last_hand_key
WHERE $player_key IS NULL OR standing.player_key = $player_key
ORDER BY standing.pool, standing.device, standing.player_key
