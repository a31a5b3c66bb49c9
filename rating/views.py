"""Open a run's history: views over its files that hold the whole record, derived numbers included."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa

from engine.errors import RatingError
from rating.history import part_file
from rating.parameters import Parameters, read_parameters
from rating.queries import sql
from rating.runs import Run, whole_parts


def parameters_of(run: Run) -> Parameters:
    """Return the parameter set of a run."""
    return read_parameters(run.parameters_toml, f"parameters of run {run.name}")


def open_run(cursor: duckdb.DuckDBPyConnection, runs_directory: Path, run: Run) -> None:
    """Let a cursor see a run's record as the views `rating_change`, `rating_event`, `hand_side` and more.

    `sql/views/run.sql` says what they hold. They are the cursor's own: another cursor may see another run.

    Args:
        cursor: A cursor of the warehouse.
        runs_directory: Where the runs lie.
        run: The run.

    Raises:
        RatingError: The run's history is not whole, or damaged.
    """
    parts = whole_parts(cursor, runs_directory, run)
    folder = runs_directory / run.name
    files = {
        kind: [str(part_file(runs_directory / part.folder, part.number, kind)) for part in parts]
        for kind in ("change", "side", "event", "state")
    }
    state = files.pop("state")[-1]
    names = {"state": state, "slot": str(folder / "slot.parquet"), "pool": str(folder / "pool.parquet")}
    for statement, value in zip(
        sql("views/files").split(";"), (*files.values(), *names.values()), strict=True
    ):
        cursor.execute(statement, [value])
    cursor.register("level_of_parameters", level_table(parameters_of(run)))
    cursor.execute("CREATE OR REPLACE TEMP TABLE run_level AS SELECT * FROM level_of_parameters")
    cursor.unregister("level_of_parameters")
    try:
        cursor.execute(sql("views/run"))
    except duckdb.Error as error:
        raise RatingError(
            f"run {run.name!r}: a file in {folder} is damaged ({str(error).partition(chr(10))[0]}): make the "
            "run again with `coastal replay --name NAME`, or restore the folder from a backup"
        ) from error


def level_table(parameters: Parameters) -> pa.Table:
    """Return the level table of a parameter set, lowest first."""
    levels = parameters.level
    return pa.table(
        {
            "position": pa.array(range(len(levels)), pa.int32()),
            "level": pa.array([level.name for level in levels]),
            "form_line": pa.array([level.form_line for level in levels], pa.float64()),
            "hands_needed": pa.array([level.hands for level in levels], pa.int32()),
            "games_needed": pa.array([level.games for level in levels], pa.int32()),
        }
    )
