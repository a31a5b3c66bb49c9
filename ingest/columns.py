"""Hands as columns: the one shape that scanning, checking, hashing and loading share.

A block of n hands is an int64 matrix `numbers[n, NUMBERS]` and a tuple of text arrays `texts[TEXTS]`, each
of n. The columns of `numbers` that a seat or a side fills repeat for `SEATS` seats and `SIDES` sides; unused
places and unknown values are `NULL`. Instants are microseconds since 1970, UTC; enumerations are places in
their vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Ints = NDArray[np.int64]
#: An Arrow array of texts or bytes; what pyarrow computes has no types that a checker could follow.
Texts: TypeAlias = Any

#: The most seats and sides of any rule set.
SEATS: Final = 4
SIDES: Final = 4
#: Stands for "no value" in `numbers`.
NULL: Final = -(2**63)

MODES: Final = ("live", "solo")
KINDS: Final = ("human", "stand_in", "computer")
SKILLS: Final = ("beginner", "intermediate", "expert")
ENDINGS: Final = ("out", "stock", "special")
CARD_STYLES: Final = ("suit", "rank")

# Columns of `numbers`: one of a hand each.
HAND_NO: Final = 0
STARTED_AT: Final = 1
ENDED_AT: Final = 2
MODE: Final = 3
DEALER: Final = 4
ENDED_BY: Final = 5
OUT_SEAT: Final = 6
CONCEALED: Final = 7
GAME_OVER: Final = 8
WINNER: Final = 9
TURNS: Final = 10
SEAT_COUNT: Final = 11
SIDE_COUNT: Final = 12
CARDS: Final = 13
# One of a seat each: column + seat.
SEAT_SIDE: Final = 14
SEAT_KIND: Final = SEAT_SIDE + SEATS
SEAT_SKILL: Final = SEAT_KIND + SEATS
# One of a side each: column + side.
SCORE_BEFORE: Final = SEAT_SKILL + SEATS
POINTS: Final = SCORE_BEFORE + SIDES
SCORE_AFTER: Final = POINTS + SIDES
#: The seven parts of a side's ledger: LEDGER + part * SIDES + side.
LEDGER: Final = SCORE_AFTER + SIDES
LEDGER_PARTS: Final = ("canastas", "threes", "going_out", "melds", "holdings", "penalties", "special")
#: The five counts of a side's canastas: CANASTAS + kind * SIDES + side.
CANASTAS: Final = LEDGER + len(LEDGER_PARTS) * SIDES
CANASTA_KINDS: Final = ("natural", "mixed", "sevens", "aces", "wild")
NUMBERS: Final = CANASTAS + len(CANASTA_KINDS) * SIDES

# Text columns.
HAND_ID: Final = 0
GAME_ID: Final = 1
RULESET: Final = 2
OPTIONS: Final = 3
DEVICE: Final = 4
SPECIAL: Final = 5
ENGINE: Final = 6
SEED: Final = 7
EXTRA: Final = 8
#: The player of each seat: PLAYER + seat.
PLAYER: Final = 9
DEAL: Final = PLAYER + SEATS
EVENTS: Final = DEAL + 1
TEXTS: Final = EVENTS + 1


@dataclass(frozen=True)
class HandColumns:
    """A block of hands.

    Attributes:
        numbers: int64 [n, NUMBERS].
        texts: `TEXTS` Arrow string arrays of length n. `OPTIONS`, `EXTRA` and `DEAL` hold JSON objects with
            sorted keys and no blanks.
        rows: int64 [n]: which line of the block each hand came from, ascending.
    """

    numbers: Ints
    texts: tuple[Texts, ...]
    rows: Ints

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, places: Ints) -> HandColumns:
        """Return some of the hands, by place."""
        texts = tuple(text.take(places) for text in self.texts)
        return HandColumns(self.numbers[places], texts, self.rows[places])


def joined(parts: list[HandColumns]) -> HandColumns:
    """Put blocks together in the order of their lines."""
    if len(parts) == 1:
        return parts[0]
    rows = np.concatenate([part.rows for part in parts])
    together = HandColumns(
        np.concatenate([part.numbers for part in parts]),
        tuple(pa.concat_arrays([part.texts[index] for part in parts]) for index in range(TEXTS)),
        rows,
    )
    return together.take(np.argsort(rows, kind="stable"))


def bytes_of(texts: Texts) -> tuple[NDArray[np.uint8], Ints]:
    """Return the bytes of an Arrow string array and its offsets."""
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    return np.frombuffer(b"" if data is None else data, dtype=np.uint8), ends.astype(np.int64)
