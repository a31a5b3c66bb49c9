"""A run's history: immutable Parquet files, a few for each part, and the checkpoint that a part ends with.

A part `<number>` of a run's folder is
`<number>.change.parquet` (a row a change), `<number>.side.parquet` (a row a side of a rated hand),
`<number>.event.parquet` (a row a level event), and the checkpoint after its last hand:
`<number>.state.parquet` (a row a slot) and `<number>.held.parquet` (a row a held change).
`slot.parquet` and `pool.parquet` say whose numbers each slot holds. What can be derived is not stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from rating import layout as col
from rating.elo import FloatArray, IntArray
from rating.layout import Held, History, State
from rating.levels import (
    GAMES_NEEDED,
    HANDS_NEEDED,
    LINE,
    NO_EVENT,
    PLACED,
    PROMOTED,
    RELEGATED,
    RELEGATION_POINTS,
)
from rating.queries import fetch_file, sql
from rating.reading import Pool

KINDS: Final = ("change", "side", "event", "state", "held")


@dataclass(frozen=True)
class Slots:
    """Whose numbers each slot holds.

    Attributes:
        pools: What keeps ratings apart.
        pool: Position in `pools`, by slot.
        player_key: By slot.
        start_rating: Rating and Form before the first hand, rating points, by slot.
    """

    pools: list[Pool]
    pool: IntArray
    player_key: IntArray
    start_rating: FloatArray


def part_file(folder: Path, number: int, kind: str) -> Path:
    """Return where one of a part's files lies."""
    return folder / f"{number:06d}.{kind}.parquet"


def write_part(
    folder: Path,
    number: int,
    history: History,
    filled: IntArray,
    state: State,
    held: Held,
    levels: FloatArray,
) -> int:
    """Write a part's files; return its number of level events."""
    change = history.change[:, : filled[col.CHANGES]]
    numbers = history.change_numbers[:, : filled[col.CHANGES]]
    at = np.flatnonzero(change[col.EVENT] != NO_EVENT)
    events = event_table(change[:, at], numbers[:, at], levels)
    _write(part_file(folder, number, "change"), _change_table(change, numbers))
    _write(part_file(folder, number, "side"), _side_table(history, int(filled[col.SIDES])))
    _write(part_file(folder, number, "event"), events)
    _write(part_file(folder, number, "state"), _state_table(state))
    _write(part_file(folder, number, "held"), _held_table(held, int(filled[col.HELD])))
    return int(events.num_rows)


def _write(path: Path, table: pa.Table) -> None:
    """Write a file: whole numbers as differences, few values as a dictionary, the rest as it is."""
    names = table.column_names
    pq.write_table(
        table,
        path,
        compression="none",
        use_dictionary=[name for name in _REPEATED if name in names],  # type: ignore[arg-type]
        column_encoding={name: "DELTA_BINARY_PACKED" for name in _COUNTED if name in names},
        write_statistics=["hand_key"] if "hand_key" in names else False,
    )


def _change_table(change: IntArray, numbers: FloatArray) -> pa.Table:
    return pa.table(
        {
            "hand_key": pa.array(change[col.AT_KEY]),
            "applied_key": pa.array(change[col.APPLIED_KEY]),
            "side": pa.array(change[col.ON_SIDE].astype(np.int8)),
            "slot": pa.array(change[col.OF_SLOT].astype(np.int32)),
            "rating": pa.array(numbers[col.RATING_AFTER]),
            "form": pa.array(numbers[col.FORM_AFTER]),
            "k_factor": pa.array(numbers[col.K]),
            "hands": pa.array(change[col.HANDS_AFTER].astype(np.int32)),
            "games": pa.array(change[col.GAMES_AFTER].astype(np.int32)),
            "level": pa.array(change[col.LEVEL_AFTER].astype(np.int8)),
        }
    )


def _side_table(history: History, sides: int) -> pa.Table:
    return pa.table(
        {
            "hand_key": pa.array(history.side[col.SIDE_KEY, :sides]),
            "side": pa.array(history.side[col.SIDE_NUMBER, :sides].astype(np.int8)),
            "rating": pa.array(history.side_numbers[col.SIDE_RATING, :sides]),
            "expected": pa.array(history.side_numbers[col.EXPECTED, :sides]),
            "actual": pa.array(history.side_numbers[col.ACTUAL, :sides]),
        }
    )


def event_table(change: IntArray, numbers: FloatArray, levels: FloatArray) -> pa.Table:
    """Return the level events with the evidence of their moment: what the check asked for and found.

    `form_needed` is what the check held Form against: the line of the level reached (promoted), the own line
    (warned, recovered), the own line less the points of relegation (relegated); none when placed.
    """
    kind, to = change[col.EVENT], change[col.LEVEL_AFTER]
    step = np.select([np.isin(kind, (PLACED, PROMOTED)), kind == RELEGATED], [1, -1], 0)
    lines, hands, games = levels[:, LINE], levels[:, HANDS_NEEDED], levels[:, GAMES_NEEDED]
    is_relegated, is_promoted, is_placed = kind == RELEGATED, kind == PROMOTED, kind == PLACED
    form_needed = np.where(is_relegated, lines[to - step] - levels[-1, RELEGATION_POINTS], lines[to])
    return pa.table(
        {
            "hand_key": pa.array(change[col.AT_KEY]),
            "slot": pa.array(change[col.OF_SLOT].astype(np.int32)),
            "hands": pa.array(change[col.HANDS_AFTER].astype(np.int32)),
            "kind": pa.array(kind.astype(np.int8)),
            "from_level": pa.array((to - step).astype(np.int8)),
            "to_level": pa.array(to.astype(np.int8)),
            "form": pa.array(numbers[col.FORM_AFTER]),
            "form_needed": pa.array(form_needed, mask=is_placed),
            "hands_needed": pa.array(hands[to].astype(np.int32), mask=~(is_promoted | is_placed)),
            "games": pa.array(change[col.GAMES_AFTER].astype(np.int32)),
            "games_needed": pa.array(games[to].astype(np.int32), mask=~is_promoted),
            "hands_since_move": pa.array(change[col.SINCE_MOVE].astype(np.int32), mask=is_placed),
        }
    )


#: Columns of few values, and of whole numbers that differ little from row to row.
_REPEATED: Final = ("side", "level", "k_factor")
_COUNTED: Final = ("hand_key", "applied_key", "slot", "hands", "games")

#: A checkpoint's columns, and where the state has them.
NUMBERS: Final = {
    "rating": col.RATING,
    "form": col.FORM,
    "previous_rating": col.PREVIOUS,
    "peak_rating": col.PEAK,
}
COUNTS: Final = {
    "hands": col.HANDS,
    "games": col.GAMES,
    "level": col.LEVEL,
    "moved_at": col.MOVED_AT,
    "last_key": col.LAST_KEY,
}


def _state_table(state: State) -> pa.Table:
    columns: dict[str, Any] = {name: pa.array(state.numbers[:, at]) for name, at in NUMBERS.items()}
    columns |= {name: pa.array(state.counts[:, column]) for name, column in COUNTS.items()}
    ring = np.ascontiguousarray(state.numbers[:, col.RECENT :])
    if ring.size:
        columns["recent"] = pa.FixedSizeListArray.from_arrays(pa.array(ring.ravel()), ring.shape[1])
    return pa.table(columns)


def read_state(folder: Path, number: int, start_rating: FloatArray, ring_size: int) -> State:
    """Return the state after a part, with the slots that came later added unplayed.

    Args:
        folder: Of the run that wrote the part.
        number: The part's.
        start_rating: Of every slot known now; a slot that has not been rated stands at its start.
        ring_size: Ratings that Form remembers, when it is a window.
    """
    file = part_file(folder, number, "state")
    columns = fetch_file("read/state", file)
    state = col.new_state(start_rating, ring_size)
    is_rated = np.flatnonzero(columns["hands"] > 0)
    for name, column in NUMBERS.items():
        state.numbers[is_rated, column] = columns[name][is_rated]
    for name, column in COUNTS.items():
        state.counts[is_rated, column] = columns[name][is_rated]
    if ring_size:
        ring = fetch_file("read/state_rings", file)["recent"]
        state.numbers[is_rated, col.RECENT :] = ring.reshape(-1, ring_size)[is_rated]
    return state


def _held_table(held: Held, count: int) -> pa.Table:
    item = held.item[:count]
    is_waiting = item[:, col.HELD_SLOT] != col.NONE
    item = item[is_waiting]
    return pa.table(
        {
            "hand_key": pa.array(item[:, col.HELD_KEY]),
            "slot": pa.array(item[:, col.HELD_SLOT]),
            "side": pa.array(item[:, col.HELD_SIDE]),
            "surprise": pa.array(held.surprise[:count][is_waiting]),
        }
    )


def read_held(folder: Path, number: int) -> dict[str, npt.NDArray[Any]]:
    """Return what is held after a part, in order, as columns `hand_key`, `slot`, `side`, `surprise`."""
    return fetch_file("read/held", part_file(folder, number, "held"))


def write_slots(folder: Path, slots: Slots) -> None:
    """Write whose numbers the slots of a run hold."""
    pools = {field: pa.array([getattr(p, field) for p in slots.pools], pa.string()) for field in Pool._fields}
    pool_keys = pa.array(range(len(slots.pools)), pa.int64())
    pq.write_table(pa.table({"pool_key": pool_keys, **pools}), folder / "pool.parquet")
    columns = {
        "slot": pa.array(np.arange(slots.pool.size, dtype=np.int32)),
        "pool_key": pa.array(slots.pool),
        "player_key": pa.array(slots.player_key.astype(np.int32)),
        "start_rating": pa.array(slots.start_rating),
    }
    pq.write_table(pa.table(columns), folder / "slot.parquet", compression="lz4")


def read_slots(folder: Path) -> Slots:
    """Return whose numbers the slots of a run hold."""
    with duckdb.connect() as connection:
        pools = connection.execute(sql("read/slot_pools"), {"file": str(folder / "pool.parquet")}).fetchall()
    slots = fetch_file("read/slots", folder / "slot.parquet")
    return Slots(
        [Pool(*pool) for pool in pools], slots["pool_key"], slots["player_key"], slots["start_rating"]
    )
