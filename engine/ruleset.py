"""Rule sets as data: a TOML file a rule set, house options on a copy, and the record that kernels read.

>>> rules = RuleSet.load("modern_american", special_hands=False)
>>> rules.holding_cards, rules.sides, rules.special_hands
(13, 2, False)
>>> rules.changed_options()
{'special_hands': False}
"""

# Long because it lists every rule and option with its meaning.
from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Literal, Protocol, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.cards import KIND_TEXT, KINDS
from engine.errors import RuleSetError
from engine.state import MELDS_OF_A_RANK, SPECIAL_HANDS, Ints, empty_record

VARIANTS: Final = Path(__file__).parent / "variants"
RULE_SETS: Final = ("modern_american", "classic_salon", "classic_partnership")
CONCEALERS: Final = ("nobody", "side", "player")
#: The most minimum lines, three-counts and talons a rule set may list; the record's arrays are this long.
MINIMUM_LINES: Final = 4
NO_CEILING: Final = 1_000_000_000

OptionValue = bool | int


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Table(_Data):
    """What depends on the number of players."""

    players: int = Field(ge=2, le=4)
    holding_cards: int = Field(ge=1, le=15)
    draw_cards: int = Field(ge=1, le=2)
    canastas_to_go_out: int = Field(ge=1, le=2)


class Minimum(_Data):
    """A line of the opening table: the points needed while the side's score is below a bound."""

    points: int = Field(ge=0)
    below: int = NO_CEILING


class Option(_Data):
    """The values that a house option may take: those listed, and a range of integers where given."""

    allowed: tuple[bool | int, ...]
    low: int = 1
    high: int = 0

    def accepts(self, value: object) -> bool:
        """Say whether a value is allowed; ``1`` is not ``True``."""
        if any(value == one and type(value) is type(one) for one in self.allowed):
            return True
        return type(value) is int and self.low <= value <= self.high

    def __str__(self) -> str:
        listed = ", ".join(str(one).lower() for one in self.allowed)
        return listed if self.low > self.high else f"{listed}, {self.low} to {self.high}"


class RuleSet(_Data):
    """One rule set with its options settled; the TOML files say what each field means.

    Points and scores are canasta totals; `card_points` is keyed by the text of a kind.
    """

    name: Literal["modern_american", "classic_salon", "classic_partnership"]
    title: str
    family: Literal["modern", "classic"]
    players: int = Field(ge=2, le=4)
    singles: bool
    target_points: int = Field(gt=0)
    short_game: bool
    short_target_points: int = Field(gt=0)
    hand_limit: int = Field(ge=0)
    level_plays_on: bool
    upcard: bool
    covered_upcard_freezes: bool
    tables: tuple[Table, ...] = Field(min_length=1)
    canastas_to_go_out: int = Field(ge=0, le=2)
    card_points: dict[str, int]
    minimums: tuple[Minimum, ...] = Field(min_length=1, max_length=MINIMUM_LINES)
    failed_opening_points: int = Field(ge=0)
    clean_triple: bool
    top_card_counts: bool
    wild_meld_opens: bool
    canasta_opens: bool
    canasta_cards: int
    largest_meld: int
    most_wilds: int
    wild_melds: bool
    naturals_before_wilds: int
    five_natural_rule: bool
    mixed_aces_take_wilds: bool
    dead_ranks: bool
    dead_melds_unfinished: bool
    one_meld_a_rank: bool
    one_wild_meld: bool
    black_three_melds: bool
    pile_needs_pair: bool
    pile_with_one_wild: bool
    pile_meld_below: int
    pile_opening_naturals: int
    freezing: bool
    always_frozen: bool
    one_card_rule: bool
    black_threes_laid: bool
    red_three_from_pile_replaced: bool
    last_three_stops: bool
    last_red_three_ends: bool
    three_points: tuple[int, int, int, int]
    swad: bool
    swad_wild_last: bool
    talon_stock: int
    talon_cards: tuple[int, int]
    out_by_discard: bool
    out_needs_finished: bool
    pair_and_wild_out: bool
    partner_question: bool
    question_once_a_side: bool
    pile_after_stock: bool
    ends_after_last_card: bool
    clock_seconds: int = Field(ge=0)
    going_out_points: int
    concealed_points: int
    concealed_by: Literal["nobody", "side", "player"]
    natural_points: int
    mixed_points: int
    sevens_points: int
    aces_points: int
    wild_points: int
    wild_four_jokers_points: int
    wild_seven_twos_points: int
    unfinished_sevens_points: int
    unfinished_aces_points: int
    unfinished_wild_points: int
    held_cards: int
    held_points: int
    held_penalties_add: bool
    special_hands: bool
    special_alone: bool
    special_points: tuple[int, ...] = Field(min_length=len(SPECIAL_HANDS), max_length=len(SPECIAL_HANDS))
    options: dict[str, Option]

    @classmethod
    def load(cls, name: str, /, **options: OptionValue) -> RuleSet:
        """Read a rule set and settle its house options.

        Raises:
            RuleSetError: The name, an option or a value is unknown; the text says what is allowed.
        """
        rules = _read(name)
        for option, value in options.items():
            _check_option(rules, option, value)
        # Built anew, not copied: a copy would keep the record cached under `numbers`.
        return cls.model_construct(**{**_fields(rules), **options}) if options else rules

    @classmethod
    def for_table(cls, name: str, players: int, options: Mapping[str, OptionValue]) -> RuleSet:
        """Read a rule set for a number of seats, where the options need not repeat that number.

        Raises:
            RuleSetError: As `load`, or the options name another number of players.
        """
        settled = dict(options)
        if "players" in _read(name).options:
            settled.setdefault("players", players)
        rules = cls.load(name, **settled)
        if rules.players != players:
            raise RuleSetError(f"{name}: {players} seats, but the rules are for {rules.players} players")
        return rules

    def changed_options(self) -> dict[str, OptionValue]:
        """Return the options that differ from the rule set's defaults, as a log names them."""
        default = _read(self.name)
        changed = [one for one in self.options if getattr(self, one) != getattr(default, one)]
        return {one: getattr(self, one) for one in changed}

    @property
    def table(self) -> Table:
        """What the number of players decides."""
        return next(table for table in self.tables if table.players == self.players)

    @property
    def sides(self) -> int:
        """Number of sides: two partnerships of four, else everyone alone."""
        return 2 if self.players == 4 and not self.singles else self.players

    @property
    def holding_cards(self) -> int:
        """Cards dealt to each player."""
        return self.table.holding_cards

    @property
    def draw_cards(self) -> int:
        """Cards drawn from the stock in a turn."""
        return self.table.draw_cards

    @property
    def canastas_needed(self) -> int:
        """Canastas that a side needs to go out."""
        return self.canastas_to_go_out or self.table.canastas_to_go_out

    @property
    def most_melds(self) -> int:
        """Melds of a rank that a side may have; in the modern family, wild melds."""
        if self.family == "modern":
            # Twelve wild cards: one meld is closed, the next cannot be.
            return 1 if self.one_wild_meld else 2
        return 1 if self.one_meld_a_rank else MELDS_OF_A_RANK

    @property
    def target(self) -> int:
        """The score that wins the game."""
        return self.short_target_points if self.short_game else self.target_points

    @cached_property
    def numbers(self) -> Rules:
        """The rule set as the record that every compiled function reads."""
        record = empty_record(RULES_DTYPE)
        for field in _SCALARS:
            record[field] = getattr(self, field)
        record["modern"] = self.family == "modern"
        record["concealed_by"] = CONCEALERS.index(self.concealed_by)
        record["card_points"][:KINDS] = [self.card_points[text] for text in KIND_TEXT[:KINDS]]
        for place in ("three_points", "talon_cards", "special_points"):
            record[place][:] = getattr(self, place)
        lines = [*self.minimums, *[self.minimums[-1]] * (MINIMUM_LINES - len(self.minimums))]
        record["minimums"][:] = [(one.below, one.points) for one in lines]
        return cast(Rules, record)


class Rules(Protocol):
    """A numpy record of int64 fields named as in `RuleSet`; booleans are 0 or 1.

    `card_points` [15] by kind, `minimums` [4, 2] of (score below, points), `three_points` [4] for one to four
    of a colour, `talon_cards` [2], `special_points` [10]; `concealed_by` indexes `CONCEALERS`; `modern` tells
    the family.
    """

    modern: int
    players: int
    sides: int
    target: int
    hand_limit: int
    level_plays_on: int
    upcard: int
    covered_upcard_freezes: int
    holding_cards: int
    draw_cards: int
    canastas_needed: int
    failed_opening_points: int
    clean_triple: int
    top_card_counts: int
    wild_meld_opens: int
    canasta_opens: int
    canasta_cards: int
    largest_meld: int
    most_wilds: int
    wild_melds: int
    naturals_before_wilds: int
    five_natural_rule: int
    mixed_aces_take_wilds: int
    dead_ranks: int
    dead_melds_unfinished: int
    most_melds: int
    black_three_melds: int
    pile_needs_pair: int
    pile_with_one_wild: int
    pile_meld_below: int
    pile_opening_naturals: int
    freezing: int
    always_frozen: int
    one_card_rule: int
    black_threes_laid: int
    red_three_from_pile_replaced: int
    last_three_stops: int
    last_red_three_ends: int
    swad: int
    swad_wild_last: int
    talon_stock: int
    out_by_discard: int
    out_needs_finished: int
    pair_and_wild_out: int
    partner_question: int
    question_once_a_side: int
    pile_after_stock: int
    ends_after_last_card: int
    clock_seconds: int
    going_out_points: int
    concealed_points: int
    concealed_by: int
    natural_points: int
    mixed_points: int
    sevens_points: int
    aces_points: int
    wild_points: int
    wild_four_jokers_points: int
    wild_seven_twos_points: int
    unfinished_sevens_points: int
    unfinished_aces_points: int
    unfinished_wild_points: int
    held_cards: int
    held_points: int
    held_penalties_add: int
    special_hands: int
    special_alone: int
    card_points: Ints
    minimums: Ints
    three_points: Ints
    talon_cards: Ints
    special_points: Ints


_SHAPES: Final = {
    "card_points": (KINDS,),
    "minimums": (MINIMUM_LINES, 2),
    "three_points": (4,),
    "talon_cards": (2,),
    "special_points": (len(SPECIAL_HANDS),),
}
_FIELDS: Final = tuple(Rules.__annotations__)
_CODED: Final = {"modern", "concealed_by"}
_SCALARS: Final = tuple(one for one in _FIELDS if one not in _SHAPES and one not in _CODED)
RULES_DTYPE: Final = np.dtype([(one, np.int64, _SHAPES.get(one, ())) for one in _FIELDS])


@cache
def _read(name: str) -> RuleSet:
    if name not in RULE_SETS:
        raise RuleSetError(f"unknown rule set {name!r}; there are {', '.join(RULE_SETS)}")
    data: dict[str, Any] = tomllib.loads((VARIANTS / f"{name}.toml").read_text("utf-8"))
    try:
        return RuleSet.model_validate(data, strict=False)
    except ValidationError as error:
        raise RuleSetError(f"{name}.toml: {error}") from error


def _fields(rules: RuleSet) -> dict[str, Any]:
    return {field: getattr(rules, field) for field in RuleSet.model_fields}


def _check_option(rules: RuleSet, option: str, value: object) -> None:
    if option not in rules.options:
        known = ", ".join(rules.options)
        raise RuleSetError(
            f"{rules.name}: unknown option {option!r}{_hint(rules, option)}; its options are {known}"
        )
    if not rules.options[option].accepts(value):
        found = str(value).lower() if isinstance(value, bool) else repr(value)
        raise RuleSetError(f"{rules.name}: option {option} = {found}; allowed: {rules.options[option]}")


def _hint(rules: RuleSet, option: str) -> str:
    """Say what an unknown option may have been meant to be."""
    others = [name for name in RULE_SETS if option in _read(name).options]
    if others:
        return f" (an option of {' and '.join(others)})"
    near = difflib.get_close_matches(option, rules.options, n=1)
    return f" (did you mean {near[0]}?)" if near else ""
