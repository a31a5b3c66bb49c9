-- Record a finished run.
-- Grain: run.
INSERT INTO rating_run BY NAME
SELECT
    $run AS run,
    $name AS name,
    $parameters AS parameters,
    $parameters_toml AS parameters_toml,
    $parameters_hash AS parameters_hash,
    $code_version AS code_version,
    $hand_watermark AS hand_watermark,
    $correction_watermark AS correction_watermark,
    $batch_watermark AS batch_watermark,
    $hands AS hands,
    $rated AS rated,
    $changes AS changes,
    $events AS events,
    $started_at AS started_at,
    $seconds AS seconds
