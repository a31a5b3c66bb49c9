"""Read hands back from the warehouse in the shape in which they came: the way of `ingest.verify`."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ingest import columns as c
from ingest.columns import NULL, SEATS, SIDES, HandColumns, Ints, Texts
from ingest.queries import sql
from ingest.records import arrow_table
from ingest.tables import SIDE_COLUMNS

_NUMBERS: Final = {
    "hand_no": c.HAND_NO,
    "started_at": c.STARTED_AT,
    "ended_at": c.ENDED_AT,
    "dealer": c.DEALER,
    "out_seat": c.OUT_SEAT,
    "winner": c.WINNER,
    "turns": c.TURNS,
}
_WORDS: Final = {
    "mode": (c.MODE, c.MODES),
    "ended_by": (c.ENDED_BY, c.ENDINGS),
    "cards": (c.CARDS, c.CARD_STYLES),
}
_FLAGS: Final = {"concealed": c.CONCEALED, "game_over": c.GAME_OVER}
_TEXTS: Final = {
    "hand_id": c.HAND_ID,
    "game_id": c.GAME_ID,
    "ruleset": c.RULESET,
    "options": c.OPTIONS,
    "device": c.DEVICE,
    "special": c.SPECIAL,
    "engine": c.ENGINE,
    "seed": c.SEED,
    "extra": c.EXTRA,
    "deal": c.DEAL,
    "events": c.EVENTS,
}


class StoredHands(NamedTuple):
    """Hands as stored.

    Attributes:
        keys: [n] hand_key, ascending.
        batches: [n] the batch that each came with.
        hands: What they say; deal and events are null where they expired.
        content: [n] their stored content hashes.
        events: [n] their stored events hashes, null for summaries.
        has_expired: [n] whether retention deleted their deal and events.
    """

    keys: Ints
    batches: Ints
    hands: HandColumns
    content: Texts
    events: Texts
    has_expired: Texts


def stored_hands(cursor: duckdb.DuckDBPyConnection, first: int, last: int) -> StoredHands:
    """Read the hand versions with keys from `first` to `last`.

    What a row should not hold (a seat 9, a mode that is none, a player who is not there) reads as what no log
    says, so that hashes differ.
    """
    between = {"first": first, "last": last}
    found: Any = arrow_table(cursor, sql("stored_hands"), between).combine_chunks()
    keys = _numbers(found["hand_key"])
    numbers = np.full((len(keys), c.NUMBERS), NULL, dtype=np.int64)
    for name, column in _NUMBERS.items():
        numbers[:, column] = _numbers(found[name])
    for name, (column, vocabulary) in _WORDS.items():
        numbers[:, column] = _places(found[name], vocabulary)
    for name, column in _FLAGS.items():
        numbers[:, column] = _numbers(pc.cast(found[name], pa.int64()))
    texts = [pa.nulls(len(keys), pa.string())] * c.TEXTS
    for name, column in _TEXTS.items():
        texts[column] = _one(found[name])
    _read_seats(cursor, between, keys, numbers, texts)
    _read_sides(cursor, between, keys, numbers)
    hands = HandColumns(numbers, tuple(texts), np.arange(len(keys)))
    return StoredHands(
        keys,
        _numbers(found["batch"]),
        hands,
        _one(found["content_hash"]),
        _one(found["events_hash"]),
        _one(found["has_expired"]),
    )


def _read_seats(
    cursor: duckdb.DuckDBPyConnection, between: dict[str, int], keys: Ints, numbers: Ints, texts: list[Texts]
) -> None:
    found: Any = arrow_table(cursor, sql("stored_seats"), between).combine_chunks()
    hand, seat = _numbers(found["hand_key"]), _numbers(found["seat"])
    row, is_known = _rows(keys, hand, seat, SEATS)
    row, seat = row[is_known], seat[is_known]
    numbers[:, c.SEAT_COUNT] = np.bincount(row, minlength=len(keys))
    numbers[row, c.SEAT_SIDE + seat] = _numbers(found["side"])[is_known]
    numbers[row, c.SEAT_KIND + seat] = _places(found["kind"], c.KINDS)[is_known]
    numbers[row, c.SEAT_SKILL + seat] = _places(found["skill"], c.SKILLS)[is_known]
    players = _one(found["player"])
    for place in range(SEATS):
        index = np.full(len(keys), -1, dtype=np.int64)
        index[row[seat == place]] = np.flatnonzero(is_known)[seat == place]
        texts[c.PLAYER + place] = players.take(pa.array(index, mask=index < 0))


def _read_sides(
    cursor: duckdb.DuckDBPyConnection, between: dict[str, int], keys: Ints, numbers: Ints
) -> None:
    found: Any = arrow_table(cursor, sql("stored_sides"), between).combine_chunks()
    hand, side = _numbers(found["hand_key"]), _numbers(found["side"])
    row, is_known = _rows(keys, hand, side, SIDES)
    row, side = row[is_known], side[is_known]
    numbers[:, c.SIDE_COUNT] = np.bincount(row, minlength=len(keys))
    for fact, name in enumerate(SIDE_COLUMNS):
        numbers[row, c.SCORE_BEFORE + fact * SIDES + side] = _numbers(found[name])[is_known]


def _rows(keys: Ints, hand: Ints, place: Ints, most: int) -> tuple[Ints, Any]:
    """Return each row's hand, by its place among `keys`, and whether it belongs to one."""
    row = np.searchsorted(keys, hand)
    row = np.where(row < len(keys), row, 0)
    is_known = (place >= 0) & (place < most)
    if len(keys):
        is_known &= keys[row] == hand
    return row, is_known


def _one(column: Any) -> Texts:
    """Return a column's values as one array."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _numbers(column: Any) -> Ints:
    values: Ints = np.asarray(pc.fill_null(pc.cast(column, pa.int64()), NULL), dtype=np.int64)
    return values


def _places(column: Any, vocabulary: tuple[str, ...]) -> Ints:
    """Return places in a vocabulary, NULL for nothing; words that are not in it are at its end."""
    found: Any = pc.index_in(column, value_set=pa.array(vocabulary))
    is_none = pc.and_(pc.is_valid(column), pc.is_null(found))
    return _numbers(pc.if_else(is_none, len(vocabulary), found))
