"""Make rating runs: fold the whole log, or only from the last checkpoint that still holds."""

# Long because one run is made here from its request to its record, and its steps share one failure.
from __future__ import annotations

import re
import shutil
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import duckdb

from engine.errors import RatingError
from ingest.durable import sync, sync_folder
from ingest.following import Progress
from ingest.records import first_row, only_row
from ingest.times import utc_naive
from ingest.warehouse import Warehouse
from rating import layout as col
from rating.elo import IntArray
from rating.folding import Fold
from rating.history import (
    KINDS,
    part_file,
    write_part,
    write_slots,
)
from rating.layout import Held, History, State
from rating.parameters import Parameters, read_parameters
from rating.queries import sql
from rating.reading import Block, Place, hand_order
from rating.rules import Rules
from rating.runs import (
    DRAFT,
    Part,
    Run,
    all_runs,
    check_new_name,
    find_run,
    parts_of,
    record_current,
    remove_unowned,
    unusable_files,
)

#: Hands in a part of the history, and so between checkpoints.
PART_HANDS: Final = 200_000


class Watermarks(NamedTuple):
    """How far a run sees the log."""

    hand_watermark: int
    correction_watermark: int
    batch_watermark: int


@dataclass(frozen=True)
class Request:
    """What run to make.

    Attributes:
        parameters, parameters_toml: The parameter set and its text.
        name: The run's.
        at: The present instant.
        why: The reason to make it current in the same act; None leaves the current run as it is.
        part_hands: Hands between checkpoints; changes no number.
        progress: Told how many hands are done, and of how many.
    """

    parameters: Parameters
    parameters_toml: str
    name: str
    at: datetime
    why: str | None = None
    part_hands: int = PART_HANDS
    progress: Progress | None = None


def replay(warehouse: Warehouse, request: Request) -> Run:
    """Fold the whole log into a new run.

    Raises:
        RatingError: The name cannot be used; nothing is written.
        ParametersError: The parameters do not know a rule set of the log; nothing is written.
    """
    remove_unowned(warehouse)
    check_new_name(warehouse.cursor(), warehouse.runs_directory, request.name)
    return _make_run(warehouse, request, None, [])


def rate(
    warehouse: Warehouse, *, at: datetime, part_hands: int = PART_HANDS, progress: Progress | None = None
) -> Run | None:
    """Bring the current run up to date: a new run that shares the history before the first change.

    Hands loaded late, voided or replaced are rated in their place: the fold starts at the last checkpoint
    before the first of them, so the result is that of a replay, bit for bit. It starts at the first hand when
    the current run's files are not whole or another version of the program wrote them.

    Returns:
        The new run, which is current now; None when the current one is up to date and whole.

    Raises:
        UnknownRunError: No run is current.
        ParametersError: The run's parameters do not know a rule set of the log.
    """
    cursor = warehouse.cursor()
    current = find_run(cursor)
    seen = {field: getattr(current, field) for field in Watermarks._fields}
    found = first_row(cursor, sql("runs/first_change"), seen)
    parts = parts_of(cursor, current)
    is_whole = not unusable_files(warehouse.runs_directory, current, parts)
    if found is None and is_whole:
        return None
    remove_unowned(warehouse)
    parameters = read_parameters(current.parameters_toml, f"parameters of run {current.name}")
    is_usable = is_whole and current.code_version == version("coastal")
    kept = _parts_before(parts, Place(*found)) if found is not None and is_usable else []
    why = (
        "hands loaded, corrected or voided since"
        if is_whole
        else "made again, for files were not whole, from"
    )
    request = Request(
        parameters,
        current.parameters_toml,
        _next_name(cursor, current),
        at,
        f"{why} {current.name}",
        part_hands,
        progress,
    )
    return _make_run(warehouse, request, current, kept)


def _next_name(cursor: duckdb.DuckDBPyConnection, run: Run) -> str:
    """Name a run's successor with the next free number: `league`, `league+1`, `league+2`."""
    base = re.sub(r"\+\d+$", "", run.name)
    names = [re.fullmatch(rf"{re.escape(base)}\+(\d+)", other.name) for other in all_runs(cursor)]
    return f"{base}+{max((int(name[1]) for name in names if name), default=0) + 1}"


def _parts_before(parts: list[Part], change: Place) -> list[Part]:
    """Return the parts that a change leaves as they are: those that end before it."""
    kept = []
    for part in parts:
        if part.last is None or _order(part.last) >= _order(change):
            break
        kept.append(part)
    return kept


def _order(place: Place) -> tuple[datetime, bytes, int, bytes]:
    return place.ended_at, place.game_id.encode(), place.hand_no, place.hand_id.encode()


def _without_small_tail(kept: list[Part], hands_behind: int, part_hands: int) -> list[Part]:
    """Leave out last parts that are no larger than what must be folded behind them.

    So parts grow as ratings are brought up to date again and again, instead of becoming many.
    """
    kept = list(kept)
    while kept and kept[-1].hands <= hands_behind and kept[-1].hands + hands_behind <= part_hands:
        hands_behind += kept.pop().hands
    return kept


def _make_run(warehouse: Warehouse, request: Request, parent: Run | None, kept: list[Part]) -> Run:
    """Fold what the kept parts of a parent's history leave, write it down, and record the run in one act."""
    began = time.perf_counter()
    cursor = warehouse.cursor()
    watermarks = Watermarks(*only_row(cursor, sql("runs/watermarks")))
    draft = warehouse.runs_directory / DRAFT
    try:
        draft.mkdir(parents=True, exist_ok=True)
        parts = _write_history(warehouse, request, parent, kept, draft)
        sync_folder(draft)
        draft.rename(warehouse.runs_directory / request.name)
    except BaseException as error:
        shutil.rmtree(draft, ignore_errors=True)
        if isinstance(error, OSError):
            raise RatingError(f"{draft} cannot be written: {error.strerror or error}") from error
        raise
    sync(warehouse.runs_directory)
    return _record(warehouse, request, watermarks, parts, time.perf_counter() - began)


def _write_history(
    warehouse: Warehouse, request: Request, parent: Run | None, kept: list[Part], draft: Path
) -> list[Part]:
    """Write the parts behind the kept ones and the slots into a new folder; return all parts."""
    cursor = warehouse.cursor()
    order = hand_order(cursor, kept[-1].last if kept else None)
    longer = _without_small_tail(kept, order.size, request.part_hands)
    if len(longer) < len(kept):
        kept = longer
        order = hand_order(cursor, kept[-1].last if kept else None)
    fold = Fold(warehouse, request.parameters, parent if kept else None, kept[-1] if kept else None)
    done = 0
    with ThreadPoolExecutor(1) as writing, ThreadPoolExecutor(1) as syncing:
        writer = _PartWriter(cursor, draft, request.name, fold.rules, writing, syncing)
        for number, block in enumerate(fold.reader.blocks(order, request.part_hands), 1):
            size = block.hands.margin_scale.size
            writer.take(number, fold, block, order[done : done + size])
            done += size
            if request.progress:
                request.progress(done, order.size)
        new = writer.finish()
    write_slots(draft, fold.slots())
    return kept + new


class _PartWriter:
    """Writes a run's parts, each while the next one is folded and the one before goes to the disk."""

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        folder: Path,
        name: str,
        rules: Rules,
        writing: ThreadPoolExecutor,
        syncing: ThreadPoolExecutor,
    ) -> None:
        self._cursor = cursor
        self._folder = folder
        self._name = name
        self._levels = rules.levels
        self._writing = writing
        self._syncing = syncing
        self._parts: list[Part] = []
        self._pending: Future[Part] | None = None

    def take(self, number: int, fold: Fold, block: Block, keys: IntArray) -> None:
        """Fold a block and have it written; waits for the part before."""
        history, filled, held = fold.fold(block)
        state = State(fold.state.numbers.copy(), fold.state.counts.copy())
        self._wait()
        last = None
        if keys.size:
            last = Place(*only_row(self._cursor, sql("runs/last_hand"), {"hand_key": int(keys[-1])}))
        self._pending = self._writing.submit(
            self._write, number, history, filled, state, held, keys.size, last
        )

    def finish(self) -> list[Part]:
        """Wait for the last part and return them all."""
        self._wait()
        return self._parts

    def _wait(self) -> None:
        if self._pending is not None:
            self._parts.append(self._pending.result())

    def _write(
        self,
        number: int,
        history: History,
        filled: IntArray,
        state: State,
        held: Held,
        hands: int,
        last: Place | None,
    ) -> Part:
        events = write_part(self._folder, number, history, filled, state, held, self._levels)
        for kind in KINDS:
            # So little is left to wait for at the end, when all is synced again and faults show.
            self._syncing.submit(sync, part_file(self._folder, number, kind))
        rated, changes, sides = (int(filled[count]) for count in (col.RATED, col.CHANGES, col.SIDES))
        return Part(self._name, number, hands, rated, changes, sides, events, last)


def _record(
    warehouse: Warehouse, request: Request, watermarks: Watermarks, parts: list[Part], seconds: float
) -> Run:
    """Record a run whose history is on disk, and make it current when asked, in one transaction."""
    parameters = request.parameters
    with warehouse.transaction() as connection:
        (run,) = only_row(connection, "SELECT coalesce(max(run), 0) + 1 FROM rating_run")
        connection.execute(
            sql("runs/insert_run"),
            {
                "run": run,
                "name": request.name,
                "parameters": parameters.name,
                "parameters_toml": request.parameters_toml,
                "parameters_hash": parameters.digest(),
                "code_version": version("coastal"),
                **watermarks._asdict(),
                "hands": sum(part.hands for part in parts),
                "rated": sum(part.rated for part in parts),
                "changes": sum(part.changes for part in parts),
                "events": sum(part.events for part in parts),
                "started_at": utc_naive(request.at),
                "seconds": seconds,
            },
        )
        for number, part in enumerate(parts, 1):
            connection.execute(sql("runs/insert_part"), _part_row(run, number, part))
        if request.why is not None:
            record_current(connection, run, request.why, request.at)
    return find_run(warehouse.cursor(), request.name)


def _part_row(run: int, number: int, part: Part) -> dict[str, object]:
    place = part.last._asdict() if part.last else dict.fromkeys(Place._fields)
    return {
        "run": run,
        "part": number,
        "folder": part.folder,
        "number": part.number,
        "hands": part.hands,
        "rated": part.rated,
        "changes": part.changes,
        "sides": part.sides,
        "events": part.events,
        **{f"last_{field}": value for field, value in place.items()},
    }
