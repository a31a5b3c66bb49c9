"""Play the demo league's tables with the simulator: what a league would hand in, logs and players."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from engine.log_writer import HandIdentity, computer, hand_line, human, table_bytes
from engine.players.skill import error_rates
from engine.ruleset import RuleSet
from engine.simulator import Hands, Schedule, simulate
from service.demo_league import DemoSettings, Person, Table, live_tables, people_of, solo_tables

#: Every game of the demo league has this in front of its id, so that its hands can be told from others.
DEMO_PREFIX = "demo-"
#: More tables than the live hands need: the season ends with the game that reaches their number.
TABLES_FOR_HANDS = 0.225

#: Called with the hands written so far.
Tell = Callable[[int], None]


@dataclass
class Log:
    """Lines by file name, in the order written, and how many hands they are."""

    lines: dict[str, list[bytes]] = field(default_factory=dict)
    hands: int = 0

    def add(self, file: str, line: bytes) -> None:
        """Add a hand's line."""
        self.lines.setdefault(file, []).append(line)
        self.hands += 1


def write_demo_logs(settings: DemoSettings, folder: Path, tell: Tell) -> list[str]:
    """Simulate the league and write its logs, a file a month, and its players' file.

    Args:
        settings: The league.
        folder: Where the files go; made if missing, files of the same names are replaced.
        tell: Told the number of hands after every batch.

    Returns:
        The paths written, players first.
    """
    rng = np.random.default_rng(settings.seed)
    people = people_of(settings, rng)
    live = live_tables(settings, people, rng, int(settings.live_hands * TABLES_FOR_HANDS))
    solo = solo_tables(settings, people, rng)
    log = Log()
    _play(settings, live, log, tell, first_game=0, enough=settings.live_hands)
    _play(settings, solo, log, tell, first_game=len(live), enough=None)
    return _write(folder, people, log)


def _play(
    settings: DemoSettings, tables: list[Table], log: Log, tell: Tell, *, first_game: int, enough: int | None
) -> None:
    """Play tables in order, whole games, until there are enough hands."""
    rules = RuleSet.load("modern_american")
    schedule = Schedule(
        games=np.arange(first_game, first_game + len(tables)),
        first_dealers=np.arange(len(tables)) % rules.players,
        error_rates=np.array([_error_rates(table) for table in tables]),
    )
    goal = None if enough is None else log.hands + enough
    for batch in simulate(rules, schedule, seed=settings.seed, log="full"):
        for game, rows in _games(batch):
            if goal is not None and log.hands >= goal:
                return
            _log_game(settings, rules, tables[game], batch, rows, log)
        tell(log.hands)


def _games(batch: Hands) -> Iterator[tuple[int, range]]:
    """Split a batch into its games: the table's index and the rows of its hands."""
    starts = [row for row in range(len(batch)) if batch.hand_no[row] == 1]
    for start, end in zip(starts, [*starts[1:], len(batch)], strict=True):
        yield int(batch.game[start]), range(start, end)


def _error_rates(table: Table) -> tuple[float, ...]:
    """Give each seat's chance of a careless move: the person's own, or the computer skill's."""
    return tuple(
        error_rates()[table.skill] if person is None else careless
        for person, careless in zip(table.people, table.carelessness, strict=True)
    )


def _log_game(
    settings: DemoSettings, rules: RuleSet, table: Table, batch: Hands, rows: range, log: Log
) -> None:
    """Add a game's hands to the log, with times from the turns that they took."""
    game_id = DEMO_PREFIX + table.game_id
    starts_at = table.starts_at
    kind = "live" if table.device is None else "solo"
    shared = {absent: _table_bytes(rules, table, absent) for absent in (False, True)}
    for row in rows:
        hand_no = int(batch.hand_no[row])
        ends_at = starts_at + timedelta(seconds=settings.seconds_a_turn * int(batch.turns[row]))
        identity = HandIdentity(
            hand_id=f"{game_id}-{hand_no:02}",
            game_id=game_id,
            hand_no=hand_no,
            started_at=_utc(starts_at),
            ended_at=_utc(ends_at),
            seed=f"{settings.seed}:{int(batch.game[row])}",
        )
        line = hand_line(identity, shared[_is_absent(table, hand_no)], batch.text_of(row))
        log.add(f"{kind}-{ends_at:%Y-%m}.jsonl.gz", line)
        starts_at = ends_at + timedelta(seconds=settings.seconds_between_hands)


def _is_absent(table: Table, hand_no: int) -> bool:
    """Say whether a computer stands in for somebody in a hand."""
    return table.absence is not None and table.absence[1] <= hand_no <= table.absence[2]


def _table_bytes(rules: RuleSet, table: Table, is_absent: bool) -> bytes:
    """Encode a table's seats, with the computer standing in or not."""
    seats = [_seat(rules, table, seat, person) for seat, person in enumerate(table.people)]
    if is_absent and table.absence is not None:
        seats[table.absence[0]] |= {"kind": "stand_in", "skill": table.skill}
    mode = "live" if table.device is None else "solo"
    return table_bytes(rules, seats, mode=mode, device=table.device)


def _seat(rules: RuleSet, table: Table, seat: int, person: Person | None) -> dict[str, Any]:
    return computer(seat, rules, table.skill) if person is None else human(seat, rules, person.player)


def _utc(instant: datetime) -> str:
    return f"{instant:%Y-%m-%dT%H:%M:%SZ}"


def _write(folder: Path, people: tuple[Person, ...], log: Log) -> list[str]:
    """Write the files, the same bytes for the same league."""
    folder.mkdir(parents=True, exist_ok=True)
    players = folder / "players.jsonl"
    players.write_text("".join(json.dumps(person.record(), ensure_ascii=False) + "\n" for person in people))
    paths = [str(players)]
    for name, lines in sorted(log.lines.items()):
        path = folder / name
        path.write_bytes(gzip.compress(b"\n".join(lines) + b"\n", compresslevel=6, mtime=0))
        paths.append(str(path))
    return paths
