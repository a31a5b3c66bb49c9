"""Rate and publish with bars that say how far it is; shared by the commands that do either."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ingest.following import Progress
from ingest.times import now
from ingest.warehouse import Warehouse
from rating.serving import publish_current
from service.console import progress, share_done


@contextmanager
def rating_bar() -> Iterator[Progress]:
    """Show how far a fold is."""
    with progress("Rating", None) as bar:
        task = bar.task_ids[0]
        yield lambda done, total: bar.update(task, completed=done, total=total)


def publish(house: Warehouse) -> int:
    """Publish the current run; return the snapshot's number."""
    with share_done("Publishing") as told:
        return publish_current(house, now(), told)
