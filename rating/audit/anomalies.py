"""Anomalies worth an auditor's look, each with its definition and its evidence: listed, never judged."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ingest.following import Progress, followed
from ingest.records import records
from rating.audit.audited import AuditedRun
from rating.queries import sql

THRESHOLDS = Path(__file__).with_name("anomalies.toml")

Count = Annotated[int, Field(ge=1, le=1_000_000)]
Share = Annotated[float, Field(gt=0, le=1)]
Points = Annotated[float, Field(gt=0, le=100_000)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Kind(_Table):
    """A kind of anomaly: its definition in words, with places for its thresholds."""

    definition: str

    def thresholds(self) -> dict[str, Any]:
        """Return the thresholds by name."""
        return self.model_dump(exclude={"definition"})


class ClosedPair(_Kind):
    """Two people who only play each other."""

    hands: Count


class OneOpponent(_Kind):
    """Rating raised mostly against one opponent."""

    gain_points: Points
    share: Share
    hands: Count


class InstantHands(_Kind):
    """Hands that end at once."""

    turns: Count
    seconds: Count
    hands: Count


class LeftWhileLosing(_Kind):
    """Games left for good while losing."""

    games: Count
    share: Share


class UnfinishedWhileLosing(_Kind):
    """Games that stop while the player is losing."""

    games: Count
    share: Share
    idle_days: Count


class FixedPartner(_Kind):
    """A partner who never changes."""

    hands: Count


class SuddenStrength(_Kind):
    """A Rating that rises a lot in few hands."""

    settled_hands: Count
    window_hands: Count
    rise_points: Points


class Thresholds(_Table):
    """The thresholds of every anomaly; `anomalies.toml` explains each."""

    closed_pair: ClosedPair
    one_opponent: OneOpponent
    instant_hands: InstantHands
    left_while_losing: LeftWhileLosing
    unfinished_while_losing: UnfinishedWhileLosing
    fixed_partner: FixedPartner
    sudden_strength: SuddenStrength


@dataclass(frozen=True)
class Anomaly:
    """One kind of anomaly.

    Attributes:
        anomaly: Its name.
        definition: What it lists, thresholds included.
        found: A row a finding, with its evidence.
    """

    anomaly: str
    definition: str
    found: list[dict[str, Any]]


def load_thresholds() -> Thresholds:
    """Read the thresholds."""
    return Thresholds.model_validate(tomllib.loads(THRESHOLDS.read_text(encoding="utf-8")))


def anomalies(audited: AuditedRun, thresholds: Thresholds, told: Progress | None = None) -> list[Anomaly]:
    """Look for every kind of anomaly in a run's live pools.

    Args:
        audited: The run.
        thresholds: From which size on something is an anomaly.
        told: Hears how far it is.
    """
    cursor = audited.cursor
    seen = {"hand_watermark": audited.seen.hand, "correction_watermark": audited.seen.correction}
    kinds: dict[str, _Kind] = {name: getattr(thresholds, name) for name in Thresholds.model_fields}
    tables = {"base": {}, "games": seen}
    steps = len(tables) + len(kinds)
    for done, (name, values) in enumerate(tables.items()):
        with followed(cursor, done, steps, told):
            cursor.execute(sql(f"audit/anomalies/{name}"), values)
    found = []
    for done, (name, kind) in enumerate(kinds.items(), len(tables)):
        with followed(cursor, done, steps, told):
            rows = records(cursor, sql(f"audit/anomalies/{name}"), kind.thresholds())
        found.append(Anomaly(name, kind.definition.format(**kind.thresholds()), rows))
    return found
