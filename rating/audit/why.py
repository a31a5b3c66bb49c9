"""Why a player has the level, what is missing to the next, and what would lose this one, with estimates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from rating.audit.audited import AuditedRun
from rating.audit.level_check import Check, climbing
from rating.audit.pace import Pace, hands_to_climb, hands_to_fall, pace_of
from rating.audit.words import condition_words
from rating.levels import NO_LEVEL
from rating.queries import by_slot
from rating.serving import standing_table
from rating.showing import shown


@dataclass(frozen=True)
class Loss:
    """What would lose a level.

    Attributes:
        to_level: The level below.
        line: Form under which the player is at risk.
        drop: Form at which the level is lost.
        protected_hands: Rated hands to come in which it cannot be.
        hands: About how many hands until then at the present pace; None for never.
    """

    to_level: str
    line: float
    drop: float
    protected_hands: int
    hands: int | None


@dataclass(frozen=True)
class Why:
    """Where a player stands in one pool, what is missing to the next level and what would lose this one.

    Attributes:
        next: What the next level asks for; None at the top.
        pace: What the estimates rest on; None before the second rated hand.
        hands_to_next: About how many hands at that pace; None for never, or for no pace.
        loss: None where no level can be lost.
    """

    pool: str
    device: str
    rating: float
    form: float
    level: str
    hands: int
    games: int
    next: Check | None
    pace: Pace | None
    hands_to_next: int | None
    loss: Loss | None

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self) | {
            "next": self.next.record() if self.next else None,
            "pace": self.pace._asdict() if self.pace else None,
        }


def why(audited: AuditedRun, player_key: int) -> list[Why]:
    """Return where a player stands in every pool, and what would change it.

    Args:
        audited: The run.
        player_key: The player.
    """
    standings = standing_table(audited.cursor, audited.parameters, player_key).to_pylist()
    slots = [standing["slot"] for standing in standings]
    rows = audited.parameters.form.form_hands + 1
    last_forms = by_slot(audited.records("last_forms", slots=slots, rows=rows))
    return [_why(audited, standing, last_forms[standing["slot"]]) for standing in standings]


def _why(audited: AuditedRun, standing: dict[str, Any], last_forms: list[dict[str, Any]]) -> Why:
    form, hands, games = standing["form"], standing["hands"], standing["games"]
    level = standing["level_position"]
    check = climbing(audited.parameters, level, form, hands, games)
    pace = pace_of([row["form_after"] for row in last_forms], [row["games"] for row in last_forms])
    return Why(
        standing["pool"],
        standing["device"],
        standing["rating"],
        form,
        standing["level"],
        hands,
        games,
        check,
        pace,
        hands_to_climb(check, pace) if check and pace else None,
        _loss(audited, standing, pace),
    )


def _loss(audited: AuditedRun, standing: dict[str, Any], pace: Pace | None) -> Loss | None:
    level = standing["level_position"]
    line = None if level == NO_LEVEL else audited.parameters.level[level].form_line
    if line is None:
        return None
    retention = audited.parameters.retention
    drop = line - retention.relegation_points
    protected = max(0, retention.grace_hands - standing["hands_since_move"])
    hands = hands_to_fall(standing["form"], drop, protected, pace) if pace else None
    return Loss(audited.parameters.level[level - 1].name, line, drop, protected, hands)


def why_lines(found: Why) -> Iterator[str]:
    """Yield the lines that say why, what is missing, and what would lose the level."""
    where = f"{found.pool} on {found.device}" if found.device else found.pool
    yield (
        f"{where}: {found.level or 'not placed yet'}, Rating {shown(found.rating):,}, "
        f"Form {found.form:,.4f}, {found.hands:,} rated hands, {found.games:,} finished games"
    )
    if found.next is None:
        yield "  This is the top level: there is no next one."
    else:
        together = ", all at once" if len(found.next.conditions) > 1 else ""
        yield f"  To be {found.next.says}{together}:"
        for condition in found.next.conditions:
            missing = condition.needed - condition.had
            state = "met" if condition.is_met else f"{missing:,.4g} missing"
            yield f"    {condition_words(condition)}: {state}"
        yield f"    {_estimate(found.hands_to_next, found.pace)}"
    if found.loss is not None:
        yield from _loss_lines(found, found.loss)
    elif found.level:
        yield f"  {found.level} cannot be lost."


def _loss_lines(found: Why, loss: Loss) -> Iterator[str]:
    at_risk = f"; at risk now: Form is under {loss.line:,.4g}" if found.form < loss.line else ""
    yield (
        f"  To fall to {loss.to_level}: Form at {loss.drop:,.4g} or under, "
        f"{found.form - loss.drop:,.4g} from here{at_risk}"
    )
    if loss.protected_hands:
        yield f"    protected for {loss.protected_hands} more rated hands"
    yield f"    {_estimate(loss.hands, found.pace)}"


def _estimate(hands: int | None, pace: Pace | None) -> str:
    """Say about how many hands something takes, and what that rests on."""
    if pace is None:
        return "estimate: none yet, a pace takes two rated hands"
    basis = (
        f"at the pace of the last {pace.hands} rated hands: Form {pace.form_a_hand:+.2f} and "
        f"{pace.games_a_hand:.2f} finished games a hand"
    )
    return f"estimate: not {basis}" if hands is None else f"estimate: about {hands:,} hands {basis}"
