"""Load blocks of lines: check them, tell new from known, keep the new, each block in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ingest import columns as c
from ingest.chain import BatchKind, Contents, add_batch, next_batch, refusal_hash
from ingest.checking import Checked, check_block
from ingest.columns import HandColumns, Ints
from ingest.content import ContentHashes, content_hashes
from ingest.continuity import doubtful_games, judge_continuity
from ingest.findings import Finding
from ingest.identity import Identity, duplicate_finding, judge_identity
from ingest.memory import keep_freed_memory
from ingest.people import Statement, add_statements, new_statements
from ingest.refusals import add_refusals, close_refusals
from ingest.sources import Block
from ingest.store import insert_hands, next_hand_key, places_of, source_keys
from ingest.warehouse import Warehouse


@dataclass
class LoadReport:
    """What came of loading; lines read = loaded + duplicates + quarantined.

    Attributes:
        read: Lines that are not blank.
        loaded: New hands and new statements about players.
        duplicates: Lines that say again what is known.
        quarantined: Lines with an error.
        warnings: Findings that are none.
        batch: The last batch that changed anything, None when nothing did.
    """

    read: int = 0
    loaded: int = 0
    duplicates: int = 0
    quarantined: int = 0
    warnings: int = 0
    batch: int | None = None


class Tried(NamedTuple):
    """Lines in quarantine that are tried again.

    Attributes:
        numbers: [n] those of a block's lines.
        waiting: [m] those of lines that come after the block.
    """

    numbers: Ints
    waiting: Ints


#: The lines of the block come for the first time.
NOT_TRIED: Final = Tried(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


@dataclass
class Loader:
    """Loads blocks one after the other and reports on all of them.

    Attributes:
        warehouse: The open warehouse.
        level: The checking level, 0 to 2.
        clock: Tells the present instant.
        kind: What the batches are recorded as.
        on_finding: Hears of every error and warning, in order.
        hears_duplicates: Whether it hears of duplicates too.
        report: What came of it so far.
    """

    warehouse: Warehouse
    level: int
    clock: Callable[[], datetime]
    kind: BatchKind = "load"
    on_finding: Callable[[Finding], None] = lambda finding: None
    hears_duplicates: bool = False
    report: LoadReport = field(default_factory=LoadReport)
    _doubtful: set[str] = field(default_factory=set)
    _first_batch: int | None = None

    def __post_init__(self) -> None:
        """Make ready for many blocks."""
        keep_freed_memory()

    def load_all(self, blocks: Iterable[Block]) -> LoadReport:
        """Load blocks and, when all are in, judge whether games hang together."""
        for block in blocks:
            self.load(block)
        self.finish()
        return self.report

    def load(
        self,
        block: Block,
        also: Callable[[BlockLoad, int], None] | None = None,
        tried: Tried = NOT_TRIED,
    ) -> None:
        """Load a block: on return it is durably in the warehouse, or, where this raises, nothing of it is.

        Args:
            block: The lines.
            also: Does more in the same transaction, given what came of the block and its batch.
            tried: Which lines of the quarantine these are, where they are tried again.

        Raises:
            IngestError: The disk is full or fails.
        """
        started_at = self.clock()
        checked = check_block(block, self.level)
        hashes = content_hashes(checked.hands)
        with self.warehouse.transaction() as connection:
            load = BlockLoad(connection, block, checked, hashes, tried)
            load.tell_new()
            number, _ = next_batch(connection)
            batch = load.keep(self.kind, self.level, started_at, self.clock())
            if also is not None:
                also(load, number)
        self._tell(load, batch)

    def finish(self) -> None:
        """Judge the games that looked torn while their hands came in."""
        if self._first_batch is None:
            return
        for finding in judge_continuity(self.warehouse.cursor(), self._doubtful, self._first_batch):
            self.report.warnings += 1
            self.on_finding(finding)

    def _tell(self, load: BlockLoad, batch: int | None) -> None:
        report, counts = self.report, load.counts
        report.read += counts["lines"]
        report.loaded += counts["loaded"]
        report.duplicates += counts["duplicates"]
        report.quarantined += counts["quarantined"]
        report.warnings += counts["warnings"]
        if batch is not None:
            report.batch = batch
            self._first_batch = self._first_batch or batch
            self._doubtful |= set(doubtful_games(load.new_hands))
        findings = load.findings
        if self.hears_duplicates:
            places = load.identity.duplicates.tolist()
            hands = load.checked.hands
            findings = findings + [
                (int(hands.rows[place]), duplicate_finding(load.block, hands, place)) for place in places
            ]
        for _, finding in sorted(findings, key=lambda entry: entry[0]):
            self.on_finding(finding)


class BlockLoad:
    """Takes one checked block through its transaction.

    Attributes:
        connection: In the transaction.
        block: The lines.
        checked: What they hold.
        hashes: The content of the hands that are kept.
        tried: Which lines of the quarantine these are, where they are tried again.
        identity: Which of the sound hands are new.
        new_hands: Those.
        statements: What is new of players.
        findings: All that is wrong, with the line's place in the block.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        block: Block,
        checked: Checked,
        hashes: ContentHashes,
        tried: Tried = NOT_TRIED,
    ) -> None:
        self.connection = connection
        self.block = block
        self.checked = checked
        self.hashes = hashes
        self.tried = tried
        self.identity: Identity
        self.new_hands: HandColumns
        self.statements: list[Statement]
        self.findings: list[tuple[int, Finding]]

    def tell_new(self) -> None:
        """Find out which hands and statements are new."""
        self.identity = judge_identity(self.connection, self.block, self.checked.hands, self.hashes.content)
        self.new_hands = self.checked.hands
        if len(self.identity.new) < len(self.new_hands):
            self.new_hands = self.new_hands.take(self.identity.new)
            self.hashes = ContentHashes(*(one.take(self.identity.new) for one in self.hashes))
        self.statements = new_statements(self.connection, self.checked.players)
        self.findings = self.checked.findings + self.identity.findings

    @property
    def counts(self) -> dict[str, int]:
        """The counts of the block, by column of `ingest_batch`."""
        errors = {row for row, finding in self.findings if finding.is_error}
        loaded = len(self.new_hands) + len(self.statements)
        return {
            "lines": len(self.block),
            "loaded": loaded,
            "duplicates": len(self.block) - loaded - len(errors),
            "quarantined": len(errors),
            "warnings": sum(not finding.is_error for _, finding in self.findings),
            "hands": len(self.new_hands),
            "seats": int(self.new_hands.numbers[:, c.SEAT_COUNT].sum()),
            "side_results": int(self.new_hands.numbers[:, c.SIDE_COUNT].sum()),
            "player_records": len(self.statements),
            "corrections": 0,
        }

    def keep(self, kind: BatchKind, level: int, started_at: datetime, at: datetime) -> int | None:
        """Insert what is new; return the batch's number, None where nothing is new."""
        batch, _ = next_batch(self.connection)
        sources = source_keys(self.connection, self.block.sources)
        refused = add_refusals(self.connection, self.block, self.findings, sources, batch)
        if len(refused) + len(self.new_hands) + len(self.statements) == 0:
            return None
        hands = places_of(self.block, self.new_hands.rows, sources)
        rows = np.array([statement.row for statement in self.statements], dtype=np.int64)
        statements = places_of(self.block, rows, sources)
        self._add_hands(hands, batch)
        self._add_statements(statements, batch)
        close_refusals(self.connection, self.new_hands, at, self._refused_after(refused))
        refusals = np.array([(line["source"], line["line"]) for line in refused], dtype=np.int64)
        contents = Contents(
            hands=self.hashes.content.to_pylist(),
            player_records=[statement.content for statement in self.statements],
            refusals=[refusal_hash(line["raw_hash"], line["hand_id"]) for line in refused],
            places=np.concatenate([hands, statements, refusals.reshape(-1, 2)]),
            sources={key: name for name, key in sources.items()},
        )
        return add_batch(
            self.connection,
            kind=kind,
            level=level,
            started_at=started_at,
            finished_at=at,
            counts=self.counts | {"refusals": len(refused)},
            contents=contents,
        )

    def _refused_after(self, refused: list[dict[str, Any]]) -> Ints:
        """Return the numbers in quarantine of lines that are refused after their hand came in, or may yet be.

        A sound line closes what came before it, here as across blocks, and nothing that comes after it.
        """
        numbers = dict(enumerate(self.tried.numbers.tolist()))
        numbers |= {line["row"]: line["quarantine_key"] for line in refused}
        if not numbers:
            return self.tried.waiting
        refused_ids = {
            row: one.hand_id for row, one in self.findings if one.is_error and one.hand_id is not None
        }
        ids, asked = self.new_hands.texts[c.HAND_ID], pa.array(set(refused_ids.values()), pa.string())
        among = np.flatnonzero(np.asarray(pc.is_in(ids, asked)))
        arrived = dict(zip(ids.take(among).to_pylist(), self.new_hands.rows[among].tolist(), strict=True))
        after = [
            numbers[row]
            for row, hand_id in refused_ids.items()
            if row in numbers and arrived.get(hand_id, row) < row
        ]
        return np.append(self.tried.waiting, np.array(after, dtype=np.int64))

    def _add_hands(self, places: Ints, batch: int) -> None:
        if len(places) > 0:
            keys = next_hand_key(self.connection) + np.arange(len(places))
            insert_hands(self.connection, self.new_hands, keys, self.hashes, places, batch)

    def _add_statements(self, places: Ints, batch: int) -> None:
        if len(places) > 0:
            add_statements(self.connection, self.statements, places, batch)
