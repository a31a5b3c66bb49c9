"""Runs: finished ones never change, one is current, successors share history, a crash leaves no half run."""

import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest

from engine.errors import RatingError
from ingest.corrections import void
from ingest.snapshot import snapshots_directory
from ingest.times import utc_naive
from ingest.warehouse import open_warehouse
from rating.audit.stored import stored_run
from rating.parameters import DEFAULT_PARAMETERS, ParametersError, load_parameters, read_parameters
from rating.replay import Request, rate, replay
from rating.runs import UnknownRunError, all_runs, find_run, make_current, parts_of, prune
from rating.serving import publish_current
from rating.views import open_run
from tests.support.leagues import random_league
from tests.support.rated_leagues import changes, events, load

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
LEAGUE = random_league(5, people=8, games=30, leavers=0.3)
HALF = len(LEAGUE.hands) // 2


@pytest.fixture
def warehouse(tmp_path):
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as opened:
        load(opened, [*LEAGUE.players, *LEAGUE.hands[:HALF]])
        yield opened


def make(warehouse, name, why="test", part_hands=30):
    parameters, text = load_parameters()
    return replay(warehouse, Request(parameters, text, name, NOW, why, part_hands=part_hands))


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_run_keeps_its_parameters_watermark_and_counts(warehouse):
    run = make(warehouse, "league")
    parameters, text = load_parameters()
    assert (run.parameters_toml, run.parameters_hash) == (text, parameters.digest())
    assert run.hand_watermark == run.hands == HALF
    assert run.changes == len(changes(warehouse, run))
    assert run.events == len(events(warehouse, run))
    assert run.is_current


def test_a_name_is_taken_once(warehouse):
    make(warehouse, "league")
    with pytest.raises(RatingError, match="never changes"):
        make(warehouse, "league")


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "a b", "x" * 65])
def test_a_name_that_cannot_be_a_folder_is_refused(warehouse, name):
    with pytest.raises(RatingError, match="letters, digits"):
        make(warehouse, name)
    assert not warehouse.runs_directory.exists() or not any(warehouse.runs_directory.iterdir())


def test_an_unknown_run_suggests_the_nearest(warehouse):
    with pytest.raises(UnknownRunError, match="no rating run yet"):
        find_run(warehouse.cursor(), "league")
    make(warehouse, "league")
    make(warehouse, "trial")
    with pytest.raises(UnknownRunError, match=r"no run 'leage'; did you mean league\?"):
        find_run(warehouse.cursor(), "leage")


def test_one_run_is_current_and_the_acts_keep_their_reasons(warehouse):
    make(warehouse, "league")
    make(warehouse, "trial", why=None)
    assert [run.name for run in all_runs(warehouse.cursor()) if run.is_current] == ["league"]
    make_current(warehouse, "trial", "the board chose it", NOW)
    since = utc_naive(NOW)
    assert [
        (run.name, run.is_current, run.current_since, run.current_why) for run in all_runs(warehouse.cursor())
    ] == [("league", False, None, None), ("trial", True, since, "the board chose it")]
    acts = warehouse.cursor().execute("SELECT run, why FROM current_run ORDER BY act").fetchall()
    assert acts == [(1, "test"), (2, "the board chose it")]


def test_a_successor_shares_the_unchanged_history_and_changes_no_file(warehouse):
    first = make(warehouse, "league")
    before = contents(warehouse.runs_directory)
    load(warehouse, LEAGUE.hands[HALF:])
    second = rate(warehouse, at=NOW, part_hands=30)
    assert second.name == "league+1"
    assert second.is_current
    shared = [part for part in parts_of(warehouse.cursor(), second) if part.folder == "league"]
    assert shared == parts_of(warehouse.cursor(), first)[: len(shared)]
    assert len(shared) >= 2
    after = contents(warehouse.runs_directory)
    assert {name: after[name] for name in before} == before
    assert find_run(warehouse.cursor(), "league").changes == len(changes(warehouse, first))


def test_nothing_new_makes_no_run(warehouse):
    make(warehouse, "league")
    assert rate(warehouse, at=NOW) is None
    assert [run.name for run in all_runs(warehouse.cursor())] == ["league"]


def test_successors_of_one_run_get_names_of_their_own(warehouse):
    make(warehouse, "league")
    load(warehouse, LEAGUE.hands[HALF : HALF + 5])
    assert rate(warehouse, at=NOW).name == "league+1"
    load(warehouse, LEAGUE.hands[HALF + 5 : HALF + 10])
    assert rate(warehouse, at=NOW).name == "league+2"
    make_current(warehouse, "league", "back", NOW)
    assert rate(warehouse, at=NOW).name == "league+3"


@pytest.mark.slow
def test_bringing_up_to_date_hand_by_hand_keeps_parts_few(warehouse):
    make(warehouse, "league", part_hands=200)
    for hand in LEAGUE.hands[HALF:]:
        load(warehouse, [hand])
        rate(warehouse, at=NOW, part_hands=200)
    run = find_run(warehouse.cursor())
    assert run.hands == len(LEAGUE.hands)
    # Sizes at least double from the last to the first, so there are few: 2^8 hands would need 9 at most.
    assert len(parts_of(warehouse.cursor(), run)) <= 9


def test_pruning_keeps_what_other_runs_share(warehouse):
    make(warehouse, "league")
    load(warehouse, LEAGUE.hands[HALF:])
    second = rate(warehouse, at=NOW, part_hands=30)
    wanted = changes(warehouse, second)
    with pytest.raises(RatingError, match="is current"):
        prune(warehouse, ["league+1"])
    assert [run.name for run in prune(warehouse, ["league"])] == ["league"]
    assert changes(warehouse, second) == wanted
    assert not (warehouse.runs_directory / "league" / "slot.parquet").exists()
    with pytest.raises(RatingError, match="still share"):
        make(warehouse, "league")


def test_pruning_a_run_that_shares_nothing_leaves_nothing(warehouse):
    make(warehouse, "league")
    make(warehouse, "trial", why=None)
    prune(warehouse, ["trial"])
    assert [path.name for path in warehouse.runs_directory.iterdir()] == ["league"]
    assert make(warehouse, "trial", why=None).name == "trial"


def test_what_a_crash_left_goes_with_the_next_run(warehouse):
    make(warehouse, "league")
    for name in (".draft", "half.draft", "orphan"):
        shutil.copytree(warehouse.runs_directory / "league", warehouse.runs_directory / name)
    make(warehouse, "orphan", why=None)
    assert sorted(path.name for path in warehouse.runs_directory.iterdir()) == ["league", "orphan"]


def test_a_run_may_be_named_as_any_other_with_more_behind(warehouse):
    make(warehouse, "league2.draft")
    assert make(warehouse, "league2", why=None).name == "league2"
    assert make(warehouse, "league2.draft.draft", why=None).changes == make(warehouse, "last").changes


def test_what_others_put_among_the_runs_stays_and_harms_nothing(warehouse):
    make(warehouse, "league")
    make(warehouse, "trial", why=None)
    runs = warehouse.runs_directory
    (runs / "league" / "old").mkdir()
    (runs / "trial" / "notes.parquet").mkdir()
    (runs / "notes").mkdir()
    (runs / ".draft").mkdir()
    files = [
        runs / ".DS_Store",
        runs / "backup.tar.zst",
        runs / "notes" / "a.txt",
        runs / "league" / "old" / "slot.parquet",
        runs / "trial" / ".DS_Store",
        runs / "trial" / "notes.parquet" / "b.txt",
        runs / ".draft" / ".DS_Store",
    ]
    for file in files:
        file.write_text("not ours")
    prune(warehouse, ["trial"])
    assert make(warehouse, "again", why=None).name == "again"
    with pytest.raises(RatingError, match=r"or other files lie in .*trial: choose another name"):
        make(warehouse, "trial", why=None)
    assert [file.read_text() for file in files[:-1]] == ["not ours"] * 6
    assert {path.name for path in runs.iterdir() if path.is_dir()} == {"league", "trial", "notes", "again"}
    assert sorted(path.name for path in (runs / "trial").iterdir()) == [".DS_Store", "notes.parquet"]


def test_a_place_for_runs_that_is_a_file_is_said(warehouse):
    warehouse.runs_directory.write_text("not a folder")
    with pytest.raises(RatingError, match="cannot be written"):
        make(warehouse, "league")


def test_parameters_that_do_not_know_a_rule_set_leave_nothing(warehouse):
    text = re.sub(r"^classic_\w+ = .*\n", "", DEFAULT_PARAMETERS.read_text(), flags=re.MULTILINE)
    narrow = read_parameters(text, "narrow.toml")
    assert list(narrow.margin_scale) == ["modern_american"]
    with pytest.raises(ParametersError, match=r"^narrow\.toml: margin_scale\.classic_\w+: missing;"):
        replay(warehouse, Request(narrow, text, "narrow", NOW, "test"))
    assert not any(warehouse.runs_directory.iterdir())
    assert all_runs(warehouse.cursor()) == []


@pytest.mark.parametrize("what", ["**/*", "000001.change.parquet", "slot.parquet"])
def test_a_run_whose_files_are_missing_is_refused_by_name_and_made_again(warehouse, what):
    first = make(warehouse, "league")
    wanted = changes(warehouse, first)
    folder = warehouse.runs_directory / "league"
    for path in folder.glob(what):
        path.unlink()
    for ask in (open_run, stored_run):
        with pytest.raises(RatingError, match=rf"run 'league': .*{folder} lacks .*parquet: .*`coastal rate`"):
            ask(warehouse.cursor(), warehouse.runs_directory, first)
    with pytest.raises(RatingError, match="run 'league'"):
        publish_current(warehouse, NOW)
    assert not snapshots_directory(warehouse.path).exists()
    again = rate(warehouse, at=NOW, part_hands=30)
    assert (again.name, again.is_current) == ("league+1", True)
    assert {part.folder for part in parts_of(warehouse.cursor(), again)} == {"league+1"}
    assert changes(warehouse, again) == wanted
    assert rate(warehouse, at=NOW) is None
    with pytest.raises(RatingError, match=r"run 'league': .*`coastal replay --name NAME`"):
        make_current(warehouse, "league", "back", NOW)
    assert find_run(warehouse.cursor()).name == "league+1"


@pytest.mark.parametrize("left", [0, 3, 500])
def test_a_run_whose_files_are_cut_short_is_refused_by_name_and_made_again(warehouse, left):
    first = make(warehouse, "league")
    wanted = changes(warehouse, first)
    file = warehouse.runs_directory / "league" / "000001.change.parquet"
    file.write_bytes(file.read_bytes()[:left])
    for ask in (open_run, stored_run):
        with pytest.raises(RatingError, match=rf"run 'league': .*{file} is cut short: .*`coastal rate`"):
            ask(warehouse.cursor(), warehouse.runs_directory, first)
    assert changes(warehouse, rate(warehouse, at=NOW)) == wanted


def test_a_run_is_brought_up_to_date_though_its_files_are_missing(warehouse):
    make(warehouse, "league")
    shutil.rmtree(warehouse.runs_directory)
    load(warehouse, LEAGUE.hands[HALF:])
    brought = rate(warehouse, at=NOW, part_hands=30)
    assert changes(warehouse, brought) == changes(warehouse, make(warehouse, "again", why=None))


REPLAY = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from ingest.warehouse import open_warehouse
from rating.parameters import load_parameters
from rating.replay import Request, replay
parameters, text = load_parameters()
with open_warehouse(Path(sys.argv[1])) as warehouse:
    print("ready", flush=True)
    for number in range(1000):
        request = Request(parameters, text, f"run-{number}", datetime.now(UTC), "test", part_hands=20)
        replay(warehouse, request)
"""


@pytest.mark.slow
def test_a_killed_replay_leaves_no_half_run(tmp_path):
    path = tmp_path / "coastal.duckdb"
    with open_warehouse(path, at=NOW) as warehouse:
        load(warehouse, [*LEAGUE.players, *LEAGUE.hands])
        wanted = changes(warehouse, make(warehouse, "truth"))
    chance = random.Random(1)
    for _ in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", REPLAY, str(path)], stdout=subprocess.PIPE, text=True, env=os.environ
        )
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.0, 1.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with open_warehouse(path, at=NOW) as warehouse:
            runs = all_runs(warehouse.cursor())
            assert sum(run.is_current for run in runs) == 1
            for run in runs[-2:]:
                assert changes(warehouse, run) == wanted
            prune(warehouse, [run.name for run in runs if not run.is_current and run.name != "truth"])
            left = {folder.name for folder in warehouse.runs_directory.iterdir()}
            assert left == {run.name for run in all_runs(warehouse.cursor())}
            if "truth" not in {run.name for run in runs if run.is_current}:
                make_current(warehouse, "truth", "again", NOW)
                prune(warehouse, [run.name for run in all_runs(warehouse.cursor()) if run.name != "truth"])


def test_two_cursors_may_look_at_two_runs(warehouse):
    first = make(warehouse, "league")
    load(warehouse, LEAGUE.hands[HALF:])
    second = rate(warehouse, at=NOW)
    cursors = warehouse.cursor(), warehouse.cursor()
    for cursor, run in zip(cursors, (first, second), strict=True):
        open_run(cursor, warehouse.runs_directory, run)
    counts = [cursor.execute("SELECT count(*) FROM rating_change").fetchone()[0] for cursor in cursors]
    assert counts == [first.changes, second.changes]


def test_a_run_whose_files_are_damaged_inside_is_refused_by_name(warehouse):
    run = make(warehouse, "league")
    file = warehouse.runs_directory / "league" / "slot.parquet"
    content = file.read_bytes()
    file.write_bytes(content[:-400] + b"\xff" * 380 + content[-20:])
    with pytest.raises(RatingError, match=r"run 'league': a file in .*league is damaged"):
        open_run(warehouse.cursor(), warehouse.runs_directory, run)


def test_the_only_hand_of_a_rule_set_may_be_void(tmp_path):
    """Its key lies among those of a block, and its rule set is in no pool."""
    common = random_league(6, games=2, rulesets=["modern_american"], computers=0.0, solo=0.0)
    rare = random_league(7, games=1, rulesets=["classic_partnership"], computers=0.0, solo=0.0).hands[0]
    rare = rare | {"hand_id": "rare", "game_id": "rare"}
    with open_warehouse(tmp_path / "one.duckdb", at=NOW) as warehouse:
        load(warehouse, [common.hands[0], rare, *common.hands[1:]])
        before = changes(warehouse, make(warehouse, "before"))
        assert {pool for pool, *_ in before} == {"live/modern_american", "live/classic_partnership"}
        void(warehouse, "rare", operator="op", why="test", at=NOW)
        after = changes(warehouse, make(warehouse, "after"))
        assert after == [change for change in before if change[0] == "live/modern_american"]
