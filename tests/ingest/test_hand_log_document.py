"""docs/hand-log.md, its schema and its example say what the code does."""

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from ingest.checking import check_block
from ingest.findings import CODES
from ingest.load import Loader
from ingest.schema import json_schema
from ingest.sources import read_blocks
from tests.support.hand_lines import CARDS, HAND, block, hand, line, set_at
from tests.support.leagues import random_league

DOCUMENT = Path("docs/hand-log.md").read_text()
SCHEMA = json.loads(Path("docs/hand-log.schema.json").read_text())


def test_the_published_schema_is_the_code_s():
    assert json_schema() == SCHEMA


def test_the_schema_takes_what_the_reader_takes():
    league = random_league(6, games=10)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for record in [HAND, hand(**CARDS), hand(x_mine=[1]), *league.hands, *league.players]:
        validator.validate(record)


@pytest.mark.parametrize(
    ("path", "value"),
    [("hand_no", 0), ("mode", "online"), ("seats", []), ("result.points", ["1"]), ("options", {"a": None})],
)
def test_the_schema_refuses_what_the_reader_refuses(path, value):
    record = set_at(hand(), path, value)
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(record)
    assert check_block(block(line(record)), 0).refused == [0]


def test_every_code_is_in_the_table_as_it_is():
    rows = re.findall(r"^\| `(\w+)` \| ([012-]) \| (error|warning) \| (.*) \|$", DOCUMENT, re.MULTILINE)
    table = {
        code: (None if level == "-" else int(level), severity, rule) for code, level, severity, rule in rows
    }
    assert table == {code: tuple(kind) for code, kind in CODES.items()}


def test_every_field_is_described():
    for model in SCHEMA["$defs"].values():
        for field in model["properties"]:
            assert re.search(rf"`([a-z.]+\.)?{field}`", DOCUMENT), field


def test_the_example_hands_are_sound():
    hands, players, _ = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    checked = check_block(block(line(json.loads(hands)), line(json.loads(players))), 1)
    assert (len(checked.hands), len(checked.players), checked.findings) == (1, 1, [])


def test_what_the_example_writer_writes_loads(tmp_path, warehouse, clock):
    subprocess.run([sys.executable, "docs/examples/write_hand_log.py", tmp_path / "logs"], check=True)
    findings = []
    files = [str(tmp_path / "logs" / name) for name in ("hands.jsonl", "players.jsonl")]
    report = Loader(warehouse, 1, clock, on_finding=findings.append).load_all(read_blocks(files))
    assert findings == []
    assert (report.read, report.loaded) == (5, 5)
    # 1,420 + 790 + 2,790 for side 0, the last hand's sums done by hand.
    score = warehouse.cursor().execute(
        "SELECT score_after FROM side_result JOIN hand USING (hand_key) WHERE game_over ORDER BY side"
    )
    assert score.fetchall() == [(5000,), (940,)]
