"""The house style's sizes and names, held by a test."""

import ast
import re
import statistics
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "ingest", "rating", "dashboards", "service")
MODULES = sorted(path for room in ROOMS for path in (PROJECT / room).rglob("*.py"))
MAX_MODULE_LINES = 300
MEDIAN_FUNCTION_LINES = 10
NINTH_DECILE_FUNCTION_LINES = 30
NAMES_THAT_SAY_NOTHING = {"utils", "helpers", "manager", "misc", "common"}


def body_lines(function: ast.FunctionDef) -> int:
    """Count a function's lines without its signature and docstring."""
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_module_is_small_or_says_why(module):
    text = module.read_text()
    if text.count("\n") > MAX_MODULE_LINES:
        assert re.search(r"^# Long because \w", text, re.MULTILINE), "past 300 lines without its reason"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_module_starts_with_one_sentence_about_its_job(module):
    docstring = ast.get_docstring(ast.parse(module.read_text()))
    assert docstring, "no docstring"
    assert docstring.splitlines()[0].rstrip().endswith((".", ":")), "its first line is not a sentence"


def test_functions_are_small():
    lengths = [
        body_lines(node)
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.FunctionDef)
    ]
    assert statistics.median(lengths) <= MEDIAN_FUNCTION_LINES
    if len(lengths) > 1:
        assert statistics.quantiles(lengths, n=10)[-1] <= NINTH_DECILE_FUNCTION_LINES


def test_no_module_has_a_name_that_says_nothing():
    assert {path.stem for path in MODULES}.isdisjoint(NAMES_THAT_SAY_NOTHING)


def test_no_committed_text_names_a_registry():
    registry = re.compile(r"pypi\.org|files\.pythonhosted|registry\.npmjs|deb\.debian\.org")
    files = [path for path in PROJECT.glob("*") if path.is_file()]
    files += [
        path for folder in (*ROOMS, "docs", "benchmarks", ".ci") for path in (PROJECT / folder).rglob("*")
    ]
    for path in files:
        if path.suffix in {".py", ".md", ".toml", ".lock", ".in", ".txt", ""} and path.is_file():
            assert not registry.search(path.read_text(errors="ignore")), path
