"""The oracle itself, by cases small enough to work out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rating.oracle import COASTAL, Rated, expected_score, rate

Record = dict[str, Any]


def hand(
    no: int, seats: list[str], points: tuple[int, ...] = (1000, 0), *, game: str = "g", over: bool = False
) -> Record:
    """A hand whose seats read like `ana`, `bo/away` or `=expert` (a computer), sides in turn."""
    table = []
    for index, text in enumerate(seats):
        name, _, away = text.partition("/")
        place: Record = {"seat": index, "side": index % len(points)}
        if name.startswith("="):
            place |= {"kind": "computer", "skill": name[1:]}
        elif away:
            place |= {"kind": "stand_in", "player": name, "skill": "beginner"}
        else:
            place |= {"kind": "human", "player": name}
        table.append(place)
    return {
        "hand_id": f"{game}-{no}",
        "game_id": game,
        "hand_no": no,
        "ended_at": f"2026-01-05T18:{no:02d}:00Z",
        "mode": "live",
        "ruleset": "modern_american",
        "seats": table,
        "result": {"points": list(points), "game_over": over},
    }


def rows(rated: Rated, player: str) -> list[tuple[str, int, int, bool]]:
    return [(c.hand_id, c.hands, c.games, c.held) for c in rated.changes if c.account.player == player]


def test_a_held_hand_is_applied_on_return_before_that_hand_is_expected_to_be_anything() -> None:
    rated = rate([hand(1, ["ana", "bo"]), hand(2, ["ana", "bo/away"], (500, 0)), hand(3, ["ana", "bo"])])
    assert rows(rated, "bo") == [("g-1", 1, 0, False), ("g-2", 2, 0, True), ("g-3", 3, 0, False)]
    _, missed, back = [c for c in rated.changes if c.account.player == "bo"]
    # With nobody else at the table hand 2 counts for bo, who may come back, and not for ana.
    ana = [c for c in rated.changes if c.account.player == "ana"]
    assert missed.applied_at == "g-3"
    # Away, the seat counts as 1,300 whatever the computer's skill.
    assert missed.expected == expected_score(1300.0, ana[0].rating_after, 400.0)
    assert back.rating_before == missed.rating_after
    assert back.expected == expected_score(missed.rating_after, ana[1].rating_before, 400.0)


def test_who_never_comes_back_in_that_game_is_never_rated_for_it() -> None:
    rated = rate([hand(1, ["ana", "bo/away", "cy", "di"]), hand(2, ["ana", "bo", "cy", "di"], game="other")])
    assert rows(rated, "bo") == [("other-2", 1, 0, False)]
    assert rated.unrated["g-1", "bo"] == "held"
    assert rows(rated, "ana")[0] == ("g-1", 1, 0, False)


def test_at_once_rates_the_absent_but_never_finishes_their_game() -> None:
    parameters = COASTAL | {"held_hands": "at_once"}
    rated = rate([hand(1, ["ana", "bo/away", "cy", "di"], over=True)], parameters=parameters)
    assert rows(rated, "bo") == [("g-1", 1, 0, False)]
    assert rows(rated, "ana") == [("g-1", 1, 1, False)]


def test_alone_against_computers_counts_for_nobody_live() -> None:
    rated = rate([hand(1, ["ana", "=expert", "bo/away", "=expert"])])
    assert rows(rated, "ana") == []
    assert rated.unrated == {("g-1", "ana"): "alone", ("g-1", "bo"): "held"}


def test_three_sides_take_the_mean_surprise_over_the_others() -> None:
    rated = rate([hand(1, ["ana", "bo", "cy"], (3000, 0, -3000))])
    # 10 / 11 for a win by one margin scale; 100 / 101 for two.
    assert [c.surprise for c in rated.changes] == pytest.approx(
        [(10 / 11 + 100 / 101) / 2 - 0.5, 0.0, (1 / 11 + 1 / 101) / 2 - 0.5], abs=1e-15
    )


def test_shared_k_is_over_the_human_seats_of_the_side() -> None:
    early = [hand(no, ["ana", "zoe"], (0, 0), game="early") for no in range(1, 31)]
    together = hand(40, ["ana", "cy", "bo", "di"])
    for rule, expected in (("own_k", [16.0, 24.0]), ("mean_k", [20.0, 20.0]), ("min_k", [16.0, 16.0])):
        rated = rate([*early, together], parameters=COASTAL | {"partner_change": rule})
        assert [c.k_factor for c in rated.changes if c.account.player in {"ana", "bo"}][-2:] == expected


def test_a_promotion_on_hand_60_protects_hands_61_to_85() -> None:
    """A made-up table in which one level is reached at hand 60 and Form is far under its line ever after."""
    parameters = COASTAL | {
        "levels": [("Beginner", None, 10, 0), ("Improver", 1000.0, 60, 0)],
        "form_hands": 1,
    }
    hands = [hand(no % 60, ["ana", "bo"], (0, 0), game=f"g{no // 60}") for no in range(60)]
    hands += [
        hand(no % 60, ["ana", "bo"], (-40_000, 0), game=f"h{no}")
        | {"ended_at": f"2026-01-06T{no // 60:02d}:{no % 60:02d}:00Z"}
        for no in range(60)
    ]
    events = [e for e in rate(hands, parameters=parameters).events if e.account.player == "ana"]
    assert [(e.kind, e.hands) for e in events][:2] == [("placed", 10), ("promoted", 60)]
    relegated = next(e for e in events if e.kind == "relegated")
    assert (relegated.hands, relegated.hands_since_move) == (86, 26)


def test_the_first_self_rating_starts_every_pool() -> None:
    players = [
        {"player": "bo", "name": "Bo"},
        {"player": "bo", "self_rating": "expert"},
        {"player": "bo", "self_rating": "learning"},
    ]
    rated = rate([hand(1, ["ana", "bo"])], players)
    assert {c.account.player: c.rating_before for c in rated.changes} == {"ana": 1000.0, "bo": 1300.0}
