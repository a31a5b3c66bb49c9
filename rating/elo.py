"""Expected score, actual score and K: the rating's arithmetic, each rule under the sentence that it says."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.jit import inlined

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

#: Codes of `score_shape`, in the order that the parameters name them.
SCORE_SHAPES: Final = ("logistic", "linear_clipped", "win_loss")
LOGISTIC, LINEAR_CLIPPED, WIN_LOSS = range(3)
#: Codes of `partner_change`.
PARTNER_CHANGES: Final = ("own_k", "mean_k", "min_k")
OWN_K, MEAN_K, MIN_K = range(3)


@inlined
def expected_score(own_rating: float, their_rating: float, rating_scale: float) -> float:
    """Return the score that a side can expect, in (0, 1): its share against a side of `their_rating`.

    "Beating a stronger side earns more, losing to a weaker side costs more." Elo's curve: a score,
    not a chance to win.
    """
    return float(1.0 / (1.0 + 10.0 ** ((their_rating - own_rating) / rating_scale)))


@inlined
def actual_score(margin_points: float, margin_scale: float, score_shape: int) -> float:
    """Return the score that a margin is worth, in [0, 1]; 0.5 for a level hand.

    "A hand won by a few points counts as nearly a tie, while a big win counts as a clear win."
    """
    if score_shape == LOGISTIC:
        return float(1.0 / (1.0 + 10.0 ** (-margin_points / margin_scale)))
    if score_shape == LINEAR_CLIPPED:
        return min(max(0.5 + margin_points / (2.0 * margin_scale), 0.0), 1.0)
    return 0.5 if margin_points == 0.0 else 1.0 if margin_points > 0.0 else 0.0


@inlined
def k_factor(hands_before: int, k_steps: FloatArray) -> float:
    """Return the most that the next hand can move a Rating, in rating points.

    "At most 24 points a hand for your first 30 rated hands, 16 up to 100 hands, then 10."

    Args:
        hands_before: Rated hands so far.
        k_steps: A row a step: below how many hands it holds (the last: infinity), and its K.
    """
    step = 0
    while hands_before >= k_steps[step, 0]:
        step += 1
    return float(k_steps[step, 1])
