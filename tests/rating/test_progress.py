"""The way to the next level, worked by hand from the default level table."""

import pytest

from rating.levels import NO_LEVEL
from rating.parameters import load_parameters
from rating.progress import Progress, progress

PARAMETERS, _ = load_parameters()
BEGINNER, IMPROVER, INTERMEDIATE, MASTER = 0, 1, 2, 5


def test_before_placing_there_is_one_bar():
    assert progress(PARAMETERS, NO_LEVEL, 1200.0, 4, 3) == Progress(
        "Beginner", hands=10, hands_share=0.4, share=0.4
    )


def test_from_beginner_the_form_bar_starts_at_the_beginner_computer():
    # (900 - 850) / (950 - 850), 20 of 25 hands, 1 of 2 games.
    way = progress(PARAMETERS, BEGINNER, 900.0, 20, 1)
    assert way == Progress("Improver", 950.0, 25, 2, 0.5, 0.8, 0.5, 0.5)


def test_above_beginner_the_form_bar_starts_at_the_own_line():
    # (1100 - 1050) / (1175 - 1050), 80 of 100 hands, 6 of 12 games.
    way = progress(PARAMETERS, INTERMEDIATE, 1100.0, 80, 6)
    assert way == Progress("Advanced", 1175.0, 100, 12, 0.4, 0.8, 0.5, 0.4)


@pytest.mark.parametrize(("form", "share"), [(700.0, 0.0), (1049.0, 0.99), (1050.0, 1.0), (1400.0, 1.0)])
def test_bars_stay_between_empty_and_full(form, share):
    way = progress(PARAMETERS, IMPROVER, form, 400, 40)
    assert way.form_share == pytest.approx(share)
    assert (way.hands_share, way.games_share, way.share) == (1.0, 1.0, way.form_share)


def test_the_top_level_has_no_next():
    assert progress(PARAMETERS, MASTER, 1500.0, 1000, 100) == Progress()
