"""`coastal dashboard`: serve the pages on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

import dashboards
from ingest.paths import warehouse_file
from service.console import DEFAULT_WAREHOUSE, WarehouseOption

_APP = Path(dashboards.__file__).with_name("app.py")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(dashboard)


def dashboard(
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on 127.0.0.1.")] = 8501,
    operator: Annotated[
        bool, typer.Option("--operator", help="Show players who hide their skill, too; marked on every page.")
    ] = False,
) -> None:
    """Serve the ratings as web pages on 127.0.0.1.

    Shows what the warehouse has published, and each newer snapshot when a page is next loaded.

    Example: `coastal dashboard --port 8600`
    """
    arguments = [sys.executable, "-m", "streamlit", "run", str(_APP), "--server.port", str(port)]
    settings = {
        "COASTAL_WAREHOUSE": str(warehouse_file(warehouse).resolve()),
        "COASTAL_OPERATOR": str(int(operator)),
    }
    os.chdir(_APP.parent.parent)  # where streamlit finds its configuration
    # Taking the place of this process lets signals reach the server itself.
    os.execve(sys.executable, arguments, os.environ | settings)  # noqa: S606 (a fixed argument list)
