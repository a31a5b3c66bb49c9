"""Club score sheets: a CSV with a row a hand and side, turned into `canasta-hand/1` lines.

Points are the record. Whatever in a row is not what it should be goes into the line as it stands, so that the
checks of the format find it and the quarantine keeps it.
"""

from __future__ import annotations

import csv
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
    reader = csv.DictReader(text.splitlines(), delimiter=max(",;\t", key=header.count))
    missing = mapping.names - {name.strip() for name in reader.fieldnames or ()}
    if missing:
        raise IngestError(f"the score sheet has no column {', '.join(map(repr, sorted(missing)))}")
    hands: dict[tuple[str, str], list[Row]] = defaultdict(list)
    first_line: dict[tuple[str, str], int] = {}
    for fields in reader:
        row = {name.strip(): (value or "").strip() for name, value in fields.items() if isinstance(name, str)}
        key = row[mapping.columns.game], row[mapping.columns.hand]
        hands[key].append(row)
        first_line.setdefault(key, reader.line_num)
    games: dict[str, _Game] = {}
    for key in sorted(hands, key=lambda key: (first_line[key],)):
        game = games.setdefault(key[0], _Game(mapping, key[0], hands[key][0]))
        yield first_line[key], strict_json.canonical(game.hand(hands[key])).encode()


class _Game:
    """Follows one game down the sheet: who sits where, and the score."""

    def __init__(self, mapping: SheetMapping, name: str, first: Row) -> None:
        self.mapping = mapping
        self.rules = RuleSet.load(mapping.ruleset)
        # Sheets use a game's name again on another day.
        self.game_id = f"{first[mapping.columns.started][:10]} {name}"
        self.sides: list[tuple[str, ...]] = []
        self.score: list[int] = []

    def hand(self, rows: list[Row]) -> dict[str, Any]:
        """Return the log of the game's next hand."""
        columns = self.mapping.columns
        sides = {tuple(row[name] for name in columns.players if row[name]): row for row in rows}
        self._seat(list(sides))
        ordered = [sides[side] for side in self.sides]
        players = [player for place in zip(*self.sides, strict=False) for player in place]
        number = _number(rows[0][columns.hand])
        points = [_number(row[columns.points]) for row in ordered]
        before, after = self.score, self._add(points)
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
                {"seat": seat, "side": seat % len(self.sides), "kind": "human", "player": player}
                for seat, player in enumerate(players)
            ],
            "dealer": _place(players, rows[0][columns.dealer]),
            "score_before": before,
            "result": self._result(ordered, points, after),
            "engine": "score sheet",
        }

    def _seat(self, sides: list[tuple[str, ...]]) -> None:
        """Keep each side its number, also when someone of it was replaced."""
        if len(sides) != len(self.sides):
            self.sides, self.score = sides, [0] * len(sides)
            return
        for number, side in enumerate(self.sides):
            self.sides[number] = max(sides, key=lambda one: len(set(one) & set(side)))
            sides.remove(self.sides[number])

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

    def _add(self, points: list[int | str]) -> list[int]:
        """Add a hand's points to the score; what is no number adds nothing, and the checks will say so."""
        numbers = [value if isinstance(value, int) else 0 for value in points]
        self.score = [score + value for score, value in zip(self.score, numbers, strict=True)]
        return self.score

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
    try:
        return int(text)
    except ValueError:
        return text


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
