"""Whatever arrives in whatever order, wherever rating is cut off: it ends as one replay, bit for bit."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.corrections import correct, void
from ingest.warehouse import Warehouse, open_warehouse
from rating import replay as replay_module
from rating.replay import rate
from rating.runs import all_runs, find_run, whole_parts
from tests.rating import oracle
from tests.rating.parameter_sets import parameter_sets
from tests.support.hand_lines import block
from tests.support.leagues import League, random_league
from tests.support.rated_leagues import (
    NOW,
    changes,
    events,
    load,
    oracle_changes,
    oracle_events,
    replay_with,
    standings,
)

Record = dict[str, Any]
Draw = Callable[..., Any]
MINUTE = timedelta(minutes=1)


#: Steps of `rating.replay.rate` at which it is cut off.
STEPS = ("write_part", "write_slots", "sync_folder", "sync", "record_current", "_record")


class CutOffError(BaseException):
    """Ends `rate` at a step, as a signal would."""


def count_again(draw: Draw, hand: Record, people: list[str]) -> None:
    """Each side had 100 more of its cards against it than was said; a special hand stands alone."""
    result = hand["result"]
    if result["special"] is None:
        for side in range(len(result["points"])):
            result["ledger"][side]["holdings"] -= 100 * (side + 1)
            result["points"][side] -= 100 * (side + 1)
            result["score_after"][side] -= 100 * (side + 1)


def move_in_time(draw: Draw, hand: Record, people: list[str]) -> None:
    """The hand ended earlier or later, and so may stand elsewhere in the order."""
    minutes = draw(st.sampled_from([-90, -10, -1, 1, 10, 90]))
    moved = datetime.fromisoformat(hand["ended_at"]) + minutes * MINUTE
    hand["ended_at"] = moved.isoformat().replace("+00:00", "Z")
    hand["started_at"] = (moved - MINUTE).isoformat().replace("+00:00", "Z")


def turn_table(draw: Draw, hand: Record, people: list[str]) -> None:
    """Everybody sat one seat further."""
    seats = hand["seats"]
    places = [{"seat": seat["seat"], "side": seat["side"]} for seat in seats]
    hand["seats"] = [seat | place for seat, place in zip(seats, places[1:] + places[:1], strict=True)]
    hand["seats"].sort(key=lambda seat: seat["seat"])


def change_player(draw: Draw, hand: Record, people: list[str]) -> None:
    """Somebody else had one of the seats, perhaps somebody who never played before."""
    owned = [seat for seat in hand["seats"] if "player" in seat]
    there = {seat["player"] for seat in owned}
    draw(st.sampled_from(owned))["player"] = draw(st.sampled_from(sorted({*people, "p-new"} - there)))


def end_game(draw: Draw, hand: Record, people: list[str]) -> None:
    """The hand ended its game, where it was said not to; or the other way round."""
    hand["result"] |= {"game_over": not hand["result"]["game_over"], "winner": None}


CORRECTIONS = (count_again, move_in_time, turn_table, change_player, end_game)


class Schedule:
    """A league's records in an order of arrival, with an operator's acts between them."""

    def __init__(self, data: st.DataObject, league: League, warehouse: Warehouse) -> None:
        self.draw = data.draw
        self.warehouse = warehouse
        arrivals = self.draw(st.permutations([*league.players, *league.hands]))
        self.coming = list(arrivals)
        self.hands: dict[str, Record] = {}
        self.players: list[Record] = []
        self.void: set[str] = set()
        self.people = sorted({s["player"] for hand in league.hands for s in hand["seats"] if "player" in s})

    def arrive(self) -> None:
        """Load the next few records."""
        count = self.draw(st.integers(1, max(1, len(self.coming))))
        batch, self.coming = self.coming[:count], self.coming[count:]
        report = load(self.warehouse, batch)
        assert report.quarantined == 0
        for record in batch:
            if "hand_id" in record:
                self.hands[record["hand_id"]] = record
            else:
                self.players.append(record)

    def withdraw(self) -> None:
        """Void a hand that is there."""
        there = sorted(set(self.hands) - self.void)
        if there:
            hand_id = self.draw(st.sampled_from(there))
            void(self.warehouse, hand_id, operator="op", why="test", at=NOW)
            self.void.add(hand_id)

    def correct(self) -> None:
        """Correct a hand that is there; a void one counts again."""
        if self.hands:
            hand_id = self.draw(st.sampled_from(sorted(self.hands)))
            hand = copy.deepcopy(self.hands[hand_id])
            for change in self.draw(st.lists(st.sampled_from(CORRECTIONS), min_size=1, unique=True)):
                change(self.draw, hand, self.people)
            lines = [block(json.dumps(hand, ensure_ascii=False).encode())]
            correct(self.warehouse, lines, operator="op", why="test", level=1, clock=lambda: NOW)
            self.hands[hand_id] = hand
            self.void.discard(hand_id)

    def rate(self) -> None:
        """Bring the current run up to date, with checkpoints as near to each other as it falls."""
        rate(self.warehouse, at=NOW, part_hands=self.draw(st.sampled_from([3, 11, 40, 200_000])))

    def rate_and_cut_off(self) -> None:
        """Begin to bring the current run up to date; cut it off at a step, killed or to tidy up."""
        step, is_done = self.draw(st.sampled_from(STEPS)), self.draw(st.booleans())
        true_step = getattr(replay_module, step)

        def cut_off(*arguments: Any) -> Any:
            if is_done:
                true_step(*arguments)
            raise CutOffError

        with pytest.MonkeyPatch.context() as patch, suppress(CutOffError):
            patch.setattr(replay_module, step, cut_off)
            if self.draw(st.booleans()):
                patch.setattr(replay_module, "shutil", SimpleNamespace(rmtree=lambda *_, **__: None))
            self.rate()
        cursor = self.warehouse.cursor()
        runs = all_runs(cursor)
        assert sum(run.is_current for run in runs) == 1
        for run in runs:
            whole_parts(cursor, self.warehouse.runs_directory, run)


def check_schedule(data: st.DataObject, games: int, most_acts: int) -> None:
    league = random_league(data.draw(st.integers(0, 1000)), people=6, games=games, leavers=0.5)
    parameters = data.draw(st.one_of(st.just(oracle.COASTAL), parameter_sets()))
    with (
        TemporaryDirectory() as folder,
        open_warehouse(Path(folder) / "coastal.duckdb", at=NOW) as warehouse,
    ):
        schedule = Schedule(data, league, warehouse)
        schedule.arrive()
        replay_with(warehouse, parameters, part_hands=data.draw(st.sampled_from([5, 200_000])))
        acts = [
            schedule.arrive,
            schedule.withdraw,
            schedule.correct,
            schedule.rate,
            schedule.rate_and_cut_off,
        ]
        for act in data.draw(st.lists(st.sampled_from(acts), max_size=most_acts)):
            if act != schedule.arrive or schedule.coming:
                act()
        rate(warehouse, at=NOW)
        live = find_run(warehouse.cursor())
        replayed = replay_with(warehouse, parameters, "again")
        assert changes(warehouse, live) == changes(warehouse, replayed)
        assert events(warehouse, live) == events(warehouse, replayed)
        assert standings(warehouse, live) == standings(warehouse, replayed)
        rated = oracle.rate(schedule.hands.values(), schedule.players, parameters, schedule.void)
        assert changes(warehouse, live) == oracle_changes(rated)
        assert events(warehouse, live) == oracle_events(rated)


@settings(max_examples=10)
@given(st.data())
def test_live_is_replay_over_arrival_schedules(data: st.DataObject) -> None:
    check_schedule(data, games=6, most_acts=8)


@pytest.mark.slow
@settings(max_examples=80)
@given(st.data())
def test_live_is_replay_over_long_arrival_schedules(data: st.DataObject) -> None:
    check_schedule(data, games=25, most_acts=20)


def test_a_log_without_hands_makes_an_empty_run_that_rating_goes_on_from(tmp_path: Path) -> None:
    league = random_league(1, people=6, games=3)
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, league.players[:1])
        empty = replay_with(warehouse, oracle.COASTAL)
        assert (empty.hands, changes(warehouse, empty), standings(warehouse, empty)) == (0, [], [])
        load(warehouse, [*league.players[1:], *league.hands])
        rate(warehouse, at=NOW)
        rated = oracle.rate(league.hands, league.players)
        assert changes(warehouse, find_run(warehouse.cursor())) == oracle_changes(rated)
