"""Find the first row, in the order of rating, in which two runs differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from rating.elo import FloatArray, IntArray
from rating.history import part_file, read_slots
from rating.levels import NO_LEVEL
from rating.parameters import Parameters
from rating.runs import Part, Run

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


@dataclass(frozen=True)
class RunFiles:
    """A run and where its history lies."""

    run: Run
    parts: list[Part]
    parameters: Parameters
    runs_directory: Path


def first_parting(one: RunFiles, other: RunFiles) -> tuple[RatedRow | None, RatedRow | None] | None:
    """Return the first rows in which two runs differ; None when they are the same to the last row.

    A run that ends where the other goes on has None for its row. Parts that both share are not read.
    """
    shared = _shared_parts(one.parts, other.parts)
    names: dict[object, int] = {}
    blocks = (_blocks(files, shared, names) for files in (one, other))
    for (own, own_numbers), (theirs, their_numbers) in zip_longest(*blocks, fillvalue=_NOTHING):
        size = min(len(own), len(theirs))
        is_same = (own[:size] == theirs[:size]).all(axis=1)
        is_same &= (own_numbers[:size] == their_numbers[:size]).all(axis=1)
        if not is_same.all() or len(own) != len(theirs):
            at = int(np.append(is_same, False).argmin())
            said = list(names)
            return (_row(own, own_numbers, at, said), _row(theirs, their_numbers, at, said))
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


def _blocks(files: RunFiles, shared: int, names: dict[object, int]) -> Iterator[Block]:
    """Yield a run's rows in blocks of one size, accounts and levels numbered by `names` for both runs."""
    accounts, levels = _numbered(files, names)
    waiting = [_NOTHING]
    for part in files.parts[shared:]:
        path = part_file(files.runs_directory / part.folder, part.number, "change")
        columns = ["hand_key", "slot", "level", "rating", "form"]
        table = pq.read_table(path, columns=columns)
        key, slot, level, rating, form = (table[name].to_numpy() for name in columns)
        rows = np.column_stack([key, accounts[slot], levels[level.astype(np.int64) - NO_LEVEL]])
        waiting.append((rows, np.column_stack([rating, form])))
        rows, numbers = (np.concatenate(pieces) for pieces in zip(*waiting, strict=True))
        whole = len(rows) // _BLOCK_ROWS * _BLOCK_ROWS
        for begin in range(0, whole, _BLOCK_ROWS):
            yield rows[begin : begin + _BLOCK_ROWS], numbers[begin : begin + _BLOCK_ROWS]
        waiting = [(rows[whole:], numbers[whole:])]
    yield waiting[0]


def _numbered(files: RunFiles, names: dict[object, int]) -> tuple[IntArray, IntArray]:
    """Return the numbers of a run's slots and of its levels, the one before placing first."""
    slots = read_slots(files.runs_directory / files.run.name)
    accounts = [
        (slots.pools[pool].name, slots.pools[pool].device, player)
        for pool, player in zip(slots.pool.tolist(), slots.player_key.tolist(), strict=True)
    ]
    levels = ["", *(level.name for level in files.parameters.level)]
    return (
        np.array([names.setdefault(account, len(names)) for account in accounts], np.int64),
        np.array([names.setdefault(level, len(names)) for level in levels], np.int64),
    )


def _row(rows: IntArray, numbers: FloatArray, at: int, said: list[object]) -> RatedRow | None:
    if at >= len(rows):
        return None
    key, account, level = rows[at].tolist()
    rating, form = numbers[at].tolist()
    return RatedRow(key, said[account], rating, form, said[level])
