"""The audit of a run in a real warehouse: events, explanations, outlooks, verification."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import CoastalError, IngestError
from ingest.corrections import void
from ingest.warehouse import Warehouse, open_warehouse
from rating.audit.audited import AuditedRun, audited_run
from rating.audit.explain import UnexplainedError, explain
from rating.audit.verify import Report, verify
from rating.audit.why import why, why_lines
from rating.audit.words import explanation_lines
from rating.history import part_file
from rating.players import find_player
from rating.replay import rate
from rating.runs import parts_of
from tests.rating import oracle
from tests.rating.parameter_sets import parameter_sets
from tests.support.leagues import League, random_league
from tests.support.rated_leagues import NOW, load, replay_with

#: Levels near each other, so that a short league climbs, is warned, recovers and falls.
PARAMETERS = oracle.COASTAL | {
    "levels": [
        ("Beginner", None, 10, 0),
        ("Improver", 950.0, 12, 1),
        ("Intermediate", 990.0, 15, 1),
        ("Advanced", 1030.0, 20, 2),
    ],
    "relegation_points": 20.0,
    "grace_hands": 5,
}


@pytest.fixture(scope="module")
def league() -> League:
    return random_league(11, people=6, games=90, leavers=0.3)


@pytest.fixture(scope="module")
def rated(league: League) -> oracle.Rated:
    return oracle.rate(league.hands, league.players, PARAMETERS)


@pytest.fixture(scope="module")
def audited(league: League, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AuditedRun]:
    folder = tmp_path_factory.mktemp("audit")
    with open_warehouse(folder / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, [*league.players, *league.hands])
        replay_with(warehouse, PARAMETERS, part_hands=100)
        yield audited_run(warehouse)


def verified(audited: AuditedRun, sample: int | None = None) -> Report:
    return verify(audited, sample, 0, lambda rows: None, lambda size, done: None)


# --- promotions ---


def test_promotions_are_the_level_events_with_their_evidence(
    audited: AuditedRun, rated: oracle.Rated
) -> None:
    rows = audited.records("promotions", player_key=None, since=None)
    assert {row["kind"] for row in rows} == {"placed", "promoted", "relegated", "warned", "recovered"}
    found = {(row["pool"], row["player"], row["device"], row["hands"]): row for row in rows}
    assert len(found) == len(rows) == len(rated.events)
    for event in rated.events:
        row = found[(*event.account, event.hands)]
        assert (row["kind"], row["from_level"], row["to_level"]) == (
            event.kind,
            event.from_level,
            event.to_level,
        )
        assert (row["hand_id"], row["form"], row["games"]) == (event.hand_id, event.form, event.games)
        if event.kind == "relegated":
            assert event.line is not None
            assert row["form_needed"] == event.line - PARAMETERS["relegation_points"]
        else:
            assert row["form_needed"] == event.line
        if event.kind == "promoted":
            assert (row["hands_needed"], row["games_needed"]) == (event.hands_needed, event.games_needed)
        if event.kind != "placed":
            assert row["hands_since_move"] == event.hands_since_move


def test_promotions_of_one_player_since_an_instant(audited: AuditedRun, league: League) -> None:
    player = league.hands[0]["seats"][0]["player"]
    key = find_player(audited.cursor, player, sees_hidden=True)
    own = audited.records("promotions", player_key=key, since=None)
    assert own
    assert {row["player"] for row in own} == {player}
    middle = own[len(own) // 2]["ended_at"]
    late = audited.records("promotions", player_key=key, since=middle)
    assert late == [row for row in own if row["ended_at"] >= middle]


# --- explain ---


def test_every_explanation_says_what_the_oracle_says(audited: AuditedRun, rated: oracle.Rated) -> None:
    events = {(event.account, event.hand_id): event.kind for event in rated.events}
    chosen = rated.changes[:: len(rated.changes) // 40] + [c for c in rated.changes if c.held][:5]
    for change in chosen:
        said = explain(audited, change.account.player, change.hand_id)
        assert said.change is not None
        own = said.sides[said.own_side]
        assert (own.expected, own.actual) == (change.expected, change.actual)
        for name in ("rating_before", "rating_after", "k_factor", "surprise", "form_before", "form_after"):
            assert said.change[name] == getattr(change, name)
        assert said.change["applied_hand_id"] == change.applied_at
        kind = events.get((change.account, change.hand_id), "")
        assert said.event == kind
        assert next((check.kind for check in said.checks if check.holds), "") == kind
        brought = [seat.counts_as for seat in own.seats]
        assert own.rating == pytest.approx(sum(brought) / len(brought))
        lines = list(explanation_lines(said, audited.parameters))
        assert any("K times surprise" in line for line in lines)


def test_k_is_explained_by_the_hands_before(audited: AuditedRun, rated: oracle.Rated) -> None:
    early = next(c for c in rated.changes if c.hands == 1)
    said = explain(audited, early.account.player, early.hand_id)
    assert said.k_because == "0 rated hands before this one, fewer than 30"
    late = next(c for c in rated.changes if c.hands == 31)
    said = explain(audited, late.account.player, late.hand_id)
    assert said.k_because == "30 rated hands before this one, fewer than 100"


@pytest.mark.parametrize(("reason", "words"), [("alone", "another person plays"), ("held", "not come back")])
def test_a_hand_that_is_not_rated_says_why(
    audited: AuditedRun, rated: oracle.Rated, reason: str, words: str
) -> None:
    hand_id, player = next(place for place, why_not in rated.unrated.items() if why_not == reason)
    said = explain(audited, player, hand_id)
    assert said.change is None
    assert words in said.why_not
    assert list(explanation_lines(said, audited.parameters))[-1].startswith("Not rated: ")


def test_an_unknown_hand_and_a_player_who_was_not_there_are_refused_with_what_there_is(
    audited: AuditedRun, league: League
) -> None:
    hand = league.hands[0]
    with pytest.raises(IngestError, match="did you mean"):
        explain(audited, "p-000", hand["hand_id"] + "x")
    with pytest.raises(UnexplainedError, match="at its table"):
        explain(audited, "nobody", hand["hand_id"])


# --- why ---


def test_why_says_what_is_missing_and_what_would_lose_the_level(
    audited: AuditedRun, rated: oracle.Rated
) -> None:
    for standing in rated.standings:
        key = find_player(audited.cursor, standing.account.player, sees_hidden=True)
        (found,) = (
            one
            for one in why(audited, key)
            if (one.pool, one.device) == (standing.account.pool, standing.account.device)
        )
        assert (found.level, found.form, found.hands) == (standing.level, standing.form, standing.hands)
        assert (found.next is None) == (standing.next_level is None)
        if standing.relegation_form is None:
            assert found.loss is None
        else:
            assert found.loss is not None
            assert found.loss.drop == standing.relegation_form
            assert found.loss.protected_hands == max(0, 5 - standing.hands_since_move)
        if standing.hands > 1:
            assert any("at the pace of the last" in line for line in why_lines(found)) or found.next is None


# --- verify ---


def test_a_sound_run_holds_by_sample_and_as_a_whole(audited: AuditedRun, league: League) -> None:
    assert verified(audited, 40).difference is None
    whole = verified(audited)
    assert whole.difference is None
    assert (whole.hands, whole.is_whole) == (len(league.hands), True)


def check_random_run(seed: int, parameters: oracle.Parameters, part_hands: int) -> None:
    league = random_league(seed, people=5, games=10, leavers=0.4)
    with (
        TemporaryDirectory() as folder,
        open_warehouse(Path(folder) / "coastal.duckdb", at=NOW) as warehouse,
    ):
        load(warehouse, [*league.players, *league.hands])
        replay_with(warehouse, parameters, part_hands=part_hands)
        assert verified(audited_run(warehouse), 25).difference is None
        assert verified(audited_run(warehouse)).difference is None


@settings(max_examples=5)
@given(seed=st.integers(0, 1000), parameters=parameter_sets(), part_hands=st.sampled_from([5, 200_000]))
def test_sound_runs_hold_whatever_the_parameters(
    seed: int, parameters: oracle.Parameters, part_hands: int
) -> None:
    check_random_run(seed, parameters, part_hands)


@pytest.mark.slow
@settings(max_examples=60)
@given(seed=st.integers(0, 1000), parameters=parameter_sets(), part_hands=st.sampled_from([5, 40, 200_000]))
def test_many_sound_runs_hold_whatever_the_parameters(
    seed: int, parameters: oracle.Parameters, part_hands: int
) -> None:
    check_random_run(seed, parameters, part_hands)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Warehouse]:
    league = random_league(9, people=5, games=12, rulesets=["classic_salon"], leavers=0.3)
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, [*league.players, *league.hands])
        replay_with(warehouse, PARAMETERS)
        yield warehouse


def tamper(warehouse: Warehouse, kind: str, column: str, row: int, change: Any) -> dict[str, Any]:
    """Change one stored number; return the row as it was."""
    audited = audited_run(warehouse)
    (part,) = parts_of(audited.cursor, audited.run)
    path = part_file(warehouse.runs_directory / part.folder, part.number, kind)
    table = pq.read_table(path)
    rows = table.to_pylist()
    before = dict(rows[row])
    rows[row][column] = change(rows[row][column])
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    return before


@pytest.mark.parametrize(
    ("column", "change", "rule"),
    [
        ("rating", lambda rating: math.nextafter(rating, 9999.0), "Rating"),
        ("form", lambda form: math.nextafter(form, 0.0), "Form"),
        ("k_factor", lambda k: k + 1.0, "K"),
        ("hands", lambda hands: hands + 1, "rated hands"),
        ("games", lambda games: games + 2, "finished games"),
        ("level", lambda level: level + 1, "level"),
    ],
)
def test_a_changed_row_is_found_and_named(small: Warehouse, column: str, change: Any, rule: str) -> None:
    row = tamper(small, "change", column, 40, change)
    difference = verified(audited_run(small), 1).difference
    assert difference is not None
    assert difference.column.startswith(rule)
    hand_id = small.cursor().execute("SELECT hand_id FROM hand WHERE hand_key = ?", [row["hand_key"]])
    assert (difference.hand_id,) == hand_id.fetchone()


def test_a_changed_level_event_is_found(small: Warehouse) -> None:
    tamper(small, "event", "kind", 0, lambda kind: kind + 1)
    difference = verified(audited_run(small), 1).difference
    assert difference is not None
    assert difference.column.startswith("level event")
    assert "placed" in str(difference.expected)


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("form", lambda form: form + 1.0),
        ("form_needed", lambda needed: 0.0 if needed is None else needed + 1.0),
        ("hands_needed", lambda needed: (needed or 0) + 1),
        ("from_level", lambda level: level + 1),
        ("games", lambda games: games + 1),
        ("hands_since_move", lambda hands: (hands or 0) + 1),
    ],
)
def test_changed_evidence_of_a_level_event_is_found(small: Warehouse, column: str, change: Any) -> None:
    tamper(small, "event", column, 1, change)
    difference = verified(audited_run(small), 1).difference
    assert difference is not None
    assert difference.column.startswith("level event")


@pytest.mark.parametrize(
    "column",
    ["rating", "form", "previous_rating", "peak_rating", "hands", "games", "level", "moved_at", "last_key"],
)
def test_a_changed_checkpoint_is_found(small: Warehouse, column: str) -> None:
    tamper(small, "state", column, 2, lambda number: number + 1)
    difference = verified(audited_run(small), 1).difference
    assert difference is not None
    assert difference.column.startswith("checkpoint")
    assert str(difference.found).startswith(column)


def test_a_changed_held_change_is_found(tmp_path: Path) -> None:
    league = random_league(9, people=6, games=30, rulesets=["modern_american"], leavers=0.9)
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, [*league.players, *league.hands])
        replay_with(warehouse, PARAMETERS)
        tamper(warehouse, "held", "surprise", 0, lambda surprise: surprise + 1e-9)
        difference = verified(audited_run(warehouse), 1).difference
        assert difference is not None
        assert difference.column.startswith("held change")


def test_a_changed_score_breaks_the_identities(small: Warehouse) -> None:
    tamper(small, "side", "actual", 10, lambda actual: actual + 1e-9)
    difference = verified(audited_run(small), 1).difference
    assert difference is not None
    assert difference.column.startswith("Rating")


@pytest.mark.parametrize("sample", [None, 1000])
def test_a_changed_log_is_found_by_rating_it_again(small: Warehouse, sample: int | None) -> None:
    """The stored rows hold among themselves, but not to what was played."""
    (key,) = small.connection.execute(
        "SELECT hand_key FROM side_result WHERE side = 0 ORDER BY hand_key LIMIT 1 OFFSET 20"
    ).fetchone() or (0,)
    small.connection.execute(
        "UPDATE side_result SET points = points + 500 WHERE side = 0 AND hand_key = ?", [key]
    )
    difference = verified(audited_run(small), sample).difference
    assert difference is not None
    assert difference.column == "actual"


def test_a_changed_start_is_found(small: Warehouse) -> None:
    audited = audited_run(small)
    path = small.runs_directory / audited.run.name / "slot.parquet"
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[0]["start_rating"] += 1.0
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    difference = verified(audited_run(small), 1).difference
    assert difference is not None
    assert difference.column == "start"


def test_a_run_verifies_against_the_log_that_it_saw(small: Warehouse) -> None:
    """Hands voided since are still in what the run saw, and no longer in what its successor sees."""
    first = audited_run(small)
    hand_id = str((small.cursor().execute("SELECT min(hand_id) FROM hand").fetchone() or ("",))[0])
    player = str(
        (
            small.cursor()
            .execute(
                """
                SELECT min(player) FROM seat JOIN player USING (player_key) JOIN hand USING (hand_key)
                WHERE hand_id = ?
                """,
                [hand_id],
            )
            .fetchone()
            or ("",)
        )[0]
    )
    void(small, hand_id, operator="op", why="a wrong score", at=NOW)
    assert verified(first).difference is None
    assert explain(first, player, hand_id).hand_id == hand_id
    rate(small, at=NOW)
    second = audited_run(small)
    assert second.run.name != first.run.name
    assert verified(second).difference is None
    with pytest.raises(CoastalError, match=r"withdrawn by op .* a wrong score"):
        explain(second, player, hand_id)
