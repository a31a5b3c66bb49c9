"""A fold under way: the state of every slot, what is held, and the reader of its hands."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np

from ingest.warehouse import Warehouse
from rating import layout as col
from rating.elo import FloatArray, IntArray
from rating.fold import fold_block
from rating.form import WINDOW
from rating.history import Slots, read_held, read_slots, read_state
from rating.layout import Held, History, State, new_held, new_history, new_state
from rating.parameters import Parameters
from rating.queries import sql
from rating.reading import Block, Reader
from rating.rules import Rules, compile_rules, start_rating
from rating.runs import Part, Run
from rating.slots import SlotBook


class Fold:
    """A fold under way.

    Attributes:
        reader: Gives the blocks.
        rules: The parameter set.
        state: Numbers of the slots seen so far.
        held_items, held_surprise: What is held, in order.
    """

    def __init__(
        self,
        warehouse: Warehouse,
        parameters: Parameters,
        parent: Run | None = None,
        part: Part | None = None,
    ) -> None:
        """Begin before the first hand, or after a part of a parent's history."""
        cursor = warehouse.cursor()
        self.rules: Rules = compile_rules(parameters)
        self._start = _start_by_player(cursor, parameters)
        nobody = np.empty(0, np.int64)
        slots = Slots([], nobody, nobody, np.empty(0))
        if parent is not None:
            slots = read_slots(warehouse.runs_directory / parent.name)
        book = SlotBook(slots.pool, slots.player_key)
        self.reader = Reader(cursor, parameters, list(slots.pools), book)
        ring = self.rules.form_hands if self.rules.form == WINDOW else 0
        start = self._start[slots.player_key]
        self.held_items = np.empty((0, 5), np.int64)
        self.held_surprise: FloatArray = np.empty(0)
        self._rooms = [new_history(0, 0), new_history(0, 0)]
        if part is None:
            self.state = new_state(start, ring)
        else:
            folder = warehouse.runs_directory / part.folder
            self.state = read_state(folder, part.number, start, ring)
            self._take_held(folder, part.number)

    def _take_held(self, folder: Path, number: int) -> None:
        held = read_held(folder, number)
        self.held_surprise = held["surprise"]
        self.held_items = np.full((self.held_surprise.size, 5), col.NONE, np.int64)
        self.held_items[:, col.HELD_KEY] = held["hand_key"]
        self.held_items[:, col.HELD_SLOT] = held["slot"]
        self.held_items[:, col.HELD_SIDE] = held["side"]
        self.held_items[:, col.HELD_GAME] = self.reader.games_of(held["hand_key"])

    def fold(self, block: Block) -> tuple[History, IntArray, Held]:
        """Fold a block; return its history, how much of it is filled, and the held list.

        The history's arrays are filled anew by the next call but one: fresh memory costs more than the fold.
        """
        self._grow(block.new_players)
        hands, before = block.hands, self.held_surprise.size
        owned = int(np.count_nonzero(hands.seat[:, col.KIND] != col.COMPUTER))
        history = self._room(before + owned, hands.points.size)
        held = new_held(before + owned, self.reader.games)
        held.item[:before], held.surprise[:before] = self.held_items, self.held_surprise
        filled = np.empty(4, np.int64)
        fold_block(self.state, self.rules, hands, held, before, history, filled)
        items = held.item[: filled[col.HELD]]
        is_waiting = items[:, col.HELD_SLOT] != col.NONE
        self.held_items = items[is_waiting]
        self.held_surprise = held.surprise[: filled[col.HELD]][is_waiting]
        return history, filled, held

    def _room(self, changes: int, sides: int) -> History:
        """Return room for a block's history: not the one returned before, which may still be read."""
        self._rooms.reverse()
        if self._rooms[0].change.shape[1] < changes or self._rooms[0].side.shape[1] < sides:
            self._rooms[0] = new_history(changes, sides)
        return self._rooms[0]

    def slots(self) -> Slots:
        """Return whose numbers the slots hold."""
        pool, player_key = self.reader.book.pairs()
        return Slots(self.reader.pools, pool, player_key, self._start[player_key])

    def _grow(self, new_players: IntArray) -> None:
        """Add the slots of players first seen, who have played nothing."""
        if new_players.size:
            ring = self.state.numbers.shape[1] - col.RECENT
            new = new_state(self._start[new_players], ring)
            self.state = State(*(np.concatenate(pair) for pair in zip(self.state, new, strict=True)))


def _start_by_player(cursor: duckdb.DuckDBPyConnection, parameters: Parameters) -> FloatArray:
    """Return the start rating of each player key, rating points."""
    said = cursor.execute(sql("read/self_ratings")).fetchall()
    start = np.full(max((key for key, _ in said), default=0) + 1, start_rating(parameters, None))
    for key, self_rating in said:
        start[key] = start_rating(parameters, self_rating)
    return start
