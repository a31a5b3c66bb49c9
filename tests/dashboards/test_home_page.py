"""Home: freshness, the leaderboard, its search and its pools, and who is not on it."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import APP, Open, read, turn_to
from tests.support.serving_fixture import EVIL_NAME, PUBLISHED

SOLO = "Solo, Modern American"


def table(app: AppTest) -> pd.DataFrame:
    """Return the board as it reads, with names instead of links, level badges as words, and ids apart."""
    board = app.table[0].value.copy()
    links = board["Player"].str.extract(r"^\[(.*)\]\(player\?player=([^&]*)&rating=.*\)$")
    assert links.notna().all(axis=None)
    board["Player"], board["id"] = links[0].map(read), links[1]
    board["Level"] = board["Level"].str.extract(r"^:[a-z-]+\[(.*)\]$")[0].map(read)
    return board


def whole_board(open_home: Open) -> pd.DataFrame:
    pages = [table(turn_to(open_home(), page)) for page in (1, 2, 3)]
    return pd.concat(pages, ignore_index=True)


def test_says_which_snapshot_it_shows_how_old_it_is_and_what_it_rests_on(open_home: Open) -> None:
    caption = open_home().caption[0].value
    days = (datetime.now(UTC).replace(tzinfo=None) - PUBLISHED).days
    assert caption.startswith(f"Snapshot 1, published {days} days ago · ")
    assert "last hand 10 March 2026" in caption


def test_ranks_placed_players_by_rating_and_lists_the_self_rated_after_them(open_home: Open) -> None:
    board = whole_board(open_home)
    placed = board[board["Rank"].notna()]
    assert list(placed["Rank"]) == list(range(1, len(placed) + 1))
    assert placed["Rating"].is_monotonic_decreasing
    unplaced = board[board["Rank"].isna()]
    assert len(unplaced) > 0
    assert list(board.index) == [*placed.index, *unplaced.index]
    assert unplaced["Level"].str.endswith(", self-rated").all()
    assert not placed["Level"].str.contains("self-rated").any()


def test_shows_a_players_numbers_as_they_stand(open_home: Open) -> None:
    row = table(open_home(search="ana okafor")).iloc[0]
    assert (row["Player"], row["id"], row["Level"]) == ("Ana Okafor", "p-ana", "Intermediate")
    assert (row["Rating"], round(row["Form"]), row["Last change"]) == (1086, 1078, 9)
    assert (row["Rated hands"], row["Finished games"]) == (186, 24)


def test_marks_a_player_before_placing_as_self_rated(open_home: Open) -> None:
    row = table(open_home(search="Dana")).iloc[0]
    assert row["Level"] == "Casual, self-rated"
    assert pd.isna(row["Rank"])


def test_says_why_a_player_has_no_rank(open_home: Open) -> None:
    why = "Players without a rank are not placed yet: that takes 10 rated hands."
    assert why in [caption.value for caption in open_home(search="Dana").caption]
    assert why not in [caption.value for caption in open_home(search="okafor").caption]


def test_a_search_keeps_the_rank_among_all(open_home: Open) -> None:
    board = whole_board(open_home)
    rank = board.set_index("Player")["Rank"]["Ana Okafor"]
    assert rank > 1
    assert table(open_home(search="okafor"))["Rank"].tolist() == [rank]


def test_a_search_gives_links_and_finds_an_id_too(open_home: Open) -> None:
    app = open_home(search="p-ben")
    assert [link.value for link in app.page_link] == ["Ben Sato"]
    assert table(app)["Player"].tolist() == ["Ben Sato"]


def test_a_search_that_finds_nobody_says_so(open_home: Open) -> None:
    app = open_home(search="nobody of that name")
    assert app.info[0].value == "Nobody here has that name or id."
    assert not app.table


def test_a_search_ignores_case_and_accents_and_takes_wildcards_as_text(open_home: Open) -> None:
    assert table(open_home(search="ÀNÁ OK"))["Player"].tolist() == ["Ana Okafor"]
    assert open_home(search="%").info
    assert open_home(search="_").info


def test_a_hidden_player_is_on_no_list_and_leaves_no_gap(open_home: Open) -> None:
    board = whole_board(open_home)
    assert "Hidden Harriet" not in set(board["Player"])
    app = open_home()
    assert f"of {len(board)} ratings" in app.caption[1].value
    assert open_home(search="Harriet").info
    assert open_home(search="p-hid").info


def test_the_players_counted_are_those_who_can_be_seen(open_home: Open) -> None:
    # 68 people: 8 named, of whom one is hidden, and 60 in the crowd, of whom every eleventh is.
    assert " · 61 players · " in open_home().caption[0].value


def test_an_operator_sees_hidden_players_and_is_told_so(
    open_home: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COASTAL_OPERATOR", "1")
    app = open_home(search="Harriet")
    assert table(app)["Player"].tolist() == ["Hidden Harriet"]
    assert "Do not share this screen." in app.warning[0].value
    assert " · 68 players · " in app.caption[0].value


def test_the_address_chooses_the_pool(open_home: Open) -> None:
    app = open_home(pool=SOLO)
    assert app.selectbox(key="pool").value == "solo/modern_american"
    board = table(app)
    assert board["Player"].tolist() == ["Sol Vega", "Sol Vega"]
    assert board["Device"].tolist() == ["phone", "tablet"]
    assert "Device" not in table(open_home())


def test_the_coastal_rating_is_the_first_pool(open_home: Open) -> None:
    assert open_home().selectbox(key="pool").value == "live/modern_american"


def test_the_pages_of_the_board_hold_each_player_once(open_home: Open) -> None:
    board = whole_board(open_home)
    assert len(table(open_home())) == 25
    assert len(board) == len(set(board["Player"]))


def test_a_new_search_starts_at_the_first_page(open_home: Open) -> None:
    app = turn_to(open_home(), 2)
    assert app.caption[-1].value.startswith("26 to ")
    app.text_input(key="search").set_value("a").run()
    assert app.caption[-1].value.startswith("1 to ")


def test_a_name_is_shown_as_text_not_markup(open_home: Open) -> None:
    app = open_home(search="p-evil")
    assert table(app)["Player"].tolist() == [EVIL_NAME]
    label = app.page_link[0].value
    assert read(label) == EVIL_NAME
    assert f"[{label}](player?" in app.table[0].value["Player"][0]
    for markup in ("**", "<b>", ":red[", "$e", "](", " `c"):
        assert markup not in label


@pytest.mark.parametrize("made", ["no folder", "no snapshot"])
def test_an_unpublished_warehouse_says_which_command_to_run(
    made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(tmp_path / "new.duckdb"))
    if made == "no snapshot":
        (tmp_path / "new.snapshots").mkdir()
    app = AppTest.from_file(str(APP), default_timeout=20).run()
    assert not app.exception
    assert app.title[0].value == "No ratings yet"
    warehouse = os.environ["COASTAL_WAREHOUSE"]
    assert app.code[0].value == warehouse
    assert app.code[1].value == f"coastal demo --warehouse {warehouse}"
    assert not app.table
