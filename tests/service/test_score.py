"""`coastal score`: a line a position; what cannot be is refused, what cannot be read exits 2."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.conftest import COASTAL
from tests.support.positions import modern, side

CASES = Path(__file__).parent.parent / "engine" / "cases" / "scoring.jsonl"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([COASTAL, "score", *arguments], capture_output=True, timeout=240)


def answers(printed: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in printed.splitlines()]


def test_every_worked_case_gets_its_points_and_a_ledger_that_sums_to_them() -> None:
    scored = run(CASES, "--json")
    assert (scored.returncode, scored.stderr) == (0, b"")
    cases = answers(CASES.read_bytes())
    found = answers(scored.stdout)
    assert [(one["id"], one["points"]) for one in found] == [
        (case["id"], case["expected_points"]) for case in cases
    ]
    for one in found:
        assert set(one) == {"id", "points", "ledger"}
        assert [sum(ledger.values()) for ledger in one["ledger"]] == one["points"]


def test_an_impossible_position_is_refused_and_its_neighbours_are_scored(tmp_path: Path) -> None:
    good = modern(side("7777777")) | {"id": "good"}
    bad = modern(side("777777*")) | {"id": "bad"}
    path = tmp_path / "positions.jsonl"
    path.write_bytes(b"\n".join(orjson.dumps(one) for one in (good, bad, good)) + b"\n\n")
    scored = run(path, "--json")
    assert scored.returncode == 1
    found = answers(scored.stdout)
    assert [one["id"] for one in found] == ["good", "bad", "good"]
    assert "sevens hold no wild cards" in found[1]["error"]
    assert "points" not in found[1]
    assert b":2: side 0, meld of 7: sevens hold no wild cards" in b" ".join(scored.stderr.split())


def test_unreadable_input_exits_2(tmp_path: Path) -> None:
    assert run(tmp_path / "none.jsonl").returncode == 2
    assert run(tmp_path).returncode == 2
    path = tmp_path / "positions.jsonl"
    path.write_bytes(orjson.dumps(modern(side())) + b"\n{broken\n\xff\n")
    scored = run(path, "--json")
    assert scored.returncode == 2
    assert [sorted(one) for one in answers(scored.stdout)] == [
        ["id", "ledger", "points"],
        ["code", "error", "line"],
        ["code", "error", "line"],
    ]


@pytest.mark.parametrize(
    ("position", "code"),
    [
        (modern(side()) | {"sides": 1}, "position_form"),
        ([], "position_form"),
        (modern(side()) | {"ruleset": "bridge"}, "unknown_rules"),
        (modern(side()) | {"options": {"jokers": True}}, "unknown_rules"),
        (modern(side("KKKKKKKKK")), "impossible_position"),
        (modern(side()) | {"sides": []}, "unknown_rules"),
    ],
)
def test_a_refusal_has_a_code(tmp_path: Path, position: object, code: str) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_bytes(orjson.dumps(position))
    scored = run(path, "--json")
    assert (scored.returncode, [one["code"] for one in answers(scored.stdout)]) == (1, [code])


def test_people_get_a_table(tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_bytes(orjson.dumps(modern(side("7777777")) | {"id": "[bold]x"}))
    scored = run(path)
    assert scored.returncode == 0
    assert b"[bold]x" in scored.stdout
    assert b"2,535" in scored.stdout
