"""The Coastal Rating a second time: slow, plain Python, written from the rules alone.

`rate` takes hand-log records (dicts), players' records and a plain dict of parameters, and returns every
change, level event and standing. Nothing here comes from the project, so that agreement means something.
Every formula stands as the rules state it, operation by operation, so that agreement can be bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

Record = dict[str, Any]
Parameters = dict[str, Any]

#: The default parameter set, each number from the rules' own text.
COASTAL: Parameters = {
    "start": 1000.0,
    "self_ratings": {"learning": 850.0, "casual": 1000.0, "experienced": 1150.0, "expert": 1300.0},
    "computers": {"beginner": 850.0, "intermediate": 1050.0, "expert": 1300.0},
    "live_computer": 1300.0,
    "stand_in_rating": "computer",  # or "player"
    "held_hands": "on_return",  # or "at_once"
    "rating_scale": 400.0,
    "margin_scale": {"modern_american": 3000.0, "classic_salon": 1000.0, "classic_partnership": 1000.0},
    "margin_shape": "logistic",  # or "linear_clipped", "win_loss"
    "k_factors": [(30, 24.0), (100, 16.0), (None, 10.0)],  # below so many rated hands: K
    "partner_change": "own_k",  # or "mean_k", "min_k"
    "form": "ema",  # or "window"
    "form_hands": 30,
    "levels": [  # name, Form line, rated hands, finished games
        ("Beginner", None, 10, 0),
        ("Improver", 950.0, 25, 2),
        ("Intermediate", 1050.0, 50, 5),
        ("Advanced", 1175.0, 100, 12),
        ("Expert", 1300.0, 200, 25),
        ("Master", 1425.0, 400, 50),
    ],
    "relegation_points": 50.0,
    "grace_hands": 25,
}


class Account(NamedTuple):
    """Whose rating: ratings in different accounts never mix. `device` is empty in live pools."""

    pool: str
    player: str
    device: str


@dataclass(frozen=True)
class Change:
    """One rated player-hand. `applied_at` is the hand at which a held change was applied, else None."""

    account: Account
    hand_id: str
    rating_before: float
    rating_after: float
    k_factor: float
    expected: float
    actual: float
    surprise: float
    form_before: float
    form_after: float
    hands: int
    games: int
    level: str
    held: bool
    applied_at: str | None


@dataclass(frozen=True)
class Event:
    """One level event with the evidence at its moment; `line` is the Form line that decided it."""

    account: Account
    hand_id: str
    kind: str
    from_level: str
    to_level: str
    form: float
    line: float | None
    hands: int
    hands_needed: int | None
    games: int
    games_needed: int | None
    hands_since_move: int


@dataclass(frozen=True)
class Standing:
    """Where an account stands after the last hand."""

    account: Account
    rating: float
    form: float
    level: str
    hands: int
    games: int
    rating_shown: int
    last_change_shown: int
    last_hand_at: datetime
    peak_rating: float
    hands_since_move: int
    at_risk: bool
    relegation_form: float | None
    next_level: str | None
    next_form: float | None
    next_hands: int | None
    next_games: int | None
    form_progress: float | None
    hands_progress: float | None
    games_progress: float | None
    progress: float | None


@dataclass
class Rated:
    """All that a replay says. `unrated` maps (hand_id, player) to why that hand does not count for them."""

    changes: list[Change] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    unrated: dict[tuple[str, str], str] = field(default_factory=dict)


# --- The formulas -----------------------------------------------------------------------------------------


def mean(values: Sequence[float]) -> float:
    """Add from first to last, then divide (`sum` would compensate, and differ in the last bit)."""
    total = 0.0
    for value in values:
        total = total + value
    return total / len(values)


def ten_to(exponent: float) -> float:
    """10^x, infinite where a float cannot hold it, so that scores saturate at 0 and 1."""
    try:
        return float(10.0**exponent)
    except OverflowError:
        return math.inf


def expected_score(own: float, other: float, rating_scale: float) -> float:
    """E = 1 / (1 + 10^((R_b - R_a) / 400))."""
    return 1.0 / (1.0 + ten_to((other - own) / rating_scale))


def actual_score(margin: float, margin_scale: float, shape: str) -> float:
    """S by the margin in points: `logistic`, `linear_clipped` or `win_loss`."""
    if shape == "logistic":
        return 1.0 / (1.0 + ten_to(-margin / margin_scale))
    if shape == "linear_clipped":
        return min(1.0, max(0.0, 0.5 + margin / (2.0 * margin_scale)))
    assert shape == "win_loss"
    return 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5


def k_factor(hands_before: int, k_factors: Sequence[tuple[int | None, float]]) -> float:
    """K by the rated hands played before this one."""
    return next(k for below, k in k_factors if below is None or hands_before < below)


def shown(rating: float) -> int:
    """A rating as people read it: rounded half up."""
    return math.floor(rating + 0.5)


class Surprise(NamedTuple):
    """One side's view of a hand."""

    expected: float
    actual: float
    surprise: float


def surprises(
    ratings: Sequence[float], points: Sequence[float], parameters: Parameters, margin_scale: float
) -> list[Surprise]:
    """Expected score, actual score and surprise of every side of a hand.

    Against several sides each is the mean over them; a mean of gaps is the gap of the means. With two sides
    the second's surprise is the first's with the other sign, up to the last bit of a float.
    """
    views = []
    for side, rating in enumerate(ratings):
        others = [other for other in range(len(ratings)) if other != side]
        expected = mean(
            [expected_score(rating, ratings[other], parameters["rating_scale"]) for other in others]
        )
        actual = mean(
            [
                actual_score(points[side] - points[other], margin_scale, parameters["margin_shape"])
                for other in others
            ]
        )
        views.append(Surprise(expected, actual, actual - expected))
    return views


# --- One person's state -----------------------------------------------------------------------------------


class State:
    """What is known of one account after the hands so far."""

    def __init__(self, account: Account, start: float, parameters: Parameters) -> None:
        self.account = account
        self.parameters = parameters
        self.rating = self.form = start
        self.peak = -math.inf
        self.hands = self.games = 0
        self.level = -1  # an index into the level table; -1 before placing
        self.moved_at = 0  # rated hands at the last placing or promotion
        self.is_under_line = False
        self.ratings: list[float] = []
        self.shown_change = 0
        self.last_hand_at: datetime | None = None

    @property
    def level_name(self) -> str:
        return "" if self.level < 0 else str(self.parameters["levels"][self.level][0])

    def take(
        self,
        hand: Record,
        view: Surprise,
        k: float,
        *,
        finished: bool,
        at: str | None,
        out: Rated,
    ) -> None:
        """Make one rated hand of it: Rating, Form, hands, games, level check."""
        rating_before, form_before = self.rating, self.form
        self.rating = rating_before + k * view.surprise
        self.ratings.append(self.rating)
        self.form = self.next_form()
        self.hands += 1
        self.games += 1 if finished else 0
        self.peak = max(self.peak, self.rating)
        self.shown_change = shown(self.rating) - shown(rating_before)
        self.last_hand_at = instant(hand)
        event = self.check_level(hand["hand_id"])
        if event is not None:
            out.events.append(event)
        out.changes.append(
            Change(
                self.account,
                hand["hand_id"],
                rating_before,
                self.rating,
                k,
                view.expected,
                view.actual,
                view.surprise,
                form_before,
                self.form,
                self.hands,
                self.games,
                self.level_name,
                at is not None,
                at,
            )
        )

    def next_form(self) -> float:
        """F + (R - F) x 2/(N+1), or the mean of the Ratings after each of the last N rated hands."""
        span = int(self.parameters["form_hands"])
        if self.parameters["form"] == "window":
            return mean(self.ratings[-span:])
        return self.form + (self.rating - self.form) * 2.0 / (span + 1)

    def check_level(self, hand_id: str) -> Event | None:
        """The level check after a rated hand: at most one event, the first that applies."""
        levels = self.parameters["levels"]
        since_move = self.hands - self.moved_at

        def event(kind: str, before: int, after: int, judged: int, line: float | None) -> Event:
            _, _, hands_needed, games_needed = levels[judged]
            return Event(
                self.account,
                hand_id,
                kind,
                "" if before < 0 else levels[before][0],
                levels[after][0],
                self.form,
                line,
                self.hands,
                hands_needed,
                self.games,
                games_needed,
                since_move,
            )

        if self.level < 0:
            if self.hands < levels[0][2]:
                return None
            self.level, self.moved_at, self.is_under_line = 0, self.hands, False
            return event("placed", -1, 0, 0, None)

        own = self.level
        if own + 1 < len(levels):
            _, line, hands_needed, games_needed = levels[own + 1]
            if self.form >= line and self.hands >= hands_needed and self.games >= games_needed:
                self.level, self.moved_at, self.is_under_line = own + 1, self.hands, False
                return event("promoted", own, own + 1, own + 1, line)

        own_line = levels[own][1]
        if own_line is None:
            return None  # Beginner: nothing to fall under
        drop = own_line - self.parameters["relegation_points"]
        if self.form <= drop and since_move > self.parameters["grace_hands"]:
            self.level = own - 1
            new_line = levels[own - 1][1]
            self.is_under_line = new_line is not None and self.form < new_line
            return event("relegated", own, own - 1, own, own_line)
        if self.form < own_line and not self.is_under_line:
            self.is_under_line = True
            return event("warned", own, own, own, own_line)
        if self.form >= own_line and self.is_under_line:
            self.is_under_line = False
            return event("recovered", own, own, own, own_line)
        return None

    def standing(self) -> Standing:
        """Where the account stands, with its progress to the next level."""
        levels = self.parameters["levels"]
        assert self.last_hand_at is not None
        own_line = levels[self.level][1] if self.level >= 0 else None
        next_level: tuple[str | None, float | None, int | None, int | None] = (None, None, None, None)
        bars: tuple[float | None, float | None, float | None] = (None, None, None)
        whole: float | None = None
        if self.level < 0:
            name, _, hands_needed, _ = levels[0]
            next_level = (name, None, hands_needed, None)  # one bar: hands alone
            whole = clamp(self.hands / hands_needed)
            bars = (None, whole, None)
        elif self.level + 1 < len(levels):
            next_level = levels[self.level + 1]
            _, line, hands_needed, games_needed = levels[self.level + 1]
            start = own_line if own_line is not None else self.parameters["computers"]["beginner"]
            bars = (
                form_bar(self.form, start, line),
                clamp(self.hands / hands_needed),
                clamp(self.games / games_needed) if games_needed else 1.0,
            )
            whole = min(bar for bar in bars if bar is not None)
        return Standing(
            self.account,
            self.rating,
            self.form,
            self.level_name,
            self.hands,
            self.games,
            shown(self.rating),
            self.shown_change,
            self.last_hand_at,
            self.peak,
            self.hands - self.moved_at,
            own_line is not None and self.form < own_line,
            None if own_line is None else own_line - self.parameters["relegation_points"],
            *next_level,
            *bars,
            whole,
        )


def form_bar(form: float, start: float, line: float) -> float:
    """(F - from) / (line - from), clamped; a line at or under `from` is reached or it is not."""
    if line <= start:
        return 1.0 if form >= line else 0.0
    return clamp((form - start) / (line - start))


def clamp(value: float) -> float:
    """Into [0, 1]."""
    return min(1.0, max(0.0, value))


# --- The fold ---------------------------------------------------------------------------------------------


def instant(hand: Record) -> datetime:
    """When a hand ended."""
    return datetime.fromisoformat(hand["ended_at"])


def total_order(hand: Record) -> tuple[datetime, bytes, int, bytes]:
    """Instant, UTF-8 bytes, integer, UTF-8 bytes."""
    return instant(hand), hand["game_id"].encode(), hand["hand_no"], hand["hand_id"].encode()


def first_self_ratings(players: Iterable[Record]) -> dict[str, str]:
    """Each player's first recorded self-rating, in order of arrival; later ones only change what is shown."""
    said: dict[str, str] = {}
    for record in players:
        if record.get("self_rating") is not None:
            said.setdefault(record["player"], record["self_rating"])
    return said


def counts_for(seat: Record, hand: Record) -> bool:
    """Whether a hand counts for the person of a seat.

    Solo: always. Live: a human needs another person who plays it, a person away needs any who does.
    """
    if hand["mode"] == "solo":
        return True
    playing = {other["player"] for other in hand["seats"] if other["kind"] == "human"}
    return bool(playing - {seat["player"]})


class Fold:
    """The hands of a league, one after the other."""

    def __init__(self, said: dict[str, str], parameters: Parameters) -> None:
        self.out = Rated()
        self.said = said
        self.parameters = parameters
        self.states: dict[Account, State] = {}
        self.held: dict[tuple[Account, str], list[tuple[Record, Surprise]]] = {}

    def state(self, hand: Record, seat: Record) -> State:
        """The account of a seat's person in a hand's pool; new ones start at their self-rating."""
        device = hand["device"] if hand["mode"] == "solo" else ""
        account = Account(f"{hand['mode']}/{hand['ruleset']}", seat["player"], device)
        if account not in self.states:
            word = self.said.get(account.player)
            start = self.parameters["start"] if word is None else self.parameters["self_ratings"][word]
            self.states[account] = State(account, start, self.parameters)
        return self.states[account]

    def play(self, hand: Record) -> None:
        """Rate one hand for everybody for whom it counts."""
        persons = [seat for seat in hand["seats"] if seat["kind"] != "computer"]
        counting = [seat for seat in persons if counts_for(seat, hand)]
        for seat in persons:
            if seat not in counting:
                self.out.unrated[hand["hand_id"], seat["player"]] = "alone"
        if not counting:
            return
        for seat in counting:
            if seat["kind"] == "human":
                self.apply_held(hand, seat)
        views = self.views(hand)
        k_factors = self.k_factors(hand, counting)  # everybody's, before anybody's hand is counted
        for seat in counting:
            state, view = self.state(hand, seat), views[seat["side"]]
            is_away = seat["kind"] == "stand_in"
            if is_away and self.parameters["held_hands"] == "on_return":
                self.held.setdefault((state.account, hand["game_id"]), []).append((hand, view))
            else:
                finished = hand["result"]["game_over"] and not is_away
                state.take(hand, view, k_factors[seat["seat"]], finished=finished, at=None, out=self.out)

    def apply_held(self, hand: Record, seat: Record) -> None:
        """Apply what was held while the seat's person was away from this game, in order."""
        state = self.state(hand, seat)
        for missed, view in self.held.pop((state.account, hand["game_id"]), []):
            k = k_factor(state.hands, self.parameters["k_factors"])
            state.take(missed, view, k, finished=False, at=hand["hand_id"], out=self.out)

    def views(self, hand: Record) -> list[Surprise]:
        """Every side's expected score, actual score and surprise, by the ratings before the hand."""
        sides = sorted({seat["side"] for seat in hand["seats"]})
        ratings = [
            mean([self.seat_rating(hand, seat) for seat in hand["seats"] if seat["side"] == side])
            for side in sides
        ]
        scale = self.parameters["margin_scale"][hand["ruleset"]]
        return surprises(ratings, hand["result"]["points"], self.parameters, scale)

    def seat_rating(self, hand: Record, seat: Record) -> float:
        """What a seat counts as in its side's rating."""
        if seat["kind"] == "human" or (
            seat["kind"] == "stand_in" and self.parameters["stand_in_rating"] == "player"
        ):
            return self.state(hand, seat).rating
        if hand["mode"] == "live":
            return float(self.parameters["live_computer"])
        return float(self.parameters["computers"][seat["skill"]])

    def k_factors(self, hand: Record, counting: list[Record]) -> dict[int, float]:
        """Each counting seat's K: its own, or the mean or least over its side's human seats."""
        own = {
            seat["seat"]: k_factor(self.state(hand, seat).hands, self.parameters["k_factors"])
            for seat in counting
        }
        rule = self.parameters["partner_change"]
        if rule == "own_k":
            return own
        shared = dict(own)
        for seat in counting:
            if seat["kind"] == "human":
                together = [
                    own[other["seat"]]
                    for other in counting
                    if other["side"] == seat["side"] and other["kind"] == "human"
                ]
                shared[seat["seat"]] = mean(together) if rule == "mean_k" else min(together)
        return shared


def rate(
    hands: Iterable[Record],
    players: Iterable[Record] = (),
    parameters: Parameters = COASTAL,
    void: Collection[str] = (),
) -> Rated:
    """Rate a league from its first hand to its last.

    Args:
        hands: `canasta-hand/1` records in any order, each hand once.
        players: `canasta-player/1` records in order of arrival.
        parameters: Like `COASTAL`.
        void: Ids of hands that an operator withdrew.
    """
    fold = Fold(first_self_ratings(players), parameters)
    for hand in sorted(hands, key=total_order):
        if hand["hand_id"] not in void:
            fold.play(hand)
    out = fold.out
    for (account, _), missed_hands in fold.held.items():
        for missed, _ in missed_hands:
            out.unrated[missed["hand_id"], account.player] = "held"
    out.standings = [state.standing() for _, state in sorted(fold.states.items()) if state.hands > 0]
    return out
