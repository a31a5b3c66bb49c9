"""`coastal replay`, `rate`, `runs`, `player`, `leaderboard`, `export` as a person or a script calls them."""

import json
import shutil
import subprocess
from math import floor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ingest.snapshot import current_number
from rating.parameters import DEFAULT_PARAMETERS
from service import cli
from tests.conftest import COASTAL
from tests.support.leagues import random_league, write_jsonl

LEAGUE = random_league(21, people=8, games=24)
FINE, REFUSED, WRONG_USE = 0, 1, 2


@pytest.fixture
def coastal(tmp_path, monkeypatch):
    """Run `coastal` on a warehouse with the first hands of a league; return exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["coastal"])

    def run(*arguments):
        result = CliRunner().invoke(cli.command_line(arguments[0]), arguments)
        error = "" if result.exception is None else str(result.exception)
        return result.exit_code, result.stdout, result.stderr + error

    write_jsonl(tmp_path / "players.jsonl", LEAGUE.players)
    write_jsonl(tmp_path / "first.jsonl", LEAGUE.hands[:-20])
    write_jsonl(tmp_path / "rest.jsonl", LEAGUE.hands[-20:])
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(tmp_path / "league.duckdb"))
    assert run("ingest", "players.jsonl", "first.jsonl")[0] == FINE
    return run


def document(answer):
    code, out, error = answer
    assert code == FINE, error
    return json.loads(out)


def test_replay_tells_what_it_made_and_publishes_the_first_run(coastal, tmp_path):
    made = document(coastal("replay", "--parameters", str(DEFAULT_PARAMETERS), "--name", "league", "--json"))
    assert (made["run"], made["is_current"], made["snapshot"]) == ("league", True, 1)
    assert made["hands"] == len(LEAGUE.hands) - 20
    assert {"rated", "changes", "events", "seconds", "parameters_hash", "hand_watermark"} <= set(made)
    assert current_number(tmp_path / "league.duckdb") == 1


def test_a_bad_parameter_file_is_wrong_use_and_writes_nothing(coastal, tmp_path):
    Path("bad.toml").write_text(
        DEFAULT_PARAMETERS.read_text().replace("rating_scale = 400.0", "rating_scale = 0")
    )
    code, out, error = coastal("replay", "--parameters", "bad.toml", "--name", "league", "--json")
    assert (code, out) == (WRONG_USE, "")
    assert "bad.toml: rating_scale = 0: input should be greater than 0" in " ".join(error.split())
    assert not (tmp_path / "league.runs").exists()
    assert coastal("runs", "list", "--json")[1] == ""


def test_a_margin_scale_that_the_log_asks_for_is_a_fault_of_the_file(coastal, tmp_path):
    text = DEFAULT_PARAMETERS.read_text().replace("classic_salon = 1000.0\n", "")
    Path("narrow.toml").write_text(text)
    code, out, error = coastal("replay", "--parameters", "narrow.toml", "--name", "league", "--json")
    assert (code, out) == (WRONG_USE, "")
    assert "narrow.toml: margin_scale.classic_salon: missing; the log has hands of this rule set" in error
    assert "a number of points greater than 0" in error
    assert coastal("runs", "list", "--json")[1] == ""


def test_a_second_run_is_kept_beside_the_current_one_until_it_is_chosen(coastal, tmp_path):
    document(coastal("replay", "--name", "league", "--json"))
    assert document(coastal("replay", "--name", "trial", "--json"))["snapshot"] is None
    chosen = document(coastal("runs", "current", "trial", "--why", "the [red]board[/] chose it", "--json"))
    assert chosen["is_current"] is True
    assert (chosen["run"], chosen["snapshot"]) == ("trial", 2)
    runs = [json.loads(line) for line in coastal("runs", "list", "--json")[1].splitlines()]
    assert [(run["run"], run["is_current"], run["current_why"]) for run in runs] == [
        ("league", False, None),
        ("trial", True, "the [red]board[/] chose it"),
    ]
    assert runs[0]["current_since"] is None
    since = runs[1]["current_since"][:16].replace("T", " ")
    last = coastal("runs", "list")[1].splitlines()[-1]
    assert last == f"trial is current since {since} UTC: the [red]board[/] chose it"
    assert document(coastal("runs", "prune", "league", "--json")) == {"pruned": ["league"]}
    assert not (tmp_path / "league.runs" / "league").exists()


def test_rate_brings_up_to_date_once(coastal):
    document(coastal("replay", "--name", "league", "--json"))
    assert coastal("ingest", "rest.jsonl")[0] == FINE
    brought = document(coastal("rate", "--publish", "--json"))
    assert (brought["run"], brought["hands"], brought["snapshot"]) == ("league+1", len(LEAGUE.hands), 2)
    again = coastal("rate", "--json")
    assert document(again)["run"] == "league+1"
    assert "up to date" in again[2]
    assert document(coastal("rate", "--publish", "--json"))["snapshot"] == 3


def test_the_leaderboard_names_its_pool_and_run_and_says_that_more_follow(coastal):
    document(coastal("replay", "--name", "league", "--json"))
    assert coastal("leaderboard")[1].startswith("live/modern_american, run league\n")
    assert coastal("leaderboard", "--limit", "1")[1].endswith("and more: --limit shows them\n")
    assert "and more" not in coastal("leaderboard", "--limit", "100")[1]


def test_the_leaderboard_is_ordered_and_can_leave_hidden_players_out(coastal):
    document(coastal("replay", "--name", "league", "--json"))
    rows = [json.loads(line) for line in coastal("leaderboard", "--limit", "100", "--json")[1].splitlines()]
    placed = [row for row in rows if row["level"]]
    assert placed == rows[: len(placed)]
    assert [row["rank"] for row in placed] == list(range(1, len(placed) + 1))
    assert [row["rating"] for row in placed] == sorted((row["rating"] for row in placed), reverse=True)
    shows = {record["player"]: record["show_skill"] for record in LEAGUE.players}
    lines = coastal("leaderboard", "--limit", "100", "--public", "--json")[1].splitlines()
    public = [json.loads(line) for line in lines]
    assert {row["player"] for row in public} == {
        row["player"] for row in rows if shows.get(row["player"], True)
    }


def test_a_player_is_found_by_id_or_name_and_hidden_from_others(coastal):
    document(coastal("replay", "--name", "league", "--json"))
    last = {record["player"]: record for record in LEAGUE.players}
    hidden = next(record for record in last.values() if not record["show_skill"])
    by_id = document(coastal("player", hidden["player"], "--hands", "3", "--json"))
    assert by_id == document(coastal("player", hidden["name"].lower(), "--hands", "3", "--json"))
    assert {len(standing["last_hands"]) for standing in by_id["standings"] if standing["hands"] >= 3} == {3}
    code, out, error = coastal("player", hidden["player"], "--public")
    assert (code, out) == (REFUSED, "")
    assert hidden["name"] not in error.split("did you mean")[1]


def test_others_are_told_of_a_player_what_is_shown(coastal):
    document(coastal("replay", "--name", "league", "--json"))
    shows = {record["player"]: record["show_skill"] for record in LEAGUE.players}
    hidden = {player for player, show in shows.items() if not show}
    seated = {
        hand["hand_id"]: {seat.get("player") for seat in hand["seats"]} & hidden for hand in LEAGUE.hands
    }
    beside = 0
    for player in sorted({seat["player"] for seat in LEAGUE.hands[0]["seats"] if "player" in seat} - hidden):
        everything = document(coastal("player", player, "--hands", "99", "--json"))
        public = document(coastal("player", player, "--hands", "99", "--public", "--json"))
        assert coastal("player", player, "--hands", "99", "--public")[0] == FINE
        for told, known in zip(public["standings"], everything["standings"], strict=True):
            assert told["rating"] == known["rating_shown"]
            for hand, whole in zip(told["last_hands"], known["last_hands"], strict=True):
                assert hand["rating_after"] == floor(whole["rating_after"] + 0.5)
                if seated[hand["hand_id"]]:
                    beside += 1
                    assert hand["expected"] is hand["actual"] is hand["surprise"] is None
                else:
                    assert hand["expected"] == round(whole["expected"], 2)
    assert beside


def test_a_player_in_words_shows_each_pool(coastal):
    document(coastal("replay", "--name", "league", "--json"))
    person = next(seat for seat in LEAGUE.hands[0]["seats"] if seat["kind"] == "human")
    code, out, _ = coastal("player", person["player"])
    assert code == FINE
    assert "Rating" in out
    assert "hands" in out


@pytest.mark.parametrize("arguments", [["leaderboard"], ["export", "changes", "--out", "changes.csv"]])
def test_an_unknown_run_is_refused_with_the_nearest_name(coastal, arguments):
    document(coastal("replay", "--name", "league", "--json"))
    code, _, error = coastal(*arguments, "--run", "leage")
    assert code == REFUSED
    assert "did you mean league?" in error


def test_an_unknown_player_is_refused_with_the_nearest_names(coastal):
    document(coastal("replay", "--name", "league", "--json"))
    code, _, error = coastal("player", "p-00")
    assert code == REFUSED
    assert "did you mean" in error


def test_an_unknown_pool_is_refused_with_those_there_are(coastal):
    document(coastal("replay", "--name", "league", "--json"))
    code, _, error = coastal("leaderboard", "--pool", "live/canasta")
    assert code == REFUSED
    assert "live/modern_american" in error


def test_an_export_says_what_it_wrote(coastal):
    made = document(coastal("replay", "--name", "league", "--json"))
    wrote = document(coastal("export", "changes", "--out", "changes.parquet", "--json"))
    assert wrote == {"run": "league", "what": "changes", "rows": made["changes"], "out": "changes.parquet"}
    assert Path("changes.parquet").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["leaderboard"],
        ["player", "p-000"],
        ["audit", "why", "p-000"],
        ["audit", "verify", "--run", "league"],
        ["compare", "league", "league"],
        ["export", "changes", "--out", "changes.csv"],
        ["publish"],
        ["runs", "current", "league", "--why", "again"],
    ],
    ids=" ".join,
)
def test_a_run_without_its_files_is_refused_with_what_to_do(coastal, tmp_path, arguments):
    document(coastal("replay", "--name", "league", "--json"))
    runs = tmp_path / "league.runs"
    shutil.rmtree(runs)
    code, out, error = coastal(*arguments)
    assert (code, out) == (REFUSED, "")
    assert f"run 'league': its history is not whole, {runs / 'league'} lacks" in error
    assert "make it again with `coastal rate`, or restore the folder from a backup" in error


def test_rate_and_replay_make_a_run_again_whose_files_are_missing(coastal, tmp_path):
    made = document(coastal("replay", "--name", "league", "--json"))
    shutil.rmtree(tmp_path / "league.runs")
    assert document(coastal("replay", "--name", "trial", "--json"))["changes"] == made["changes"]
    again = document(coastal("rate", "--publish", "--json"))
    assert (again["run"], again["changes"], again["snapshot"]) == ("league+1", made["changes"], 2)
    assert document(coastal("compare", "league+1", "trial", "--json"))["first_parting"] is None


def test_without_a_warehouse_or_a_run_it_says_what_to_do(coastal, monkeypatch):
    code, _, error = coastal("leaderboard")
    assert code == REFUSED
    assert "coastal replay" in error
    monkeypatch.setenv("COASTAL_WAREHOUSE", "absent.duckdb")
    code, _, error = coastal("replay", "--name", "league")
    assert code == REFUSED
    assert "coastal ingest" in error
    assert not Path("absent.duckdb").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["export", "changes", "--out", "changes.xlsx"], "an export ends in .csv or .parquet"),
        (["stats", "--warehouse", "notes.duckdb"], "is no warehouse"),
    ],
)
def test_what_cannot_be_read_or_written_is_wrong_use(words, said, tmp_path):
    (tmp_path / "notes.duckdb").write_text("no database" * 1000)
    done = subprocess.run([COASTAL, *words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["void", "h-1", "--why", ""], "--why"),
        (["void", "h-1", "--why", "wrong table", "--operator", " "], "--operator"),
        (["correct", "notes.jsonl", "--why", "\t"], "--why"),
        (["quarantine", "drop", "1", "--why", " "], "--why"),
        (["quarantine", "retry", "--operator", ""], "--operator"),
        (["retention", "--days", "30", "--operator", ""], "--operator"),
        (["runs", "current", "league", "--why", " "], "--why"),
        (["replay", "--name", "league", "--current", ""], "--current"),
    ],
)
def test_a_reason_that_says_nothing_is_wrong_use(words, option):
    done = CliRunner().invoke(cli.command_line(words[0]), words)
    assert done.exit_code == WRONG_USE
    sentence = " ".join(done.stderr.replace("│", "").split())
    assert f"Invalid value for '{option}'" in sentence
    assert "it is kept for good and says nothing: give some words" in sentence
