"""Slots: one player's numbers in one pool, numbered in order of first sight and never again."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.jit import lean
from rating.elo import IntArray
from rating.layout import NONE

#: Fibonacci hashing: the odd number nearest to 2^64 divided by the golden ratio, as an int64.
_SPREAD: Final = -7046029254386353131
_LEAST_ROOM: Final = 1 << 12


@lean
def number_slots(
    keys: IntArray, table: IntArray, numbers: IntArray, begin: int, known: IntArray, count: int
) -> int:
    """Write each key's slot into `numbers`, giving new keys the next one, until the table is half full.

    Args:
        keys: Whose slots, from `begin` on; `NONE` keeps `NONE`.
        table: An open hash table of slots, `NONE` where free; its size is a power of two.
        numbers: Slots, by key.
        begin: Where to go on.
        known: Keys by slot; the first `count` are filled.
        count: Slots given so far.

    Returns:
        Where it stopped; the new count stands in the last place of `known`.
    """
    mask = table.size - 1
    at = begin
    while at < keys.size and 2 * count < table.size:
        key = keys[at]
        numbers[at] = NONE
        if key != NONE:
            place = ((key * _SPREAD) >> 20) & mask
            while table[place] != NONE and known[table[place]] != key:
                place = (place + 1) & mask
            if table[place] == NONE:
                table[place] = count
                known[count] = key
                count += 1
            numbers[at] = table[place]
        at += 1
    known[known.size - 1] = count
    return at


class SlotBook:
    """Numbers (pool, player) pairs.

    Attributes:
        count: Slots so far.
    """

    def __init__(self, pools: IntArray, players: IntArray) -> None:
        """Begin with the slots of an earlier run, in their order."""
        self.count = 0
        self._table = np.full(_LEAST_ROOM, NONE, np.int64)
        self._known = np.empty(_LEAST_ROOM + 1, np.int64)
        self.number((pools << 32) | players, np.empty(pools.size, np.int64))

    def number(self, owners: IntArray, slots: IntArray) -> None:
        """Write the slot of each owner, `pool << 32 | player`, into `slots`; `NONE` has none."""
        done = 0
        while done < owners.size:
            done = number_slots(owners, self._table, slots, done, self._known, self.count)
            self.count = int(self._known[-1])
            if done < owners.size:
                self._grow()

    def pairs(self, first: int = 0) -> tuple[IntArray, IntArray]:
        """Return the pools and players of the slots from `first` on."""
        keys = self._known[first : self.count]
        return keys >> 32, keys & 0xFFFFFFFF

    def _grow(self) -> None:
        """Double the room; the slots keep their numbers."""
        keys = self._known[: self.count].copy()
        room = 2 * self._table.size
        self._table = np.full(room, NONE, np.int64)
        self._known = np.empty(room + 1, np.int64)
        number_slots(keys, self._table, np.empty(keys.size, np.int64), 0, self._known, 0)
