"""Lay a block's hands out as the rows of the base tables."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa

from ingest import columns as c
from ingest.columns import NULL, SEATS, SIDES, HandColumns, Ints, Texts
from ingest.content import ContentHashes

#: What `numbers` holds of a side, from `SCORE_BEFORE` on, as columns of `side_result`.
SIDE_COLUMNS: Final = (
    "score_before",
    "points",
    "score_after",
    "canasta_points",
    "three_points",
    "going_out_points",
    "meld_points",
    "holding_points",
    "penalty_points",
    "special_points",
    "natural_canastas",
    "mixed_canastas",
    "seven_canastas",
    "ace_canastas",
    "wild_canastas",
)


def hand_rows(hands: HandColumns, keys: Ints, hashes: ContentHashes, places: Ints, batch: int) -> pa.Table:
    """Return rows of `hand`, one a hand.

    Args:
        hands: The hands.
        keys: [n] their hand_key.
        hashes: Their content.
        places: [n, 2] the source and the line that they came from.
        batch: The batch that brings them.
    """
    numbers, texts = hands.numbers, hands.texts
    return pa.table(
        {
            "hand_key": pa.array(keys),
            "hand_id": texts[c.HAND_ID],
            "game_id": texts[c.GAME_ID],
            "hand_no": _integers(numbers[:, c.HAND_NO], np.int32),
            "started_at": pa.array(numbers[:, c.STARTED_AT].view("datetime64[us]")),
            "ended_at": pa.array(numbers[:, c.ENDED_AT].view("datetime64[us]")),
            "mode": _words(numbers[:, c.MODE], c.MODES),
            "ruleset": texts[c.RULESET],
            "options": texts[c.OPTIONS],
            "device": texts[c.DEVICE],
            "dealer": _integers(numbers[:, c.DEALER], np.int8),
            "ended_by": _words(numbers[:, c.ENDED_BY], c.ENDINGS),
            "out_seat": _integers(numbers[:, c.OUT_SEAT], np.int8),
            "concealed": pa.array(numbers[:, c.CONCEALED] == 1),
            "special": texts[c.SPECIAL],
            "game_over": pa.array(numbers[:, c.GAME_OVER] == 1),
            "winner": _integers(numbers[:, c.WINNER], np.int8),
            "turns": _integers(numbers[:, c.TURNS], np.int32),
            "engine": texts[c.ENGINE],
            "seed": texts[c.SEED],
            "extra": texts[c.EXTRA],
            "events_hash": hashes.events,
            "content_hash": hashes.content,
            "source": pa.array(places[:, 0].astype(np.int32)),
            "line": pa.array(places[:, 1]),
            "batch": pa.array(np.full(len(keys), batch, dtype=np.int32)),
        }
    )


def seat_rows(hands: HandColumns, keys: Ints, player_keys: Ints) -> pa.Table:
    """Return rows of `seat`, in order of hand and seat.

    Args:
        hands: The hands.
        keys: [n] their hand_key.
        player_keys: One for each row, NULL for a computer.
    """
    row, seat = seats_of(hands)
    return pa.table(
        {
            "hand_key": pa.array(keys[row]),
            "seat": pa.array(seat.astype(np.int8)),
            "side": _integers(hands.numbers[row, c.SEAT_SIDE + seat], np.int8),
            "kind": _words(hands.numbers[row, c.SEAT_KIND + seat], c.KINDS),
            "player_key": _integers(player_keys, np.int32),
            "skill": _words(hands.numbers[row, c.SEAT_SKILL + seat], c.SKILLS),
        }
    )


def side_rows(hands: HandColumns, keys: Ints) -> pa.Table:
    """Return rows of `side_result`, in order of hand and side; `keys` are the hands' hand_key."""
    row, side = np.nonzero(np.arange(SIDES) < hands.numbers[:, c.SIDE_COUNT, None])
    # [n, SIDES, facts], of which only the sides that there are; then a row a fact.
    facts = hands.numbers[:, c.SCORE_BEFORE :].reshape(len(hands), -1, SIDES).swapaxes(1, 2)[row, side]
    found: dict[str, Any] = {"hand_key": pa.array(keys[row]), "side": pa.array(side.astype(np.int8))}
    for name, values in zip(SIDE_COLUMNS, np.ascontiguousarray(facts.T), strict=True):
        found[name] = _integers(values, np.int32)
    return pa.table(found)


def event_rows(hands: HandColumns, keys: Ints) -> pa.Table:
    """Return rows of `hand_event_log` for the full logs; `keys` are the hands' hand_key."""
    full = np.flatnonzero(np.asarray(hands.texts[c.EVENTS].is_valid()))
    return pa.table(
        {
            "hand_key": pa.array(keys[full]),
            "cards": _words(hands.numbers[full, c.CARDS], c.CARD_STYLES),
            "deal": hands.texts[c.DEAL].take(full),
            "events": hands.texts[c.EVENTS].take(full),
        }
    )


def seats_of(hands: HandColumns) -> tuple[Ints, Ints]:
    """Return the place of the hand and the number of the seat, for every seat in order."""
    row, seat = np.nonzero(np.arange(SEATS) < hands.numbers[:, c.SEAT_COUNT, None])
    return row, seat


def players_of(hands: HandColumns) -> Texts:
    """Return the player of every seat, in the order of `seats_of`, null for a computer."""
    row, seat = seats_of(hands)
    players: Texts = pa.chunked_array([hands.texts[c.PLAYER + seat] for seat in range(SEATS)])
    in_order: Texts = players.combine_chunks().take(seat * len(hands) + row)
    return in_order


def _integers(values: Ints, width: type[np.signedinteger[Any]]) -> Texts:
    missing = values == NULL
    if not missing.any():
        return pa.array(values.astype(width))
    return pa.array(np.where(missing, 0, values).astype(width), mask=missing)


def _words(places: Ints, vocabulary: tuple[str, ...]) -> Texts:
    return pa.DictionaryArray.from_arrays(_integers(places, np.int8), pa.array(vocabulary))
