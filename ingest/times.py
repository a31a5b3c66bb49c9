"""Instants: aware in Python, UTC without a zone in the warehouse, microseconds since 1970 in columns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> datetime:
    """Return the present instant."""
    return datetime.now(UTC)


def utc_naive(at: datetime) -> datetime:
    """Return an aware instant as the warehouse keeps it: UTC, without a zone."""
    return at.astimezone(UTC).replace(tzinfo=None)


def to_micros(at: datetime) -> int:
    """Return an aware instant as microseconds since 1970, UTC."""
    return (at - EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int) -> datetime:
    """Return the aware instant of microseconds since 1970, UTC."""
    return EPOCH + timedelta(microseconds=micros)
