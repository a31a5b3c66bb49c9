-- The three players whose id or name is most like what was asked for.
-- Grain: player. Key: player. Order: likeness, then id. Parameters: $wanted, $sees_hidden.
SELECT player, coalesce(name, player) AS name
FROM player
WHERE $sees_hidden OR show_skill
ORDER BY
    greatest(
        jaro_winkler_similarity(lower(player), lower($wanted)),
        jaro_winkler_similarity(lower(coalesce(name, player)), lower($wanted))
    ) DESC,
    player
LIMIT 3
