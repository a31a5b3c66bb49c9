-- Ids that look like a given one, the nearest first. Grain: a hand_id.
SELECT hand_id
FROM (SELECT DISTINCT hand_id FROM hand)
ORDER BY jaro_winkler_similarity(hand_id, $hand_id) DESC, hand_id
LIMIT 3
