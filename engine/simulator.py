"""Play many games by computer players and hand over what happened, in columns.

A simulation is a schedule of games, each with its own number. The generator of a hand comes from the seed,
the game's number and the hand's number in it, so a game is the same alone, in any batch and in any process.

>>> rules = RuleSet.load("modern_american")
>>> schedule = Schedule.of_games(range(3), rules)
>>> hands = next(simulate(rules, schedule, seed=42))
>>> hands.points.shape == (len(hands), 2)
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from engine import hand_record as column
from engine.play import FULL, HAND_BYTES, MOST_HANDS, NO_TEXT, SUMMARY, Desk, empty_desk, play_games
from engine.ruleset import RuleSet
from engine.scoring import CANASTA_KINDS, PARTS
from engine.state import Ints, empty_state
from engine.view import empty_view

LogLevel = Literal["none", "summary", "full"]
_LEVELS: Final[dict[LogLevel, int]] = {"none": NO_TEXT, "summary": SUMMARY, "full": FULL}
#: Hands that a batch has room for; a batch is what `simulate` yields at a time.
_BATCH_HANDS: Final = 4 * MOST_HANDS
_SEATS: Final = 4


@dataclass(frozen=True)
class Schedule:
    """The games to play.

    Attributes:
        games: Number of each game [n], which with the seed decides its cards.
        first_dealers: Seat that deals its first hand [n].
        error_rates: Each seat's chance, in [0, 1], of a random legal choice in place of a good one [n, 4].
    """

    games: Ints
    first_dealers: Ints
    error_rates: npt.NDArray[np.float64]

    @classmethod
    def of_games(
        cls, games: Sequence[int] | Ints, rules: RuleSet, error_rates: Sequence[float] = (0.0,) * _SEATS
    ) -> Schedule:
        """Schedule games between the same players; the first deal passes from game to game."""
        numbers = np.asarray(games, np.int64)
        rates = np.zeros((len(numbers), _SEATS))
        rates[:, : len(error_rates)] = error_rates
        return cls(numbers, numbers % rules.players, rates)

    def part(self, start: int, end: int) -> Schedule:
        """Return the games of a range."""
        return Schedule(self.games[start:end], self.first_dealers[start:end], self.error_rates[start:end])

    def __len__(self) -> int:
        return len(self.games)


@dataclass(frozen=True)
class Hands:
    """Simulated hands, one a row, in the order of their games.

    `records` [n, COLUMNS] holds everything (`engine.hand_record` names its columns); the properties are views
    of it. `text` is the hands' own part of their log lines, for `engine.log_writer`.
    """

    rules: RuleSet
    records: Ints
    text: bytes

    def __len__(self) -> int:
        return len(self.records)

    @property
    def game(self) -> Ints:
        """Index of each hand's game in the schedule."""
        return self.records[:, column.GAME]

    @property
    def hand_no(self) -> Ints:
        """Number of each hand in its game, from 1."""
        return self.records[:, column.HAND_NO]

    @property
    def dealer(self) -> Ints:
        """Seat that dealt."""
        return self.records[:, column.DEALT_BY]

    @property
    def ended_by(self) -> Ints:
        """How each hand ended: index into `engine.state.ENDINGS`."""
        return self.records[:, column.ENDING]

    @property
    def out_seat(self) -> Ints:
        """Seat that went out or laid a special hand, else -1."""
        return self.records[:, column.OUT]

    @property
    def turns(self) -> Ints:
        """Turns played."""
        return self.records[:, column.TURNS_PLAYED]

    @property
    def game_over(self) -> Ints:
        """1 if the hand was its game's last, else 0."""
        return self.records[:, column.GAME_OVER]

    @property
    def winner(self) -> Ints:
        """Side that won the game with this hand, else -1."""
        return self.records[:, column.WINNER]

    @property
    def score_before(self) -> Ints:
        """Each side's score before the hand [n, sides]."""
        return self._per_side(column.SCORE_BEFORE)

    @property
    def points(self) -> Ints:
        """Each side's points [n, sides]."""
        return self._per_side(column.POINTS)

    @property
    def score_after(self) -> Ints:
        """Each side's score after the hand [n, sides]."""
        return self._per_side(column.SCORE_AFTER)

    @property
    def ledger(self) -> Ints:
        """Parts of each side's points [n, sides, 7], in the order of `engine.scoring.Ledger`."""
        return self._per_side(column.LEDGER, PARTS)

    @property
    def canastas(self) -> Ints:
        """Each side's canastas by kind [n, sides, 5], in the order of `engine.scoring.Canastas`."""
        return self._per_side(column.CANASTAS, CANASTA_KINDS)

    def text_of(self, row: int) -> bytes:
        """Return a hand's own part of its log line."""
        start, end = self.records[row, [column.TEXT_START, column.TEXT_END]]
        return self.text[start:end]

    def _per_side(self, start: int, width: int = 1) -> Ints:
        sides = self.rules.sides
        block = self.records[:, start : start + sides * width]
        return block if width == 1 else block.reshape(len(block), sides, width)


def simulate(rules: RuleSet, schedule: Schedule, *, seed: int, log: LogLevel = "none") -> Iterator[Hands]:
    """Play a schedule's games, whole, and yield their hands in batches, in order.

    A game that nobody has won after `MOST_HANDS` hands stays unfinished. `Hands.game` counts through the
    whole schedule.

    Args:
        rules: The rule set.
        schedule: The games.
        seed: Of the simulation, from 0.
        log: How much of each hand's log is written into `Hands.text`.
    """
    table = _Table(rules, log)
    done = 0
    while done < len(schedule):
        records, text, games = table.play(schedule.part(done, len(schedule)), seed)
        records[:, column.GAME] += done
        done += games
        yield Hands(rules, records, text)


class _Table:
    """The buffers of a simulation, reused from batch to batch."""

    def __init__(self, rules: RuleSet, log: LogLevel) -> None:
        self._rules = rules
        self._level = _LEVELS[log]
        self._hand = empty_state()
        self._view = empty_view()
        self._desk: Desk = empty_desk()
        self._records = np.zeros((_BATCH_HANDS, column.COLUMNS), np.int64)
        # Most hands need a twentieth of HAND_BYTES; a batch ends early where they need more.
        hands = _BATCH_HANDS if self._level != NO_TEXT else 0
        self._text = np.zeros(hands * HAND_BYTES // 16 + MOST_HANDS * HAND_BYTES, np.uint8)

    def play(self, schedule: Schedule, seed: int) -> tuple[Ints, bytes, int]:
        """Play games from a schedule's first on; return their records, their texts and how many they are."""
        progress = np.zeros(3, np.int64)
        play_games(
            self._rules.numbers,
            self._hand,
            self._view,
            self._desk,
            seed,
            np.ascontiguousarray(schedule.games),
            np.ascontiguousarray(schedule.first_dealers),
            np.ascontiguousarray(schedule.error_rates),
            self._level,
            self._records,
            self._text,
            progress,
        )
        games, hands, size = (int(number) for number in progress)
        return self._records[:hands].copy(), self._text[:size].tobytes(), games
