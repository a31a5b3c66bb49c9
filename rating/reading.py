"""Read the warehouse's hands in the rating's order, block by block, as the fold's arrays."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from rating import layout as col
from rating.elo import FloatArray, IntArray
from rating.layout import Hands
from rating.parameters import Parameters
from rating.queries import sql
from rating.rules import computer_rating, margin_scale
from rating.slots import SlotBook

SKILLS = ("beginner", "intermediate", "expert")


class Place(NamedTuple):
    """A place in the total order of hands; instants in UTC without a zone, texts by their UTF-8 bytes."""

    ended_at: datetime
    game_id: str
    hand_no: int
    hand_id: str


class Pool(NamedTuple):
    """What keeps ratings apart; `device` is empty in live mode."""

    mode: str
    ruleset: str
    device: str

    @property
    def name(self) -> str:
        """The pool's name, such as ``live/modern_american``."""
        return f"{self.mode}/{self.ruleset}"


def hand_order(cursor: duckdb.DuckDBPyConnection, after: Place | None) -> IntArray:
    """Return the keys of the hands that count in their total order, after a place or from the start."""
    place = after._asdict() if after else dict.fromkeys(Place._fields)
    table = cursor.execute(sql("read/hands_after"), place).to_arrow_table()
    instants = table["ended_at_us"].to_numpy()
    order = np.argsort(instants, kind="stable")
    keys, instants = table["hand_key"].to_numpy()[order], instants[order]
    is_tied = np.zeros(keys.size, bool)
    is_tied[1:] = instants[1:] == instants[:-1]
    is_tied[:-1] |= is_tied[1:]
    if is_tied.any():
        cursor.register("tied", pa.table({"hand_key": pa.array(keys[is_tied])}))
        keys[is_tied] = cursor.execute(sql("read/ties")).to_arrow_table()["hand_key"].to_numpy()
        cursor.unregister("tied")
    return keys


class Block(NamedTuple):
    """Some hands, and the players of the slots first seen in them."""

    hands: Hands
    new_players: IntArray


@dataclass
class Reader:
    """Makes the fold's arrays of a warehouse's rows.

    Attributes:
        cursor: A cursor of its own.
        parameters: The parameter set, for what computers count as and the margin scales.
        pools: What keeps ratings apart, by number.
        book: Numbers the slots; grows as blocks are read.
        games: Games that somebody left.
    """

    cursor: duckdb.DuckDBPyConnection
    parameters: Parameters
    pools: list[Pool]
    book: SlotBook

    def __post_init__(self) -> None:
        """Find the pools and the games that somebody left, and look up what their hands need.

        Raises:
            RatingError: The log holds a rule set that the parameters do not know.
        """
        found = [Pool(*row) for row in self.cursor.execute(sql("read/pools")).fetchall()]
        self.pools += [pool for pool in found if pool not in set(self.pools)]
        self._margin_scale = np.array([margin_scale(self.parameters, pool.ruleset) for pool in self.pools])
        self._is_solo = np.array([pool.mode == "solo" for pool in self.pools], np.int64)
        counted = [
            [0.0, *(computer_rating(self.parameters, p.mode, skill) for skill in SKILLS)] for p in self.pools
        ]
        self._computer = np.array(counted).reshape(len(self.pools), 1 + len(SKILLS))
        texts = {
            field: pa.array([getattr(p, field) for p in self.pools], pa.string()) for field in Pool._fields
        }
        self.cursor.register(
            "pool", pa.table({"pool": pa.array(range(len(self.pools)), pa.int64()), **texts})
        )
        self.cursor.execute(sql("read/left_games"))
        row = self.cursor.execute("SELECT count(*) FROM left_game").fetchone()
        assert row is not None
        self.games = int(row[0])

    def block(self, keys: IntArray) -> Block:
        """Read some hands, whose keys come in the total order."""
        slots_before = self.book.count
        positions = pa.array(np.arange(keys.size))
        self.cursor.register("block", pa.table({"position": positions, "hand_key": pa.array(keys)}))
        bounds = {"least": int(keys.min(initial=2**62)), "greatest": int(keys.max(initial=0))}
        rows = {name: self._rows(f"read/block_{name}", bounds) for name in ("hands", "seats", "sides")}
        self.cursor.unregister("block")
        hands = self._arrays(keys, rows["hands"], rows["seats"], rows["sides"])
        return Block(hands, self.book.pairs(slots_before)[1])

    def blocks(self, order: IntArray, size: int) -> Iterator[Block]:
        """Yield the hands in blocks of a size, each read while the one before is used.

        Of an empty order, one empty block.
        """
        cuts = [order[begin : begin + size] for begin in range(0, max(order.size, 1), size)]
        with ThreadPoolExecutor(1) as thread:
            ahead = thread.submit(self.block, cuts[0])
            for cut in cuts[1:]:
                block = ahead.result()
                ahead = thread.submit(self.block, cut)
                yield block
            yield ahead.result()

    def games_of(self, keys: IntArray) -> IntArray:
        """Return the numbers of the games that some hands, which somebody left, belong to."""
        self.cursor.register("asked", pa.table({"hand_key": pa.array(keys)}))
        rows = self._rows("read/games_of", {})
        self.cursor.unregister("asked")
        order = np.argsort(rows["hand_key"])
        return rows["game"][order[np.searchsorted(rows["hand_key"], keys, sorter=order)]]

    def _rows(self, name: str, bounds: dict[str, int]) -> dict[str, IntArray]:
        table = self.cursor.execute(sql(name), bounds).to_arrow_table()
        return {column: table[column].to_numpy() for column in table.column_names}

    def _arrays(
        self,
        keys: IntArray,
        hands: dict[str, IntArray],
        seats: dict[str, IntArray],
        sides: dict[str, IntArray],
    ) -> Hands:
        """Put rows that came in any order at their places."""
        pool = np.empty(keys.size, np.int64)
        pool[hands["position"]] = hands["pool"]
        hand = np.zeros((keys.size + 1, 6), np.int64)
        hand[:-1, col.KEY] = keys
        hand[:-1, col.IS_SOLO] = self._is_solo[pool]
        hand[hands["position"], col.IS_OVER] = hands["is_over"]
        hand[hands["position"], col.GAME] = hands["game"]
        hand[1:, col.FIRST_SEAT] = np.cumsum(np.bincount(seats["position"], minlength=keys.size))
        hand[1:, col.FIRST_SIDE] = np.cumsum(np.bincount(sides["position"], minlength=keys.size))

        at = hand[seats["position"], col.FIRST_SEAT] + seats["seat"]
        seat = np.empty((at.size, 3), np.int64)
        seat[at, col.SIDE] = seats["side"]
        seat[at, col.KIND] = seats["kind"]
        seat_pool = pool[seats["position"]]
        computer: FloatArray = np.empty(at.size)
        computer[at] = self._computer[seat_pool, seats["skill"]]
        pool_in_order, player_in_order = np.empty(at.size, np.int64), np.empty(at.size, np.int64)
        pool_in_order[at] = seat_pool
        player_in_order[at] = seats["player_key"]
        seat[:, col.SLOT] = self.book.number(pool_in_order, player_in_order)

        points = np.empty(sides["position"].size, np.int64)
        points[hand[sides["position"], col.FIRST_SIDE] + sides["side"]] = sides["points"]
        return Hands(hand, self._margin_scale[pool], seat, computer, points)
