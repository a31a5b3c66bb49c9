"""Turn what the scanner found, or models of single lines, into `HandColumns`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from engine.jit import lean
from ingest import columns as c
from ingest import strict_json
from ingest.columns import NULL, SIDES, HandColumns, Ints, Texts
from ingest.hand_log import Deal, HandLog, Option
from ingest.json_bytes import Bytes
from ingest.scanner import HOLDINGS, SPANS, UPCARDS, scan
from ingest.times import to_micros

NO_OPTIONS: Final = "{}"
_OPTIONS: Final = TypeAdapter(dict[str, Option])
_IN_DEAL: Final = ('{"holdings":["', '","', '"],"upcards":"', '"}')


def scan_lines(text: Bytes, starts: Ints, ends: Ints) -> HandColumns:
    """Read the regular lines among some; `rows` says which they are."""
    numbers = np.empty((len(starts), c.NUMBERS), dtype=np.int64)
    spans = np.empty((len(starts), SPANS, 2), dtype=np.int64)
    regular = np.zeros(len(starts), dtype=np.bool_)
    scan(text, starts, ends, numbers, spans, regular)
    rows = np.flatnonzero(regular)
    if len(rows) < len(starts):
        numbers, spans = numbers[rows], spans[rows]
    texts = _cut(text, spans, 0, c.TEXTS)
    options, is_flat = _canonical_options(texts[c.OPTIONS])
    texts[c.OPTIONS] = options
    texts[c.DEAL] = _deals(text, spans)
    hands = HandColumns(numbers, tuple(texts), rows)
    return hands if is_flat.all() else hands.take(np.flatnonzero(is_flat))


def from_logs(logs: list[HandLog], rows: list[int]) -> HandColumns:
    """Lay models out as columns; `rows` are the lines that they came from, ascending."""
    numbers = np.full((len(logs), c.NUMBERS), NULL, dtype=np.int64)
    texts: list[list[str | None]] = [[None] * len(logs) for _ in range(c.TEXTS)]
    for row, log in enumerate(logs):
        _fill_numbers(numbers[row], log)
        for column, value in _texts_of(log).items():
            texts[column][row] = value
    arrays = tuple(pa.array(column, pa.string()) for column in texts)
    return HandColumns(numbers, arrays, np.array(rows, dtype=np.int64))


def canonical_deal(deal: Deal) -> str:
    """Write a deal as the warehouse keeps it."""
    return strict_json.canonical({"holdings": list(deal.holdings), "upcards": deal.upcards})


def _fill_numbers(numbers: Ints, log: HandLog) -> None:
    result = log.result
    singles = {
        c.HAND_NO: log.hand_no,
        c.STARTED_AT: to_micros(log.started_at),
        c.ENDED_AT: to_micros(log.ended_at),
        c.MODE: c.MODES.index(log.mode),
        c.DEALER: log.dealer,
        c.ENDED_BY: c.ENDINGS.index(result.ended_by),
        c.OUT_SEAT: result.seat,
        c.CONCEALED: int(result.concealed),
        c.GAME_OVER: int(result.game_over),
        c.WINNER: result.winner,
        c.TURNS: log.turns,
        c.SEAT_COUNT: len(log.seats),
        c.SIDE_COUNT: len(log.score_before),
        c.CARDS: c.CARD_STYLES.index(log.cards),
    }
    for column, value in singles.items():
        numbers[column] = NULL if value is None else value
    for index, seat in enumerate(log.seats):
        numbers[c.SEAT_SIDE + index] = seat.side
        numbers[c.SEAT_KIND + index] = c.KINDS.index(seat.kind)
        numbers[c.SEAT_SKILL + index] = NULL if seat.skill is None else c.SKILLS.index(seat.skill)
    for side in range(len(log.score_before)):
        numbers[c.SCORE_BEFORE + side] = log.score_before[side]
        numbers[c.POINTS + side] = result.points[side]
        numbers[c.SCORE_AFTER + side] = result.score_after[side]
        for part, name in enumerate(c.LEDGER_PARTS):
            numbers[c.LEDGER + part * SIDES + side] = getattr(result.ledger[side], name)
        for kind, name in enumerate(c.CANASTA_KINDS):
            numbers[c.CANASTAS + kind * SIDES + side] = getattr(result.canastas[side], name)


def _texts_of(log: HandLog) -> dict[int, str | None]:
    unknown = log.unknown_fields
    found = {
        c.HAND_ID: log.hand_id,
        c.GAME_ID: log.game_id,
        c.RULESET: log.ruleset,
        c.OPTIONS: strict_json.canonical(log.options),
        c.DEVICE: log.device,
        c.SPECIAL: log.result.special,
        c.ENGINE: log.engine,
        c.SEED: log.seed,
        c.EXTRA: strict_json.canonical(unknown) if unknown else None,
        c.DEAL: None if log.deal is None else canonical_deal(log.deal),
        c.EVENTS: log.events,
    }
    return found | {c.PLAYER + index: seat.player for index, seat in enumerate(log.seats)}


@lean
def _measure(spans: Ints, first: int, offsets: NDArray[np.int32], there: Ints) -> None:
    """Find where texts begin and end when those of a column are laid end to end.

    Args:
        spans: [n, k, 2] where they are; no text is -1 to -1.
        first: The first column that is asked for.
        offsets: [m, n + 1] receives the places of `m` columns.
        there: [m] receives how many texts each has.
    """
    offsets[:, 0] = 0
    there[:] = 0
    for row in range(spans.shape[0]):
        for column in range(there.size):
            start, end = spans[row, first + column, 0], spans[row, first + column, 1]
            offsets[column, row + 1] = offsets[column, row] + (end - start)
            there[column] += int(end >= 0)


@lean
def _copy(text: Bytes, spans: Ints, first: int, offsets: NDArray[np.int32], begins: Ints, out: Bytes) -> None:
    """Copy texts line by line, so that each line is read once; column `i` begins at `begins[i]`."""
    for row in range(spans.shape[0]):
        for column in range(begins.size):
            at = begins[column] + offsets[column, row]
            for index in range(spans[row, first + column, 0], spans[row, first + column, 1]):
                out[at] = text[index]
                at += 1


def _cut(text: Bytes, spans: Ints, first: int, last: int) -> list[Texts]:
    """Cut texts out of the lines, columns `first` to before `last`; null where there is none."""
    count = len(spans)
    offsets, there = np.empty((last - first, count + 1), dtype=np.int32), np.empty(last - first, np.int64)
    _measure(spans, first, offsets, there)
    ends = np.cumsum(offsets[:, -1], dtype=np.int64)
    begins, out = ends - offsets[:, -1], np.empty(int(ends[-1]), dtype=np.uint8)
    _copy(text, spans, first, offsets, begins, out)
    found: list[Texts] = []
    for column in range(last - first):
        if there[column] == 0:
            found.append(pa.nulls(count, pa.string()))
            continue
        valid = None
        if there[column] < count:
            valid = pa.py_buffer(np.packbits(spans[:, first + column, 1] >= 0, bitorder="little").data)
        texts = pa.py_buffer(out[begins[column] : ends[column]].data)
        found.append(pa.Array.from_buffers(pa.string(), count, [valid, pa.py_buffer(offsets[column]), texts]))
    return found


def _canonical_options(raw: Texts) -> tuple[Texts, NDArray[np.bool_]]:
    """Write options canonically, each different text once; say which are regular."""
    # As bytes: the scanner looks for the end of the options, not whether they are UTF-8.
    coded: Any = pc.fill_null(raw, NO_OPTIONS).cast(pa.binary()).dictionary_encode()
    written = [_canonical_or_none(text) for text in coded.dictionary.to_pylist()]
    options: Texts = pa.array(written, pa.string()).take(coded.indices)
    return options, np.asarray(options.is_valid())


def _canonical_or_none(text: bytes) -> str | None:
    try:
        return strict_json.canonical(_OPTIONS.validate_python(strict_json.parse(text)))
    except (ValueError, RecursionError, ValidationError):
        return None


def _deals(text: Bytes, spans: Ints) -> Texts:
    """Write the deals as JSON; their texts hold nothing that needs an escape."""
    deals: Any = pa.nulls(len(spans), pa.string())
    there = spans[:, HOLDINGS, 1] >= 0
    if not there.any():
        return deals
    full = spans[there]
    opening, between, middle, closing, nothing = (pa.scalar(part) for part in (*_IN_DEAL, ""))
    *holdings, upcards = _cut(text, full, HOLDINGS, UPCARDS + 1)
    together = pc.binary_join_element_wise(*holdings, between, null_handling="skip")
    upcards = pc.fill_null(upcards, "")
    written = pc.binary_join_element_wise(opening, together, middle, upcards, closing, nothing)
    return pc.replace_with_mask(deals, pa.array(there), written)
