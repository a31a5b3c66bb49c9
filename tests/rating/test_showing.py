"""What people see: ratings rounded half up, and the change between what was shown and what is shown."""

import pytest

from rating.showing import change_text, counted, shown, shown_change


@pytest.mark.parametrize(("number", "said"), [(0, "0 hands"), (1, "1 hand"), (8000, "8,000 hands")])
def test_one_is_told_from_many(number, said):
    assert counted(number, "hand") == said


def test_more_than_one_batch_is_batches():
    assert (counted(1, "batch"), counted(22, "batch")) == ("1 batch", "22 batches")


@pytest.mark.parametrize(
    ("rating", "whole"),
    [(1086.0, 1086), (1085.5, 1086), (1085.499999, 1085), (0.5, 1), (-0.5, 0), (-0.6, -1)],
)
def test_ratings_are_rounded_half_up(rating, whole):
    assert shown(rating) == whole


# The rules' own examples of the sentence.
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (1077.2, 1086.4, "+9, now 1,086"),
        (1086.4, 1077.2, "-9, now 1,077"),
        (1086.1, 1086.3, "+0, now 1,086"),
        (1085.4, 1085.6, "+1, now 1,086"),
        (999.5, 1000.4, "+0, now 1,000"),
    ],
)
def test_a_change_is_shown_between_what_was_and_what_is_shown(before, after, said):
    assert change_text(before, after) == said
    assert shown(before) + shown_change(before, after) == shown(after)
