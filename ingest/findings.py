"""What can be wrong with a line: the one registry of codes, and the finding that names a fault.

A code never changes its meaning. `docs/hand-log.md` prints this table and a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

Severity = Literal["error", "warning"]


class Code(NamedTuple):
    """One kind of fault.

    Attributes:
        level: The checking level that finds it; None where only the warehouse can tell.
        severity: An error keeps the line out; a warning does not.
        rule: What a good line holds to.
    """

    level: int | None
    severity: Severity
    rule: str


CODES: Final[dict[str, Code]] = {
    "invalid_utf8": Code(0, "error", "a line is UTF-8"),
    "invalid_json": Code(0, "error", "a line is one JSON value (RFC 8259: no NaN, no lone surrogate)"),
    "line_too_long": Code(0, "error", "a line has at most 4 MiB"),
    "not_an_object": Code(0, "error", "a line is a JSON object"),
    "duplicate_key": Code(0, "error", "an object has each key once"),
    "unknown_format": Code(0, "error", "`format` is canasta-hand/1 or canasta-player/1"),
    "missing_field": Code(0, "error", "a required field is there"),
    "wrong_type": Code(0, "error", "a field has its type; 1.0 and \"1\" are not integers"),
    "wrong_value": Code(0, "error", "a field has one of its values, or lies in its range"),
    "time_format": Code(0, "error", "a time is RFC 3339 with its zone, such as 2026-01-05T18:00:00Z"),
    "time_order": Code(0, "error", "a hand does not end before it starts"),
    "device_missing": Code(0, "error", "a solo hand names its device"),
    "seat_person": Code(0, "error", "a person's seat names its player, a computer's its skill alone"),
    "seat_order": Code(0, "error", "seats are 0, 1, 2 ... in play order"),
    "side_lists": Code(0, "error", "lists by side all have one entry a side"),
    "incomplete_log": Code(0, "error", "`deal` and `events` come together, with one holding a seat"),
    "sheet_rows": Code(0, "error", "a score sheet has one row for each side of a hand"),
    "unknown_field": Code(0, "warning", "a field of one's own starts with x_"),
    "unknown_ruleset": Code(1, "error", "the rule set is known"),
    "unknown_option": Code(1, "error", "an option is one of the rule set's, with an allowed value"),
    "seat_count": Code(1, "error", "the rule set is played by that many"),
    "seat_side": Code(1, "error", "partners sit opposite: seat s is of side s modulo the number of sides"),
    "side_count": Code(1, "error", "there is a result for each of the rule set's sides"),
    "player_twice": Code(1, "error", "nobody sits twice at a table"),
    "dealer_seat": Code(1, "error", "the dealer is one of the seats"),
    "out_seat": Code(1, "error", "`seat`, who went out or laid the special hand, is one of the seats"),
    "special_hand": Code(1, "error", "ended_by special, and only that, names a special hand of the rule set"),
    "winner_side": Code(1, "error", "`winner` is a side, and only when the game is over"),
    "ledger_sum": Code(1, "error", "a ledger's parts sum to its side's points"),
    "score_after": Code(1, "error", "score_after is score_before plus points"),
    "canasta_points": Code(1, "error", "the canasta bonus is one that the counts can give"),
    "event_notation": Code(1, "error", "cards in the deal and in events are written as `cards` says"),
    "card_count": Code(1, "error", "two packs hold eight of a rank, four 3s of a colour, four jokers"),
    "score_step": Code(1, "warning", "score_before is the score_after of the game's hand before"),
    "hand_gap": Code(1, "warning", "a game's hands are numbered without gaps"),
    "deal_shape": Code(2, "error", "each seat is dealt what the rule set deals"),
    "deal_upcards": Code(2, "error", "upcards are turned where the rule set turns them"),
    "hidden_card": Code(2, "error", "a log that is to be replayed hides no card"),
    "illegal_event": Code(2, "error", "every event is legal; a finding names the clause that refuses it"),
    "drawn_cards": Code(2, "error", "as many cards come from the stock as the rule set says"),
    "going_out": Code(2, "error", "`o` follows the event that empties a holding, and only that"),
    "events_end": Code(2, "error", "the events go on until the hand ends"),
    "ended_by": Code(2, "error", "the hand ended as the result says"),
    "turns": Code(2, "error", "`turns` counts the turns begun"),
    "ledger": Code(2, "error", "the ledger is what the hand pays"),
    "points": Code(2, "error", "points are what the hand pays"),
    "canastas": Code(2, "error", "canastas are those on the table"),
    "game_over": Code(2, "error", "the game is over, and won, when the rule set says so; no hand follows"),
    "duplicate": Code(None, "warning", "the same hand again, with the same content, changes nothing"),
    "conflict": Code(None, "error", "a hand_id names one content; see `coastal correct`"),
    "game_conflict": Code(None, "error", "a game has one hand of a number"),
}  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One fault of one line; `dataclasses.asdict` gives the record that `coastal check --json` prints.

    Attributes:
        file: The file's name as given, ``-`` for standard input.
        line: In the file, from 1.
        hand_id: The hand, or None where it cannot be read.
        event: Number of the event in the hand's log, from 1, or None.
        code: A key of `CODES`.
        severity: ``error`` or ``warning``.
        message: One sentence for a person.
        rule: What a good line holds to, or the clause of the rules that an event breaks.
        expected: What would have been right, where that can be said.
        found: What the line says.
    """

    file: str
    line: int
    hand_id: str | None
    event: int | None
    code: str
    severity: Severity
    message: str
    rule: str
    expected: Any = None
    found: Any = None

    @property
    def is_error(self) -> bool:
        """Whether it keeps the line out."""
        return self.severity == "error"


@dataclass(frozen=True)
class Place:
    """Where a line came from: a file's name and a line number from 1."""

    file: str
    line: int

    def finding(
        self,
        code: str,
        message: str,
        *,
        hand_id: str | None = None,
        event: int | None = None,
        expected: Any = None,
        found: Any = None,
        rule: str | None = None,
    ) -> Finding:
        """Word a fault of this line; severity and, where no clause is named, rule are the code's."""
        kind = CODES[code]
        rule = rule or kind.rule
        return Finding(
            self.file, self.line, hand_id, event, code, kind.severity, message, rule, expected, found
        )
