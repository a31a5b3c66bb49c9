"""What a person does: find a player on the leaderboard, and read that player's page."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.serving_fixture import EVIL_NAME

pytestmark = pytest.mark.browser


def test_a_search_leads_from_home_to_a_player_with_bars_change_and_chart(page: Page, dashboard: str) -> None:
    page.goto(dashboard)
    expect(page.get_by_role("heading", name="Coastal ratings")).to_be_visible()
    page.get_by_label("Find a player").fill("okafor")
    page.get_by_test_id("stPageLink").get_by_role("link", name="Ana Okafor").click()
    expect(page.get_by_role("heading", name="Ana Okafor")).to_be_visible()
    assert page.url.startswith(f"{dashboard}/player?player=p-ana")
    expect(page.get_by_text("+9, now 1,086", exact=True)).to_be_visible()
    for sentence in ("Form 1,078 of 1,175", "Rated hands 186 of 100", "Finished games 24 of 12"):
        expect(page.get_by_text(sentence, exact=True)).to_be_visible()
    expect(page.get_by_text("22% of the way to Advanced, still open: Form")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(4)
    chart = page.get_by_role("figure", name=re.compile("Rating and Form over 186 rated hands"))
    expect(chart).to_be_visible()
    expect(chart.locator(".scatterlayer path.js-line")).to_have_count(2)


def test_a_name_on_the_leaderboard_opens_its_player(page: Page, dashboard: str) -> None:
    page.goto(dashboard)
    board = page.get_by_role("table", name="Leaderboard of Live, Modern American")
    expect(board.get_by_role("row")).to_have_count(26)
    with page.expect_popup() as opened:
        board.get_by_role("link", name="Cleo Marchetti").click()
    expect(opened.value.get_by_role("heading", name="Cleo Marchetti")).to_be_visible()
    assert opened.value.url.startswith(f"{dashboard}/player?player=p-cleo")


def test_a_deep_link_is_the_first_thing_a_new_viewer_opens(page: Page, dashboard: str) -> None:
    page.goto(f"{dashboard}/player?player=p-ben")
    expect(page.get_by_role("heading", name="Ben Sato")).to_be_visible()
    expect(page.get_by_text("At risk")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_another_player_starts_at_the_first_page_of_hands(page: Page, dashboard: str) -> None:
    page.goto(f"{dashboard}/player?player=p-ana")
    page.get_by_role("button", name="Page 5").click()
    expect(page.get_by_text("61 to 75 of 186 rated hands")).to_be_visible()
    page.get_by_role("link", name="Leaderboard").click()
    page.get_by_label("Find a player").fill("sato")
    page.get_by_test_id("stPageLink").get_by_role("link", name="Ben Sato").click()
    expect(page.get_by_text("1 to 15 of 140 rated hands")).to_be_visible()


def test_a_pool_and_a_search_are_kept_in_the_address(page: Page, dashboard: str) -> None:
    page.goto(dashboard)
    page.get_by_label("Find a player").fill("sol")
    expect(page).to_have_url(re.compile("search=sol"))
    page.goto(f"{dashboard}/?pool=Solo%2C+Modern+American&search=vega")
    expect(page.get_by_text("1 to 2 of 2 ratings")).to_be_visible()


def test_a_name_full_of_markup_is_read_as_it_is(page: Page, dashboard: str) -> None:
    page.goto(f"{dashboard}/player?player=p-evil")
    title = page.get_by_role("heading", level=1)
    expect(title).to_be_visible()
    assert title.inner_text().replace("\u2060", "") == EVIL_NAME
    assert title.locator("b, strong, em, code, a, .katex").count() == 0


def test_a_hidden_player_shows_a_name_and_no_number(page: Page, dashboard: str) -> None:
    page.goto(f"{dashboard}/player?player=p-hid")
    expect(page.get_by_role("heading", name="Hidden Harriet")).to_be_visible()
    expect(page.get_by_text("private")).to_be_visible()
    assert "1,207" not in page.content()
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_nothing_is_asked_of_any_other_machine(page: Page, dashboard: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{dashboard}/player?player=p-ana")
    expect(page.get_by_role("figure")).to_be_visible()
    hosts = {urlsplit(url).hostname for url in asked if not url.startswith(("data:", "blob:"))}
    assert hosts == {"127.0.0.1"}


@pytest.mark.parametrize("width", [400, 1280])
def test_no_page_is_wider_than_its_screen(page: Page, dashboard: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for path, ready in (("", "Coastal ratings"), ("player?player=p-ana", "Ana Okafor")):
        page.goto(f"{dashboard}/{path}")
        expect(page.get_by_role("heading", name=ready)).to_be_visible()
        main = page.get_by_test_id("stMain")
        assert main.evaluate("element => element.scrollWidth <= element.clientWidth")


def test_every_row_of_the_hands_has_one_height_on_a_narrow_screen(page: Page, dashboard: str) -> None:
    page.set_viewport_size({"width": 400, "height": 900})
    page.goto(f"{dashboard}/player?player=p-ana")
    heights = column(page.get_by_role("table", name="Rated hands, latest first"), "tbody tr", "bottom - top")
    assert len(heights) == 15
    assert max(heights) - min(heights) <= 1  # a line's width may be rounded


def test_a_table_that_goes_on_to_the_right_has_a_shade_there_until_its_end(
    page: Page, dashboard: str
) -> None:
    page.goto(f"{dashboard}/player?player=p-ana")
    hands = page.get_by_role("table", name="Rated hands, latest first")
    expect(hands).to_be_visible()
    shade = "table => getComputedStyle(table.parentElement).boxShadow"
    assert hands.evaluate(shade) == "none"
    page.set_viewport_size({"width": 400, "height": 900})
    expect(hands.locator("..")).not_to_have_css("box-shadow", "none")
    hands.evaluate("table => { table.parentElement.scrollLeft = table.offsetWidth }")
    expect(hands.locator("..")).to_have_css("box-shadow", re.compile(r"\b0px 0px 0px 0px\b|^none$"))


@pytest.mark.parametrize(
    ("path", "name", "last_seen"),
    [
        ("player?player=p-ana", "Rated hands, latest first", "Rating"),
        ("?pool=Solo%2C+Modern+American", "Leaderboard of Solo, Modern American", "Last change"),
        ("", "Leaderboard of Live, Modern American", "Last change"),
    ],
)
def test_a_narrow_screen_cuts_no_number_in_two(
    page: Page, dashboard: str, path: str, name: str, last_seen: str
) -> None:
    page.set_viewport_size({"width": 400, "height": 900})
    page.goto(f"{dashboard}/{path}")
    table = page.get_by_role("table", name=name)
    (edge,) = column(table.locator(".."), "xpath=.", "right")
    words = table.locator("th, td").locator("p")
    spans = zip(words.all_inner_texts(), column(table, "p", "left"), column(table, "p", "right"), strict=True)
    cut = {text for text, left, right in spans if left < edge < right}
    assert not [text for text in cut if re.fullmatch(r"[-+]?[\d,.]+", text)]
    assert column(table, f"th:has-text('{last_seen}') p", "right")[0] <= edge


def test_numbers_stand_to_the_right_and_headings_in_line_with_what_they_head(
    page: Page, dashboard: str
) -> None:
    page.goto(f"{dashboard}/player?player=p-ana")
    play = page.get_by_role("table", name="Hands, games, wins, points and going out")
    canastas = page.get_by_role("table", name="Canastas of the player's side, by kind")
    for table, numbers in ((play, [2]), (canastas, [2, 3])):
        for number in numbers:
            cells = table.locator(f":is(th, td):nth-child({number})")
            expect(cells.first).to_be_visible()
            assert set(cells.evaluate_all("all => all.map(e => getComputedStyle(e).textAlign)")) == {"right"}
        assert len(set(column(table, ":is(th, td):first-child p", "left"))) == 1


def column(table: Locator, selector: str, measure: str) -> list[float]:
    """Return a measure of each box that a selector finds in a table, in pixels."""
    expect(table).to_be_visible()
    boxes = "all => all.map(e => { const {left, right, top, bottom} = e.getBoundingClientRect(); return %s })"
    return list(table.locator(selector).evaluate_all(boxes % measure))
