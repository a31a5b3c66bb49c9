"""The one error tree; bad *data* becomes a finding, only a bad *request* raises.

    CoastalError
    ├── RuleSetError          an unknown rule set or option, or a value out of range
    ├── IllegalActionError    a move that the rules refuse (clause, seat, event)
    ├── NotationError         text that is not a card, action or position (text, column)
    ├── PositionError         a position that no play can reach
    ├── IngestError           a log, file or warehouse that cannot be used
    │   ├── MissingWarehouseError there is no warehouse where one was looked for
    │   ├── NotAWarehouseError    the file is none
    │   ├── WarehouseBusyError    another process holds the warehouse (holder)
    │   └── SnapshotMissingError  nothing has been published yet
    ├── ReplayMismatchError   a replayed hand differs from its log (expected, found)
    └── RatingError           a parameter file, run or player that cannot be used

Rooms above the engine raise these or subclass them beside the code that raises.
"""

from __future__ import annotations


class CoastalError(Exception):
    """Root of every error that a caller is meant to read; its text says what to do next."""


class RuleSetError(CoastalError):
    """A rule set or option is unknown, or an option's value is out of range."""


class IllegalActionError(CoastalError):
    """The rules refuse an action.

    Attributes:
        clause: Clause id, such as ``"M-open"``.
        seat: Seat that tried, 0..n-1.
        event: Number of the event in the hand's log, from 1, or None outside a log.
    """

    def __init__(self, message: str, *, clause: str, seat: int, event: int | None = None) -> None:
        place = f"seat {seat}" if event is None else f"seat {seat}, event {event}"
        super().__init__(f"{clause}: {message} ({place})")
        self.clause = clause
        self.seat = seat
        self.event = event


class NotationError(CoastalError):
    """Text cannot be read as a card, an action or a position.

    Attributes:
        text: The text as given.
        column: Where in it the fault lies, from 0; None where it is the whole.
    """

    def __init__(self, message: str, *, text: str, column: int | None = None) -> None:
        super().__init__(f"{message}: {text!r}" + ("" if column is None else f", column {column}"))
        self.text = text
        self.column = column


class PositionError(CoastalError):
    """A position cannot be: no play under its rule set reaches it."""


class IngestError(CoastalError):
    """A log, file or warehouse cannot be used."""


class MissingWarehouseError(IngestError):
    """There is no warehouse where one was looked for."""


class NotAWarehouseError(IngestError):
    """The file named as a warehouse is none."""


class WarehouseBusyError(IngestError):
    """Another process holds the warehouse; the text names it."""


class SnapshotMissingError(IngestError):
    """No snapshot has been published yet."""


class ReplayMismatchError(CoastalError):
    """A replayed hand differs from what its log claims.

    Attributes:
        expected: What the rules give.
        found: What the log says.
    """

    def __init__(self, message: str, *, expected: object, found: object) -> None:
        super().__init__(f"{message}: expected {expected}, found {found}")
        self.expected = expected
        self.found = found


class RatingError(CoastalError):
    """A parameter file, run or player cannot be used."""
