"""Whole runs, from a log through a real warehouse, against the oracle, bit for bit."""

from __future__ import annotations

import dataclasses
import random
from datetime import UTC
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.warehouse import open_warehouse
from tests.rating import oracle
from tests.rating.parameter_sets import parameter_sets
from tests.support.leagues import random_league
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


def check_against_oracle(seed: int, parameters: oracle.Parameters, part_hands: int, games: int = 12) -> None:
    league = random_league(seed, people=6, games=games, leavers=0.4)
    rated = oracle.rate(league.hands, league.players, parameters)
    with (
        TemporaryDirectory() as folder,
        open_warehouse(Path(folder) / "coastal.duckdb", at=NOW) as warehouse,
    ):
        shuffled = list(league.hands)
        random.Random(seed).shuffle(shuffled)
        load(warehouse, [*league.players, *shuffled])
        run = replay_with(warehouse, parameters, part_hands=part_hands)
        assert changes(warehouse, run) == oracle_changes(rated)
        assert events(warehouse, run) == oracle_events(rated)
        assert (run.changes, run.events) == (len(rated.changes), len(rated.events))
        got = standings(warehouse, run)
    assert len(got) == len(rated.standings)
    for row, standing in zip(got, rated.standings, strict=True):
        expected = dataclasses.asdict(standing)
        account = oracle.Account(*expected.pop("account"))
        assert (row["pool"], row["player"], row["device"]) == account
        row["last_hand_at"] = row["last_hand_at"].replace(tzinfo=UTC)
        assert {name: row[name] for name in expected} == expected


@settings(max_examples=12)
@given(seed=st.integers(0, 10_000), parameters=parameter_sets(), part_hands=st.sampled_from([7, 40, 200_000]))
def test_a_run_and_the_oracle_agree_bit_for_bit(
    seed: int, parameters: oracle.Parameters, part_hands: int
) -> None:
    check_against_oracle(seed, parameters, part_hands)


@pytest.mark.slow
@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), parameters=parameter_sets(), part_hands=st.sampled_from([50, 200_000]))
def test_long_runs_and_the_oracle_agree_bit_for_bit(
    seed: int, parameters: oracle.Parameters, part_hands: int
) -> None:
    check_against_oracle(seed, parameters, part_hands, games=120)


def test_a_run_by_the_default_parameters_and_the_oracle_agree_bit_for_bit() -> None:
    check_against_oracle(7, oracle.COASTAL, 200_000, games=150)
