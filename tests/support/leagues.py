"""Seeded random leagues: hand logs and players' files with every feature that a rating must handle.

`random_league` plays whole games between people of different strength and returns `canasta-hand/1` and
`canasta-player/1` records (plain dicts) that satisfy checking level 1: ledgers sum, the canasta points are
ones that the counts give, `score_after` follows, games run to their target, times are ordered, ids are
unique. They are summaries: points and counts without cards, so there is nothing to replay.

What is in every league that is large enough: live and solo hands, several rule sets, two, three and four
players, computers of each skill, people who leave and come back (or do not), substitutes, hands that count
for nobody, abandoned games, special hands, games that interleave, ties in `ended_at`, names outside ASCII,
self-ratings given early, late, twice or never, and hidden players.

`summary_lines` is the fast path for volume: 100,000 lines and more of four-handed live games, as bytes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Record = dict[str, Any]

START = datetime(2026, 1, 5, 18, 0, tzinfo=UTC)
SKILLS = ("beginner", "intermediate", "expert")
SELF_RATINGS = ("learning", "casual", "experienced", "expert")
LEDGER = ("canastas", "threes", "going_out", "melds", "holdings", "penalties", "special")
CANASTAS = ("natural", "mixed", "sevens", "aces", "wild")

#: Rule set -> (points that end a game, numbers of players, most hands in a game or None).
RULESETS: dict[str, tuple[int, tuple[int, ...], int | None]] = {
    "modern_american": (8500, (4,), None),
    "classic_salon": (5000, (2, 3, 4), None),
    "classic_partnership": (5000, (4,), 40),
}

#: Modern American special hands and what they score (a Dream hand also wins the game).
SPECIALS = {"pairs": 2500, "garbage": 3000, "quads": 3500, "dream_4": 8500}
THREES = (0, 100, 300, 500, 1000)
CLASSIC_THREES = (0, 100, 200, 300, 800)


@dataclass
class League:
    """A league's records.

    Attributes:
        hands: `canasta-hand/1` records in order of `ended_at`; shuffle them for other arrivals.
        players: `canasta-player/1` records in order of arrival; a player may come more than once.
    """

    hands: list[Record] = field(default_factory=list)
    players: list[Record] = field(default_factory=list)


@dataclass
class Seat:
    """Who sits where for a whole game, and which hands (from 1) that person is away for."""

    side: int
    player: str | None
    skill: str
    leaves: int = 10_000
    returns: int = 10_000
    substitute: str | None = None

    def record(self, seat: int, hand_no: int) -> Record:
        """The seat as hand `hand_no` logs it."""
        place: Record = {"seat": seat, "side": self.side}
        if self.player is None:
            return place | {"kind": "computer", "skill": self.skill}
        if not self.leaves <= hand_no < self.returns:
            return place | {"kind": "human", "player": self.player}
        if self.substitute is not None:
            return place | {"kind": "human", "player": self.substitute}
        return place | {"kind": "stand_in", "player": self.player, "skill": self.skill}


def random_league(
    seed: int,
    *,
    people: int = 8,
    games: int = 20,
    rulesets: Iterable[str] = tuple(RULESETS),
    solo: float = 0.2,
    leavers: float = 0.2,
    computers: float = 0.15,
    unfinished: float = 0.15,
) -> League:
    """Play a league; the same arguments give the same records.

    Args:
        seed: Any integer.
        people: How many persons there are; at least 5, so that a table of four has a substitute.
        games: How many games they play, about seven hands each.
        rulesets: Rule sets to draw a game's from.
        solo: Share of games that one person plays against computers on a device.
        leavers: Chance, a person and game, of being away for some hands.
        computers: Chance that a live seat is a computer's.
        unfinished: Share of games that stop before the target.
    """
    rng = random.Random(seed)
    names = [f"p-{index:03d}" + rng.choice(["", "", "", "é", "ßa"]) for index in range(people)]
    strength = {name: rng.gauss(0.0, 1.0) for name in names}
    league = League(players=_players(rng, names))
    clock = START
    for number in range(games):
        ruleset = rng.choice(list(rulesets))
        # Names in no order of time, some outside ASCII: the total order must not lean on either.
        game_id = f"g-{rng.choice('azé')}{rng.randrange(1000):03d}-{number}"
        seats = _table(rng, names, ruleset, solo=solo, leavers=leavers, computers=computers)
        is_alone = sum(seat.player is not None for seat in seats) == 1
        is_solo = rng.random() < (0.9 if is_alone else 0.03)
        stop_after = rng.randrange(1, 5) if rng.random() < unfinished else 10_000
        begin = clock + timedelta(minutes=rng.choice([0, 0, 0, 10, 20]))
        league.hands += _game(rng, game_id, ruleset, seats, strength, begin, is_solo, stop_after)
        clock += timedelta(minutes=rng.choice([0, 10, 30, 60]))
    league.hands.sort(key=lambda hand: hand["ended_at"])
    return league


def _players(rng: random.Random, names: list[str]) -> list[Record]:
    """Players' records: some never come, some say nothing of themselves, some change their mind."""
    records = []
    for name in names:
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            said = rng.choice([None, *SELF_RATINGS])
            record = {
                "format": "canasta-player/1",
                "player": name,
                "name": name.upper(),
                "show_skill": rng.random() < 0.8,
                "joined_at": _text(START - timedelta(days=rng.randrange(1, 90))),
            }
            records.append(record if said is None else record | {"self_rating": said})
    return records


def _table(
    rng: random.Random, names: list[str], ruleset: str, *, solo: float, leavers: float, computers: float
) -> list[Seat]:
    """Who plays a game, in which seats, and who is away when."""
    count = rng.choice(RULESETS[ruleset][1])
    sides = [seat % 2 if count != 3 else seat for seat in range(count)]
    guests = rng.sample(names, count + 1)
    only = rng.randrange(count) if rng.random() < solo else None
    table = []
    for seat, side in enumerate(sides):
        is_computer = rng.random() < computers if only is None else seat != only
        place = Seat(side, None if is_computer else guests[seat], rng.choice(SKILLS))
        if rng.random() < leavers:
            place.leaves = rng.randrange(1, 6)
            place.returns = place.leaves + rng.choice([1, 2, 3, 10_000])
        table.append(place)
    away = [seat for seat in table if seat.leaves < 10_000 and seat.player is not None]
    if away and only is None and rng.random() < 0.2:
        away[0].substitute = guests[-1]
    return table


def _game(
    rng: random.Random,
    game_id: str,
    ruleset: str,
    seats: list[Seat],
    strength: dict[str, float],
    begin: datetime,
    is_solo: bool,
    stop_after: int,
) -> Iterator[Record]:
    """One game's hands until its target, its limit of hands, a Dream hand, or the moment it is abandoned."""
    target, _, limit = RULESETS[ruleset]
    score = [0] * (max(seat.side for seat in seats) + 1)
    device = {"device": rng.choice(["phone", "tablet-é"])} if is_solo else {}
    dealer = rng.randrange(len(seats))
    ended = begin
    for hand_no in range(1, stop_after + 1):
        started = ended
        # Coarse steps make ties between games common; a hand may even end with the one before it.
        ended = started + timedelta(
            minutes=rng.choice([0, 10, 10, 20]), milliseconds=rng.choice([0, 0, 0, 500])
        )
        result = _result(rng, ruleset, seats, strength)
        after = [before + points for before, points in zip(score, result["points"], strict=True)]
        leaders = [side for side, total in enumerate(after) if total == max(after)]
        is_dream = (result["special"] or "").startswith("dream")
        is_over = is_dream or (max(after) >= target and len(leaders) == 1) or hand_no == limit
        winner = seats[result["seat"]].side if is_dream else leaders[0] if len(leaders) == 1 else None
        yield {
            "format": "canasta-hand/1",
            "hand_id": f"{game_id}/{hand_no}",
            "game_id": game_id,
            "hand_no": hand_no,
            "started_at": _text(started),
            "ended_at": _text(ended),
            "mode": "solo" if is_solo else "live",
            **device,
            "ruleset": ruleset,
            "options": {},
            "seats": [seat.record(index, hand_no) for index, seat in enumerate(seats)],
            "dealer": (dealer + hand_no) % len(seats),
            "score_before": score,
            "result": result
            | {"score_after": after, "game_over": is_over, "winner": winner if is_over else None},
            "turns": rng.randrange(4, 80),
            "engine": "tests 1",
        }
        if is_over:
            return
        score = after


def _result(rng: random.Random, ruleset: str, seats: list[Seat], strength: dict[str, float]) -> Record:
    """How one hand ends: who goes out, each side's canastas and a ledger that they explain."""
    sides = sorted({seat.side for seat in seats})
    pull = {side: rng.gauss(0.0, 1.0) for side in sides}
    for seat in seats:
        pull[seat.side] += 0.0 if seat.player is None else strength[seat.player]
    best = max(sides, key=lambda side: pull[side])
    ended_by = rng.choices(["out", "stock", "special"], [70, 27, 3])[0]
    is_modern = ruleset == "modern_american"
    if ended_by == "special" and not is_modern:
        ended_by = "stock"
    special = rng.choice(list(SPECIALS)) if ended_by == "special" else None
    closer = None if ended_by == "stock" else next(i for i, seat in enumerate(seats) if seat.side == best)
    is_concealed = ended_by == "out" and not is_modern and rng.random() < 0.1
    reds, blacks = _shares(rng, len(sides)), _shares(rng, len(sides))
    canastas, ledger = [], []
    for side in sides:
        wins = side == best and closer is not None
        if wins and special is not None:
            counts, parts = (
                dict.fromkeys(CANASTAS, 0),
                dict.fromkeys(LEDGER, 0) | {"special": SPECIALS[special]},
            )
        elif is_modern:
            counts, parts = _modern_side(rng, wins, reds[side], blacks[side])
        else:
            counts, parts = _classic_side(rng, wins, is_concealed, reds[side])
        canastas.append(counts)
        ledger.append(parts)
    return {
        "ended_by": ended_by,
        "seat": closer,
        "concealed": is_concealed,
        "special": special,
        "points": [sum(parts.values()) for parts in ledger],
        "ledger": ledger,
        "canastas": canastas,
    }


def _modern_side(rng: random.Random, wins: bool, red: int, black: int) -> tuple[Record, Record]:
    """One side's canastas and ledger in Modern American; who goes out has two canastas at least."""
    counts = {
        "natural": rng.choice([0, 0, 1, 2]),
        "mixed": rng.choice([0, 1, 1, 2]) + (2 if wins else 0),
        "sevens": int(rng.random() < 0.08),
        "aces": int(rng.random() < 0.05),
        "wild": int(rng.random() < 0.08),
    }
    closed = sum(counts.values())
    wild_points = rng.choice([2000, 2500, 3000]) * counts["wild"]
    threes = THREES[red] + THREES[black]
    melds = 5 * rng.randrange(0, 120)
    parts = {
        "canastas": 500 * counts["natural"]
        + 300 * counts["mixed"]
        + 2500 * (counts["sevens"] + counts["aces"])
        + wild_points,
        "threes": -threes if closed == 0 else 0 if closed == 1 else threes,
        "going_out": 100 if wins else 0,
        "melds": melds if closed else -melds,
        "holdings": -5 * rng.randrange(12, 60),
        "penalties": -rng.choice([0] * 12 + [1500] if wins else [0] * 9 + [1500, 2000, 2500]),
        "special": 0,
    }
    return counts, parts


def _classic_side(rng: random.Random, wins: bool, is_concealed: bool, red: int) -> tuple[Record, Record]:
    """One side's canastas and ledger in the classic rule sets; who goes out has two canastas."""
    counts = dict.fromkeys(CANASTAS, 0) | {
        "natural": rng.choice([0, 0, 1]) + (1 if wins else 0),
        "mixed": rng.choice([0, 1, 1, 2]) + (1 if wins else 0),
    }
    melds = (
        5 * rng.randrange(0, 80) if wins or counts["natural"] + counts["mixed"] or rng.random() < 0.7 else 0
    )
    has_meld = melds > 0 or counts["natural"] + counts["mixed"] > 0
    out_points = (200 if is_concealed else 100) if wins else 0
    return counts, dict.fromkeys(LEDGER, 0) | {
        "canastas": 500 * counts["natural"] + 300 * counts["mixed"],
        "threes": CLASSIC_THREES[red] if has_meld else -CLASSIC_THREES[red],
        "going_out": out_points,
        "melds": melds,
        "holdings": -5 * rng.randrange(0, 40),
    }


def _shares(rng: random.Random, sides: int) -> list[int]:
    """How many of one colour's four 3s each side lays; some may stay in the stock."""
    shares = [0] * sides
    for _ in range(rng.randrange(5)):
        shares[rng.randrange(sides)] += 1
    return shares


def _text(moment: datetime) -> str:
    """RFC 3339 in UTC, with milliseconds only where there are any."""
    return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds").replace(
        "+00:00", "Z"
    )


def write_jsonl(path: Path, records: Iterable[Record]) -> Path:
    """Write records as JSON Lines and return the path."""
    path.write_text(
        "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8"
    )
    return path


_SEAT = '{"seat": %d, "side": %d, "kind": "human", "player": "p-%06d"}'
_SUMMARY = (
    '{"format": "canasta-hand/1", "hand_id": "h-%(hand)09d", "game_id": "g-%(game)09d", '
    '"hand_no": %(hand_no)d, "started_at": "%(started)sZ", "ended_at": "%(ended)sZ", '
    '"mode": "live", "ruleset": "modern_american", '
    '"options": {}, "seats": [%(seats)s], "dealer": %(dealer)d, "score_before": [%(before)s], '
    '"result": {"ended_by": "out", "seat": %(seat)d, "concealed": false, "special": null, '
    '"points": [%(points)s], "ledger": [%(ledger)s], "canastas": [%(canastas)s], "score_after": [%(after)s], '
    '"game_over": %(over)s, "winner": %(winner)s}, "turns": 41, "engine": "tests 1", "seed": "%(hand)d"}\n'
)
_LEDGER = (
    '{"canastas": %d, "threes": %d, "going_out": %d, "melds": %d, "holdings": %d, '
    '"penalties": 0, "special": 0}'
)
_COUNTS = '{"natural": %d, "mixed": %d, "sevens": 0, "aces": 0, "wild": 0}'


def summary_lines(seed: int, hands: int, *, people: int = 2000) -> Iterator[bytes]:
    """Yield `hands` log lines of four-handed live Modern American games, level 1 clean, in order of time.

    A few people play most: a seat's person is drawn with a weight that falls with the square.
    """
    rng = random.Random(seed)
    uniform = rng.random
    hand = game = 0
    while hand < hands:
        game += 1
        persons: list[int] = []
        while len(persons) < 4:
            person = int(people * uniform() ** 2)
            if person not in persons:
                persons.append(person)
        seats = ", ".join(_SEAT % (seat, seat % 2, person) for seat, person in enumerate(persons))
        score, hand_no, is_over = [0, 0], 0, False
        while not is_over and hand < hands:
            hand, hand_no = hand + 1, hand_no + 1
            out = int(uniform() < 0.5)
            points, ledgers, counts = [], [], []
            for side in (0, 1):
                natural, mixed = int(uniform() * 3), (2 if side == out else 0) + int(uniform() * 2)
                sign = 1 if natural + mixed else -1
                parts = (
                    500 * natural + 300 * mixed,
                    100 * sign if natural + mixed != 1 else 0,
                    100 if side == out else 0,
                    sign * 5 * int(uniform() * 120),
                    -5 * int(uniform() * 60),
                )
                points.append(sum(parts))
                ledgers.append(_LEDGER % parts)
                counts.append(_COUNTS % (natural, mixed))
            after = [score[0] + points[0], score[1] + points[1]]
            is_over = max(after) >= 8500 and after[0] != after[1]
            started = START + timedelta(seconds=20 * hand)
            yield (
                _SUMMARY
                % {
                    "hand": hand,
                    "game": game,
                    "hand_no": hand_no,
                    "started": started.isoformat()[:19],
                    "ended": (started + timedelta(minutes=9)).isoformat()[:19],
                    "seats": seats,
                    "dealer": hand_no % 4,
                    "before": f"{score[0]}, {score[1]}",
                    "seat": out,
                    "points": f"{points[0]}, {points[1]}",
                    "ledger": ", ".join(ledgers),
                    "canastas": ", ".join(counts),
                    "after": f"{after[0]}, {after[1]}",
                    "over": "true" if is_over else "false",
                    "winner": str(int(after[1] > after[0])) if is_over else "null",
                }
            ).encode()
            score = after
