"""The demo league's people and fixtures: who they are, who sits at which table, and when."""

from __future__ import annotations

import tomllib
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

SETTINGS_FILE = Path(__file__).with_name("demo.toml")
SEATS = 4
FIRST_GAME = time(18, 0, tzinfo=UTC)


class DemoSettings(BaseModel):
    """`demo.toml`: sizes, shares (0 to 1) and paces of the demo league."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int
    first_day: date
    weeks: int = Field(gt=0)
    live_hands: int = Field(gt=0)
    players: int = Field(gt=SEATS)
    clubs: int = Field(gt=0)
    solo_players: int = Field(ge=0)
    solo_games: int = Field(ge=0)
    hidden_share: float = Field(ge=0, le=1)
    self_rated_share: float = Field(ge=0, le=1)
    computer_share: float = Field(ge=0, le=1)
    absence_share: float = Field(ge=0, le=1)
    visit_share: float = Field(ge=0, le=1)
    seconds_a_turn: int = Field(gt=0)
    seconds_between_hands: int = Field(ge=0)
    least_careless: float = Field(ge=0, le=1)
    most_careless: float = Field(ge=0, le=1)
    learning: float = Field(ge=0, le=1)
    learner_share: float = Field(ge=0, le=1)
    names: tuple[str, ...]


@dataclass(frozen=True)
class Person:
    """A fictional player.

    Attributes:
        player: Id, such as ``"p-ana"``.
        name: Shown name.
        club: Club number; people mostly meet within their club.
        carelessness: Chance of a careless move at the season's start, 0 to 1.
        learning: Share of the carelessness that is gone by the season's end, 0 to 1.
        activity: Weight with which the person turns up.
        self_rating: What they said of themselves, or None.
        show_skill: False for a hidden player.
        joined_at: When they joined, UTC.
    """

    player: str
    name: str
    club: int
    carelessness: float
    learning: float
    activity: float
    self_rating: str | None
    show_skill: bool
    joined_at: datetime

    def record(self) -> dict[str, Any]:
        """Give the person's `canasta-player/1` record."""
        return {
            "format": "canasta-player/1",
            "player": self.player,
            "name": self.name,
            "self_rating": self.self_rating,
            "show_skill": self.show_skill,
            "joined_at": f"{self.joined_at:%Y-%m-%dT%H:%M:%SZ}",
        }


@dataclass(frozen=True)
class Table:
    """One game to be played.

    Attributes:
        game_id: Its id.
        starts_at: First hand's start, UTC.
        people: Who sits there, in play order; None is a computer's seat.
        carelessness: Chance of a careless move of each seat that day; a computer's is not read.
        skill: The computers' skill at this table.
        device: The device of a solo game, or None for a live one.
        absence: (seat, first hand, last hand) that a computer stands in for somebody, or None.
    """

    game_id: str
    starts_at: datetime
    people: tuple[Person | None, ...]
    carelessness: tuple[float, ...]
    skill: str = "expert"
    device: str | None = None
    absence: tuple[int, int, int] | None = None


def load_settings(file: Path = SETTINGS_FILE) -> DemoSettings:
    """Read the demo league's settings."""
    return DemoSettings.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def people_of(settings: DemoSettings, rng: np.random.Generator) -> tuple[Person, ...]:
    """Make the league's people; strength, activity and what they say of themselves are drawn."""
    ranks = rng.permutation(settings.players) / (settings.players - 1)
    spread = settings.most_careless - settings.least_careless
    clubs = rng.integers(settings.clubs, size=settings.players)
    activity = rng.pareto(1.3, settings.players) + 0.15
    learners = rng.random(settings.players) < settings.learner_share
    hidden = rng.random(settings.players) < settings.hidden_share
    late = rng.beta(0.6, 2.2, settings.players) * settings.weeks * 7
    return tuple(
        Person(
            player=player_id(settings.names[number]),
            name=settings.names[number],
            club=int(clubs[number]),
            carelessness=float(settings.least_careless + spread * ranks[number]),
            learning=settings.learning if learners[number] else 0.0,
            activity=float(min(activity[number], 6.0)),
            self_rating=_said(float(ranks[number]), settings, rng),
            show_skill=not hidden[number],
            joined_at=datetime.combine(settings.first_day, FIRST_GAME) + timedelta(days=int(late[number])),
        )
        for number in range(settings.players)
    )


def player_id(name: str) -> str:
    """Make a player's id from a name: ``"Lucía"`` gives ``"p-lucia"``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return f"p-{plain.lower()}"


def _said(rank: float, settings: DemoSettings, rng: np.random.Generator) -> str | None:
    """Draw what a person of a strength rank (0 best, 1 weakest) says of themselves."""
    if rng.random() >= settings.self_rated_share:
        return None
    words = ("expert", "experienced", "casual", "learning")
    felt = rank + rng.normal(0, 0.2)
    return words[int(np.clip(felt * len(words), 0, len(words) - 1))]


def live_tables(
    settings: DemoSettings, people: tuple[Person, ...], rng: np.random.Generator, games: int
) -> list[Table]:
    """Seat people at `games` live tables, spread over the season's evenings, nobody at two at once."""
    days = np.sort(rng.integers(settings.weeks * 7, size=games))
    tables: list[Table] = []
    for day in np.unique(days):
        evening = datetime.combine(settings.first_day, FIRST_GAME) + timedelta(days=int(day))
        free = [person for person in people if person.joined_at <= evening]
        for _ in range(int((days == day).sum())):
            seated = _seat(settings, free, rng)
            if seated is None:
                break
            free = [person for person in free if person not in seated]
            starts_at = evening + timedelta(minutes=int(rng.integers(0, 90)))
            tables.append(_live_table(settings, len(tables) + 1, starts_at, seated, rng))
    return tables


def _seat(
    settings: DemoSettings, free: list[Person], rng: np.random.Generator
) -> tuple[Person | None, ...] | None:
    """Draw one table of four from those who are free; None where too few are."""
    if len(free) < SEATS:
        return None
    host = free[_draw(free, 1, rng)[0]]
    visiting = rng.random() < settings.visit_share
    others = [person for person in free if person is not host and (visiting or person.club == host.club)]
    humans = SEATS - 2 if rng.random() < settings.computer_share else SEATS - 1
    if len(others) < humans:
        return None
    seated: list[Person | None] = [host, *(others[index] for index in _draw(others, humans, rng))]
    seated += [None] * (SEATS - len(seated))
    return tuple(seated[index] for index in rng.permutation(SEATS))


def _draw(people: list[Person], count: int, rng: np.random.Generator) -> list[int]:
    """Draw different people by their activity; gives their indexes."""
    weights = np.array([person.activity for person in people])
    return [int(index) for index in rng.choice(len(people), count, replace=False, p=weights / weights.sum())]


def _live_table(
    settings: DemoSettings,
    number: int,
    starts_at: datetime,
    seated: tuple[Person | None, ...],
    rng: np.random.Generator,
) -> Table:
    """Give a table its id, its people's form of the day and, now and then, an absence."""
    season = timedelta(weeks=settings.weeks)
    passed = (starts_at - datetime.combine(settings.first_day, FIRST_GAME)) / season
    absence = None
    if None not in seated and rng.random() < settings.absence_share:
        first = int(rng.integers(2, 5))
        absence = (int(rng.integers(SEATS)), first, first + int(rng.integers(0, 3)))
    return Table(
        game_id=f"g-{number:05d}",
        starts_at=starts_at,
        people=seated,
        carelessness=tuple(_carelessness(person, passed) for person in seated),
        absence=absence,
    )


def _carelessness(person: Person | None, passed: float) -> float:
    """Give a person's chance of a careless move when a share of the season has passed."""
    return 0.0 if person is None else person.carelessness * (1 - person.learning * min(passed, 1.0))


def solo_tables(settings: DemoSettings, people: tuple[Person, ...], rng: np.random.Generator) -> list[Table]:
    """Give some people a few solo games against computers, each on a device of their own."""
    tables: list[Table] = []
    for index in _draw(list(people), settings.solo_players, rng):
        person = people[index]
        device = ("phone", "tablet")[int(rng.integers(2))]
        for _ in range(settings.solo_games):
            starts_at = person.joined_at + timedelta(minutes=int(rng.integers(60, 60 * 24 * 60)))
            tables.append(
                Table(
                    game_id=f"s-{len(tables) + 1:04d}",
                    starts_at=starts_at,
                    people=(person, None, None, None),
                    carelessness=(person.carelessness, 0.0, 0.0, 0.0),
                    skill=("beginner", "intermediate", "expert")[int(rng.integers(3))],
                    device=f"{person.player}-{device}",
                )
            )
    return tables
