-- Forget a pruned run.
-- Grain: the rows of the run $run.
DELETE FROM rating_run WHERE run = $run
