"""Verify a run: every stored row's identities, its counts, and the log rated again by the slow path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ingest.records import only_row
from rating.audit.audited import AuditedRun
from rating.audit.identities import BrokenRow, check_identities
from rating.audit.log import first_self_ratings
from rating.audit.recompute import Difference, accounts, recompute_all
from rating.audit.sample import recompute_sample
from rating.audit.stored import StoredRun, stored_run
from rating.rules import compile_rules, start_rating

#: Told of rows checked; told how many hands will be rated again and of those that were.
TellRows = Callable[[int], None]
TellHands = Callable[[int, int], None]


@dataclass(frozen=True)
class Report:
    """What verifying found.

    Attributes:
        run: The run.
        rows: Stored changes, whose identities were checked.
        hands: Hands that were rated again.
        is_whole: Whether these were all.
        difference: The first difference, None when the run holds.
    """

    run: str
    rows: int
    hands: int
    is_whole: bool
    difference: Difference | None

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def verify(
    audited: AuditedRun, sample: int | None, seed: int, tell_rows: TellRows, tell_hands: TellHands
) -> Report:
    """Verify a run.

    Args:
        audited: The run.
        sample: How many hands are rated again; None for the whole log from its first hand.
        seed: Chooses the sample.
        tell_rows: Hears how many more rows have been checked.
        tell_hands: Hears how many hands will be rated again, and how many more have been.
    """
    stored = stored_run(audited.cursor, audited.warehouse.runs_directory, audited.run)
    size = audited.run.hands if sample is None else min(sample, audited.run.hands)
    difference = (
        _counts(audited, stored) or _starts(audited, stored) or _identities(audited, stored, tell_rows)
    )
    if difference is None:

        def told(done: int) -> None:
            tell_hands(size, done)

        difference = (
            recompute_all(audited, stored, told)
            if sample is None
            else recompute_sample(audited, stored, size, seed, told)
        )
    return Report(audited.run.name, audited.run.changes, size, sample is None, difference)


def _counts(audited: AuditedRun, stored: StoredRun) -> Difference | None:
    """Compare how many rows there are with how many the run says it has."""
    found = dict.fromkeys(("changes", "events"), 0)
    for part in stored:
        found["changes"] += part.change.num_rows
        found["events"] += part.event.num_rows
    for name, count in found.items():
        due = getattr(audited.run, name)
        if due != count:
            return Difference("", f"run {audited.run.name}", name, due, count)
    return None


def _starts(audited: AuditedRun, stored: StoredRun) -> Difference | None:
    """Compare what everybody starts from with the first self-ratings that the run saw."""
    said = first_self_ratings(audited.warehouse.cursor(), audited.seen)
    for account, found in zip(accounts(audited, stored), stored.slots.start_rating.tolist(), strict=True):
        due = start_rating(audited.parameters, said.get(account.player))
        if due != found:
            return Difference("", f"{account.player} in {account.pool}", "start", due, found)
    return None


def _identities(audited: AuditedRun, stored: StoredRun, tell_rows: TellRows) -> Difference | None:
    rules = compile_rules(audited.parameters)
    broken = check_identities(stored, rules, audited.run.hand_watermark, tell_rows)
    return None if broken is None else _in_words(audited, broken)


def _in_words(audited: AuditedRun, broken: BrokenRow) -> Difference:
    """Name the hand and the player of a broken row."""
    row = only_row(
        audited.cursor,
        """
        SELECT hand.hand_id, player.player, run_slot.pool, run_slot.device
        FROM hand, run_slot JOIN player USING (player_key)
        WHERE hand.hand_key = $hand_key AND run_slot.slot = $slot
        """,
        {"hand_key": broken.hand_key, "slot": broken.slot},
    )
    hand_id, player, pool, device = row
    where = f"{player} in {pool}{f' on {device}' if device else ''}"
    return Difference(hand_id, where, broken.rule, broken.expected, broken.found)
