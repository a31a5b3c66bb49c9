"""Who acts on the record, and why: the options of every command that changes what is known."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

OperatorOption = Annotated[
    str,
    typer.Option(
        "--operator",
        envvar="COASTAL_OPERATOR",
        default_factory=getpass.getuser,
        help="Who does this; kept with it.",
        show_default="your login",
    ),
]
WhyOption = Annotated[str, typer.Option("--why", help="The reason; kept with it.", show_default=False)]
