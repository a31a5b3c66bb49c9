"""Find the first row, in the order of rating, in which two runs differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from rating.audit.stored import StoredRun, floats, ints
from rating.elo import FloatArray, IntArray
from rating.levels import NO_LEVEL
from rating.runs import Part

#: Whose rating: pool, device and player's key.
Account = tuple[str, str, int]


@dataclass(frozen=True)
class RatedRow:
    """One rated player-hand of a run."""

    hand_key: int
    account: Account
    rating: float
    form: float
    level: str


def first_parting(
    one: StoredRun, other: StoredRun, levels: tuple[list[str], list[str]]
) -> tuple[RatedRow | None, RatedRow | None] | None:
    """Return the first rows in which two runs differ; None when they are the same to the last row.

    A run that ends where the other goes on has None for its row. Parts that both share are not read.

    Args:
        one: A run's files.
        other: Another run's.
        levels: The names of each one's levels, lowest first.
    """
    shared = _shared_parts(one.parts, other.parts)
    names: dict[object, int] = {}
    blocks = (_blocks(run, own, shared, names) for run, own in zip((one, other), levels, strict=True))
    for (own, own_numbers), (theirs, their_numbers) in zip_longest(*blocks, fillvalue=_NOTHING):
        size = min(len(own), len(theirs))
        is_same = (own[:size] == theirs[:size]).all(axis=1)
        is_same &= (own_numbers[:size] == their_numbers[:size]).all(axis=1)
        if not is_same.all() or len(own) != len(theirs):
            at = int(np.append(is_same, False).argmin())
            said = list(names)
            return _row(own, own_numbers, at, said), _row(theirs, their_numbers, at, said)
    return None


#: Rows of a part or block: hand key, account and level as numbers; Rating and Form.
Block = tuple[IntArray, FloatArray]
_NOTHING: Block = (np.empty((0, 3), np.int64), np.empty((0, 2)))
_BLOCK_ROWS = 500_000


def _shared_parts(one: list[Part], other: list[Part]) -> int:
    """Count the parts at the start that both runs share."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if (mine.folder, mine.number) != (theirs.folder, theirs.number):
            break
        count += 1
    return count


def _blocks(run: StoredRun, levels: list[str], shared: int, names: dict[object, int]) -> Iterator[Block]:
    """Yield a run's rows in blocks of one size, accounts and levels numbered by `names` for both runs."""
    account_of = _numbered(_accounts(run), names)
    level_of = _numbered(["", *levels], names)
    waiting = [_NOTHING]
    for part in run.parts[shared:]:
        change = run.read(part, "change")
        place = ints(change, "hand_key", "slot", "level")
        place[:, 1], place[:, 2] = account_of[place[:, 1]], level_of[place[:, 2] - NO_LEVEL]
        waiting.append((place, floats(change, "rating", "form")))
        rows, numbers = (np.concatenate(pieces) for pieces in zip(*waiting, strict=True))
        whole = len(rows) // _BLOCK_ROWS * _BLOCK_ROWS
        for begin in range(0, whole, _BLOCK_ROWS):
            yield rows[begin : begin + _BLOCK_ROWS], numbers[begin : begin + _BLOCK_ROWS]
        waiting = [(rows[whole:], numbers[whole:])]
    yield waiting[0]


def _accounts(run: StoredRun) -> list[Account]:
    """Return whose numbers each slot holds."""
    pools, slots = run.slots.pools, run.slots
    return [
        (pools[pool].name, pools[pool].device, player)
        for pool, player in zip(slots.pool.tolist(), slots.player_key.tolist(), strict=True)
    ]


def _numbered(things: Sequence[object], names: dict[object, int]) -> IntArray:
    """Return the number of each thing, new ones the next."""
    return np.array([names.setdefault(thing, len(names)) for thing in things], np.int64)


def _row(rows: IntArray, numbers: FloatArray, at: int, said: list[object]) -> RatedRow | None:
    if at >= len(rows):
        return None
    key, account, level = rows[at].tolist()
    rating, form = numbers[at].tolist()
    return RatedRow(key, said[account], rating, form, said[level])
