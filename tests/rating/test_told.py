"""Whatever takes long says how far it is, from its first step to its last."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.warehouse import Warehouse, open_warehouse
from rating.audit.anomalies import anomalies, load_thresholds
from rating.audit.audited import audited_run
from rating.compare import compare
from rating.export import Export, export
from rating.runs import find_run
from rating.serving import publish_current
from tests.rating import oracle
from tests.support.leagues import random_league
from tests.support.rated_leagues import NOW, load, replay_with


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    league = random_league(3, people=6, games=20)
    with open_warehouse(tmp_path_factory.mktemp("told") / "coastal.duckdb", at=NOW) as opened:
        load(opened, [*league.players, *league.hands])
        for name in ("one", "two"):
            replay_with(opened, oracle.COASTAL, name)
        yield opened


def _export(warehouse: Warehouse, told: Any) -> None:
    out = Path(warehouse.path).with_name("changes.csv")
    export(warehouse, find_run(warehouse.cursor()), Export.CHANGES, out, sees_hidden=True, told=told)


@pytest.mark.parametrize(
    ("act", "steps"),
    [
        (lambda warehouse, told: publish_current(warehouse, NOW, told), 7),
        (lambda warehouse, told: compare(warehouse, "one", "two", told), 6),
        (lambda warehouse, told: anomalies(audited_run(warehouse), load_thresholds(), told), 9),
        (_export, 1),
    ],
    ids=["publish", "compare", "anomalies", "export"],
)
def test_every_step_is_told(warehouse: Warehouse, act: Callable[..., object], steps: int) -> None:
    said: list[tuple[float, float]] = []
    act(warehouse, lambda done, total: said.append((done, total)))
    whole = [done for done, _ in said if done == int(done)]
    assert set(whole) >= set(range(1, steps + 1))
    assert said == sorted(said)
    assert {total for _, total in said} == {steps}
