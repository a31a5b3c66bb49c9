"""What the numbers mean, in plain words and with the run's own parameters."""

from __future__ import annotations

import streamlit as st

from rating.parameters import Parameters
from rating.showing import counted

_ACTUAL = {
    "logistic": "a level hand is 0.50, a few points are nearly a tie, a big win is nearly 1",
    "linear_clipped": "a level hand is 0.50, and it grows evenly with the margin until that is a clear win",
    "win_loss": "1 for a hand won, 0.50 for a level one, 0 for one lost, by however much",
}


def numbers(parameters: Parameters) -> None:
    """Explain Rating, Form, level, expected and actual score, folded away until asked for."""
    first, *later = parameters.change.k_factor
    most = f"at most {first.k:g} points a hand at first" + "".join(
        f", {step.k:g} after {before.below_hands} rated hands"
        for before, step in zip(parameters.change.k_factor, later, strict=False)
    )
    with st.expander("How to read these numbers"):
        st.markdown(
            f"""
- **Rating** moves after every rated hand, by {most}. Beating a stronger side earns more,
  losing to a weaker side costs more; partners share the surprise.
- **Expected** is the score to expect from the Ratings of the two sides, from 0 to 1.
  It is *not* the chance to win.
- **Actual** is the score that the hand brought, from 0 to 1: {_ACTUAL[parameters.score_shape]}.
  The **change** is actual less expected, times what a hand can move at most.
- **Form** is the Rating smoothed over about the last {parameters.form.form_hands} hands.
- **Level** follows the Form. The next one takes Form at its line, enough rated hands and enough
  finished games, all at once. It is kept unless Form falls {parameters.retention.relegation_points:g}
  points under its line, and never lost within
  {counted(parameters.retention.grace_hands, "rated hand")} of moving up.
"""
        )
