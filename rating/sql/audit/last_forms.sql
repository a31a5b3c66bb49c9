-- Form and finished games after a player's last rated hands.
-- Grain: rated player-hand of $slot, the last $rows. Key and order: hands. Rating points.
SELECT form_after, games
FROM (
    SELECT hands, form_after, games
    FROM rating_change
    WHERE slot = $slot
    ORDER BY hands DESC
    LIMIT $rows
)
ORDER BY hands
