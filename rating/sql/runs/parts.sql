-- The parts of a run's history.
-- Grain: part of the run $run. Key and order: part.
SELECT
    folder,
    number,
    hands,
    rated,
    changes,
    sides,
    events,
    last_ended_at,
    last_game_id,
    last_hand_no,
    last_hand_id
FROM rating_run_part
WHERE run = $run
ORDER BY part
