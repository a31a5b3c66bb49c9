"""The Python face: queries ask without changing, refusals name clause and seat, positions come back whole."""

from __future__ import annotations

import pytest

from engine.actions import Decline, Discard, Draw, GoOut, Group, Meld, Move
from engine.errors import IllegalActionError, NotationError, RuleSetError
from engine.hand import HandState
from engine.notation import print_events
from engine.ruleset import RULE_SETS, RuleSet

PLAYERS = {"modern_american": (4,), "classic_salon": (2, 3, 4), "classic_partnership": (4,)}
TABLES = [(ruleset, players) for ruleset in RULE_SETS for players in PLAYERS[ruleset]]


def dealt(ruleset: str, players: int, seed: int) -> HandState:
    return HandState.deal(RuleSet.for_table(ruleset, players, {}), seed=seed)


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_a_position_comes_back_whole_at_every_event(ruleset: str, players: int) -> None:
    hand = dealt(ruleset, players, seed=11)
    turn = 0
    while hand.outcome() is None:
        twin = HandState.from_position(hand.position())
        assert twin.position() == hand.position()
        assert twin.legal_actions() == hand.legal_actions()
        moves = hand.legal_actions()
        hand.apply(moves[turn % len(moves)])
        turn += 1
    assert HandState.from_position(hand.position()).outcome() == hand.outcome()


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_asking_changes_nothing(ruleset: str, players: int) -> None:
    hand = dealt(ruleset, players, seed=5)
    for _ in range(60):
        before, events = hand.position(), hand.events
        moves = hand.legal_actions()
        assert all(hand.is_legal(move) for move in moves)
        assert hand.view(hand.seat).legal_actions() == moves
        hand.outcome()
        hand.view(0).legal_actions()
        assert (hand.position(), hand.events) == (before, events)
        if hand.outcome() is not None:
            break
        hand.apply(moves[-1])


#: A side's melds of one rank, an event that adds to one of them, and the melds after it.
SEVERAL = [
    ("classic_salon", "one_meld_a_rank", "QQQ KKK KK2 KK*", "0mK#3:2", "QQQ KKK KK2 KK2*"),
    ("modern_american", "one_wild_meld", "QQQ 22222** 22*", "0mW#2:2", "QQQ 22222** 222*"),
]


@pytest.mark.parametrize(("ruleset", "option", "melds", "event", "after"), SEVERAL)
def test_every_meld_of_a_rank_is_seen_and_written(
    ruleset: str, option: str, melds: str, event: str, after: str
) -> None:
    fields = {"ruleset": ruleset, "options": {option: False}, "holdings": ["2456", 3, 3, 3]}
    hand = HandState.from_position({**fields, "melds": [melds.split(), ["444"]]})
    for seen in (hand, hand.copy(), hand.view(0), hand.view(1)):
        assert seen.position()["melds"] == [melds.split(), ["444"]]
    assert hand.view(0).legal_actions() == hand.legal_actions()
    hand.apply(event)
    assert hand.position()["melds"][0] == after.split()
    assert HandState.from_position(hand.position()).position() == hand.position()


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_the_events_of_a_hand_play_it_again(ruleset: str, players: int) -> None:
    hand = dealt(ruleset, players, seed=23)
    again = hand.copy()
    turn = 7
    while hand.outcome() is None:
        moves = hand.legal_actions()
        hand.apply(moves[turn % len(moves)])
        turn = turn * 5 + 3
    for text in print_events(hand.events).split():
        again.apply(text)
    if again.outcome() is None:  # the last seat left the pile with nothing to draw: no event says so
        again.apply(Decline(again.seat))
    assert again.position() == hand.position()
    assert again.outcome() == hand.outcome()


def test_a_refusal_names_clause_and_seat_and_leaves_the_hand_alone() -> None:
    hand = HandState.from_position({"holdings": ["A742", 11, 11, 11], "pile": ""})
    before = hand.position()
    with pytest.raises(IllegalActionError, match="do not start a pile") as refusal:
        hand.apply("0xA")
    assert (refusal.value.clause, refusal.value.seat) == ("M-discard-swad", 0)
    assert hand.position() == before


def test_cards_that_are_named_are_drawn_from_a_hidden_stock() -> None:
    hand = HandState.from_position({"holdings": ["44", 11, 11, 11], "phase": "draw", "pile": "9"})
    assert hand.apply("0dK") == Draw(0, ("K",))
    assert hand.position()["holdings"][0] == "44K"


def test_cards_that_lie_elsewhere_in_a_known_stock_are_not_drawn() -> None:
    hand = HandState.from_position({"holdings": ["44", 11, 11, 11], "phase": "draw", "stock": "Q5"})
    assert hand.check("0dK").id == "A-cards-drawn"
    assert hand.apply(Draw(0, ())) == Draw(0, ("Q",))
    assert hand.position()["stock"] == "5"


def test_going_out_is_written_behind_the_last_discard() -> None:
    hand = HandState.from_position(
        {"holdings": ["4", 11, 11, 11], "melds": [["KKKKKKK", "QQQQQ22"], []], "pile": "9"}
    )
    hand.apply("0x4")
    assert hand.events[-1] == GoOut(0)
    outcome = hand.outcome()
    assert outcome is not None
    assert (outcome.ended_by, outcome.seat) == ("out", 0)
    # 500 + 300 for the canastas, 70 + 90 for their cards, 100 for going out.
    assert hand.is_legal(GoOut(0))
    assert outcome.ledgers[0][:4] == (800, 0, 100, 160)


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        ({"holdngs": []}, "unknown field"),
        ({"holdings": ["KKKKKKKKK", 1, 1, 1]}, "of which there are 8"),
        ({"melds": [["KQ"], []]}, "not a new meld of one rank"),
        ({"melds": [["KKK", "KKK"], []]}, "not a new meld of one rank"),
        ({"melds": [["KK"], []]}, "2 cards, the least is 3"),
        ({"melds": [["KKKKKKKK"], []]}, "8 cards, the most is 7"),
        ({"melds": [["7772"], []]}, "sevens hold no wild cards"),
        ({"ruleset": "classic_salon", "melds": [["222"], []]}, "wild cards alone are no meld"),
        ({"melds": [[]]}, "a list of 2"),
        ({"phase": "lunch"}, "one of settle, draw"),
        ({"holdings": ["Kx", 1, 1, 1]}, "Kx"),
        ({"stock": 109}, "cards or a number"),
        ({"stock": 100, "holdings": [11, 11, 11, 11]}, "more than 108 cards"),
    ],
)
def test_a_position_that_cannot_be_is_refused(position: dict[str, object], fault: str) -> None:
    with pytest.raises(NotationError, match=fault):
        HandState.from_position(position)


@pytest.mark.parametrize(
    ("name", "options", "fault"),
    [
        ("canasta", {}, "modern_american, classic_salon, classic_partnership"),
        ("modern_american", {"special_hand": True}, "its options are wild_meld_opens"),
        ("modern_american", {"special_hands": 1}, "allowed: true, false"),
        ("modern_american", {"clock_seconds": 200}, "allowed: 0, 10 to 180"),
        ("classic_salon", {"players": 5}, "allowed: 2, 3, 4"),
        ("classic_partnership", {"players": 3}, "its options are last_red_three_ends, black_three_melds"),
    ],
)
def test_an_unknown_rule_set_option_or_value_says_what_is_allowed(
    name: str, options: dict[str, object], fault: str
) -> None:
    with pytest.raises(RuleSetError, match=fault):
        RuleSet.load(name, **options)


@pytest.mark.parametrize(
    "field",
    [
        {"holdings": 5},
        {"holdings": "KKQQ"},
        {"melds": [5, 5]},
        {"melds": [["KKK"], "QQQ"]},
        {"options": 5},
        {"asked": [9]},
        {"asked": 1},
        {"melded": ["0"]},
        {"played_since_opening": [True]},
        {"upcards": "x"},
        {"upcards": -1},
        {"score_before": ["a", 0]},
        {"score_before": [0.5, 0]},
        {"turns": "z"},
        {"seat": 9},
        {"seat": "0"},
        {"actor": -1},
        {"dealer": -1},
        {"out_seat": 4},
        {"opened_by": [9, None]},
        {"opened_by": [None]},
        {"red_threes": [-1, 0]},
        {"black_threes": [5, 0]},
        {"failed_openings": [-3, 0]},
        {"bonus": 99},
        {"frozen": "no"},
        {"acted": 1},
        {"phase": ["play"]},
    ],
    ids=str,
)
def test_a_field_that_cannot_be_read_is_named(field):
    with pytest.raises(NotationError, match=rf"^{next(iter(field))}: "):
        HandState.from_position({"ruleset": "modern_american", "holdings": ["KK", 3, 3, 3], **field})


SALON, PARTNERSHIP = "classic_salon", "classic_partnership"


@pytest.mark.parametrize(
    ("position", "events", "refused", "allowed"),
    [
        ({"ruleset": SALON, "phase": "draw", "holdings": ["QQ789", 9]}, (), "0dK", "0dKK"),
        ({"ruleset": SALON, "phase": "draw", "holdings": ["QQ789", 9], "stock": "K4567"}, (), "0dK", "0dK4"),
        ({"ruleset": SALON, "phase": "draw", "holdings": ["QQ789", 9], "stock": 1}, (), "0dKK", "0dK"),
        ({"phase": "draw", "holdings": ["KKKKKKK45678", 13, 13, 13]}, (), "0dKK", "0dK"),
        ({"phase": "draw", "holdings": ["KKKKKKKK4567", 13, 13, 13]}, (), "0dK", "0d4"),
        (
            {
                "ruleset": PARTNERSHIP,
                "phase": "draw",
                "melds": [["QQQ"], []],
                "pile": "3rQ",
                "upcards": 2,
                "holdings": ["QQ789", 9, 9, 9],
            },
            ("0tQ2:QQ",),
            "033r>K",
            "033r",
        ),
        (
            {"holdings": ["KKKKAAA*67899", 13, 13, 13]},
            ("0mKKKK+AAA*", "0x8"),
            "0b456",
            "0b4567",
        ),
    ],
)
def test_the_cards_drawn_are_as_many_as_are_due_and_not_seen_before(
    position: dict[str, object], events: tuple[str, ...], refused: str, allowed: str
) -> None:
    hand = HandState.from_position(position)
    for event in events:
        hand.apply(event)
    clause = hand.check(refused)
    assert clause is not None
    assert clause.id == "A-cards-drawn"
    assert hand.check(allowed) is None


def test_what_is_laid_begins_with_the_group_of_the_top_card() -> None:
    position = {"ruleset": PARTNERSHIP, "holdings": ["KKQQ26", 11, 11, 11], "phase": "draw", "pile": "KQ9K"}
    hand = HandState.from_position(position)
    clause = hand.check("0tK4:QQ2+KK")
    assert clause is not None
    assert clause.id == "A-pile-first"
    assert hand.check("0tK4:KK+QQ2") is None


@pytest.mark.parametrize(
    "action", [Discard(0, "Z"), Discard(0, ""), Discard(0, "3"), Meld(0, (Group("Z", ("Q",)),))]
)
def test_a_record_of_what_is_no_card_cannot_be_read(action: Move) -> None:
    with pytest.raises(NotationError):
        dealt("modern_american", 4, 1).check(action)


@pytest.mark.parametrize("position", [None, "", [], {"ruleset": []}, {"options": {1: 2}}, {1: 2}])
def test_what_is_no_position_cannot_be_read(position: object) -> None:
    with pytest.raises(NotationError):
        HandState.from_position(position)  # type: ignore[arg-type]


def test_a_seat_or_a_score_too_many_is_refused() -> None:
    rules = RuleSet.load("modern_american")
    for arguments in ({"dealer": 4}, {"dealer": -1}, {"scores": (1,)}):
        with pytest.raises(ValueError, match="has 4 seats and 2 sides"):
            HandState.deal(rules, seed=1, **arguments)
    for seat in (-1, 4):
        with pytest.raises(ValueError, match="seats from 0"):
            HandState.deal(rules, seed=1).view(seat)
