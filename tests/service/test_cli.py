"""The command imports only what is asked for, and knows where everything is."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import typer.main

import service.commands
from service.cli import MODULES, app, command_line


def names(line):
    return set(typer.main.get_command(line).commands)


def test_every_command_of_every_module_is_known():
    files = {path.stem for path in Path(service.commands.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(MODULES.values()) == files
    assert names(app) == set(MODULES)


@pytest.mark.parametrize("wanted", MODULES)
def test_asking_for_a_command_brings_its_module_alone(wanted):
    assert names(command_line(wanted)) == {name for name in MODULES if MODULES[name] == MODULES[wanted]}


def test_an_unknown_command_brings_all_so_that_it_can_be_told():
    assert names(command_line("simulat")) == set(MODULES)


def test_it_says_its_version():
    done = subprocess.run(
        [Path(sys.executable).with_name("coastal"), "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"coastal {version('coastal')}\n"


def test_rating_loads_no_simulator_and_no_page():
    code = (
        "import sys; from service.cli import command_line; command_line('rate'); print(*sorted(sys.modules))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "rating.replay" in loaded
    assert not {"engine.simulator", "streamlit", "dashboards"} & set(loaded)


def test_binding_values_loads_no_pandas(tmp_path):
    program = (
        "import sys\n"
        "from service.cli import main\n"
        f"sys.argv = ['coastal', 'stats', '--warehouse', {str(tmp_path / 'w.duckdb')!r}]\n"
        "from ingest.warehouse import open_warehouse\n"
        "from pathlib import Path\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    pass\n"
        "with open_warehouse(Path(sys.argv[3])) as warehouse:\n"
        "    warehouse.cursor().execute('SELECT $at', {'at': 1})\n"
        "print('pandas' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize("words", [["history", b"caf\xe9"], ["ingest", b"caf\xe9.jsonl"]])
def test_words_that_are_not_utf_8_are_wrong_use(tmp_path, words):
    coastal = Path(sys.executable).with_name("coastal")
    done = subprocess.run([coastal, *words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.replace("\n", " ").startswith("'caf\\udce9")
    assert "is not UTF-8" in done.stderr
