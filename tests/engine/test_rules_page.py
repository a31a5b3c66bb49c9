"""The page of rules says what the engine does: its clauses, options, special hands and figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.clauses import Clause
from engine.ruleset import RULE_SETS, RuleSet
from engine.state import SPECIAL_HANDS

PAGE = (Path(__file__).parent.parent.parent / "docs" / "rules.md").read_text()


def test_every_clause_stands_on_the_page_with_its_sentence_and_its_source() -> None:
    rows = re.findall(r"^\| `([AMSP]-[a-z0-9-]+)` \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)
    assert rows == [(clause.id, clause.sentence, clause.source) for clause in Clause]


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_option_is_named(name: str) -> None:
    assert [option for option in RuleSet.load(name).options if option not in PAGE] == []


def test_every_special_hand_stands_with_its_points() -> None:
    points = RuleSet.load("modern_american").special_points
    for name, value in zip(SPECIAL_HANDS, points, strict=True):
        assert re.search(rf"^\| `{name}` \| .* \| {value:,}\b.*\|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "lines"),
    [("modern_american", {125, 155, 180}), ("classic_salon", {15, 50, 90, 120})],
)
def test_the_minimums_are_those_of_the_rule_set(name: str, lines: set[int]) -> None:
    assert {line.points for line in RuleSet.load(name).minimums} == lines
    assert all(re.search(rf"\b{points}\b", PAGE) for points in lines)
