"""What a hand says, as a hash: the same in another order of keys, with other blanks, in another zone.

The hash of a hand covers every field that it has, with the hash of its deal and events in their place, so
that events may expire and the hand still proves itself. Batches are chained over these hashes in
`ingest.chain`.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from engine.jit import lean
from ingest import columns as c
from ingest.columns import NULL, HandColumns, Ints, Texts, bytes_of
from ingest.json_bytes import Bytes

#: Bytes of SHA-256 that name a content: 128 bits.
HASH_BYTES: Final = 16
#: Rows laid out at a time: few enough to stay in the processor's cache.
_HASHED_TOGETHER: Final = 2048
#: For `left_out`: no column is.
_ALL: Final = -1


class ContentHashes(NamedTuple):
    """Hashes of a block of hands, binary arrays of 16 bytes: of all; of deal and events, or null."""

    content: Texts
    events: Texts


def content_hashes(hands: HandColumns) -> ContentHashes:
    """Hash hands as they were logged."""
    events = events_hashes(hands)
    return ContentHashes(summary_hashes(hands, events), events)


def events_hashes(hands: HandColumns) -> Texts:
    """Hash the deals and events of full logs; null for summaries."""
    events: Texts = pa.nulls(len(hands), pa.binary())
    is_full: Texts = hands.texts[c.EVENTS].is_valid()
    if pc.any(is_full).as_py():
        texts = [hands.texts[column].filter(is_full) for column in (c.DEAL, c.EVENTS)]
        hashes = _hash_rows(hands.numbers[np.asarray(is_full), c.CARDS : c.CARDS + 1], _ALL, texts)
        events = pc.replace_with_mask(events, is_full, hashes)
    return events


def summary_hashes(hands: HandColumns, events: Texts) -> Texts:
    """Hash hands whose deal and events are known by their hash alone (null for a summary)."""
    # How cards are written goes with the events.
    return _hash_rows(hands.numbers, c.CARDS, [*hands.texts[: c.DEAL], events])


def text_hash(text: str) -> bytes:
    """Hash the canonical text of a record that is no hand."""
    return sha256(text.encode()).digest()[:HASH_BYTES]


def _lengths(text: Texts) -> Texts:
    lengths: Texts = pc.binary_length(text)
    return lengths.cast(pa.int64())


def _hash_rows(numbers: Ints, left_out: int, texts: list[Texts]) -> Texts:
    """Hash rows: numbers but for one column, the lengths of texts (NULL for none), the texts end to end."""
    lengths = np.empty((len(texts), len(numbers)), dtype=np.int64)
    for place, text in enumerate(texts):
        lengths[place] = np.asarray(pc.fill_null(_lengths(text), NULL))
    binary: list[Texts] = [pc.fill_null(text.cast(pa.binary()), b"") for text in texts]
    tails, ends = bytes_of(pc.binary_join_element_wise(*binary, b""))
    digests: list[bytes] = []
    for first in range(0, len(numbers), _HASHED_TOGETHER):
        part = slice(first, first + _HASHED_TOGETHER)
        part_ends = ends[first : first + _HASHED_TOGETHER + 1]
        some_lengths = np.ascontiguousarray(lengths[:, part])
        digests += _hash_laid_out(numbers[part], left_out, some_lengths, tails, part_ends)
    return pa.array(digests, pa.binary())


def _hash_laid_out(numbers: Ints, left_out: int, lengths: Ints, tails: Bytes, ends: Ints) -> list[bytes]:
    kept = numbers.shape[1] - (left_out != _ALL)
    sizes = (kept + len(lengths)) * 8 + np.diff(ends)
    # Each row starts at a multiple of eight, so that its numbers are copied as numbers.
    starts = np.zeros(len(numbers) + 1, dtype=np.int64)
    np.cumsum((sizes + 7) // 8, out=starts[1:])
    rows = np.empty(int(starts[-1]), dtype=np.int64)
    text = rows.view(np.uint8)
    _lay_out(numbers, left_out, lengths, tails, ends, starts, rows, text)
    laid_out, first = text.data, starts[:-1] * 8
    # The one step a hand outside compiled code: about a microsecond, in OpenSSL.
    return [
        sha256(laid_out[start:end]).digest()[:HASH_BYTES]
        for start, end in zip(first.tolist(), (first + sizes).tolist(), strict=True)
    ]


@lean
def _lay_out(
    numbers: Ints,
    left_out: int,
    lengths: Ints,
    tails: Bytes,
    ends: Ints,
    starts: Ints,
    rows: Ints,
    text: Bytes,
) -> None:
    """Lay rows out for hashing.

    Args:
        numbers: [n, a] the numbers of each row.
        left_out: A column of them that is no part of it, or `_ALL`.
        lengths: [b, n] the lengths of its texts.
        tails: Its texts, end to end.
        ends: [n + 1] where they end in `tails`.
        starts: [n + 1] where the row starts in `rows`.
        rows: Receives the rows.
        text: The same memory as bytes.
    """
    for row in range(len(numbers)):
        at = starts[row]
        for column in range(numbers.shape[1]):
            rows[at] = numbers[row, column]
            at += 1 if column != left_out else 0
        for column in range(lengths.shape[0]):
            rows[at + column] = lengths[column, row]
        at = (at + lengths.shape[0]) * 8
        for index in range(ends[row], ends[row + 1]):
            text[at] = tails[index]
            at += 1
