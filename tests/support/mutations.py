"""Change a full hand log in one small way: its events, its deal or what it claims."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

from tests.engine.referee_cards import ORDER

VERBS = "d3tmrbsynoqkx"
CHARACTERS = "0123456789TJQKAW*?shdcrbxmtoqynk:+># "


def mutated(rng: random.Random, record: dict[str, Any]) -> dict[str, Any]:
    """Return a copy with one thing changed."""
    changed = copy.deepcopy(record)
    kinds = [_drop, _duplicate, _swap, _move, _card, _card, _seat, _verb, _cards_in_or_out, _group, _number]
    kinds += [_meld_number, _character, _character]
    if rng.random() < 0.15:
        rng.choice([_result, _deal, _score, _hand_no, _dealer])(rng, changed)
        return changed
    events = changed["events"].split(" ")
    rng.choice(kinds)(rng, events, rng.randrange(len(events)))
    changed["events"] = " ".join(events)
    return changed


def _drop(rng: random.Random, events: list[str], at: int) -> None:
    del events[at : at + rng.choice([1, 1, 1, 2])]


def _duplicate(rng: random.Random, events: list[str], at: int) -> None:
    events.insert(at, events[at])


def _swap(rng: random.Random, events: list[str], at: int) -> None:
    other = min(at + 1, len(events) - 1)
    events[at], events[other] = events[other], events[at]


def _move(rng: random.Random, events: list[str], at: int) -> None:
    events.insert(rng.randrange(len(events)), events.pop(at))


def _tokens(text: str) -> list[str]:
    """Split an event after its seat and verb into cards and marks, ranks and suits apart."""
    tokens, at = [], 0
    while at < len(text):
        size = 2 if text[at : at + 2] in ("3r", "3b") else 1
        tokens.append(text[at : at + size])
        at += size
    return tokens


def _card(rng: random.Random, events: list[str], at: int) -> None:
    tokens = _tokens(events[at][2:])
    if tokens:
        tokens[rng.randrange(len(tokens))] = rng.choice(ORDER)
        events[at] = events[at][:2] + "".join(tokens)


def _cards_in_or_out(rng: random.Random, events: list[str], at: int) -> None:
    tokens = _tokens(events[at][2:])
    if tokens and rng.random() < 0.5:
        del tokens[rng.randrange(len(tokens))]
    else:
        place = rng.randrange(len(tokens) + 1)
        like = tokens[place - 1] if tokens and rng.random() < 0.7 else rng.choice(ORDER)
        tokens.insert(place, like)
    events[at] = events[at][:2] + "".join(tokens)


def _seat(rng: random.Random, events: list[str], at: int) -> None:
    events[at] = rng.choice("01234") + events[at][1:]


def _verb(rng: random.Random, events: list[str], at: int) -> None:
    events[at] = events[at][0] + rng.choice(VERBS) + events[at][2:]


def _group(rng: random.Random, events: list[str], at: int) -> None:
    """Take a group away, or lay an opening's groups apart, or join two melds into one event."""
    event = events[at]
    head, plus, last = event.rpartition("+")
    if plus:
        events[at] = head
        if rng.random() < 0.5:
            events.insert(at + 1, f"{event[0]}m{last}")
    elif at and event[1] == "m" and events[at - 1][1] == "m":
        events[at - 1] += "+" + event[2:]
        del events[at]
    elif event[1] == "t":
        events[at] = event.partition(":")[0] + ":"


def _number(rng: random.Random, events: list[str], at: int) -> None:
    """Change the size of a pile that is taken, or put an event without cards somewhere."""
    takings = [place for place, event in enumerate(events) if event[1] == "t"]
    if takings and rng.random() < 0.5:
        place = rng.choice(takings)
        head, colon, rest = events[place].partition(":")
        events[place] = head[:3] + str(int(head[3:] or 1) + rng.choice([-1, 1])) + colon + rest
        return
    events.insert(at, events[at][0] + rng.choice(["o", "q", "k", "y", "n", "sgarbage", "spairs"]))


def _meld_number(rng: random.Random, events: list[str], at: int) -> None:
    """Number the meld of a group, or change or take away the number of one that has it."""
    laying = [place for place, event in enumerate(events) if event[1] in "mt"]
    numbered = [place for place in laying if "#" in events[place]]
    if not laying:
        return
    place = rng.choice(numbered or laying)
    number = rng.choice("01223345")
    if numbered:
        changed = rng.choice(["", rf"\1#{number}:", rf"\1#{number}:"])
        events[place] = re.sub(r"(.)#.:", changed, events[place], count=1)
        return
    head, groups = re.fullmatch(r"(.t[^:]*:|.m)(.*)", events[place]).groups()  # type: ignore[union-attr]
    rank = groups[:1] or head[2]
    events[place] = f"{head}{rank}#{number}:{groups.removeprefix(rank + ':')}"


def _character(rng: random.Random, events: list[str], at: int) -> None:
    """Put a character in, take one out or change one."""
    event = events[at]
    place = rng.randrange(len(event))
    new = rng.choice(["", event[place] + rng.choice(CHARACTERS), rng.choice(CHARACTERS)])
    events[at] = event[:place] + new + event[place + 1 :]


def _result(rng: random.Random, record: dict[str, Any]) -> None:
    result = record["result"]
    side = rng.randrange(len(result["points"]))
    what = rng.choice(
        ["points", "ledger", "canastas", "ended_by", "seat", "concealed", "score_after", "game_over"]
    )
    if what == "points" or what == "score_after":
        result[what][side] += rng.choice([-100, -5, 5, 100])
    elif what in ("ledger", "canastas"):
        part = rng.choice(sorted(result[what][side]))
        result[what][side][part] += 1 if what == "canastas" else 100
    elif what == "seat":
        result["seat"] = 0 if result["seat"] is None else (result["seat"] + 1) % len(record["seats"])
    elif what == "ended_by":
        result["ended_by"] = "stock" if result["ended_by"] == "out" else "out"
    else:
        result[what] = not result[what]


def _deal(rng: random.Random, record: dict[str, Any]) -> None:
    holdings = record["deal"]["holdings"]
    seat = rng.randrange(len(holdings))
    tokens = _tokens(holdings[seat])
    tokens[rng.randrange(len(tokens))] = rng.choice(ORDER)
    holdings[seat] = "".join(tokens)


def _score(rng: random.Random, record: dict[str, Any]) -> None:
    side = rng.randrange(len(record["score_before"]))
    record["score_before"][side] = rng.choice([-5, 0, 1500, 3000, 5000, 8500])


def _hand_no(rng: random.Random, record: dict[str, Any]) -> None:
    record["hand_no"] = rng.choice([1, 40, 41])


def _dealer(rng: random.Random, record: dict[str, Any]) -> None:
    record["dealer"] = rng.randrange(len(record["seats"]))
