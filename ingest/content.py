"""What a hand says, as a hash: the same in another order of keys, with other blanks, in another zone.

The hash of a hand covers every field that it has, with the hash of its deal and events in their place, so
that events may expire and the hand still proves itself. Batches are chained over these hashes in
`ingest.chain`.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from engine.jit import jit
from ingest import columns as c
from ingest.columns import NULL, HandColumns, Ints, Texts, bytes_of
from ingest.json_bytes import Bytes

#: Bytes of SHA-256 that name a content: 128 bits.
HASH_BYTES: Final = 16


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
        hashes = _hash_rows([hands.numbers[np.asarray(is_full), c.CARDS]], texts)
        events = pc.replace_with_mask(events, is_full, hashes)
    return events


def summary_hashes(hands: HandColumns, events: Texts) -> Texts:
    """Hash hands whose deal and events are known by their hash alone (null for a summary)."""
    # How cards are written goes with the events.
    numbers = [hands.numbers[:, : c.CARDS], hands.numbers[:, c.CARDS + 1 :]]
    return _hash_rows(numbers, [*hands.texts[: c.DEAL], events])


def text_hash(text: str) -> bytes:
    """Hash the canonical text of a record that is no hand."""
    return sha256(text.encode()).digest()[:HASH_BYTES]


def _lengths(text: Texts) -> Texts:
    lengths: Texts = pc.binary_length(text)
    return lengths.cast(pa.int64())


def _hash_rows(numbers: list[Ints], texts: list[Texts]) -> Texts:
    """Hash rows: their numbers and the lengths of their texts (NULL for none), then the texts end to end."""
    lengths = [np.asarray(pc.fill_null(_lengths(text), NULL)) for text in texts]
    binary: list[Texts] = [pc.fill_null(text.cast(pa.binary()), b"") for text in texts]
    tails = bytes_of(pc.binary_join_element_wise(*binary, b""))
    rows, ends = np.empty(0, dtype=np.uint8), [0]
    if len(texts[0]):
        fixed = np.column_stack([*numbers, *lengths]).view(np.uint8)
        rows = np.empty(fixed.size + len(tails[0]), dtype=np.uint8)
        _lay_out(fixed, *tails, rows)
        ends = (np.arange(len(fixed) + 1) * fixed.shape[1] + tails[1]).tolist()
    view = rows.data
    # The one step a hand outside compiled code: about a microsecond, in OpenSSL.
    digests = [sha256(view[start:end]).digest()[:HASH_BYTES] for start, end in pairwise(ends)]
    return pa.array(digests, pa.binary())


@jit
def _lay_out(fixed: Bytes, tail: Bytes, ends: Ints, out: Bytes) -> None:
    """Lay rows end to end, each followed by its own part of the tail."""
    at, width = 0, fixed.shape[1]
    for row in range(len(fixed)):
        size = ends[row + 1] - ends[row]
        out[at : at + width] = fixed[row]
        out[at + width : at + width + size] = tail[ends[row] : ends[row + 1]]
        at += width + size
