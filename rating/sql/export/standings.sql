-- Where everybody stands at the end of the run; `computed` is its table of standings.
-- Grain: pool x device x player. Key and order: pool, device, player. Instants in UTC; rating points; shares in [0, 1].
-- $sees_hidden: whether players who hide their skill are in it. Without it Ratings and Forms are in whole points and
-- shares in hundredths, as the pages show them.
SELECT
    computed.pool,
    player.player,
    computed.device,
    told(computed.rating) AS rating,
    told(computed.form) AS form,
    computed.level,
    computed.hands,
    computed.games,
    computed.rating_shown,
    computed.last_change_shown,
    told(computed.peak_rating) AS peak_rating,
    computed.at_risk,
    computed.hands_since_move,
    exact(computed.relegation_form) AS relegation_form,
    computed.next_level,
    exact(computed.next_form) AS next_form,
    computed.next_hands,
    computed.next_games,
    told_share(computed.form_progress) AS form_progress,
    exact(computed.hands_progress) AS hands_progress,
    exact(computed.games_progress) AS games_progress,
    told_share(computed.progress) AS progress,
    computed.last_hand_at
FROM computed
JOIN player USING (player_key)
WHERE $sees_hidden OR player.show_skill
ORDER BY computed.pool, computed.device, player.player
