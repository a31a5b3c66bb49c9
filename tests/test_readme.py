"""The README's commands run as written, and print what it says."""

import doctest
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import COASTAL, PROJECT

README = (PROJECT / "README.md").read_text()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def examples(text):
    """Give (command, printed text) of every ``$`` line in the console blocks."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = example.partition("\n")
            yield command, printed


def coastal_examples():
    return [example for example in examples(README) if not example[0].startswith("make ")]


@pytest.fixture(scope="module")
def home(demo_home, tmp_path_factory):
    """A private copy of the demo league, as in a checkout: the README's commands may write to it."""
    copy = Path(shutil.copytree(demo_home, tmp_path_factory.mktemp("readme") / "home"))
    (copy / "rating").symlink_to(PROJECT / "rating")
    return copy


def test_readme_shows_every_job():
    commands = " ".join(command for command, _ in coastal_examples())
    for job in ("coastal player", "coastal audit", "coastal replay", "coastal compare"):
        assert job in commands


def test_make_targets_of_the_readme_exist():
    targets = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z-]+)", README))
    assert {"run", "test"} <= named <= targets


def test_commands_print_what_the_readme_says(home):
    environment = {**os.environ, "COLUMNS": "110", "PATH": f"{COASTAL.parent}:{os.environ['PATH']}"}
    environment.pop("COASTAL_WAREHOUSE", None)
    for command, printed in coastal_examples():
        run = subprocess.run(
            ["bash", "-c", command], cwd=home, env=environment, capture_output=True, text=True, timeout=120
        )
        assert run.returncode == 0, f"{command}\n{run.stderr}"
        if printed:
            assert doctest.OutputChecker().check_output(printed, run.stdout, FLAGS), (
                f"{command}\n{run.stdout}"
            )
