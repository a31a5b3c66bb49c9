-- Make a run the current one, with the reason.
-- Grain: act.
INSERT INTO current_run
SELECT coalesce(max(act), 0) + 1, $run, $since, $why
FROM current_run
