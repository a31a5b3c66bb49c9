"""What must hold of every stored row by itself and beside the row before it, checked over all rows of a run.

After = before + K x surprise; Form by its rule; hands one by one; games by none or one; K of its step; level
and level event, with its evidence, by the level check; checkpoints and held changes by the rows before them.
Side ratings and scores are taken as they are stored here, and worked out again in `rating.audit.recompute`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.jit import lean
from rating import layout as col
from rating.audit.stored import StoredPart, StoredRun, floats, ints
from rating.elo import OWN_K, FloatArray, IntArray, k_factor
from rating.form import WINDOW, ema_form, window_form
from rating.history import COUNTS, NUMBERS, event_table
from rating.layout import State, new_state
from rating.levels import EVENT_KINDS, NO_EVENT, PLACED, PROMOTED, level_after, level_event
from rating.rules import Rules

#: The rules that a row is held to, in the order of the columns of `work_out`.
RULES: Final = (
    "rated hands: one more than before",
    "finished games: as before or one more",
    "K: the step of the rated hands before",
    "Rating: before + K x surprise",
    "Form: by the Form rule",
    "level: by the level check",
)
HANDS, GAMES, K, RATING, FORM, LEVEL, EVENT, SINCE_MOVE = range(8)
_CHECKPOINT: Final = "checkpoint: what the changes before it leave"


@dataclass(frozen=True)
class BrokenRow:
    """The first stored row that does not hold.

    Attributes:
        slot, hand_key: Whose change by which hand.
        rule: The rule that it breaks.
        expected, found: What the rule gives and what is stored.
    """

    slot: int
    hand_key: int
    rule: str
    expected: float | str
    found: float | str


@lean
def work_out(
    slots: IntArray,
    moments: IntArray,
    games: IntArray,
    k: FloatArray,
    surprise: FloatArray,
    numbers: FloatArray,
    counts: IntArray,
    rules: Rules,
    due: FloatArray,
) -> None:
    """Work out what every change of a part must say, from the row before it of the same slot.

    Args:
        slots: By change, as all that follows.
        moments: The hand at which it was applied.
        games: Finished games after it, as stored.
        k: As stored.
        surprise: Of its side in its hand.
        numbers: Ratings and Forms of every slot before the part (`rating.layout.State`); moved on.
        counts: The slots' counts before the part; moved on.
        rules: The parameter set.
        due: What must be stored: columns `HANDS` to `LEVEL`, then `EVENT` and `SINCE_MOVE`.
    """
    for row in range(slots.size):
        slot = slots[row]
        hands, before = counts[slot, col.HANDS] + 1, counts[slot, col.GAMES]
        rating, form_before = numbers[slot, col.RATING] + k[row] * surprise[row], numbers[slot, col.FORM]
        if rules.form == WINDOW:
            form = window_form(numbers[slot, col.RECENT :], hands, rating)
        else:
            form = ema_form(form_before, rating, rules.form_hands)
        level, since_move = counts[slot, col.LEVEL], hands - counts[slot, col.MOVED_AT]
        event = level_event(rules.levels, level, form_before, form, hands, games[row], since_move)
        if event != NO_EVENT:
            level = level_after(level, event)
        if event in (PLACED, PROMOTED):
            counts[slot, col.MOVED_AT] = hands
        numbers[slot, col.PREVIOUS] = numbers[slot, col.RATING]
        numbers[slot, col.PEAK] = max(numbers[slot, col.PEAK], rating)
        numbers[slot, col.RATING], numbers[slot, col.FORM] = rating, form
        counts[slot, col.LAST_KEY] = moments[row]
        counts[slot, col.HANDS], counts[slot, col.GAMES], counts[slot, col.LEVEL] = hands, games[row], level
        due[row, HANDS], due[row, GAMES] = hands, min(max(games[row], before), before + 1)
        due[row, K] = k_factor(hands - 1, rules.k_steps)
        due[row, RATING], due[row, FORM] = rating, form
        due[row, LEVEL], due[row, EVENT], due[row, SINCE_MOVE] = level, event, since_move


class Surprises:
    """The surprise of every side of every rated hand so far, found by hand and side."""

    def __init__(self, greatest_key: int) -> None:
        self._first = np.full(greatest_key + 1, -1, np.int64)
        self._flat: FloatArray = np.empty(0)

    def add(self, part: StoredPart) -> None:
        """Take in a part's sides, which stand hand by hand in order of sides."""
        place, scores = ints(part.side, "hand_key", "side"), floats(part.side, "actual", "expected")
        is_first = place[:, 1] == 0
        self._first[place[is_first, 0]] = self._flat.size + np.flatnonzero(is_first)
        self._flat = np.concatenate([self._flat, scores[:, 0] - scores[:, 1]])

    def of(self, keys: IntArray, sides: IntArray) -> FloatArray:
        """Return the surprises of some sides; not a number where there is no such hand."""
        at = self._first[keys]
        is_known = at >= 0
        surprise = np.full(keys.size, np.nan)
        surprise[is_known] = self._flat[at[is_known] + sides[is_known]]
        return surprise


def check_identities(
    stored: StoredRun, rules: Rules, greatest_key: int, told: Callable[[int], None]
) -> BrokenRow | None:
    """Check every stored row of a run; return the first that does not hold.

    Args:
        stored: The run's files.
        rules: Its parameter set.
        greatest_key: The greatest hand key that the run saw.
        told: Hears after each part how many rows it had.
    """
    state = new_state(stored.slots.start_rating, rules.form_hands if rules.form == WINDOW else 0)
    surprises = Surprises(greatest_key)
    for part in stored:
        surprises.add(part)
        broken = (
            _check_part(part, surprises, state, rules)
            or _check_state(part, state)
            or _check_held(part, surprises)
        )
        if broken is not None:
            return broken
        told(part.change.num_rows)
    return None


def _check_part(part: StoredPart, surprises: Surprises, state: State, rules: Rules) -> BrokenRow | None:
    place = ints(part.change, "hand_key", "side", "slot", "applied_key")
    counted, numbers = (
        ints(part.change, "hands", "games", "level"),
        floats(part.change, "k_factor", "rating", "form"),
    )
    found = np.column_stack([counted[:, :2], numbers, counted[:, 2]])
    due = np.empty((len(place), SINCE_MOVE + 1))
    moments = np.where(place[:, 3] != 0, place[:, 3], place[:, 0])
    surprise = surprises.of(place[:, 0], place[:, 1])
    work_out(place[:, 2], moments, counted[:, 1], numbers[:, 0], surprise, *state, rules, due)
    if rules.partner_change != OWN_K:  # a shared K follows from the table: only a held change has its own
        is_shared = place[:, 3] == 0
        due[is_shared, K] = found[is_shared, K]
    is_broken = found != due[:, :EVENT]
    if is_broken.any():
        row = int(is_broken.any(axis=1).argmax())
        rule = int(is_broken[row].argmax())
        return BrokenRow(
            int(place[row, 2]),
            int(place[row, 0]),
            RULES[rule],
            float(due[row, rule]),
            float(found[row, rule]),
        )
    return _check_events(part, place, due, rules)


def _check_events(part: StoredPart, place: IntArray, due: FloatArray, rules: Rules) -> BrokenRow | None:
    """Compare the stored level events, evidence included, with those that the changes must bring."""
    at = np.flatnonzero(due[:, EVENT] != NO_EVENT)
    change, numbers = np.zeros((col.FINISHED + 1, at.size), np.int64), np.zeros((col.K + 1, at.size))
    change[[col.AT_KEY, col.OF_SLOT]] = place[at][:, [0, 2]].T
    for row, column in (
        (col.HANDS_AFTER, HANDS),
        (col.GAMES_AFTER, GAMES),
        (col.LEVEL_AFTER, LEVEL),
        (col.EVENT, EVENT),
        (col.SINCE_MOVE, SINCE_MOVE),
    ):
        change[row] = due[at, column]
    numbers[col.FORM_AFTER] = due[at, FORM]
    wanted = event_table(change, numbers, rules.levels)
    if part.event.equals(wanted):
        return None
    for one, other in zip_longest(wanted.to_pylist(), part.event.to_pylist()):
        if one != other:
            where = one or other
            return BrokenRow(
                where["slot"], where["hand_key"], "level event: by the level check", _said(one), _said(other)
            )
    return None


def _said(event: dict[str, Any] | None) -> str:
    if event is None:
        return "none"
    evidence = {name: value for name, value in event.items() if name not in ("hand_key", "slot", "kind")}
    return ", ".join([EVENT_KINDS[event["kind"]], *(f"{name} {value}" for name, value in evidence.items())])


def _check_state(part: StoredPart, state: State) -> BrokenRow | None:
    """Compare the checkpoint behind a part with what its changes leave."""
    stored = part.state
    size = stored.num_rows
    pairs: dict[str, NDArray[Any]] = {name: state.numbers[:size, at] for name, at in NUMBERS.items()}
    pairs |= {name: state.counts[:size, at] for name, at in COUNTS.items()}
    for name, due in pairs.items():
        found = stored[name].to_numpy()
        if not np.array_equal(found, due):
            slot = int((found != due).argmax())
            said = (f"{name} {value[slot]}" for value in (due, found))
            return BrokenRow(slot, int(state.counts[slot, col.LAST_KEY]), _CHECKPOINT, *said)
    ring = np.ascontiguousarray(state.numbers[:size, col.RECENT :])
    if ring.size:
        recent: Any = stored["recent"].combine_chunks()
        found = recent.flatten().to_numpy().reshape(ring.shape)
        if not np.array_equal(found, ring):
            slot = int((found != ring).any(axis=1).argmax())
            said = (f"recent {value[slot].tolist()}" for value in (ring, found))
            return BrokenRow(slot, int(state.counts[slot, col.LAST_KEY]), _CHECKPOINT, *said)
    return None


def _check_held(part: StoredPart, surprises: Surprises) -> BrokenRow | None:
    """Compare the surprise of every held change with that of its side in its hand."""
    place, found = ints(part.held, "hand_key", "side", "slot"), floats(part.held, "surprise")[:, 0]
    due = surprises.of(place[:, 0], place[:, 1])
    if np.array_equal(found, due):
        return None
    row = int((found != due).argmax())
    return BrokenRow(
        int(place[row, 2]),
        int(place[row, 0]),
        "held change: the surprise of its hand",
        float(due[row]),
        float(found[row]),
    )
