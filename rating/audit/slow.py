"""Rate a log a second time, slowly: plain Python objects, one hand after the other, no arrays and no blocks.

`coastal audit verify` holds a run against this. The rules themselves (`rating.elo`, `rating.form`,
`rating.levels`) stand in one place and are shared; what is told apart here is everything around them: who
counts, what is held and for whom, in which order, which K, and what is carried from hand to hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rating.audit.log import LoggedHand, LoggedSeat
from rating.elo import FloatArray, actual_score, expected_score, k_factor
from rating.form import WINDOW, ema_form, window_form
from rating.levels import EVENT_KINDS, NO_EVENT, NO_LEVEL, PLACED, PROMOTED, level_after, level_event
from rating.parameters import Parameters
from rating.rules import Rules, compile_rules, computer_rating, margin_scale, start_rating


class Account(NamedTuple):
    """Whose numbers: ratings of different accounts never mix. `device` is empty in live pools."""

    pool: str
    device: str
    player: str


class View(NamedTuple):
    """A side's numbers in a hand: its rating, the scores expected and reached, and the surprise."""

    side_rating: float
    expected: float
    actual: float

    @property
    def surprise(self) -> float:
        """Actual less expected score."""
        return self.actual - self.expected


class Change(NamedTuple):
    """One rated player-hand; `applied_key` is the hand at whose start a held change was applied, else 0."""

    account: Account
    hand_key: int
    applied_key: int
    side: int
    view: View
    k_factor: float
    rating_before: float
    rating_after: float
    form_before: float
    form_after: float
    hands: int
    games: int
    level: int
    event: str


class Played(NamedTuple):
    """What a hand brought: every side's numbers, none when it counts for nobody, and the changes in order."""

    views: list[View]
    changes: list[Change]


class Held(NamedTuple):
    """A change that waits for the return: of which hand and side, with the numbers of that hand."""

    hand_key: int
    side: int
    view: View


@dataclass
class Numbers:
    """One account's numbers after the hands so far."""

    rating: float
    form: float
    recent: FloatArray
    hands: int = 0
    games: int = 0
    level: int = NO_LEVEL
    moved_at: int = 0


@dataclass
class SlowFold:
    """The state of a whole league while its hands pass by."""

    parameters: Parameters
    self_ratings: Mapping[str, str]
    numbers: dict[Account, Numbers] = field(default_factory=dict)
    held: dict[tuple[Account, str], list[Held]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.rules: Rules = compile_rules(self.parameters)

    def account(self, hand: LoggedHand, seat: LoggedSeat) -> Account:
        """Return whose numbers a seat moves."""
        assert seat.player is not None
        return Account(hand.pool, hand.device if hand.mode == "solo" else "", seat.player)

    def of(self, account: Account) -> Numbers:
        """Return an account's numbers; new ones start at the player's first self-rating."""
        if account not in self.numbers:
            start = start_rating(self.parameters, self.self_ratings.get(account.player))
            window = self.rules.form_hands if self.rules.form == WINDOW else 0
            self.numbers[account] = Numbers(start, start, np.zeros(window))
        return self.numbers[account]

    def play(self, hand: LoggedHand) -> Played:
        """Rate one hand; the changes that were held for those who are back come first."""
        counting = [seat for seat in hand.seats if counts_for(hand, seat)]
        if not counting:
            return Played([], [])
        changes = [
            change for seat in counting if seat.kind == "human" for change in self.catch_up(hand, seat)
        ]
        views = self.views(hand)
        steps = {seat.seat: self.k_of(hand, seat) for seat in counting}
        for seat in counting:
            account, item = self.account(hand, seat), Held(hand.hand_key, seat.side, views[seat.side])
            if seat.kind == "stand_in" and self.parameters.stand_in.held_hands == "on_return":
                self.held[account, hand.game_id].append(item)
                continue
            is_finished = hand.game_over and seat.kind == "human"
            changes.append(self.change(account, item, 0, steps[seat.seat], is_finished))
        return Played(views, changes)

    def catch_up(self, hand: LoggedHand, seat: LoggedSeat) -> list[Change]:
        """Apply what was held while the seat's person was away from this game, in order."""
        account = self.account(hand, seat)
        return [
            self.change(account, item, hand.hand_key, self.own_k(account), False)
            for item in self.held.pop((account, hand.game_id), [])
        ]

    def views(self, hand: LoggedHand) -> list[View]:
        """Return every side's numbers, by the ratings before the hand."""
        ratings = [self.side_rating(hand, side) for side in range(len(hand.points))]
        scale = margin_scale(self.parameters, hand.ruleset)
        views = []
        for side, own in enumerate(ratings):
            expected = actual = 0.0
            for other in range(len(ratings)):
                if other != side:
                    margin = float(hand.points[side] - hand.points[other])
                    expected += expected_score(own, ratings[other], self.rules.rating_scale)
                    actual += actual_score(margin, scale, self.rules.score_shape)
            others = len(ratings) - 1
            views.append(View(own, expected / others, actual / others))
        return views

    def side_rating(self, hand: LoggedHand, side: int) -> float:
        """Return the mean of what a side's seats count as."""
        seats = [self.seat_rating(hand, seat) for seat in hand.seats if seat.side == side]
        total = 0.0
        for rating in seats:
            total += rating
        return total / len(seats)

    def seat_rating(self, hand: LoggedHand, seat: LoggedSeat) -> float:
        """Return what a seat counts as in its side's rating."""
        is_person = seat.kind == "human" or (
            seat.kind == "stand_in" and self.parameters.stand_in.stand_in_rating == "player"
        )
        if is_person:
            return self.of(self.account(hand, seat)).rating
        return computer_rating(self.parameters, hand.mode, seat.skill or "")

    def own_k(self, account: Account) -> float:
        """Return an account's K for its next hand."""
        return k_factor(self.of(account).hands, self.rules.k_steps)

    def k_of(self, hand: LoggedHand, seat: LoggedSeat) -> float:
        """Return the K that multiplies a seat's surprise, as `partner_change` says."""
        rule = self.parameters.change.partner_change
        if rule == "own_k" or seat.kind == "stand_in":
            return self.own_k(self.account(hand, seat))
        shared = [
            self.own_k(self.account(hand, other))
            for other in hand.seats
            if other.side == seat.side and other.kind == "human"
        ]
        return sum(shared) / len(shared) if rule == "mean_k" else min(shared)

    def change(self, account: Account, item: Held, applied_key: int, k: float, is_finished: bool) -> Change:
        """Make it a rated hand of an account: Rating, Form, hands, games, level check."""
        now = self.of(account)
        rating_before, form_before = now.rating, now.form
        now.rating = rating_before + k * item.view.surprise
        now.hands += 1
        now.games += int(is_finished)
        if self.rules.form == WINDOW:
            now.form = window_form(now.recent, now.hands, now.rating)
        else:
            now.form = ema_form(form_before, now.rating, self.rules.form_hands)
        event = level_event(
            self.rules.levels,
            now.level,
            form_before,
            now.form,
            now.hands,
            now.games,
            now.hands - now.moved_at,
        )
        if event != NO_EVENT:
            now.level = level_after(now.level, event)
        if event in (PLACED, PROMOTED):
            now.moved_at = now.hands
        return Change(
            account,
            item.hand_key,
            applied_key,
            item.side,
            item.view,
            k,
            rating_before,
            now.rating,
            form_before,
            now.form,
            now.hands,
            now.games,
            now.level,
            EVENT_KINDS[event],
        )


def counts_for(hand: LoggedHand, seat: LoggedSeat) -> bool:
    """Say whether a hand counts for a seat's person: solo always, live when another person plays it."""
    if seat.player is None:
        return False
    playing = {other.player for other in hand.seats if other.kind == "human"}
    return hand.mode == "solo" or bool(playing - {seat.player})


def rate_log(
    hands: Iterable[LoggedHand], self_ratings: Mapping[str, str], parameters: Parameters
) -> Iterator[tuple[LoggedHand, Played]]:
    """Yield every hand with what it brought.

    Args:
        hands: In their total order.
        self_ratings: Each player's first, where there is one.
        parameters: The run's parameter set.
    """
    fold = SlowFold(parameters, self_ratings)
    for hand in hands:
        yield hand, fold.play(hand)
