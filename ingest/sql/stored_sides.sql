-- Results by side. Grain: hand version x side. Order: hand_key, side. hand_key from $first to $last. Points.
SELECT *
FROM side_result
WHERE hand_key BETWEEN $first AND $last
ORDER BY hand_key, side
