"""The worked numbers of the rating, to six decimals, as its rules print them."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from rating.elo import LOGISTIC, actual_score, expected_score, k_factor
from rating.parameters import load_parameters
from rating.rules import compile_rules, margin_scale
from tests.rating import oracle
from tests.rating.parameter_sets import toml_text


class Case(NamedTuple):
    """One row of the table: own and other side's ratings, margin in points, K, and what must come out."""

    ruleset: str
    own: tuple[float, ...]
    other: tuple[float, ...]
    margin: int
    k_factor: float
    expected: float
    actual: float
    change: float


TABLE = {
    "a level hand": Case("modern_american", (1000,), (1000,), 0, 24, 0.5, 0.5, 0.0),
    "won by 20": Case("modern_american", (1000,), (1000,), 20, 24, 0.5, 0.503838, 0.092102),
    "won by 2,000": Case("modern_american", (1000,), (1000,), 2000, 24, 0.5, 0.822745, 7.745879),
    "a favourite loses by 300": Case(
        "modern_american", (1100,), (1000,), -300, 16, 0.640065, 0.442688, -3.158026
    ),
    "an upset by 5,000": Case("modern_american", (1000,), (1300,), 5000, 10, 0.150980, 0.978910, 8.279305),
    "partners": Case("modern_american", (1000, 1150), (1200, 1250), 2040, 24, 0.296615, 0.827178, 12.733512),
    "classic_salon": Case("classic_salon", (1000,), (1000,), 500, 24, 0.5, 0.759747, 6.233926),
}


@pytest.mark.parametrize("case", TABLE.values(), ids=TABLE)
def test_the_oracle_gives_the_worked_numbers(case: Case) -> None:
    parameters = oracle.COASTAL
    view, against = oracle.surprises(
        [oracle.mean(case.own), oracle.mean(case.other)],
        [case.margin, 0],
        parameters,
        parameters["margin_scale"][case.ruleset],
    )
    assert view.expected == pytest.approx(case.expected, abs=5e-7)
    assert view.actual == pytest.approx(case.actual, abs=5e-7)
    assert case.k_factor * view.surprise == pytest.approx(case.change, abs=5e-7)
    assert against.surprise == pytest.approx(-view.surprise, abs=1e-15)


@pytest.mark.parametrize("case", TABLE.values(), ids=TABLE)
def test_the_rules_give_the_worked_numbers(case: Case) -> None:
    parameters, _ = load_parameters()
    own, other = (sum(side) / len(side) for side in (case.own, case.other))
    expected = expected_score(own, other, parameters.rating_scale)
    actual = actual_score(float(case.margin), margin_scale(parameters, case.ruleset), LOGISTIC)
    assert expected == pytest.approx(case.expected, abs=5e-7)
    assert actual == pytest.approx(case.actual, abs=5e-7)
    assert case.k_factor * (actual - expected) == pytest.approx(case.change, abs=5e-7)


def test_the_shipped_parameter_file_holds_the_published_defaults() -> None:
    _, text = load_parameters()
    assert tomllib.loads(text) == tomllib.loads(toml_text(oracle.COASTAL, "coastal"))


K_STEPS = [(0, 24), (29, 24), (30, 16), (99, 16), (100, 10), (5000, 10)]


@pytest.mark.parametrize(("before", "k"), K_STEPS)
def test_the_oracle_takes_k_by_the_hands_played_before(before: int, k: int) -> None:
    assert oracle.k_factor(before, oracle.COASTAL["k_factors"]) == k


@pytest.mark.parametrize(("before", "k"), K_STEPS)
def test_the_rules_take_k_by_the_hands_played_before(before: int, k: int) -> None:
    rules = compile_rules(load_parameters()[0])
    assert k_factor(before, rules.k_steps) == k


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (1077.4, 1086.4, (9, 1086)),
        (1085.6, 1076.6, (-9, 1077)),
        (1086.1, 1086.4, (0, 1086)),
        (99.5, 100.5, (1, 101)),
    ],
)
def test_the_oracle_shows_a_change_as_the_gap_of_what_is_shown(
    before: float, after: float, says: tuple[int, int]
) -> None:
    assert (oracle.shown(after) - oracle.shown(before), oracle.shown(after)) == says


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rating.md").read_text(encoding="utf-8")


def rows_under(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading of the page, without its head."""
    lines = PAGE.partition(f"## {heading}\n")[2].splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("|"))
    table = itertools.takewhile(lambda line: line.startswith("|"), lines[first:])
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table][2:]


def test_the_page_prints_the_worked_numbers() -> None:
    printed = [tuple(float(cell) for cell in row[1:]) for row in rows_under("Worked numbers")]
    assert printed == [(case.k_factor, case.expected, case.actual, case.change) for case in TABLE.values()]


def test_the_page_prints_the_level_table_of_the_parameters() -> None:
    printed = [
        (name, None if line == "none" else float(line.replace(",", "")), int(hands), int(games))
        for name, line, hands, games in rows_under("Levels")
    ]
    assert printed == [
        (level.name, level.form_line, level.hands, level.games) for level in load_parameters()[0].level
    ]
