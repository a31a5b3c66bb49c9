-- Devices of solo pools, numbered from 1.
-- Grain: device of $devices. Key: device.
CREATE OR REPLACE TEMP TABLE device AS
SELECT unnest(CAST($devices AS VARCHAR[])) AS device, generate_subscripts(CAST($devices AS VARCHAR[]), 1) AS number
