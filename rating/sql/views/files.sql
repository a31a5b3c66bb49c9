-- The files of a run, for the views: lists of paths.
SET VARIABLE rating_change_files = $1;
SET VARIABLE rating_side_files = $1;
SET VARIABLE rating_event_files = $1;
SET VARIABLE rating_state_file = $1;
SET VARIABLE rating_slot_file = $1;
SET VARIABLE rating_pool_file = $1
