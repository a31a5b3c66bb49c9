"""A player's page: numbers with their sentences, the way up, the hands, and what stays private."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import APP, PLAYER_PAGE, Open, read, turn_to
from tests.support.serving_fixture import EVIL_NAME


def said(app: AppTest) -> str:
    """Return every sentence on the page."""
    kinds = (app.title, app.header, app.markdown, app.caption, app.info, app.warning)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def numbers(app: AppTest) -> dict[str, tuple[str, str]]:
    return {metric.label: (metric.value, metric.delta) for metric in app.metric}


def bars(app: AppTest) -> dict[str, int]:
    return {bar.text: bar.value for bar in app.progress}


def test_shows_rating_with_its_last_change_form_and_level(open_player: Open) -> None:
    app = open_player(player="p-ana")
    assert app.title[0].value == "Ana Okafor"
    assert numbers(app) == {
        "Rating": ("1,086", "+9, now 1,086"),
        "Form": ("1,078", "over about 30 hands"),
        "Level": ("Intermediate", "186 rated hands, 24 games"),
    }


def test_a_loss_has_a_minus(open_player: Open) -> None:
    assert numbers(open_player(player="p-ben"))["Rating"] == ("1,015", "-9, now 1,015")


def test_the_way_up_has_three_bars_and_the_whole_each_with_its_sentence(open_player: Open) -> None:
    app = open_player(player="p-ana")
    assert app.header[0].value == "Progress to Advanced"
    # Form: (1078.2 - 1050) / (1175 - 1050) = 0.2256
    assert bars(app) == {
        "22% of the way to Advanced, still open: Form": 22,
        "Form 1,078 of 1,175": 22,
        "Rated hands 186 of 100": 100,
        "Finished games 24 of 12": 100,
    }
    assert "The Form bar starts at the Intermediate line, 1,050." in said(app)


def test_a_player_under_the_own_line_is_warned(open_player: Open) -> None:
    app = open_player(player="p-ben")
    assert read(app.warning[0].value) == (
        "Form 1,031 is under the Intermediate line of 1,050. The level is kept while Form stays above 1,000."
    )
    assert not open_player(player="p-ana").warning


def test_before_placing_there_is_one_bar_and_the_self_rating(open_player: Open) -> None:
    app = open_player(player="p-new")
    assert bars(app) == {"Rated hands 4 of 10": 40}
    assert read(numbers(app)["Level"][0]) == "Casual, self-rated"


def test_at_the_top_there_is_no_bar_and_the_page_says_so(open_player: Open) -> None:
    app = open_player(player="p-cleo")
    assert not app.progress
    assert app.header[0].value == "At the top"
    assert "Master is the highest level there is. The level is kept while Form stays above 1,375." in said(
        app
    )


def test_the_chart_has_words_for_those_who_do_not_see_it(open_player: Open) -> None:
    app = open_player(player="p-ana")
    chart = app.get("plotly_chart")[0].proto
    assert chart.alt.startswith("Rating and Form over 186 rated hands: Rating now 1,086")


def test_the_hands_come_latest_first_with_what_each_did(open_player: Open) -> None:
    hands = open_player(player="p-ana").table[0].value
    assert hands["Hand"].tolist() == list(range(186, 171, -1))
    first = hands.iloc[0]
    assert (first["Change"], first["Rating"], first["Date"]) == (9, 1086, "10\u00a0Mar\u00a02026")
    assert hands["Change"].tolist()[:-1] == (-hands["Rating"].diff()).tolist()[1:]
    assert hands[["Expected", "Actual"]].stack().dropna().between(0, 1).all()
    assert "not the chance to win" in said(open_player(player="p-ana"))


def test_the_expected_score_beside_a_hidden_player_would_tell_their_rating_and_is_left_out(
    open_player: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_player(player="p-ana")
    hands = app.table[0].value
    beside = hands["Opponents"].map(read).str.contains("Hidden Harriet")
    assert beside.any()
    assert (hands["Expected"].isna() == beside).all()
    assert "keeps their Rating private" in said(app)
    monkeypatch.setenv("COASTAL_OPERATOR", "1")
    app = open_player(player="p-ana")
    assert app.table[0].value["Expected"].notna().all()
    assert "keeps their Rating private" not in said(app)


def test_earlier_hands_are_pages_away_and_tell_the_level_events(open_player: Open) -> None:
    # 186 hands, 15 a page: the twelfth holds hands 21 to 7.
    hands = turn_to(open_player(player="p-ana"), 12).table[0].value
    assert hands["Hand"].tolist() == list(range(21, 6, -1))
    events = hands.set_index("Hand")["Level"]
    assert read(events[10]) == "Placed at Beginner"
    assert (events.drop(10) == "").all()


def test_statistics_rest_on_a_count_that_is_told(open_player: Open) -> None:
    app = open_player(player="p-ana")
    text = read(said(app))
    assert "All 186 hands played in person in Live, Modern American, rated or not." in text
    play = app.table[1].value
    assert play["Play"].tolist() == [
        "Finished games",
        "Hands won",
        "Average points",
        "Went out",
        "Highest Rating",
    ]


def shown_statistics(known: int) -> AppTest:
    """Show the statistics of 20 hands of which some tell of canastas and of going out."""

    def page(known: int) -> None:
        from dashboards.components import statistics

        counts = dict.fromkeys(["natural", "mixed", "seven", "ace", "wild"], known and 4)
        statistics.show(
            {"hands": 20, "games": 2, "wins": 5, "average_points": 100.0, "went_out": known and 2}
            | {"canasta_known_hands": known, "out_known_hands": known}
            | {f"{kind}_canastas": count for kind, count in counts.items()},
            {"pool": "live/classic_partnership", "device": "", "peak_rating": 1000.0, "hands": 20},
        )

    return AppTest.from_function(page, default_timeout=20, args=(known,)).run()


@pytest.mark.parametrize(
    ("known", "caption", "share", "meaning", "made", "in_100"),
    [
        (20, "", "10%", "2 hands ended by this player", "4", "20"),
        (8, " Canastas are recorded in 8 of them.", "25%",
         "2 hands ended by this player, of 8 that tell who went out", "4", "50"),
        (0, " Canastas are recorded in none of them.", "-", "no hand here tells who went out", "-", "-"),
    ],
)  # fmt: skip
def test_statistics_count_only_hands_that_tell_and_show_a_dash_for_none(
    known: int, caption: str, share: str, meaning: str, made: str, in_100: str
) -> None:
    app = shown_statistics(known)
    assert not app.exception
    assert read(app.caption[0].value).endswith(f"They do not set the level.{caption}")
    play, canastas = app.table[0].value, app.table[1].value
    assert play.set_index("Play").loc["Went out"].tolist() == [share, meaning]
    assert set(canastas["Made"]) == {made}
    assert set(canastas["In 100 hands"]) == {in_100}


def test_several_pools_and_devices_are_a_choice_that_the_address_holds(open_player: Open) -> None:
    app = open_player(player="p-sol", rating="Solo, Modern American, on phone")
    choice = app.selectbox(key="rating")
    assert choice.options == [
        "Live, Modern American",
        "Solo, Modern American, on phone",
        "Solo, Modern American, on tablet",
    ]
    assert numbers(app)["Rating"] == ("902", "-9, now 902")
    assert app.table[0].value["Hand"].tolist() == list(range(35, 20, -1))
    choice.select("Solo, Modern American, on tablet").run()
    assert numbers(app)["Rating"] == ("880", "+10, now 880")
    assert app.table[0].value["Hand"].tolist() == list(range(12, 0, -1))
    assert "12 rated hands" in app.get("plotly_chart")[0].proto.alt
    assert numbers(open_player(player="p-sol"))["Rating"] == ("937", "+3, now 937")


def test_a_hidden_player_has_a_name_and_nothing_else(open_player: Open) -> None:
    app = open_player(player="p-hid")
    assert app.title[0].value == "Hidden Harriet"
    assert "private" in app.info[0].value
    shown = [app.metric, app.progress, app.dataframe, app.table, app.get("plotly_chart")]
    assert not any(len(elements) for elements in shown)
    assert "1,207" not in said(app)


def test_an_operator_sees_a_hidden_player(open_player: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COASTAL_OPERATOR", "1")
    app = open_player(player="p-hid")
    assert numbers(app)["Rating"] == ("1,207", "+6, now 1,207")
    assert app.warning[0].value.startswith("Players who hide their skill are shown here.")


def test_asking_in_the_address_does_not_make_an_operator(open_player: Open) -> None:
    address = {"player": "p-hid", "as": "operator", "operator": "1", "COASTAL_OPERATOR": "1"}
    assert not open_player(**address).metric


def test_a_player_without_rated_hands_is_told_kindly(open_player: Open) -> None:
    app = open_player(player="p-none")
    assert app.title[0].value == "Nils Unplayed"
    assert app.info[0].value == "No rated hand yet. The first one brings a Rating."


def test_an_unknown_player_is_said_and_a_search_offered(open_player: Open) -> None:
    app = open_player(player="p-nobody")
    assert "p-nobody" in read(app.warning[0].value)
    assert "Nobody has that name or id." in said(app)
    app.text_input(key="find").set_value("okafor").run()
    assert [link.value for link in app.page_link] == ["Ana Okafor"]


def test_a_name_in_place_of_an_id_is_searched_for(open_player: Open) -> None:
    app = open_player(player="okafor")
    assert app.text_input(key="find").value == "okafor"
    assert [link.value for link in app.page_link] == ["Ana Okafor"]


@pytest.mark.parametrize("player", ["", "p-nobody", "p-hid", "p-none"])
def test_a_page_without_numbers_leads_to_others_and_says_which_snapshot_it_shows(
    open_player: Open, player: str
) -> None:
    app = open_player(player=player)
    assert app.caption[-1].value.startswith("Snapshot 1, ")
    app.text_input(key="find").set_value("okafor").run()
    assert [link.value for link in app.page_link] == ["Ana Okafor"]


def test_without_a_player_the_page_offers_a_search_that_leaves_out_the_hidden(open_player: Open) -> None:
    app = open_player()
    assert not app.warning
    app.text_input(key="find").set_value("hidden").run()
    assert not app.page_link
    assert "Nobody has that name or id." in said(app)


def test_a_name_is_shown_as_text_not_markup(open_player: Open) -> None:
    title = open_player(player="p-evil").title[0].value
    assert read(title) == EVIL_NAME
    for markup in ("**", "<b>", ":red[", "$e", "](", " `c"):
        assert markup not in title


def test_an_unpublished_warehouse_says_which_command_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(tmp_path / "new.duckdb"))
    app = AppTest.from_file(str(APP), default_timeout=20).run()
    app.switch_page(PLAYER_PAGE)
    app.query_params["player"] = "p-ana"
    app.run()
    assert app.title[0].value == "No ratings yet"
    assert not app.metric
