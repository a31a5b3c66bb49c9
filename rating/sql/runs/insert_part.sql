-- Record a part of a finished run.
-- Grain: run x part.
INSERT INTO rating_run_part VALUES (
    $run, $part, $folder, $number, $hands, $rated, $changes, $sides, $events,
    $last_ended_at, $last_game_id, $last_hand_no, $last_hand_id
)
