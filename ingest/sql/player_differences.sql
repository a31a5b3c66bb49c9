-- Players whose row is not what their statements give. Grain: a player. Order: player_key.
WITH said AS (
    SELECT
        player_key,
        arg_max(name, record_key) AS name,
        arg_max(show_skill, record_key) AS show_skill,
        arg_max(joined_at, record_key) FILTER (joined_at IS NOT NULL) AS joined_at,
        arg_max(self_rating, record_key) FILTER (self_rating IS NOT NULL) AS shown_self_rating,
        arg_min(self_rating, record_key) FILTER (self_rating IS NOT NULL) AS self_rating,
        min(batch) FILTER (self_rating IS NOT NULL) AS self_rating_batch
    FROM player_record
    GROUP BY player_key
)
SELECT player.player
FROM player
LEFT JOIN said USING (player_key)
WHERE
    (player.name, player.joined_at, player.shown_self_rating, player.self_rating, player.self_rating_batch)
    IS DISTINCT FROM
    (said.name, said.joined_at, said.shown_self_rating, said.self_rating, said.self_rating_batch)
    OR player.show_skill <> coalesce(said.show_skill, true)
ORDER BY player_key
LIMIT 1
