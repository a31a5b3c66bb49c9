-- Room for what two runs say; `which` is one or other.

-- Grain: which x pool x device x player. Key: all four. Rating points.
CREATE OR REPLACE TEMP TABLE compared_standing (
    which VARCHAR,
    pool VARCHAR,
    device VARCHAR,
    player_key INTEGER,
    rating DOUBLE,
    form DOUBLE,
    level VARCHAR,
    level_position INTEGER
);

-- Grain: which x pool x device x player that was promoted. Key: all four. `promotions`: level and instant (UTC), in order.
CREATE OR REPLACE TEMP TABLE compared_promotion (
    which VARCHAR,
    pool VARCHAR,
    device VARCHAR,
    player_key INTEGER,
    promotions STRUCT(level VARCHAR, ended_at TIMESTAMP)[]
)
