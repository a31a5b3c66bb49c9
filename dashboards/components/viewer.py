"""Who looks: anybody, or the league's operator on the operator's own machine."""

from __future__ import annotations

import os

#: Set to 1 by `coastal dashboard --operator`. It belongs to the process, so no visitor can ask for it.
OPERATOR_VARIABLE = "COASTAL_OPERATOR"


def sees_hidden() -> bool:
    """Return whether players who hide their skill are shown."""
    return os.environ.get(OPERATOR_VARIABLE) == "1"
