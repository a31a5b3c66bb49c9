-- Who a player is.
-- Grain: the player $player_key, one row. Instants in UTC.
SELECT
    player,
    coalesce(name, player) AS name,
    coalesce(shown_self_rating, self_rating) AS self_rating,
    show_skill,
    joined_at
FROM player
WHERE player_key = $player_key
