-- Let the statements of a batch hold: the first self-rating stays for good, everything else is the latest.
-- Grain: a player. Key: player_key. Reads `statement` (record_key, player_key, name, ...).
UPDATE player
SET
    name = latest.name,
    show_skill = latest.show_skill,
    joined_at = coalesce(latest.joined_at, player.joined_at),
    shown_self_rating = coalesce(latest.shown_self_rating, player.shown_self_rating),
    self_rating_batch = CASE WHEN player.self_rating IS NULL AND latest.first_self_rating IS NOT NULL
        THEN latest.batch ELSE player.self_rating_batch END,
    self_rating = coalesce(player.self_rating, latest.first_self_rating)
FROM (
    SELECT
        player_key,
        arg_max(name, record_key) AS name,
        arg_max(show_skill, record_key) AS show_skill,
        arg_max(joined_at, record_key) FILTER (joined_at IS NOT NULL) AS joined_at,
        arg_max(self_rating, record_key) FILTER (self_rating IS NOT NULL) AS shown_self_rating,
        arg_min(self_rating, record_key) FILTER (self_rating IS NOT NULL) AS first_self_rating,
        any_value(batch) AS batch
    FROM statement
    GROUP BY player_key
) AS latest
WHERE player.player_key = latest.player_key
