"""A hand taken out of columns is the line that it came from."""

from __future__ import annotations

import pytest

from ingest.gather import from_logs
from ingest.hand_log import HandLog
from ingest.spread import to_log
from tests.support.leagues import random_league
from tests.support.referee_play import random_hand


@pytest.mark.parametrize(("ruleset", "players"), [("modern_american", 4), ("classic_salon", 3)])
def test_a_full_log_comes_back(ruleset: str, players: int) -> None:
    for suited in (False, True):
        record = random_hand("spread", ruleset, players, suited=suited).record
        log = HandLog.model_validate(record | {"engine": "a", "seed": "1:2"})
        assert to_log(from_logs([log, log], [0, 1]), 1) == log


def test_every_hand_of_a_league_comes_back() -> None:
    logs = [HandLog.model_validate(hand) for hand in random_league(3).hands]
    assert {log.mode for log in logs} == {"live", "solo"}
    columns = from_logs(logs, list(range(len(logs))))
    assert [to_log(columns, place) for place in range(len(logs))] == logs
