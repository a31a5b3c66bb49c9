"""Read the warehouse's hands in the rating's order, block by block, as the fold's arrays."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import duckdb
import numpy as np

from ingest.records import only_row
from rating import layout as col
from rating.arrange import count_rows, place_points, place_seats, places
from rating.elo import FloatArray, IntArray
from rating.layout import NONE, Hands
from rating.parameters import Parameters
from rating.queries import fetch_columns, given, sql
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
    found = fetch_columns(cursor, "read/hands_after", place)
    instants = found["ended_at_us"]
    order = np.argsort(instants, kind="stable")
    keys, instants = found["hand_key"][order], instants[order]
    is_tied = np.zeros(keys.size, bool)
    is_tied[1:] = instants[1:] == instants[:-1]
    is_tied[:-1] |= is_tied[1:]
    if is_tied.any():
        with given(cursor, keys[is_tied]):
            keys[is_tied] = fetch_columns(cursor, "read/ties", {})["hand_key"]
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
            ParametersError: The log holds a rule set that the parameters do not know.
        """
        found = [Pool(*row) for row in self.cursor.execute(sql("read/pools")).fetchall()]
        self.pools += [pool for pool in found if pool not in set(self.pools)]
        self._margin_scale = np.array([margin_scale(self.parameters, pool.ruleset) for pool in self.pools])
        counted = [
            [0.0, *(computer_rating(self.parameters, p.mode, skill) for skill in SKILLS)] for p in self.pools
        ]
        self._computer_of_pool = np.array(counted).reshape(len(self.pools), 1 + len(SKILLS))
        self._rulesets = sorted({pool.ruleset for pool in self.pools})
        devices = sorted({pool.device for pool in self.pools if pool.mode == "solo"})
        number_of_device = {device: number for number, device in enumerate(devices, 1)}
        self._pool_of = np.full((2, 1 + len(self._rulesets), 1 + len(devices)), NONE, np.int64)
        for number, pool in enumerate(self.pools):
            is_solo = pool.mode == "solo"
            device = number_of_device[pool.device] if is_solo else 0
            self._pool_of[int(is_solo), 1 + self._rulesets.index(pool.ruleset), device] = number
        self.cursor.execute(sql("read/devices"), {"devices": devices})
        self.cursor.execute(sql("read/left_games"))
        (self.games,) = only_row(self.cursor, "SELECT count(*) FROM left_game")

    def block(self, keys: IntArray) -> Block:
        """Read some hands, whose keys come in the total order."""
        slots_before = self.book.count
        least, greatest = int(keys.min(initial=2**62)), int(keys.max(initial=0))
        is_dense = greatest - least < 4 * keys.size
        bounds = {"least": least, "greatest": greatest, "is_dense": is_dense}
        with given(self.cursor, keys[:0] if is_dense else keys):
            self.cursor.execute(sql("read/block"))
        place = places(keys, least)
        rows = fetch_columns(self.cursor, "read/block_hands", bounds | {"rulesets": self._rulesets})
        hand, pool = self._hands(keys, place, least, rows)
        rows = fetch_columns(self.cursor, "read/block_seats", bounds)
        seat, computer_rating = self._seats(hand, pool, place, least, rows)
        rows = fetch_columns(self.cursor, "read/block_sides", bounds)
        points = self._points(hand, place, least, rows)
        hands = Hands(hand, self._margin_scale[pool], seat, computer_rating, points)
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
        with given(self.cursor, keys):
            rows = fetch_columns(self.cursor, "read/games_of", {})
        order = np.argsort(rows["hand_key"])
        return rows["game"][order[np.searchsorted(rows["hand_key"], keys, sorter=order)]]

    def _hands(
        self, keys: IntArray, place: IntArray, least: int, rows: dict[str, IntArray]
    ) -> tuple[IntArray, IntArray]:
        """Return the fold's hands, without where their seats and sides begin, and their pools."""
        hand = np.zeros((keys.size + 1, 6), np.int64)
        hand[:-1, col.KEY] = keys
        pool = np.empty(keys.size, np.int64)
        at = place[rows["hand_key"] - least]
        is_here = at != NONE
        at = at[is_here]
        hand[at, col.IS_SOLO] = rows["is_solo"][is_here]
        hand[at, col.IS_OVER] = rows["is_over"][is_here]
        hand[at, col.GAME] = rows["game"][is_here]
        pool[at] = self._pool_of[rows["is_solo"], rows["ruleset"], rows["device"]][is_here]
        return hand, pool

    def _seats(
        self, hand: IntArray, pool: IntArray, place: IntArray, least: int, rows: dict[str, IntArray]
    ) -> tuple[IntArray, FloatArray]:
        """Return the fold's seats and what each counts as when a computer plays it."""
        count_rows(rows["hand_key"], place, least, hand, col.FIRST_SEAT)
        size = hand[-1, col.FIRST_SEAT]
        seat, computer_rating, owner = np.empty((size, 3), np.int64), np.empty(size), np.empty(size, np.int64)
        place_seats(
            rows["hand_key"],
            rows["packed"],
            place,
            least,
            hand,
            pool,
            self._computer_of_pool,
            seat,
            computer_rating,
            owner,
        )
        slots = np.empty(size, np.int64)
        self.book.number(owner, slots)
        seat[:, col.SLOT] = slots
        return seat, computer_rating

    def _points(self, hand: IntArray, place: IntArray, least: int, rows: dict[str, IntArray]) -> IntArray:
        """Return the points of the fold's sides."""
        count_rows(rows["hand_key"], place, least, hand, col.FIRST_SIDE)
        points = np.empty(hand[-1, col.FIRST_SIDE], np.int64)
        place_points(rows["hand_key"], rows["side"], rows["points"], place, least, hand, points)
        return points
