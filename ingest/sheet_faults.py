"""What is wrong with a hand's rows on a score sheet, in its own words: columns, cells and lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from ingest.findings import Finding, Place
from ingest.hand_log import parse_time
from ingest.line_reader import shown
from ingest.sheet_mapping import SheetMapping

#: The players of a side.
Side = tuple[str, ...]

# Nine digits, as many as `ingest.hand_log.LARGEST` has.
_WHOLE: Final = re.compile(r"[+-]?0*[0-9]{1,9}")
_TIME_FORM: Final = "a time such as 2026-01-05 18:00"
_NUMBER_FORM: Final = "a whole number of at most nine digits"


@dataclass(frozen=True)
class Row:
    """A row of the sheet.

    Attributes:
        cells: Its cells, by column.
        line: Its line in the file, from 1; rows with the same cells are the same.
    """

    cells: dict[str, str]
    line: int = field(compare=False)

    def __getitem__(self, column: str) -> str:
        return self.cells[column]


def number(text: str) -> int | str:
    """Return a whole number of at most nine digits; anything else as it stands."""
    return int(text) if _WHOLE.fullmatch(text) else text


def utc(text: str) -> str:
    """Write a time as RFC 3339, in UTC where the sheet names no zone; anything else as it stands."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return at.isoformat() + ("" if at.tzinfo else "Z")


def rows_by_side(mapping: SheetMapping, rows: Sequence[Row]) -> dict[Side, list[Row]]:
    """Return a hand's rows by side, in the order of the sheet; one that says the same again is left out."""
    sides: dict[Side, list[Row]] = {}
    for row in rows:
        same = sides.setdefault(tuple(row[name] for name in mapping.columns.players if row[name]), [])
        if row not in same:
            same.append(row)
    return sides


def row_faults(mapping: SheetMapping, file: str, hand_id: str, rows: Sequence[Row]) -> list[Finding]:
    """Say what is wrong with a hand's rows; nothing of them is left to guess where this is empty.

    Args:
        mapping: What the columns mean.
        file: The sheet's name.
        hand_id: The hand.
        rows: Its rows, one at least.
    """
    faults = _Faults(mapping, file, hand_id, rows)
    faults.check_sides()
    faults.check_times()
    faults.check_dealer()
    faults.check_numbers()
    return faults.found


class _Faults:
    """Collects the faults of one hand's rows."""

    def __init__(self, mapping: SheetMapping, file: str, hand_id: str, rows: Sequence[Row]) -> None:
        self.mapping = mapping
        self.columns = mapping.columns
        self.file = file
        self.hand_id = hand_id
        self.first = rows[0]
        self.sides = rows_by_side(mapping, rows)
        self.found: list[Finding] = []

    def check_sides(self) -> None:
        """Check that each side has one row, and each row its players."""
        hand = f"hand {self.first[self.columns.hand]} of {shown(self.first[self.columns.game])}"
        if len(self.sides) == 1:
            (side,) = self.sides
            message = f"{hand} has a row for {_names(side)} alone: the row of the other side is missing"
            self._add(self.first, "sheet_rows", message, 2, 1)
        elif len(self.sides) > 2 and max(map(len, self.sides)) == 2:
            named = "; ".join(map(_names, self.sides))
            message = f"{hand} has rows for {len(self.sides)} sides, not 2: {named}"
            self._add(self.first, "sheet_rows", message, 2, len(self.sides))
        for side, rows in self.sides.items():
            if len(rows) > 1:
                points = " and ".join(row[self.columns.points] for row in rows)
                message = f"{hand} has rows for {_names(side)} that differ, with {points} points"
                self._add(rows[1], "sheet_rows", message, "one row", points)
            if len(side) < max(1, *map(len, self.sides)):
                empty = " and ".join(repr(name) for name in self.columns.players if not rows[0][name])
                self._add(rows[0], "missing_field", f"column {empty} is empty", "a player's name", "")

    def check_times(self) -> None:
        """Check when the hand started and ended; its first row counts."""
        times = []
        for column in (self.columns.started, self.columns.ended):
            try:
                times.append(parse_time(utc(self.first[column])))
            except ValueError:
                self._add_cell(self.first, column, "time_format", _TIME_FORM)
        if times != sorted(times):
            form = f"{self.first[self.columns.started]}, when it started, or later"
            self._add_cell(self.first, self.columns.ended, "time_order", form)

    def check_dealer(self) -> None:
        """Check that the dealer sits at the table, where both sides are known."""
        players = [player for side in self.sides for player in side]
        if len(self.sides) > 1 and self.first[self.columns.dealer] not in players:
            form = f"one of the players at the table: {', '.join(players)}"
            self._add_cell(self.first, self.columns.dealer, "wrong_value", form)

    def check_numbers(self) -> None:
        """Check the hand's number, the points and what they are made of."""
        canastas = set(self.mapping.canastas.values())
        parts = {name for names in self.mapping.parts.values() for name in names} - canastas
        self._check_number(self.first, self.columns.hand, least=1)
        for row in (row for rows in self.sides.values() for row in rows):
            self._check_number(row, self.columns.points)
            for column in sorted(canastas):
                self._check_number(row, column, least=0)
            for column in sorted(parts - {self.columns.points}):
                # An empty cell adds nothing.
                if row[column]:
                    self._check_number(row, column)

    def _check_number(self, row: Row, column: str, least: int | None = None) -> None:
        value = number(row[column])
        form = _NUMBER_FORM if least is None else f"{_NUMBER_FORM}, {least} or more"
        if isinstance(value, str):
            self._add_cell(row, column, "wrong_type", form)
        elif least is not None and value < least:
            self._add_cell(row, column, "wrong_value", form)

    def _add_cell(self, row: Row, column: str, code: str, form: str) -> None:
        found = row[column]
        message = f"column {column!r}: {shown(found) if found else 'empty'}, not {form}"
        self._add(row, code, message, form, found)

    def _add(self, row: Row, code: str, message: str, expected: Any, found: Any) -> None:
        place = Place(self.file, row.line)
        self.found.append(place.finding(code, message, hand_id=self.hand_id, expected=expected, found=found))


def _names(side: Side) -> str:
    return " and ".join(side) or "nobody"
