-- Players whose name holds a text, or whose id it is.
-- Grain: player. Key: player. Order: names that start with the text first, then name, then id.
-- Parameters: $search, $sees_hidden, $rows
SELECT player, name
FROM player
WHERE ($sees_hidden OR show_skill)
    AND (contains(strip_accents(lower(name)), strip_accents(lower($search))) OR player = $search)
ORDER BY starts_with(strip_accents(lower(name)), strip_accents(lower($search))) DESC, name, player
LIMIT $rows
