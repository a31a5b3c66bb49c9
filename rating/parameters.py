"""Read a parameter set: every number of the rating, from TOML, checked before anything is folded."""

from __future__ import annotations

import difflib
import hashlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from engine.errors import RatingError
from engine.ruleset import RULE_SETS

DEFAULT_PARAMETERS = Path(__file__).parent / "parameters" / "coastal.toml"

RatingPoints = Annotated[float, Field(ge=-100_000, le=100_000)]
Positive = Annotated[float, Field(gt=0, le=1_000_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
AtLeastOne = Annotated[int, Field(ge=1, le=1_000_000)]


class ParametersError(RatingError):
    """A parameter file cannot be used; the text names file, key, value and what is allowed."""


class _Fault(NamedTuple):
    """A value that does not fit beside its neighbours."""

    key: str
    value: object
    allowed: str


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class StartRating(_Table):
    """Rating and Form of a new player by the first self-rating, rating points."""

    unsaid: RatingPoints
    learning: RatingPoints
    casual: RatingPoints
    experienced: RatingPoints
    expert: RatingPoints


class ComputerRating(_Table):
    """What a computer counts as, rating points: any in a live seat, by skill in solo."""

    live: RatingPoints
    beginner: RatingPoints
    intermediate: RatingPoints
    expert: RatingPoints


class KFactor(_Table):
    """The most that a hand can move a Rating, while fewer than `below_hands` were rated before."""

    k: Positive
    below_hands: AtLeastOne | None = None


class Change(_Table):
    """How a side's surprise becomes its players' changes."""

    partner_change: Literal["own_k", "mean_k", "min_k"]
    k_factor: Annotated[tuple[KFactor, ...], Field(strict=False, min_length=1)]


class StandIn(_Table):
    """People who leave: what their seat counts as, and when their change is applied."""

    stand_in_rating: Literal["computer", "player"]
    held_hands: Literal["on_return", "at_once"]


class Form(_Table):
    """How Ratings are smoothed, over how many hands."""

    form: Literal["ema", "window"]
    form_hands: AtLeastOne


class Retention(_Table):
    """When a level is lost."""

    relegation_points: Annotated[float, Field(ge=0, le=100_000)]
    grace_hands: Count


class Level(_Table):
    """What a level needs: Form (none for the lowest), rated hands, finished games."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    form_line: RatingPoints | None = None
    hands: Count
    games: Count


class Parameters(_Table):
    """A whole parameter set; `rating/parameters/coastal.toml` explains each key.

    Raises:
        pydantic.ValidationError: A value is out of its range or does not fit beside its neighbours.
    """

    name: Annotated[str, Field(min_length=1, max_length=60)]
    rating_scale: Positive
    score_shape: Literal["logistic", "linear_clipped", "win_loss"]
    margin_scale: dict[str, Positive]
    start_rating: StartRating
    computer_rating: ComputerRating
    change: Change
    stand_in: StandIn
    form: Form
    retention: Retention
    level: Annotated[tuple[Level, ...], Field(strict=False, min_length=1)]
    _source: str = PrivateAttr("parameters")

    @property
    def source(self) -> str:
        """What to call the set in an error: a path or a run."""
        return self._source

    @model_validator(mode="after")
    def _fits_together(self) -> Parameters:
        faults = (
            *_scale_faults(self.margin_scale),
            *_k_faults(self.change.k_factor),
            *_level_faults(self.level),
        )
        for fault in faults:
            raise PydanticCustomError("neighbours", "{allowed}", fault._asdict())
        return self

    def digest(self) -> str:
        """Return the SHA-256, hexadecimal, of the values; comments and layout do not matter."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def _scale_faults(scales: Mapping[str, float]) -> Iterator[_Fault]:
    """Yield what is wrong with the margin scales: a rule set that there is not."""
    for ruleset in sorted(set(scales) - set(RULE_SETS)):
        yield _Fault(
            f"margin_scale.{ruleset}", scales[ruleset], f"one of the rule sets {', '.join(RULE_SETS)}"
        )


def _k_faults(steps: Sequence[KFactor]) -> Iterator[_Fault]:
    """Yield what is wrong with the K table: open before its end, out of order, or rising."""
    for at, step in enumerate(steps[:-1]):
        if step.below_hands is None:
            yield _Fault(f"change.k_factor[{at}].below_hands", None, "only the last K may hold for good")
    if steps[-1].below_hands is not None:
        yield _Fault(
            f"change.k_factor[{len(steps) - 1}].below_hands",
            steps[-1].below_hands,
            "the last K holds for good: leave it out",
        )
    for at, (before, after) in enumerate(pairwise(steps), 1):
        if after.k > before.k:
            yield _Fault(
                f"change.k_factor[{at}].k", after.k, f"K never rises: at most {before.k:g}, the K before it"
            )
        if before.below_hands and after.below_hands and after.below_hands <= before.below_hands:
            yield _Fault(
                f"change.k_factor[{at}].below_hands",
                after.below_hands,
                f"more than {before.below_hands}, the step before",
            )


def _level_faults(levels: Sequence[Level]) -> Iterator[_Fault]:
    """Yield what is wrong with the level table: names twice, lines or needs out of order."""
    if levels[0].form_line is not None:
        yield _Fault(
            "level[0].form_line", levels[0].form_line, "the lowest level has no Form line: leave it out"
        )
    if levels[0].games != 0:
        yield _Fault("level[0].games", levels[0].games, "0: placing at the lowest level asks for hands only")
    seen: dict[str, int] = {}
    for at, level in enumerate(levels):
        if level.name in seen:
            yield _Fault(
                f"level[{at}].name", level.name, f"a name of its own: level[{seen[level.name]}] has it"
            )
        seen[level.name] = at
        if at > 0:
            yield from _step_faults(at, levels[at - 1], level)


def _step_faults(at: int, below: Level, level: Level) -> Iterator[_Fault]:
    """Yield where a level does not lie above the one below it."""
    if level.form_line is None:
        yield _Fault(f"level[{at}].form_line", None, "only the lowest level has no Form line")
    elif below.form_line is not None and level.form_line == below.form_line:
        yield _Fault(f"level[{at}].form_line", level.form_line, f"overlaps {below.name}: lines must differ")
    elif below.form_line is not None and level.form_line < below.form_line:
        yield _Fault(
            f"level[{at}].form_line",
            level.form_line,
            f"lines must rise: above {below.form_line:g}, the line of {below.name}",
        )
    if level.hands < below.hands:
        yield _Fault(f"level[{at}].hands", level.hands, f"at least {below.hands}, the hands of {below.name}")
    if level.games < below.games:
        yield _Fault(f"level[{at}].games", level.games, f"at least {below.games}, the games of {below.name}")


def read_parameters(text: str, source: str) -> Parameters:
    """Parse a parameter set.

    Args:
        text: TOML.
        source: What to call it in an error: a path or a run.

    Raises:
        ParametersError: Not TOML, or a key or value that is not allowed; every one is named.
    """
    try:
        parameters = Parameters.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ParametersError(f"{source}: not TOML: {error}") from error
    except ValidationError as error:
        lines = [_sentence(detail) for detail in error.errors(include_url=False)]
        raise ParametersError("\n".join(f"{source}: {line}" for line in lines)) from error
    except (ValueError, RecursionError) as error:
        raise ParametersError(f"{source}: not TOML: a number is too long, or lists nest too deep") from error
    parameters._source = source
    return parameters


def load_parameters(path: Path = DEFAULT_PARAMETERS) -> tuple[Parameters, str]:
    """Read a parameter file and return the set with the file's text.

    Raises:
        ParametersError: It cannot be read or used.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ParametersError(f"{path}: cannot be read: {error}") from error
    return read_parameters(text, str(path)), text


def _sentence(detail: ErrorDetails) -> str:
    """Say one fault as `key = value: what is allowed`."""
    context = detail.get("ctx", {})
    if detail["type"] == "neighbours":
        return f"{context['key']} = {_toml(context['value'])}: {context['allowed']}"
    key = dotted(detail["loc"])
    if detail["type"] == "extra_forbidden":
        return f"{key} = {_toml(detail['input'])}: no such key; {_nearest_keys(detail['loc'])}"
    if detail["type"] == "missing":
        return f"{key}: missing; a parameter set is whole, see {DEFAULT_PARAMETERS}"
    return f"{key} = {_toml(detail['input'])}: {detail['msg'][0].lower()}{detail['msg'][1:]}"


def _nearest_keys(place: tuple[int | str, ...]) -> str:
    """Name the keys that a table allows, the likeliest first."""
    table: Any = Parameters
    for step in place[:-1]:
        if isinstance(step, str):
            table = _TABLES[step]
    allowed = sorted(table.model_fields)
    near = difflib.get_close_matches(str(place[-1]), allowed, n=1)
    return f"did you mean {near[0]}?" if near else f"allowed: {', '.join(allowed)}"


_TABLES: dict[str, type[_Table]] = {
    "start_rating": StartRating,
    "computer_rating": ComputerRating,
    "change": Change,
    "k_factor": KFactor,
    "stand_in": StandIn,
    "form": Form,
    "retention": Retention,
    "level": Level,
}


def dotted(place: tuple[int | str, ...]) -> str:
    """Write a place in the file as it would be looked for: `level[2].form_line`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


def _toml(value: object) -> str:
    """Write a value as the file has it, as far as a person needs."""
    if value is None:
        return "(none)"
    try:
        return str(value).lower() if isinstance(value, bool) else repr(value)
    except (ValueError, RecursionError):
        return "(too long to show)"
