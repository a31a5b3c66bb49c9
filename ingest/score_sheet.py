"""Club score sheets: a CSV with a row a hand and side, turned into `canasta-hand/1` lines.

Points are the record. Whatever in a row is not what it should be goes into the line as it stands, so that the
checks of the format find it and the quarantine keeps it.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import IngestError, RuleSetError
from engine.ruleset import RuleSet
from ingest import strict_json
from ingest.columns import LEDGER_PARTS
from ingest.hand_log import HAND_FORMAT

DEFAULT_MAPPING: Final = Path(__file__).with_suffix(".toml")

Part = Literal["canastas", "threes", "going_out", "melds", "holdings", "penalties", "special"]
Row = dict[str, str]
#: The players of a side.
Side = tuple[str, ...]

_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SheetColumns(_Data):
    """Names of the columns that say which hand, when, who and how many points."""

    game: str
    hand: str
    started: str
    ended: str
    dealer: str
    players: tuple[str, ...] = Field(min_length=1, max_length=2)
    points: str


class SheetMappingError(IngestError):
    """A file does not say what a score sheet's columns mean."""


class SheetMapping(_Data):
    """What a sheet's columns mean; `score_sheet.toml` explains each field."""

    ruleset: str
    columns: SheetColumns
    parts: dict[Part, tuple[str, ...]] = {}
    canastas: dict[Literal["natural", "mixed"], str] = {}

    @classmethod
    def load(cls, path: Path = DEFAULT_MAPPING) -> SheetMapping:
        """Read a mapping.

        Raises:
            SheetMappingError: The file cannot be read or says something unknown; names the file and the key.
        """
        try:
            mapping = cls.model_validate(tomllib.loads(path.read_text("utf-8")))
            RuleSet.load(mapping.ruleset)
        except OSError as error:
            raise SheetMappingError(f"{path} cannot be read: {error.strerror}") from error
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
            raise SheetMappingError(f"{path} is no mapping of a score sheet: {faults}") from error
        except (ValueError, RuleSetError) as error:
            raise SheetMappingError(f"{path} is no mapping of a score sheet: {error}") from error
        return mapping

    @property
    def names(self) -> set[str]:
        """All columns that the sheet must have."""
        one = self.columns
        named = {one.game, one.hand, one.started, one.ended, one.dealer, *one.players, one.points}
        return named | {name for names in self.parts.values() for name in names} | set(self.canastas.values())


def sheet_lines(text: str, mapping: SheetMapping) -> Iterator[tuple[int, bytes]]:
    """Turn a sheet into hand log lines, each with the number of its first row's line.

    Args:
        text: The sheet; the header names the columns, separated by commas, semicolons or tabs.
        mapping: What the columns mean.

    Raises:
        IngestError: The header lacks columns that the mapping names.
    """
    header = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
    missing = mapping.names - {name.strip() for name in reader.fieldnames or ()}
    if missing:
        raise IngestError(f"the score sheet has no column {', '.join(map(repr, sorted(missing)))}")
    columns = mapping.columns
    latest: dict[tuple[str, str], str] = {}
    hands: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    first_line: dict[tuple[str, str, str], int] = {}
    for fields in reader:
        row = {name.strip(): (value or "").strip() for name, value in fields.items() if isinstance(name, str)}
        name, number, day = (row[column] for column in (columns.game, columns.hand, columns.started))
        key = name, number, _known_day(day, latest.get((name, number)))
        latest[name, number] = key[2]
        hands[key].append(row)
        first_line.setdefault(key, reader.line_num)
    games: dict[str, _Game] = {}
    played: set[tuple[str, str]] = set()
    for key in sorted(hands, key=lambda key: (first_line[key],)):
        name, number, _ = key
        # A name that comes again with a hand that was played on another day is another game.
        if name not in games or (name, number) in played:
            games[name] = _Game(mapping, name, hands[key][0])
            played = {one for one in played if one[0] != name}
        played.add((name, number))
        yield first_line[key], strict_json.canonical(games[name].hand(hands[key])).encode()


def _known_day(started: str, latest: str | None) -> str:
    """Return a hand's day; one that cannot be read is that of the hand's other rows."""
    day = started[:10] if _DAY.match(started) else ""
    if latest is None or (day and latest):
        return day
    return latest


class _Game:
    """Follows one game down the sheet: who sits where, and the score."""

    def __init__(self, mapping: SheetMapping, name: str, first: Row) -> None:
        self.mapping = mapping
        self.rules = RuleSet.load(mapping.ruleset)
        # Sheets use a game's name again on another day.
        self.game_id = f"{first[mapping.columns.started][:10]} {name}"
        self.sides: list[Side] = []
        self.score: list[int] = []

    def hand(self, rows: list[Row]) -> dict[str, Any]:
        """Return the log of the game's next hand."""
        columns = self.mapping.columns
        sides = self._sides(rows)
        seated = self._seat(list(sides))
        ordered = [sides[side] for side in seated]
        players = [player for place in zip(*seated, strict=False) for player in place]
        number = _number(rows[0][columns.hand])
        points = [_number(row[columns.points]) for row in ordered]
        before, after = self._add(seated, points)
        return {
            "format": HAND_FORMAT,
            "hand_id": f"{self.game_id}/{rows[0][columns.hand]}",
            "game_id": self.game_id,
            "hand_no": number,
            "started_at": _utc(rows[0][columns.started]),
            "ended_at": _utc(rows[0][columns.ended]),
            "mode": "live",
            "ruleset": self.mapping.ruleset,
            "options": {},
            "seats": [
                {"seat": seat, "side": seat % len(seated), "kind": "human", "player": player}
                for seat, player in enumerate(players)
            ],
            "dealer": _place(players, rows[0][columns.dealer]),
            "score_before": before,
            "result": self._result(ordered, points, after),
            "engine": "score sheet",
        }

    def _sides(self, rows: list[Row]) -> dict[Side, Row]:
        """Return the row of each side; where two differ, one whose points are no number: both of them."""
        columns = self.mapping.columns
        sides: dict[Side, Row] = {}
        for row in rows:
            side = tuple(row[name] for name in columns.players if row[name])
            other = sides.setdefault(side, row)
            if other != row:
                sides[side] = row | {columns.points: f"{other[columns.points]} and {row[columns.points]}"}
        return sides

    def _seat(self, sides: list[Side]) -> list[Side]:
        """Return the sides in order, keeping each its number, also when someone of it was replaced.

        A hand that lacks a side's row, which the checks refuse, leaves the game's sides as they are.
        """
        if not self.sides:
            self.sides, self.score = list(sides), [0] * len(sides)
        if len(sides) != len(self.sides):
            return sides
        for number, side in enumerate(self.sides):
            self.sides[number] = max(sides, key=lambda one: len(set(one) & set(side)))
            sides.remove(self.sides[number])
        return list(self.sides)

    def _result(self, rows: list[Row], points: list[int | str], after: list[int]) -> dict[str, Any]:
        ledger = [self._ledger(row) for row in rows]
        leaders = [side for side, score in enumerate(after) if score == max(after)]
        is_over = max(after) >= self.rules.target and len(leaders) == 1
        went_out = any(part["going_out"] != 0 for part in ledger)
        return {
            "ended_by": "out" if went_out else "stock",
            "points": points,
            "ledger": ledger,
            "canastas": [self._counts(row) for row in rows],
            "score_after": after,
            "game_over": is_over,
            "winner": leaders[0] if is_over else None,
        }

    def _add(self, seated: list[Side], points: list[int | str]) -> tuple[list[int], list[int]]:
        """Add a hand's points to the score; return what it was before and after.

        What is no number adds nothing, and a side that is not there gets nothing; the checks will say so.
        """
        numbers = {
            side: value if isinstance(value, int) else 0 for side, value in zip(seated, points, strict=True)
        }
        score = dict(zip(self.sides, self.score, strict=True))
        self.score = [score[side] + numbers.get(side, 0) for side in self.sides]
        before = [score.get(side, 0) for side in seated]
        return before, [value + numbers[side] for side, value in zip(seated, before, strict=True)]

    def _ledger(self, row: Row) -> dict[str, int | str]:
        if not self.mapping.parts:
            return dict.fromkeys(LEDGER_PARTS, 0) | {"melds": _number(row[self.mapping.columns.points])}
        ledger: dict[str, int | str] = dict.fromkeys(LEDGER_PARTS, 0)
        ledger |= {part: _total(row, names) for part, names in self.mapping.parts.items()}
        return ledger

    def _counts(self, row: Row) -> dict[str, int | str]:
        """Divide bonuses by the rule set's; what does not divide is no count, and the checks will say so."""
        bonus = {"natural": self.rules.natural_points, "mixed": self.rules.mixed_points}
        counts: dict[str, int | str] = {}
        for kind, name in self.mapping.canastas.items():
            value = _number(row[name])
            counts[kind] = value // bonus[kind] if isinstance(value, int) else value
        return counts


def _number(text: str) -> int | str:
    """Return a whole number; anything else as it stands."""
    return int(text) if _WHOLE.fullmatch(text) else text


def _total(row: Row, names: tuple[str, ...]) -> int | str:
    """Add up columns; an empty one is nothing, the first that is no number is returned as it stands."""
    total = 0
    for name in names:
        value = _number(row[name] or "0")
        if isinstance(value, str):
            return value
        total += value
    return total


def _utc(text: str) -> str:
    """Write a time as RFC 3339, in UTC where the sheet names no zone; anything else as it stands."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return at.isoformat() + ("" if at.tzinfo else "Z")


def _place(players: list[str], dealer: str) -> int | str:
    """Return the dealer's seat; a name that sits nowhere as it stands."""
    return players.index(dealer) if dealer in players else dealer
