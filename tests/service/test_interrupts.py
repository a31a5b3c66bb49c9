"""What a signal does to work that counts only whole."""

import os
import signal

import pytest

from service.interrupts import StopAtEdge


def test_items_that_count_only_together_are_abandoned_by_a_signal():
    with StopAtEdge() as stop:
        items = stop.all_or_none(stop.until_stopped([1, 2, 3]))
        assert next(items) == 1
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            next(items)


def test_items_that_count_only_together_all_come_without_a_signal():
    with StopAtEdge() as stop:
        assert list(stop.all_or_none(stop.until_stopped([1, 2, 3]))) == [1, 2, 3]
