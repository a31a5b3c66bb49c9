"""Rules of canasta: cards, melds, hands, computer players. Knows no database, frame or page.

What most callers want stands here and is loaded when it is first asked for, so that a module that needs only
the rule sets' data does not load the compiled rules:

>>> from engine import RuleSet
>>> RuleSet.load("modern_american").target
8500
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.end_position import score
    from engine.game import Game
    from engine.hand import HandState, Outcome
    from engine.players.computer import ComputerPlayer
    from engine.ruleset import RuleSet

_HOMES = {
    "ComputerPlayer": "engine.players.computer",
    "Game": "engine.game",
    "HandState": "engine.hand",
    "Outcome": "engine.hand",
    "RuleSet": "engine.ruleset",
    "score": "engine.end_position",
}
__all__ = ["ComputerPlayer", "Game", "HandState", "Outcome", "RuleSet", "score"]


def __getattr__(name: str) -> Any:
    """Load a name of the package from the module that holds it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
