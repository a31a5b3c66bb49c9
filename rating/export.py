"""Write a run's record to a file: CSV with every digit, or Parquet."""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

import duckdb

from engine.errors import RatingError
from ingest.following import Progress, followed
from ingest.records import only_row
from ingest.warehouse import Warehouse
from rating.queries import sql
from rating.runs import Run
from rating.serving import standing_table
from rating.views import open_run, parameters_of


class Export(StrEnum):
    """What of a run can be written."""

    CHANGES = "changes"
    EVENTS = "events"
    STANDINGS = "standings"
    HANDS = "hands"


#: How each kind of file is written.
FORMATS: Final = {
    ".csv": "COPY ({}) TO $out (FORMAT csv, HEADER)",
    ".parquet": "COPY ({}) TO $out (FORMAT parquet, COMPRESSION zstd)",
}


def export(
    warehouse: Warehouse,
    run: Run,
    what: Export,
    out: Path,
    *,
    sees_hidden: bool,
    told: Progress | None = None,
) -> int:
    """Write a part of a run's record; return its rows.

    The rows come in an order that depends on the log alone, so equal ratings make equal files.

    Args:
        warehouse: The open warehouse.
        run: The run.
        what: Which part.
        out: The file, replaced once the new one is whole.
        sees_hidden: Whether it holds players who hide their skill, and every digit of the others' numbers.
        told: Hears how far it is.

    Raises:
        RatingError: The file's ending is not one of `FORMATS`, or it cannot be written.
    """
    if out.suffix not in FORMATS:
        raise RatingError(f"{out}: an export ends in {' or '.join(FORMATS)}")
    cursor = warehouse.cursor()
    open_run(cursor, warehouse.runs_directory, run)
    draft = out.with_name(f".{out.name}.draft")
    values: dict[str, object] = {"sees_hidden": sees_hidden, "out": str(draft)}
    if what is Export.STANDINGS:
        cursor.register("computed", standing_table(cursor, parameters_of(run)))
    if what is Export.HANDS:
        values |= {"hand_watermark": run.hand_watermark, "correction_watermark": run.correction_watermark}
    cursor.execute(sql(f"export/exact_{out.suffix[1:]}"))
    cursor.execute(sql("export/told_exactly" if sees_hidden else "export/told_rounded"))
    try:
        with followed(cursor, 0, 1, told):
            (rows,) = only_row(cursor, FORMATS[out.suffix].format(sql(f"export/{what.value}")), values)
        draft.replace(out)
    except (duckdb.IOException, OSError) as error:
        raise RatingError(f"{out} cannot be written: {str(error).splitlines()[0]}") from error
    finally:
        # DuckDB writes beside it first, and leaves that behind when it is stopped.
        for leftover in (draft, draft.with_name(f"tmp_{draft.name}")):
            with suppress(OSError):
                leftover.unlink(missing_ok=True)
    return int(rows)
