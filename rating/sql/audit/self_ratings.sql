-- What each player had said of himself or herself first, as far as a run saw it.
-- Grain: player who said something. Key and order: player.
SELECT player, self_rating
FROM player
WHERE self_rating IS NOT NULL AND self_rating_batch <= $batch_watermark
ORDER BY player
