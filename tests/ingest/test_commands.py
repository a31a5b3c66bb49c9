"""The commands that fill and keep the warehouse: exit codes, data on stdout, messages on stderr."""

import json
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import duckdb
import pytest
from rich.console import Console
from typer.testing import CliRunner

from service.cli import app
from service.interrupts import StopAtEdge
from service.loading import load_files
from tests.support.hand_lines import CARDS, HAND, hand, line, set_at

BROKEN = line(set_at(hand(hand_id="h-9", game_id="g-9"), "result.points.0", 5))


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder with a sound file, a broken one, and a warehouse of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(tmp_path / "w" / "coastal.duckdb"))
    monkeypatch.setenv("COASTAL_OPERATOR", "ops")
    (tmp_path / "good.jsonl").write_bytes(
        line(HAND) + b"\n" + line(hand(hand_id="h-2", game_id="g-2")) + b"\n"
    )
    (tmp_path / "bad.jsonl").write_bytes(BROKEN + b"\n{\n")
    return tmp_path


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def as_json(*arguments, code=0):
    return [json.loads(text) for text in run(*arguments, "--json", code=code).stdout.splitlines()]


def test_check_prints_findings_and_keeps_nothing(home):
    assert as_json("check", "good.jsonl") == []
    findings = as_json("check", "bad.jsonl", code=1)
    assert [(one["file"], one["line"], one["hand_id"], one["code"]) for one in findings] == [
        ("bad.jsonl", 1, "h-9", "ledger_sum"),
        ("bad.jsonl", 1, "h-9", "score_after"),
        ("bad.jsonl", 2, None, "invalid_json"),
    ]
    names = ["file", "line", "hand_id", "event", "code", "severity", "message", "rule", "expected", "found"]
    assert list(findings[0]) == names
    assert as_json("check", "bad.jsonl", "--level", "0", code=1) == findings[2:]
    assert not (home / "w").exists()


def test_check_tells_of_duplicates_and_exits_0(home):
    assert as_json("check", "good.jsonl", "good.jsonl") == []
    (home / "again.jsonl").write_bytes((home / "good.jsonl").read_bytes())
    findings = as_json("check", "good.jsonl", "again.jsonl")
    assert [(one["code"], one["severity"], one["file"]) for one in findings] == [
        ("duplicate", "warning", "again.jsonl"),
        ("duplicate", "warning", "again.jsonl"),
    ]


def test_ingest_reports_and_exits(home):
    nothing = {"unreadable": [], "loaded": 0, "duplicates": 0, "quarantined": 0, "warnings": 0}
    assert as_json("ingest", "good.jsonl") == [nothing | {"read": 2, "loaded": 2, "batch": 1}]
    assert as_json("ingest", "good.jsonl", "bad.jsonl", code=1) == [
        nothing | {"read": 4, "duplicates": 2, "quarantined": 2, "batch": 2}
    ]
    assert "2 lines read, 0 loaded, 2 duplicates" in run("ingest", "good.jsonl").stdout


def test_a_sheet_without_the_columns_says_where_they_are_named_and_that_nothing_was_read(home):
    (home / "sheet.csv").write_text("a,b\n1,2\n")
    result = run("ingest", "sheet.csv", code=2)
    assert result.stdout == "Nothing was read.\n"
    assert "no column 'cards'" in result.stderr
    assert "a copy of ingest/score_sheet.toml" in result.stderr
    assert "--sheet" in result.stderr


def test_a_finding_tells_the_hand_s_id_as_such(home):
    assert run("check", "bad.jsonl", code=1).stdout.splitlines()[0].endswith(" (hand 'h-9')")


@pytest.mark.parametrize("names", [["f"], ["f/*"], ["f/a.jsonl", "f/b.csv", "f/c.jsonl", "f/d.jsonl.gz"]])
def test_a_file_that_cannot_be_read_keeps_no_other_out(home, names):
    (home / "f").mkdir()
    (home / "f" / "a.jsonl").write_bytes(line(HAND))
    (home / "f" / "b.csv").write_bytes(b"no,score,sheet\n")
    (home / "f" / "c.jsonl").write_bytes(line(hand(hand_id="h-2", game_id="g-2")))
    (home / "f" / "d.jsonl.gz").write_bytes(b"{}\n")
    assert "f/d.jsonl.gz is not packed with gzip" in run("check", *names, code=2).stderr
    (report,) = as_json("ingest", *names, code=2)
    assert (report["read"], report["loaded"]) == (2, 2)
    sheet, packed = report["unreadable"]
    assert sheet.startswith("f/b.csv cannot be read: the score sheet has no column")
    assert packed.startswith("f/d.jsonl.gz is not packed with gzip")
    told = run("ingest", *names, code=2)
    assert "2 duplicates" in told.stdout
    assert sheet in told.stderr
    assert packed in told.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "none.jsonl"],
        ["check", ""],
        ["ingest", ""],
        ["ingest", "good.jsonl", ""],
        ["ingest", "--watch", ""],
        ["ingest", "none.jsonl"],
        ["ingest"],
        ["ingest", "good.jsonl", "--watch", "."],
        ["ingest", "good.jsonl", "--level", "0"],
        ["check", "good.jsonl", "--level", "3"],
        ["restore", "none.tar.zst"],
        ["void", "h-1"],
        ["retention", "--days", "36526"],
    ],
)  # fmt: skip
def test_wrong_use_exits_2(home, arguments):
    run(*arguments, code=2)


def test_a_time_too_long_for_a_calendar_is_not_recorded(home):
    run("ingest", "good.jsonl")
    run("retention", "--days", "9999999", code=2)
    assert as_json("retention") == [{"days": None, "expired": 0}]
    assert as_json("retention", "--days", "36525") == [{"days": 36525, "expired": 0}]


def test_an_operator_s_day(home):
    run("ingest", "good.jsonl", "bad.jsonl", code=1)
    assert [one["codes"] for one in as_json("quarantine", "list")] == [
        ["ledger_sum", "score_after"],
        ["invalid_json"],
    ]
    assert run("quarantine", "show", "1", "--raw").stdout.encode() == BROKEN + b"\n"
    assert "ledger_sum" in run("quarantine", "show", "1").stdout
    (home / "fixed.jsonl").write_bytes(line(hand(hand_id="h-9", game_id="g-9")))
    (report,) = as_json("quarantine", "retry", "1", "--with", "fixed.jsonl")
    assert report["loaded"] == 1
    run("quarantine", "retry", code=1)
    run("quarantine", "drop", "2", "--why", "cut off")
    assert as_json("quarantine", "list") == []
    assert run("quarantine", "retry").stdout == "Nothing is in quarantine.\n"
    assert as_json("quarantine", "retry")[0]["read"] == 0
    assert [one["status"] for one in as_json("quarantine", "list", "--all")] == ["loaded", "dropped"]
    run("void", "h-2", "--why", "a test [red]game[/red]")
    (home / "correction.jsonl").write_bytes(line(hand(turns=40)))
    assert as_json("correct", "correction.jsonl", "--why", "miscounted")[0]["corrected"] == 1
    (known,) = as_json("history", "h-1")
    assert [one["turns"] for one in known["versions"]] == [41, 40]
    assert known["corrections"][0]["changes"] == [{"field": "turns", "old": 41, "new": 40}]
    told = run("history", "h-1").stdout.splitlines()
    assert [one.split(" (")[0] for one in told[:2]] == ["version 1", "version 2"]
    assert told[2].endswith(" ops: replace version 1 by version 2: miscounted")
    assert told[3:] == ["  turns: 41 -> 40"]
    assert "void version 1: a test [red]game[/red]" in run("history", "h-2").stdout
    (home / "again.jsonl").write_bytes(line(hand(hand_id="h-2", game_id="g-2")))
    run("correct", "again.jsonl", "--why", "right after all")
    assert run("history", "h-2").stdout.splitlines()[-1] == "  no field changed: the hand counts again"
    run("void", "h-2", "--why", "no, void")
    (found,) = as_json("stats")
    assert (found["hands"], found["void"], found["corrections"], found["quarantined"]) == (2, 1, 4, 0)
    assert found["by_ruleset"] == [{"value": "modern_american", "hands": 2}]
    assert "by month" in run("stats").stdout
    assert as_json("verify")[0]["is_intact"] is True
    run("backup", "b.tar.zst")
    run("restore", "b.tar.zst", "--warehouse", home / "other" / "w.duckdb")
    assert as_json("verify", "--warehouse", home / "other" / "w.duckdb")[0]["hands"] == 5
    assert as_json("retention", "--days", "30") == [{"days": 30, "expired": 0}]
    assert as_json("retention") == [{"days": 30, "expired": 0}]


def test_events_past_their_time_do_not_come_back_with_a_correction_or_a_line_tried_again(home):
    def full_logs():
        with duckdb.connect(str(home / "w" / "coastal.duckdb"), read_only=True) as connection:
            return connection.execute("SELECT count(*) FROM hand_event_log").fetchone()[0]

    (home / "full.jsonl").write_bytes(line(hand(**CARDS)))
    run("ingest", "full.jsonl", "bad.jsonl", code=1)
    assert full_logs() == 1
    run("retention", "--days", "0")
    assert full_logs() == 0
    (home / "correction.jsonl").write_bytes(line(hand(**CARDS, turns=40)))
    assert as_json("correct", "correction.jsonl", "--why", "miscounted")[0]["corrected"] == 1
    assert full_logs() == 0
    (home / "fixed.jsonl").write_bytes(line(hand(**CARDS, hand_id="h-9", game_id="g-9")))
    assert as_json("quarantine", "retry", "1", "--with", "fixed.jsonl")[0]["loaded"] == 1
    assert full_logs() == 0
    assert as_json("verify")[0]["expired_logs"] == 3


def test_a_changed_record_exits_1(home):
    run("ingest", "good.jsonl")
    with duckdb.connect(str(home / "w" / "coastal.duckdb")) as connection:
        connection.execute("UPDATE side_result SET points = 0 WHERE hand_key = 2 AND side = 0")
    (found,) = as_json("verify", code=1)
    assert (found["difference"]["hand_id"], found["difference"]["batch"]) == ("h-2", 1)
    assert "hand_id h-2" in run("verify", code=1).stdout


COASTAL = Path(sys.executable).with_name("coastal")


def test_an_interrupted_load_ends_with_a_whole_batch(home):
    """The signal comes while standard input gives no more: what was acknowledged stays, nothing else."""
    loading = subprocess.Popen(
        [COASTAL, "ingest", "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    lock = home / "w" / "coastal.duckdb.lock"
    while not lock.exists():
        time.sleep(0.05)
    loading.stdin.write(line(HAND) + b"\n")
    loading.stdin.flush()
    loading.send_signal(signal.SIGINT)
    loading.communicate(timeout=120)
    assert loading.returncode == 130
    assert as_json("ingest", "good.jsonl")[0]["loaded"] == 2


def test_an_interrupt_stops_a_retry_at_the_end_of_a_block(home, monkeypatch):
    run("ingest", "bad.jsonl", code=1)
    monkeypatch.setattr("ingest.quarantine.RETRY_LINES", 1)
    assert as_json("quarantine", "retry", code=1)[0]["read"] == 2
    signals = iter([signal.SIGINT])

    def words(finding):
        for number in signals:
            signal.raise_signal(number)
        return finding.code

    monkeypatch.setattr("service.commands.quarantine.in_words", words)
    stopped = run("quarantine", "retry", "--json", code=130)
    assert json.loads(stopped.stdout)["read"] == 1
    stopping, *told = stopped.stderr.splitlines()
    assert (stopping.split(" at ")[0], told) == ("Stopping", ["ledger_sum", "score_after"])
    assert len(as_json("quarantine", "list")) == 2


def test_a_retry_shows_how_far_it_is(home, monkeypatch):
    run("ingest", "bad.jsonl", code=1)
    shown = StringIO()
    terminal = Console(file=shown, force_terminal=True, color_system=None, width=200)
    monkeypatch.setattr("service.console.messages", terminal)
    run("quarantine", "retry", code=1)
    assert "Trying again" in shown.getvalue()
    assert "2/2 lines" in shown.getvalue()


def test_a_batch_that_was_begun_is_finished_before_an_interrupt_stops():
    stopped = []
    with StopAtEdge() as stop:
        for number in stop.until_stopped(range(3)):
            signal.raise_signal(signal.SIGINT)
            stopped.append(number)
    assert stopped == [0]
    assert stop.is_stopped


def test_a_watch_goes_on_when_a_file_is_taken_away(home, monkeypatch):
    inbox = home / "inbox"
    inbox.mkdir()
    for number, name in enumerate(("early", "late", "stays"), 1):
        hand_line = line(hand(hand_id=f"h-{number}", game_id=f"g-{number}"))
        (inbox / f"{name}.jsonl").write_bytes(hand_line)
    looks = iter([False, True])

    def load_amid_others(paths, *others):
        if "early" in paths[0]:
            Path(paths[0]).unlink()
        loaded = load_files(paths, *others)
        if "late" in paths[0]:
            Path(paths[0]).rename(home / "late.jsonl")
        return loaded

    monkeypatch.setattr("service.watching.load_files", load_amid_others)
    monkeypatch.setattr(StopAtEdge, "wait", lambda stop, _: setattr(stop, "is_stopped", next(looks)))
    watched = run("ingest", "--watch", inbox, "--json")
    reports = [json.loads(text) for text in watched.stdout.splitlines()]
    assert [(report["file"], report["loaded"]) for report in reports] == [
        (str(inbox / "late.jsonl"), 1),
        (str(inbox / "done" / "stays.jsonl"), 1),
    ]
    assert "early.jsonl is gone; nothing of it was read" in watched.stderr
    assert "late.jsonl, gone before it could be moved:" in watched.stderr


def test_a_watched_folder_takes_files_in_and_survives_a_kill(home):
    inbox = home / "inbox"
    inbox.mkdir()
    (inbox / "first.jsonl").write_bytes(line(HAND))
    command = [COASTAL, "ingest", "--watch", inbox, "--json"]
    for name, number in (("first.jsonl", 1), ("second.jsonl", 2)):
        watching = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            report = json.loads(watching.stdout.readline())
        finally:
            watching.kill()
            watching.communicate()
        assert report == {
            "file": str(inbox / "done" / name), "read": 1, "loaded": 1, "duplicates": 0, "quarantined": 0,
            "warnings": 0, "batch": number, "unreadable": [],
        }  # fmt: skip
        assert not (inbox / name).exists()
        (inbox / "second.jsonl").write_bytes(line(hand(hand_id="h-2", game_id="g-2")))
