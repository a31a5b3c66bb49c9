-- The level table of the run's parameters.
-- Grain: level. Key and order: position, lowest first. Units: rating points, rated hands, finished games.
CREATE TABLE serving.level AS
SELECT position, level, form_line, hands_needed, games_needed
FROM run_level
ORDER BY position
