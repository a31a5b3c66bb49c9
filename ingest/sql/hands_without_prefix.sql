-- How many hands, any version, do not belong to games whose id begins with a prefix.
-- Grain: one row. Parameters: $prefix.
select count(*) as hands
from hand
where not starts_with(game_id, $prefix)
