"""Club score sheets: a CSV with a row a hand and side, turned into `canasta-hand/1` lines.

Points are the record. Whatever in a row is not what it should be goes into the line as it stands, so that the
checks of the format find it and the quarantine keeps it.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import numpy as np

from engine.errors import IngestError, RuleSetError
from engine.ruleset import RuleSet
from engine.scoring import DRAWN_GAME, PLAYS_ON, game_winner
from ingest import strict_json
from ingest.columns import LEDGER_PARTS, SIDES
from ingest.findings import Finding
from ingest.hand_log import HAND_FORMAT
from ingest.sheet_faults import Row, Side, number, row_faults, rows_by_side, utc
from ingest.sheet_mapping import SheetMapping

#: The `engine` of a sheet's hands: in these, what is 0 or null may be what the sheet does not tell.
SHEET_ENGINE: Final = "score sheet"

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class SheetHand(NamedTuple):
    """A hand of a sheet.

    Attributes:
        line: The line of its first row, from 1.
        text: The hand log's line.
        faults: What is wrong with its rows; the line cannot be kept where there is any.
    """

    line: int
    text: bytes
    faults: list[Finding]


def sheet_hands(text: str, mapping: SheetMapping, file: str) -> Iterator[SheetHand]:
    """Turn a sheet into hand log lines.

    Args:
        text: The sheet; the header names the columns, separated by commas, semicolons or tabs.
        mapping: What the columns mean.
        file: The sheet's name, for findings.

    Raises:
        IngestError: The header lacks columns that the mapping names.
    """
    header = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
    missing = mapping.names - {name.strip() for name in reader.fieldnames or ()}
    if missing:
        raise IngestError(
            f"the score sheet has no column {', '.join(map(repr, sorted(missing)))}; say what its columns "
            "mean in a copy of ingest/score_sheet.toml, and pass that with --sheet"
        )
    columns = mapping.columns
    latest: dict[tuple[str, str], str] = {}
    hands: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for fields in reader:
        cells = {
            name.strip(): (value or "").strip() for name, value in fields.items() if isinstance(name, str)
        }
        if not any(cells.values()):  # spreadsheets end in rows of separators alone
            continue
        row = Row(cells, reader.line_num)
        name, hand_no, day = (row[column] for column in (columns.game, columns.hand, columns.started))
        key = name, hand_no, _known_day(day, latest.get((name, hand_no)))
        latest[name, hand_no] = key[2]
        hands[key].append(row)
    games: dict[str, _Game] = {}
    played: set[tuple[str, str]] = set()
    for (name, hand_no, _), rows in hands.items():
        # A name that comes again with a hand that was played on another day is another game.
        if name not in games or (name, hand_no) in played:
            games[name] = _Game(mapping, name, rows[0])
            played = {one for one in played if one[0] != name}
        played.add((name, hand_no))
        hand = games[name].hand(rows)
        faults = row_faults(mapping, file, hand["hand_id"], rows)
        yield SheetHand(rows[0].line, strict_json.canonical(hand).encode(), faults)


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
        self.rules = RuleSet.load(mapping.ruleset, **mapping.options)
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
        players = [player for place in zip_longest(*seated, fillvalue="") for player in place]
        points = [number(row[columns.points]) for row in ordered]
        before, after = self._add(seated, points)
        hand_no = number(rows[0][columns.hand])
        return {
            "format": HAND_FORMAT,
            "hand_id": f"{self.game_id}/{rows[0][columns.hand]}",
            "game_id": self.game_id,
            "hand_no": hand_no,
            "started_at": utc(rows[0][columns.started]),
            "ended_at": utc(rows[0][columns.ended]),
            "mode": "live",
            "ruleset": self.mapping.ruleset,
            "options": self.mapping.options,
            "seats": [
                {"seat": seat, "side": seat % len(seated), "kind": "human", "player": player}
                for seat, player in enumerate(players)
            ],
            "dealer": _place(players, rows[0][columns.dealer]),
            "score_before": before,
            "result": self._result(ordered, points, after, self._winner(players, hand_no, after)),
            "engine": SHEET_ENGINE,
        }

    def _sides(self, rows: list[Row]) -> dict[Side, Row]:
        """Return the row of each side; where two differ, one whose points are no number: both of them."""
        points = self.mapping.columns.points
        return {
            side: replace(same[0], cells=same[0].cells | {points: " and ".join(row[points] for row in same)})
            for side, same in rows_by_side(self.mapping, rows).items()
        }

    def _seat(self, sides: list[Side]) -> list[Side]:
        """Return the sides in order, keeping each its number, also when someone of it was replaced.

        A hand that lacks a side's row, or has one too many, which the checks refuse, leaves the game's sides
        as they are; a side that the game's first hand lacked joins with the next.
        """
        most = 2 if any(len(side) > 1 for side in sides) else SIDES
        if len(self.sides) < 2 and len(sides) <= most:
            score = dict(zip(self.sides, self.score, strict=True))
            self.sides, self.score = list(sides), [score.get(side, 0) for side in sides]
        if len(sides) != len(self.sides):
            return sides
        for place, side in enumerate(self.sides):
            self.sides[place] = max(sides, key=lambda one: len(set(one) & set(side)))
            sides.remove(self.sides[place])
        return list(self.sides)

    def _winner(self, players: list[str], hand_no: int | str, after: list[int]) -> int:
        """Return who has won, as `game_winner` does; at a table that the rules do not know it plays on."""
        try:
            rules = RuleSet.for_table(self.mapping.ruleset, len(players), self.mapping.options)
        except RuleSetError:
            return PLAYS_ON
        if rules.sides != len(after) or not isinstance(hand_no, int):
            return PLAYS_ON
        return int(game_winner(rules.numbers, np.array(after, np.int64), hand_no, -1))

    def _result(
        self, rows: list[Row], points: list[int | str], after: list[int], winner: int
    ) -> dict[str, Any]:
        ledger = [self._ledger(row) for row in rows]
        went_out = any(part["going_out"] != 0 for part in ledger)
        return {
            "ended_by": "out" if went_out else "stock",
            "points": points,
            "ledger": ledger,
            "canastas": [self._counts(row) for row in rows],
            "score_after": after,
            "game_over": winner != PLAYS_ON,
            "winner": None if winner in (PLAYS_ON, DRAWN_GAME) else winner,
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
            return dict.fromkeys(LEDGER_PARTS, 0) | {"melds": number(row[self.mapping.columns.points])}
        ledger: dict[str, int | str] = dict.fromkeys(LEDGER_PARTS, 0)
        ledger |= {part: _total(row, names) for part, names in self.mapping.parts.items()}
        return ledger

    def _counts(self, row: Row) -> dict[str, int | str]:
        """Divide bonuses by the rule set's; what does not divide is no count, and the checks will say so."""
        bonus = {"natural": self.rules.natural_points, "mixed": self.rules.mixed_points}
        counts: dict[str, int | str] = {}
        for kind, name in self.mapping.canastas.items():
            value = number(row[name])
            counts[kind] = value // bonus[kind] if isinstance(value, int) else value
        return counts


def _total(row: Row, names: tuple[str, ...]) -> int | str:
    """Add up columns; an empty one is nothing, the first that is no number is returned as it stands."""
    total = 0
    for name in names:
        value = number(row[name] or "0")
        if isinstance(value, str):
            return value
        total += value
    return total


def _place(players: list[str], dealer: str) -> int | str:
    """Return the dealer's seat; a name that sits nowhere as it stands."""
    return players.index(dealer) if dealer in players else dealer
