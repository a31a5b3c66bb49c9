"""Level 2: what a sound log is, and the code, event and clause of everything that can be wrong with one.

The logs are played by the referee, a second reading of the rules that shares no line with the engine.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from engine.hand import HandState
from engine.replay import PROBLEMS, LoggedHand, Problem, position_before, replay
from tests.support.referee_play import random_hand

Record = dict[str, Any]
TABLES = [
    ("modern_american", 4),
    ("classic_salon", 4),
    ("classic_salon", 3),
    ("classic_salon", 2),
    ("classic_partnership", 4),
]


@cache
def _log(pattern: str, ruleset: str, players: int, suited: bool) -> tuple[Record, int]:
    for seed in range(400):
        record = random_hand(f"replay {seed}", ruleset, players, {}, suited=suited).record
        if not problems(record):
            for number, event in enumerate(record["events"].split(), 1):
                if re.fullmatch(pattern, event):
                    return record, number
    raise AssertionError(f"no log of {ruleset} has an event like {pattern}")


def log_with(
    pattern: str, ruleset: str = "modern_american", *, players: int = 4, suited: bool = False
) -> tuple[Record, int]:
    """Return a sound log that has such an event, and the number of that event, from 1."""
    record, number = _log(pattern, ruleset, players, suited)
    return copy.deepcopy(record), number


def problems(record: Record) -> tuple[Problem, ...]:
    return replay(LoggedHand.from_log(record))


def edited(record: Record, number: int, *events: str) -> Record:
    """Put other events in the place of one."""
    before = record["events"].split()
    return record | {"events": " ".join([*before[: number - 1], *events, *before[number:]])}


def cut(record: Record, number: int, *events: str) -> Record:
    """Cut a log off before an event, and go on differently."""
    return record | {"events": " ".join([*record["events"].split()[: number - 1], *events])}


def event_of(record: Record, number: int) -> str:
    return str(record["events"].split()[number - 1])


def only(record: Record) -> Problem:
    found = problems(record)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
@pytest.mark.parametrize("suited", [False, True], ids=["rank", "suit"])
def test_a_sound_log_has_no_problem(ruleset: str, players: int, suited: bool) -> None:
    record, _ = log_with("[0-3]o", ruleset, players=players, suited=suited)
    assert problems(record) == ()
    assert problems(record | {"turns": None}) == ()


def test_a_log_without_a_result_is_only_played() -> None:
    record, _ = log_with("[0-3]o")
    hand = LoggedHand.from_log(record)
    fields = {name: getattr(hand, name) for name in LoggedHand.__dataclass_fields__}
    assert replay(LoggedHand(**(fields | {"result": None, "score_before": (0, 100)}))) == ()


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_a_shorter_log_ends_before_its_hand(ruleset: str, players: int) -> None:
    record, out = log_with("[0-3]o", ruleset, players=players)
    for number in (*range(1, out - 4, 9), *range(out - 4, out)):
        problem = only(cut(record, number))
        assert (problem.code, problem.event) == ("events_end", number)
    problem = only(cut(record, out))
    assert (problem.code, problem.event, problem.expected) == ("going_out", out, event_of(record, out))


@pytest.mark.parametrize("more", ["0dK", "1x4", "2o", "0k", "3q"])
def test_nothing_follows_the_end(more: str) -> None:
    record, out = log_with("[0-3]o")
    problem = only(record | {"events": record["events"] + " " + more})
    clause = "A-out-empty" if more.endswith("o") else "A-ended"
    assert (problem.code, problem.clause, problem.event) == ("illegal_event", clause, out + 1)


def test_another_event_where_going_out_belongs_is_told() -> None:
    record, out = log_with("[0-3]o")
    problem = only(edited(record, out, "0dK"))
    assert (problem.code, problem.event) == ("going_out", out)
    other = str((int(event_of(record, out)[0]) + 1) % 4) + "o"
    assert only(edited(record, out, other)).code == "going_out"


def test_the_stock_ends_a_hand_without_an_event() -> None:
    for number in range(200):
        record = random_hand(f"stock {number}", "modern_american", 4, {}).record
        if record["result"]["ended_by"] == "stock" and not problems(record):
            assert only(record | {"events": record["events"] + " 0o"}).clause == "A-out-empty"
            return
    raise AssertionError("no hand ended by the stock")


Edit = Callable[[str], str]
# pattern of an event, rule set, what is made of it, clause that refuses it
ILLEGAL: dict[str, tuple[str, str, Edit, str]] = {
    "a three kept": (r"\d33r>.", "modern_american", lambda e: f"{e[0]}dK", "A-threes-first"),
    "a three that is not held": (r"\dd[^3]", "modern_american", lambda e: f"{e[0]}33r>K", "A-three-held"),
    "another seat draws": (
        r"\dd[^3]",
        "modern_american",
        lambda e: f"{(int(e[0]) + 1) % 4}{e[1:]}",
        "A-turn",
    ),
    "a discard before the draw": (r"\dd[^3]", "modern_american", lambda e: f"{e[0]}xK", "A-draw-first"),
    "a meld before the draw": (r"\dd[^3]", "modern_american", lambda e: f"{e[0]}mKKK", "A-draw-first"),
    "a second draw": (r"\dx.", "modern_american", lambda e: f"{e[0]}dK", "A-drawn"),
    "nine of a rank laid": (r"\dmK+", "classic_salon", lambda e: f"{e[0]}mKKKKKKKKK", "A-cards-held"),
    "two ranks in a group": (r"\dmK+", "modern_american", lambda e: e + "Q", "A-one-rank"),
    "two groups of a rank": (r"\dmK{3}.*", "modern_american", lambda e: f"{e[0]}mKKK+KK", "A-one-rank"),
    "a red three melded": (r"\dmK+", "modern_american", lambda e: f"{e[0]}m3r3r3r", "M-threes"),
    "a red three melded, classic": (r"\dmK+", "classic_salon", lambda e: f"{e[0]}m3r3r3r", "S-threes-red"),
    "a pile of another size": (
        r"\dt[^*2]\d+:.*",
        "modern_american",
        lambda e: re.sub(r"(\dt.)(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}", e),
        "A-pile-seen",
    ),
    "a pile with another top": (
        r"\dt[4-9]\d+:.*",
        "modern_american",
        lambda e: e[:2] + "K" + e[3:],
        "A-pile-seen",
    ),
    "another group before the top card's": (
        r"\dt[^+]*\+[^+]*",
        "classic_salon",
        lambda e: e.partition(":")[0] + ":" + "+".join(reversed(e.partition(":")[2].split("+"))),
        "A-pile-first",
    ),
    "bonus cards not drawn": (r"\db....", "modern_american", lambda e: f"{(int(e[0]) + 1) % 4}dK", "A-turn"),
    "bonus cards for nobody": (r"\dd[^3]", "modern_american", lambda e: f"{e[0]}bKKKK", "A-no-bonus"),
    "out of the blue": (r"\dx.", "modern_american", lambda e: f"{e[0]}o", "A-out-empty"),
    "an answer to nothing": (r"\dx.", "modern_american", lambda e: f"{e[0]}y", "A-no-question"),
    "a special hand of classic": (r"\dx.", "classic_salon", lambda e: f"{e[0]}spairs", "A-not-in-rules"),
    "a special hand unknown to classic": (
        r"\dx.",
        "classic_salon",
        lambda e: f"{e[0]}sxyz",
        "A-not-in-rules",
    ),
    "a failed opening of classic": (r"\dx.", "classic_salon", lambda e: f"{e[0]}rKK", "A-not-in-rules"),
    "a clock in classic": (r"\dx.", "classic_partnership", lambda e: f"{e[0]}k", "A-not-in-rules"),
}


@pytest.mark.parametrize(("pattern", "ruleset", "edit", "clause"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_event_names_its_clause(pattern: str, ruleset: str, edit: Edit, clause: str) -> None:
    record, number = log_with(pattern, ruleset)
    problem = only(edited(record, number, edit(event_of(record, number))))
    assert (problem.code, problem.event, problem.clause) == ("illegal_event", number, clause)
    assert problem.seat == int(edit(event_of(record, number))[0])
    assert problem.found == edit(event_of(record, number))
    assert problem.position is not None
    if record["cards"] == "rank" and not clause.startswith("A-out"):
        refused = HandState.from_position(problem.position).check(edit(event_of(record, number)))
        assert refused is not None
        assert refused.id == clause


OTHER: dict[str, tuple[str, str, Edit, str]] = {
    "two cards drawn for one": (r"\dd[^3]", "modern_american", lambda e: e + "K", "drawn_cards"),
    "one card drawn for two": (r"\dd[^3][^3]", "classic_salon", lambda e: e[:-1], "drawn_cards"),
    "a three not replaced": (r"\d33r>.", "modern_american", lambda e: e[:4], "drawn_cards"),
    "three bonus cards for four": (
        r"\db[^3][^3][^3][^3]",
        "modern_american",
        lambda e: e[:-1],
        "drawn_cards",
    ),
    "five bonus cards for four": (
        r"\db[^3][^3][^3][^3]",
        "modern_american",
        lambda e: e + "K",
        "drawn_cards",
    ),
    "a card hidden": (r"\dd[^3]", "modern_american", lambda e: f"{e[0]}d?", "hidden_card"),
    "a replacement hidden": (r"\d33r>.", "modern_american", lambda e: f"{e[:5]}?", "hidden_card"),
    "no such verb": (r"\dd[^3]", "modern_american", lambda e: f"{e[0]}z{e[2:]}", "event_notation"),
    "a suit in a log by rank": (r"\dd[^3]", "modern_american", lambda e: e + "s", "event_notation"),
    "an event missing between blanks": (r"\dd[^3]", "modern_american", lambda e: "", "event_notation"),
}


@pytest.mark.parametrize(("pattern", "ruleset", "edit", "code"), OTHER.values(), ids=OTHER)
def test_another_fault_of_an_event_has_its_code(pattern: str, ruleset: str, edit: Edit, code: str) -> None:
    players = 2 if "for two" in code or pattern == r"\dd[^3][^3]" else 4
    record, number = log_with(pattern, ruleset, players=players)
    problem = only(edited(record, number, edit(event_of(record, number))))
    assert (problem.code, problem.event, problem.clause) == (code, number, None)


def test_a_trailing_blank_is_an_event_that_is_none() -> None:
    record, out = log_with("[0-3]o")
    problem = only(record | {"events": record["events"] + " "})
    assert (problem.code, problem.event) == ("event_notation", out + 1)


def test_a_ninth_card_of_a_rank_is_told_where_it_shows() -> None:
    record, number = log_with(r"\dd[^3]")
    shown = "".join(record["deal"]["holdings"])
    rank = max("456789TJQKA", key=shown.count)
    draws = ["0d" + rank] * 9
    hand = cut(record, number, *draws)
    assert only(hand).code in ("card_count", "illegal_event")
    nine = record["deal"] | {"holdings": [rank * 9 + "4567", *record["deal"]["holdings"][1:]]}
    problem = only(record | {"deal": nine})
    assert (problem.code, problem.event, problem.found) == ("card_count", None, rank)


def holds(record: Record, number: int, card: str) -> bool:
    """Say whether the seat of an event may hold a card: it was dealt it, drew it or took a pile with it."""
    seat = event_of(record, number)[0]
    before = record["events"].split()[: number - 1]
    own = [event for event in before if event[0] == seat]
    piles = before if any(event[1] == "t" for event in own) else own
    return card in record["deal"]["holdings"][int(seat)] or any(card in event for event in piles)


def test_a_suited_card_is_played_by_who_holds_it() -> None:
    record, number = log_with(r"\dx[4-9TJQKA].", suited=True)
    event = event_of(record, number)
    seen = "".join(record["deal"]["holdings"]) + record["events"][: record["events"].index(event)]
    unseen = [rank + suit for rank in "456789TJQKA" for suit in "shdc" if rank + suit not in seen]
    problem = only(edited(record, number, f"{event[:2]}{unseen[0]}"))
    assert problem.clause == "A-cards-held"
    twin = next(event[2] + suit for suit in "shdc" if not holds(record, number, event[2] + suit))
    problem = only(edited(record, number, f"{event[:2]}{twin}"))
    assert (problem.code, problem.event, problem.clause) == ("illegal_event", number, "A-cards-held")


def test_a_third_copy_of_a_suited_card_is_told() -> None:
    record, number = log_with(r"\dd[4-9TJQKA].", suited=True)
    shown = "".join(record["deal"]["holdings"])
    card = next(r + s for r in "456789TJQKA" for s in "shdc" if shown.count(r + s) == 2)
    problem = only(edited(record, number, f"{event_of(record, number)[0]}d{card}"))
    assert (problem.code, problem.event, problem.found, problem.expected) == ("card_count", number, card, 2)


def test_the_top_card_of_a_suited_pile_is_the_one_that_lies_there() -> None:
    record, number = log_with(r"\dt[4-9TJQKA]\d+:.*", suited=True)
    event = event_of(record, number)
    discards = re.findall(r"\dx(\S\S?)", " ".join(record["events"].split()[: number - 1]))
    top = discards[-1]
    assert problems(edited(record, number, event[:2] + top + event[3:])) == ()
    other = top[0] + next(suit for suit in "shdc" if suit != top[1])
    problem = only(edited(record, number, event[:2] + other + event[3:]))
    assert (problem.code, problem.event, problem.clause) == ("illegal_event", number, "A-pile-seen")


def test_the_buried_cards_of_a_suited_pile_come_along() -> None:
    record, number = log_with(r"\dt[4-9TJQKA]([2-9]|\d\d):.*", "classic_salon", suited=True)
    assert problems(record) == ()
    assert any(
        event.startswith(event_of(record, number)[0] + "x") for event in record["events"].split()[number:]
    )


def dealt(text: str) -> Callable[[Record], Record]:
    """Deal the first seat a text in the place of its first card."""
    return lambda deal: deal | {"holdings": [text + deal["holdings"][0][1:], *deal["holdings"][1:]]}


def turned(text: str) -> Callable[[Record], Record]:
    """Turn other upcards, `.` for the one of the log."""
    return lambda deal: deal | {"upcards": text.replace(".", deal["upcards"])}


DEALS: dict[str, tuple[str, Callable[[Record], Record], str]] = {
    "a card short": ("modern_american", dealt(""), "deal_shape"),
    "a holding short": ("modern_american", lambda d: d | {"holdings": d["holdings"][:3]}, "deal_shape"),
    "a holding more": ("modern_american", lambda d: d | {"holdings": [*d["holdings"], ""]}, "deal_shape"),
    "no card": ("modern_american", dealt("1"), "deal_shape"),
    "a quote": ("modern_american", dealt('"'), "deal_shape"),
    "not ASCII": ("modern_american", dealt("\u00e9"), "deal_shape"),
    "half a letter": ("modern_american", dealt("\ud800"), "deal_shape"),
    "hidden": ("modern_american", dealt("?"), "hidden_card"),
    "a 3 without its colour": ("modern_american", dealt("3"), "deal_shape"),
    "an upcard in modern": ("modern_american", turned("4"), "deal_upcards"),
    "no upcard": ("classic_salon", turned(""), "deal_upcards"),
    "a wild left uncovered": ("classic_salon", turned("2"), "deal_upcards"),
    "covered without need": ("classic_salon", turned("4."), "deal_upcards"),
    "text for an upcard": ("classic_salon", turned("x"), "deal_shape"),
}


@pytest.mark.parametrize(("ruleset", "edit", "code"), DEALS.values(), ids=DEALS)
def test_a_deal_that_nobody_deals_is_told(ruleset: str, edit: Callable[[Record], Record], code: str) -> None:
    record, _ = log_with("[0-3]o", ruleset)
    problem = only(record | {"deal": edit(record["deal"])})
    assert (problem.code, problem.event) == (code, None)


def test_what_the_table_is_not_is_told() -> None:
    record, _ = log_with("[0-3]o")
    assert only(record | {"ruleset": "bridge"}).code == "unknown_rules"
    assert only(record | {"options": {"jokers": 6}}).code == "unknown_rules"
    assert only(record | {"seats": record["seats"][:3]}).code == "unknown_rules"
    assert only(record | {"dealer": 4}).code == "deal_shape"
    assert only(record | {"score_before": [0]}).code == "deal_shape"


@pytest.mark.parametrize("score", [3000, 5000, 10**25])
def test_the_score_before_sets_the_minimum(score: int) -> None:
    values = {**dict.fromkeys("4567", 5), **dict.fromkeys("89TJQK", 10), "A": 20, "2": 20, "*": 50}
    for seed in range(100):
        record = random_hand(f"minimum {seed}", "modern_american", 4, {}).record
        openings = [event for event in record["events"].split() if re.fullmatch(r"\dm.*\+.*", event)]
        groups = re.sub(r".:", "", openings[0][2:]).split("+") if openings else ["*" * 7]
        points = sum(values[card] for card in "".join(groups))
        if points < 155 and max(map(len, groups)) < 7 and not problems(record):
            problem = only(record | {"score_before": [score, score]})
            assert problem.clause == "M-open-minimum"
            assert problem.event is not None
            assert problem.event <= record["events"].split().index(openings[0]) + 1
            return
    raise AssertionError("no hand opened between the first two minimums")


def result_of(record: Record, **changes: Any) -> Record:
    return record | {"result": record["result"] | changes}


def other_side(record: Record, name: str, line: str | None = None) -> Record:
    """Claim five more in the second side's figure."""
    figures = copy.deepcopy(record["result"][name])
    if line is None:
        figures[1] += 5
    else:
        figures[1][line] += 5
    return result_of(record, **{name: figures})


CLAIMS: dict[str, tuple[Callable[[Record], Record], str, str]] = {
    "ended_by": (lambda r: result_of(r, ended_by="stock"), "ended_by", "ended_by"),
    "seat": (lambda r: result_of(r, seat=(r["result"]["seat"] + 1) % 4), "ended_by", "seat"),
    "no seat": (lambda r: result_of(r, seat=None), "ended_by", "seat"),
    "concealed": (lambda r: result_of(r, concealed=not r["result"]["concealed"]), "ended_by", "concealed"),
    "special": (lambda r: result_of(r, special="pairs"), "ended_by", "special"),
    "turns": (lambda r: r | {"turns": r["turns"] + 1}, "turns", "turns"),
    "game_over": (lambda r: result_of(r, game_over=not r["result"]["game_over"]), "game_over", "game_over"),
    "winner": (lambda r: result_of(r, winner=1), "game_over", "winner"),
    "points": (lambda r: other_side(r, "points"), "points", "side 1, points"),
    "score_after": (lambda r: other_side(r, "score_after"), "score_after", "side 1, score_after"),
    **{
        part: (lambda r, part=part: other_side(r, "ledger", part), "ledger", f"side 1, {part}")  # type: ignore[misc]
        for part in ("canastas", "threes", "going_out", "melds", "holdings", "penalties", "special")
    },
    **{
        f"{kind} canastas": (
            lambda r, kind=kind: other_side(r, "canastas", kind),  # type: ignore[misc]
            "canastas",
            f"side 1, {kind} canastas",
        )
        for kind in ("natural", "mixed", "sevens", "aces", "wild")
    },
}


@pytest.mark.parametrize(("edit", "code", "place"), CLAIMS.values(), ids=CLAIMS)
def test_a_line_of_the_result_that_differs_is_told(
    edit: Callable[[Record], Record], code: str, place: str
) -> None:
    record, _ = log_with("[0-3]o")
    claimed = edit(record)
    problem = only(claimed)
    assert (problem.code, problem.event) == (code, None)
    assert problem.message.startswith(f"{place}: expected {problem.expected}, found {problem.found}")
    assert problem.expected != problem.found


def test_every_line_that_differs_is_told() -> None:
    record, _ = log_with("[0-3]o")
    claimed = other_side(other_side(other_side(record, "ledger", "melds"), "points"), "score_after")
    assert [problem.code for problem in problems(claimed)] == ["points", "score_after", "ledger"]


def test_a_claim_beyond_64_bits_is_a_difference() -> None:
    record, _ = log_with("[0-3]o")
    assert only(result_of(record, points=[10**30, record["result"]["points"][1]])).code == "points"


def test_every_code_has_a_log_that_shows_it() -> None:
    shown = {code for _, _, _, code in OTHER.values()} | {code for _, _, code in DEALS.values()}
    shown |= {code for _, code, _ in CLAIMS.values()}
    shown |= {"unknown_rules", "card_count", "illegal_event", "going_out", "events_end"}
    assert shown == set(PROBLEMS)


@pytest.mark.parametrize(
    ("ruleset", "options", "hand_no", "scores", "is_over"),
    [
        ("modern_american", {}, 5, [8495, 0], False),
        ("modern_american", {}, 5, [8500, 0], True),
        ("modern_american", {}, 5, [9000, 9000], False),
        ("modern_american", {}, 5, [9000, 9005], True),
        ("modern_american", {"level_plays_on": False}, 5, [9000, 9000], True),
        ("classic_salon", {}, 5, [1500, 4995], False),
        ("classic_salon", {"short_game": True}, 5, [0, 1495], False),
        ("classic_salon", {"short_game": True}, 5, [0, 1500], True),
        ("classic_partnership", {}, 1, [0, 0], False),
        ("classic_partnership", {}, 40, [0, 100], False),
        ("classic_partnership", {}, 41, [0, 100], True),
        ("classic_partnership", {}, 41, [100, 100], True),
        ("classic_partnership", {}, 5, [5000, 4000], True),
    ],
)
def test_no_hand_follows_the_end_of_its_game(
    ruleset: str, options: dict[str, Any], hand_no: int, scores: list[int], is_over: bool
) -> None:
    record = random_hand("after the end", ruleset, 4, options).record
    late = {**record, "hand_no": hand_no, "score_before": scores}
    told = (None, f"the game was over before hand {hand_no}, at {scores[0]} : {scores[1]}")
    found = [(one.event, one.message) for one in problems(late) if one.code == "game_over"]
    assert (found == [told]) == is_over
    assert position_before(LoggedHand.from_log(late), 1)["score_before"] == scores
