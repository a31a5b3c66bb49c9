-- Keep the standings of the run that the cursor sees, as those of $which.
-- Grain: pool x device x player.
INSERT INTO compared_standing
SELECT $which, pool, device, player_key, rating, form, level, level_position
FROM run_standing
