"""What every command keeps to: help with an example, a warehouse that need not be named."""

import pytest
import typer

from service.cli import app

ROOT = typer.main.get_command(app)


def leaves(command, path=()):
    """Give (words, command) of every command that does something."""
    for name, child in sorted(getattr(command, "commands", {}).items()):
        yield from leaves(child, (*path, name))
    if not hasattr(command, "commands"):
        yield " ".join(path), command


COMMANDS = dict(leaves(ROOT))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_of_the_command_itself(name):
    assert f"`coastal {name}" in (COMMANDS[name].help or "")


@pytest.mark.parametrize("name", COMMANDS)
def test_warehouse_need_not_be_named(name):
    warehouse = [option for option in COMMANDS[name].params if option.name == "warehouse"]
    assert not any(option.required for option in warehouse)
