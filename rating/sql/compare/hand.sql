-- A hand, named for people.
-- Grain: one row: the hand $hand_key. Instants in UTC.
SELECT hand_id, game_id, hand_no, ended_at
FROM hand
WHERE hand_key = $hand_key
