"""The same source, compiled and as plain Python, gives the same hands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.one_hand import HANDS, hand_lines

ROOT = Path(__file__).resolve().parents[2]


def test_plain_python_plays_the_same_hands() -> None:
    plain = subprocess.run(
        [sys.executable, "-m", "tests.support.one_hand"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = list(hand_lines())
    assert plain.stdout.splitlines() == compiled
    assert len(compiled) == len(HANDS)
    assert all('"events":"' in line for line in compiled)
