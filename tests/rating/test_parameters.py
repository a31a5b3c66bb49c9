"""A parameter file that cannot be used says file, key, value and what is allowed."""

import math

import pytest

from rating.parameters import (
    DEFAULT_PARAMETERS,
    ParametersError,
    load_parameters,
    read_parameters,
)
from rating.rules import compile_rules

TEXT = DEFAULT_PARAMETERS.read_text()

#: What is changed in the default file, to what, and what the error must say.
FAULTS = {
    "a typo in a key": (
        "rating_scale = ",
        "rating_scael = ",
        ("rating_scael", "400.0", "did you mean rating_scale"),
    ),
    "a typo in a table": ("[retention]", "[retension]", ("retension", "did you mean retention")),
    "a typo in a nested key": (
        "grace_hands",
        "grace_hand",
        ("retention.grace_hand", "did you mean grace_hands"),
    ),
    "a typo in a level's key": ("games = 2 ", "game = 2 ", ("level[1].game", "did you mean games")),
    "a missing key": ("form_hands = 30", "", ("form.form_hands", "missing")),
    "a scale of zero": ("rating_scale = 400.0", "rating_scale = 0", ("rating_scale = 0", "greater than 0")),
    "a negative margin scale": (
        "= 3000.0",
        "= -3000.0",
        ("margin_scale.modern_american = -3000.0", "greater than 0"),
    ),
    "a margin scale of a rule set that there is not": (
        "modern_american = 3000.0",
        "modern_amercan = 3000.0",
        ("margin_scale.modern_amercan = 3000.0", "one of the rule sets modern_american"),
    ),
    "a margin scale that is no number": (
        "= 3000.0",
        "= nan",
        ("margin_scale.modern_american = nan", "finite"),
    ),
    "two levels on one line": (
        "= 1050.0\nhands",
        "= 950.0\nhands",
        ("level[2].form_line = 950.0", "overlaps Improver"),
    ),
    "lines out of order": ("= 1175.0", "= 1000.0", ("level[3].form_line = 1000.0", "above 1050")),
    "a level's name twice": ('"Advanced"', '"Expert"', ("level[4].name = 'Expert'", "level[3]")),
    "fewer hands for a higher level": (
        "= 1175.0\nhands = 100",
        "= 1175.0\nhands = 40",
        ("level[3].hands = 40", "at least 50"),
    ),
    "fewer games for a higher level": ("games = 12", "games = 3", ("level[3].games = 3", "at least 5")),
    "a Form line for the lowest": (
        "hands = 10\n",
        "hands = 10\nform_line = 1.0\n",
        ("level[0].form_line", "lowest"),
    ),
    "no Form line above the lowest": ("form_line = 1300.0\n", "", ("level[4].form_line", "only the lowest")),
    "K rising": ("k = 16.0", "k = 32.0", ("change.k_factor[1].k = 32.0", "at most 24")),
    "K steps out of order": (
        "below_hands = 100",
        "below_hands = 20",
        ("change.k_factor[1].below_hands = 20", "30"),
    ),
    "a last K that ends": (
        "k = 10.0",
        "k = 10.0\nbelow_hands = 500",
        ("change.k_factor[2].below_hands = 500",),
    ),
    "a choice that is none": (
        '"own_k"',
        '"ownk"',
        ("change.partner_change = 'ownk'", "'own_k', 'mean_k' or 'min_k'"),
    ),
    "a text for a number": ("k = 24.0", 'k = "24"', ("change.k_factor[0].k = '24'", "number")),
    "a truth for a number": (
        "grace_hands = 25",
        "grace_hands = true",
        ("retention.grace_hands = true", "integer"),
    ),
    "half a hand": ("form_hands = 30", "form_hands = 30.5", ("form.form_hands = 30.5", "integer")),
    "not TOML": ("[form]", "[form", ("not TOML", "line")),
}


@pytest.mark.parametrize(("old", "new", "said"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_names_file_key_value_and_what_is_allowed(old, new, said):
    assert old in TEXT
    with pytest.raises(ParametersError) as caught:
        read_parameters(TEXT.replace(old, new, 1), "mine.toml")
    text = str(caught.value)
    assert text.startswith("mine.toml: ")
    for part in said:
        assert part in text


def test_every_fault_of_a_file_is_named_at_once():
    text = TEXT.replace("rating_scale = 400.0", "rating_scale = 0").replace('"ema"', '"emma"')
    with pytest.raises(ParametersError) as caught:
        read_parameters(text, "mine.toml")
    assert len(str(caught.value).splitlines()) == 2


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ParametersError, match=r"absent\.toml: cannot be read"):
        load_parameters(tmp_path / "absent.toml")


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ParametersError, match="cannot be read"):
        load_parameters(tmp_path / "bytes.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"rating_scale = {'1' * 5000}", r"^x\.toml: not TOML: a number is too long"),
        (f"a = {'[' * 3000}{']' * 3000}", r"^x\.toml: not TOML: .* lists nest too deep"),
        (
            f"form = 0x{'f' * 5000}",
            r"x\.toml: form = \(too long to show\): input should be a valid dictionary",
        ),
        (f"{'.'.join('a' * 3000)} = 1", r"x\.toml: a = \(too long to show\): no such key"),
    ],
    ids=["long", "deep", "long hexadecimal", "deep keys"],
)
def test_what_python_refuses_to_read_or_write_is_a_fault_of_the_file(text, said):
    with pytest.raises(ParametersError, match=said):
        read_parameters(text, "x.toml")


def test_comments_and_layout_do_not_change_the_hash_but_a_value_does():
    parameters = read_parameters(TEXT, "a")
    relaid = "\n".join(line.split("#")[0].rstrip() for line in TEXT.splitlines())
    assert read_parameters(relaid, "b").digest() == parameters.digest()
    assert read_parameters(TEXT.replace("k = 24.0", "k = 24.5"), "c").digest() != parameters.digest()


def test_a_parameter_set_cannot_be_changed():
    parameters = read_parameters(TEXT, "a")
    with pytest.raises(ValueError, match="frozen"):
        parameters.name = "other"


def test_a_set_may_have_one_level_and_one_k():
    start, end = TEXT.index("[[change.k_factor]]"), TEXT.index("# -- People who leave")
    text = TEXT[:start] + "[[change.k_factor]]\nk = 20.0\n" + TEXT[end:]
    text = text[: text.index("[[level]]", text.index('"Beginner"'))]
    rules = compile_rules(read_parameters(text, "some.toml"))
    assert rules.k_steps.tolist() == [[math.inf, 20.0]]
    assert rules.levels.tolist() == [[-math.inf, 10.0, 0.0], [50.0, 25.0, 0.0]]
