-- How a binary export keeps a float: as it is.
CREATE OR REPLACE TEMP MACRO exact(number) AS number
