"""The demo league's people and fixtures."""

from datetime import timedelta

import numpy as np
import pytest

from service.demo_league import live_tables, load_settings, people_of, player_id, solo_tables

GAMES = 900


@pytest.fixture(scope="module")
def league():
    settings = load_settings()
    rng = np.random.default_rng(settings.seed)
    people = people_of(settings, rng)
    return settings, people, live_tables(settings, people, rng, GAMES), solo_tables(settings, people, rng)


def test_people_are_different_in_name_id_strength_and_activity(league):
    settings, people, _, _ = league
    assert len(people) == settings.players >= 120
    for attribute in ("name", "player", "carelessness"):
        assert len({getattr(person, attribute) for person in people}) == len(people)
    assert max(person.activity for person in people) > 20 * min(person.activity for person in people)


def test_league_has_hidden_self_rated_learning_and_silent_people(league):
    _, people, _, _ = league
    assert {person.show_skill for person in people} == {True, False}
    assert {person.self_rating for person in people} == {None, "learning", "casual", "experienced", "expert"}
    assert any(person.learning > 0 for person in people)


def test_nobody_sits_at_two_tables_on_one_evening_or_before_joining(league):
    _, _, live, _ = league
    evenings = set()
    for table in live:
        for person in table.people:
            if person is None:
                continue
            evening = ((table.starts_at - timedelta(hours=12)).date(), person.player)
            assert evening not in evenings
            evenings.add(evening)
            assert person.joined_at <= table.starts_at


def test_every_live_table_has_two_people_and_some_have_computers_and_absences(league):
    _, _, live, _ = league
    people_seated = {4 - table.people.count(None) for table in live}
    assert people_seated == {3, 4}
    assert any(table.absence for table in live)


def test_solo_tables_seat_one_person_on_a_device(league):
    settings, _, _, solo = league
    assert len(solo) == settings.solo_players * settings.solo_games
    assert all(table.device and table.people.count(None) == 3 for table in solo)


def test_same_seed_gives_the_same_league(league):
    settings, people, live, _ = league
    rng = np.random.default_rng(settings.seed)
    again = people_of(settings, rng)
    assert again == people
    assert live_tables(settings, again, rng, GAMES) == live


def test_player_ids_are_plain_letters():
    assert player_id("Lucía") == "p-lucia"
