"""The compiled fold against the oracle over random leagues, parameter sets and cuts, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rating import layout as col
from rating.fold import fold_block
from rating.form import WINDOW
from rating.layout import Hands, History, new_held, new_history, new_state
from rating.levels import EVENT_KINDS
from rating.parameters import Parameters, read_parameters
from rating.rules import compile_rules, computer_rating, margin_scale, start_rating
from tests.rating import oracle
from tests.rating.parameter_sets import parameter_sets, toml_text
from tests.support.leagues import League, random_league

Record = dict[str, Any]


class Folded:
    """A league folded by the kernel, block after block, and read back as the oracle's changes."""

    def __init__(self, league: League, model: Parameters, cuts: int) -> None:
        self.model = model
        self.rules = compile_rules(model)
        self.hands = sorted(league.hands, key=oracle.total_order)
        said = oracle.first_self_ratings(league.players)
        self.slots: dict[oracle.Account, int] = {}
        for hand in self.hands:
            for seat in hand["seats"]:
                if seat["kind"] != "computer":
                    self.slots.setdefault(self.account(hand, seat), len(self.slots))
        starts = np.array([start_rating(model, said.get(account.player)) for account in self.slots])
        left = {h["game_id"] for h in self.hands for s in h["seats"] if s["kind"] == "stand_in"}
        self.games = {game: number for number, game in enumerate(sorted(left))}
        ring = self.rules.form_hands if self.rules.form == WINDOW else 0
        self.state = new_state(starts, ring)
        self.waiting: list[tuple[Any, ...]] = []
        self.changes: list[tuple[Any, ...]] = []
        self.events: list[tuple[str, str, str]] = []
        size = max(1, -(-len(self.hands) // cuts))
        for begin in range(0, len(self.hands), size):
            self.fold(begin, self.hands[begin : begin + size])

    @staticmethod
    def account(hand: Record, seat: Record) -> oracle.Account:
        return oracle.Account(f"{hand['mode']}/{hand['ruleset']}", seat["player"], hand.get("device", ""))

    def block(self, first: int, hands: list[Record]) -> Hands:
        seats = [(hand, seat) for hand in hands for seat in hand["seats"]]
        starts = np.cumsum([0, *(len(hand["seats"]) for hand in hands)])
        side_starts = np.cumsum([0, *(len(hand["result"]["points"]) for hand in hands)])
        rows = [
            (
                first + 1 + number,
                hand["mode"] == "solo",
                hand["result"]["game_over"],
                self.games.get(hand["game_id"], col.NONE),
            )
            for number, hand in enumerate(hands)
        ]
        return Hands(
            hand=np.column_stack([[*rows, (0, 0, 0, 0)], starts, side_starts]).astype(np.int64),
            margin_scale=np.array([margin_scale(self.model, hand["ruleset"]) for hand in hands]),
            seat=np.array(
                [
                    (
                        self.slots[self.account(h, s)] if "player" in s else col.NONE,
                        s["side"],
                        col.SEAT_KINDS.index(s["kind"]),
                    )
                    for h, s in seats
                ]
            ),
            computer_rating=np.array(
                [
                    computer_rating(self.model, h["mode"], s["skill"]) if "skill" in s else 0.0
                    for h, s in seats
                ]
            ),
            points=np.array([points for hand in hands for points in hand["result"]["points"]]),
        )

    def fold(self, first: int, hands: list[Record]) -> None:
        block = self.block(first, hands)
        room = len(self.waiting) + int((block.seat[:, col.KIND] != col.COMPUTER).sum())
        held = new_held(room, len(self.games))
        for item, (values, surprise) in enumerate(self.waiting):
            held.item[item], held.surprise[item] = values, surprise
        history = new_history(room, len(block.points))
        filled = np.empty(4, np.int64)
        fold_block(self.state, self.rules, block, held, len(self.waiting), history, filled)
        self.waiting = [
            (held.item[item].copy(), held.surprise[item])
            for item in range(filled[col.HELD])
            if held.item[item, col.HELD_SLOT] != col.NONE
        ]
        self.read(history, int(filled[col.CHANGES]))

    def read(self, history: History, changes: int) -> None:
        accounts = list(self.slots)
        for row in range(changes):
            counts, numbers = history.change[:, row], history.change_numbers[:, row]
            account = accounts[counts[col.OF_SLOT]]
            hand = self.hands[counts[col.AT_KEY] - 1]["hand_id"]
            applied = int(counts[col.APPLIED_KEY])
            level = int(counts[col.LEVEL_AFTER])
            self.changes.append(
                (
                    account,
                    hand,
                    self.hands[applied - 1]["hand_id"] if applied else None,
                    numbers[col.RATING_AFTER],
                    numbers[col.FORM_AFTER],
                    numbers[col.K],
                    int(counts[col.HANDS_AFTER]),
                    int(counts[col.GAMES_AFTER]),
                    self.model.level[level].name if level >= 0 else "",
                )
            )
            if counts[col.EVENT]:
                self.events.append((account.player, hand, EVENT_KINDS[counts[col.EVENT]]))


def expected_rows(rated: oracle.Rated) -> list[tuple[Any, ...]]:
    return [
        (
            c.account,
            c.hand_id,
            c.applied_at,
            c.rating_after,
            c.form_after,
            c.k_factor,
            c.hands,
            c.games,
            c.level,
        )
        for c in rated.changes
    ]


@given(seed=st.integers(0, 10_000), parameters=parameter_sets(), cuts=st.integers(1, 40))
def test_kernel_and_oracle_agree_bit_for_bit_however_the_log_is_cut(
    seed: int, parameters: oracle.Parameters, cuts: int
) -> None:
    league = random_league(seed, people=5, games=15, leavers=0.4)
    rated = oracle.rate(league.hands, league.players, parameters)
    folded = Folded(league, read_parameters(toml_text(parameters), "drawn"), cuts)
    assert folded.changes == expected_rows(rated)
    assert folded.events == [(event.account.player, event.hand_id, event.kind) for event in rated.events]


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), parameters=parameter_sets())
def test_kernel_and_oracle_agree_over_long_leagues(seed: int, parameters: oracle.Parameters) -> None:
    league = random_league(seed, people=6, games=150, leavers=0.3)
    rated = oracle.rate(league.hands, league.players, parameters)
    assert Folded(league, read_parameters(toml_text(parameters), "drawn"), 7).changes == expected_rows(rated)


@given(seed=st.integers(0, 10_000), cut=st.integers(1, 60))
def test_no_hand_changes_what_came_before_it(seed: int, cut: int) -> None:
    """No look-ahead: a log cut short gives the same first rows."""
    league = random_league(seed, people=5, games=10, leavers=0.4)
    league.hands.sort(key=oracle.total_order)
    model = read_parameters(toml_text(oracle.COASTAL), "default")
    whole = Folded(league, model, 1).changes
    early = Folded(League(league.hands[:cut], league.players), model, 1).changes
    assert early == whole[: len(early)]


@given(seed=st.integers(0, 10_000), parameters=parameter_sets())
def test_nobody_moves_up_without_all_three_nor_down_in_the_grace(
    seed: int, parameters: oracle.Parameters
) -> None:
    league = random_league(seed, people=5, games=25)
    folded = Folded(league, read_parameters(toml_text(parameters), "drawn"), 1)
    levels = {level[0]: level for level in parameters["levels"]}
    order = [level[0] for level in parameters["levels"]]
    before: dict[oracle.Account, str] = {}
    protected_from: dict[oracle.Account, int] = {}
    for account, _, _, _, form, _, hands, games, level in folded.changes:
        was = before.get(account, "")
        if level != was and was == "":
            assert level == order[0]
            assert hands >= levels[level][2]
            protected_from[account] = hands
        elif level != was and order.index(level) > order.index(was):
            assert order.index(level) == order.index(was) + 1
            assert form >= levels[level][1]
            assert hands >= levels[level][2]
            assert games >= levels[level][3]
            protected_from[account] = hands
        elif level != was:
            assert order.index(level) == order.index(was) - 1
            assert form <= levels[was][1] - parameters["relegation_points"]
            assert hands - protected_from[account] > parameters["grace_hands"]
        before[account] = level
