-- Who the players are; `self_rating` is what each says of themselves now.
-- Grain: player. Key and order: player_key.
CREATE TABLE serving.player AS
SELECT
    player_key,
    player,
    coalesce(name, player) AS name,
    coalesce(shown_self_rating, self_rating) AS self_rating,
    show_skill,
    joined_at
FROM player
ORDER BY player_key
