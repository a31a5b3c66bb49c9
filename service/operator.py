"""Who acts on the record, and why: the options of every command that changes what is known."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer


def said(words: str | None) -> str | None:
    """Refuse an option's words that say nothing.

    Raises:
        typer.BadParameter: They are empty or blank.
    """
    if words is not None and not words.strip():
        raise typer.BadParameter("it is kept for good and says nothing: give some words")
    return words


OperatorOption = Annotated[
    str,
    typer.Option(
        "--operator",
        callback=said,
        envvar="COASTAL_OPERATOR",
        default_factory=getpass.getuser,
        help="Who does this; kept with it.",
        show_default="your login",
    ),
]
WhyOption = Annotated[
    str, typer.Option("--why", callback=said, help="The reason; kept with it.", show_default=False)
]
