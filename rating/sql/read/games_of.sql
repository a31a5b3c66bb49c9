-- The numbers of the games of some hands that somebody left.
-- Grain: hand of `asked` (hand_key). Key: hand_key. Order: none.
SELECT DISTINCT asked.hand_key, left_game.game
FROM asked
JOIN hand USING (hand_key)
JOIN left_game USING (game_id)
