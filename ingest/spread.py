"""Take one hand out of columns as the line that it came from: the way back from `gather.from_logs`."""

from __future__ import annotations

from typing import Any

import orjson

from ingest import columns as c
from ingest.columns import NULL, SIDES, HandColumns
from ingest.hand_log import HAND_FORMAT, HandLog
from ingest.times import from_micros


def to_log(hands: HandColumns, place: int) -> HandLog:
    """Return a hand as its log says it, but for fields that the format does not know."""
    numbers: list[Any] = [None if value == NULL else value for value in hands.numbers[place].tolist()]
    texts = [text[place].as_py() for text in hands.texts]
    sides = range(numbers[c.SIDE_COUNT])
    line = {
        "format": HAND_FORMAT,
        "hand_id": texts[c.HAND_ID],
        "game_id": texts[c.GAME_ID],
        "hand_no": numbers[c.HAND_NO],
        "started_at": from_micros(numbers[c.STARTED_AT]).isoformat(),
        "ended_at": from_micros(numbers[c.ENDED_AT]).isoformat(),
        "mode": c.MODES[numbers[c.MODE]],
        "device": texts[c.DEVICE],
        "ruleset": texts[c.RULESET],
        "options": orjson.loads(texts[c.OPTIONS]),
        "seats": [_seat(numbers, texts, seat) for seat in range(numbers[c.SEAT_COUNT])],
        "dealer": numbers[c.DEALER],
        "score_before": [numbers[c.SCORE_BEFORE + side] for side in sides],
        "result": _result(numbers, texts, sides),
        "turns": numbers[c.TURNS],
        "engine": texts[c.ENGINE],
        "seed": texts[c.SEED],
    }
    if texts[c.EVENTS] is not None:
        deal = orjson.loads(texts[c.DEAL])
        line |= {"cards": c.CARD_STYLES[numbers[c.CARDS]], "deal": deal, "events": texts[c.EVENTS]}
    return HandLog.model_validate(line)


def _seat(numbers: list[Any], texts: list[str | None], seat: int) -> dict[str, Any]:
    skill = numbers[c.SEAT_SKILL + seat]
    return {
        "seat": seat,
        "side": numbers[c.SEAT_SIDE + seat],
        "kind": c.KINDS[numbers[c.SEAT_KIND + seat]],
        "player": texts[c.PLAYER + seat],
        "skill": None if skill is None else c.SKILLS[skill],
    }


def _result(numbers: list[Any], texts: list[str | None], sides: range) -> dict[str, Any]:
    return {
        "ended_by": c.ENDINGS[numbers[c.ENDED_BY]],
        "seat": numbers[c.OUT_SEAT],
        "concealed": numbers[c.CONCEALED] == 1,
        "special": texts[c.SPECIAL],
        "points": [numbers[c.POINTS + side] for side in sides],
        "ledger": [_by_name(numbers, c.LEDGER, c.LEDGER_PARTS, side) for side in sides],
        "canastas": [_by_name(numbers, c.CANASTAS, c.CANASTA_KINDS, side) for side in sides],
        "score_after": [numbers[c.SCORE_AFTER + side] for side in sides],
        "game_over": numbers[c.GAME_OVER] == 1,
        "winner": numbers[c.WINNER],
    }


def _by_name(numbers: list[Any], column: int, names: tuple[str, ...], side: int) -> dict[str, int]:
    return {name: numbers[column + index * SIDES + side] for index, name in enumerate(names)}
