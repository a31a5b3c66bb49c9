"""Compiled functions: what Python may call them with, and what the cache keeps."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.deferred import Deferred
from engine.jit import jit, lean
from engine.kernel import Row, kernel
from engine.play import play_games, play_hand

PROJECT = Path(__file__).resolve().parent.parent.parent


@kernel
def first_of(row: Row, factor: int) -> int:
    return row[0] * factor


@jit
def twice(values):
    return values * 2


@jit
def four_times(values):
    return twice(twice(values))


@jit
def zeros(count):
    return np.zeros(count)


@lean
def first_zero(count):
    return zeros(count)[0]


@jit
def last_zero(count):
    return zeros(count)[-1]


class TestDeferred:
    def test_arguments_that_fit_the_signature_are_taken(self):
        row = np.array([7], np.int64)
        assert first_of(row, 3) == 21
        assert first_of(row, True) == 7
        assert first_of(row, np.int32(2)) == 14

    @pytest.mark.parametrize(
        "arguments",
        [
            (np.array([7.0]), 3),
            (np.array([7, 8, 9], np.int64)[::2], 3),
            (np.array([7], np.int32), 3),
            (np.array([7], np.int64), 3.5),
            (7, 3),
        ],
    )
    def test_arguments_of_other_types_are_refused_before_and_after_the_first_call(self, arguments):
        fresh = kernel(first_of.py_func)
        for function in (fresh, first_of):
            with pytest.raises(TypeError, match="first_of takes"):
                function(*arguments)

    def test_without_a_signature_each_type_is_compiled(self):
        assert four_times(3) == 12
        assert four_times(0.25) == 1.0
        assert four_times(np.array([1, 2])).tolist() == [4, 8]

    def test_a_lean_function_may_not_be_handed_an_array_that_another_made(self):
        assert last_zero(3) == 0.0
        with pytest.raises(TypeError, match="first_zero is handed an array that zeros made"):
            first_zero(3)

    def test_a_function_that_only_compiled_code_calls_becomes_no_machine_code(self):
        assert isinstance(play_hand, Deferred)
        assert isinstance(play_games, Deferred)
        assert not play_hand._ready


#: Plays a little; what a process then has to say.
PROGRAM = (
    "from engine import HandState, RuleSet\n"
    "hand = HandState.deal(RuleSet.load('modern_american'), seed=1)\n"
    "print(hand.seat)\n"
)


def run_with_cache(folder, program=PROGRAM):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, text=True
    )


def test_a_second_process_compiles_nothing(tmp_path):
    program = (
        "from numba.core import event\n"
        "with event.install_recorder('numba:compile') as compiled:\n"
        "    from engine import HandState, RuleSet\n"
        "    hand = HandState.deal(RuleSet.load('modern_american'), seed=1)\n"
        "import sys\n"
        "print(len(compiled.buffer), hand.position()['holdings'][0], 'numba.np.linalg' in sys.modules)\n"
    )
    first, second = (run_with_cache(tmp_path, program).stdout.split() for _ in range(2))
    assert int(first[0]) > 0
    assert int(second[0]) == 0
    assert first[1] == second[1]
    # What numba can compile is loaded, which takes a second, only where something is compiled.
    assert (first[2], second[2]) == ("True", "False")


def test_it_is_told_once_that_something_is_compiled(tmp_path):
    program = "from engine.compiling import tell_once\ntell_once(lambda: print('compiling'))\n" + PROGRAM
    assert run_with_cache(tmp_path, program).stdout.split() == ["compiling", "1"]
    assert run_with_cache(tmp_path, program).stdout.split() == ["1"]


def test_a_damaged_cache_is_written_anew(tmp_path):
    run_with_cache(tmp_path)
    for kind in ("*.nbi", "*.nbc"):
        for path in tmp_path.rglob(kind):
            path.write_bytes(path.read_bytes()[:100])
        assert run_with_cache(tmp_path).stdout == "1\n"
    sizes = {path: path.stat().st_size for path in tmp_path.rglob("*.nb?")}
    assert min(sizes.values()) > 100
    assert run_with_cache(tmp_path).stdout == "1\n"
    assert {path: path.stat().st_size for path in tmp_path.rglob("*.nb?")} == sizes


def test_where_no_cache_can_be_kept_none_is_left_elsewhere(tmp_path):
    place = tmp_path / "file"
    place.write_bytes(b"")
    before = sorted(PROJECT.glob("*/__pycache__/*.nb?"))
    done = run_with_cache(place / "cache")
    assert done.stdout == "1\n", done.stderr
    assert sorted(PROJECT.glob("*/__pycache__/*.nb?")) == before
