-- The parameter set of the snapshot's run, whole.
-- Grain: the snapshot, one row.
SELECT run, parameters_toml
FROM meta
