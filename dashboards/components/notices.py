"""What every page says about its data: how fresh it is, who may see it, or that there is none."""

from __future__ import annotations

import os
import shlex
from datetime import UTC, datetime

import streamlit as st

from dashboards import queries
from dashboards.components import words
from dashboards.components.viewer import sees_hidden
from ingest.snapshot import Snapshot
from rating.showing import counted


def _show(text: str, language: str | None = "bash") -> None:
    """Show what is to be copied, whole in a narrow window too."""
    st.code(text, language=language, wrap_lines=True)


def nothing_published() -> None:
    """Say which command brings ratings, instead of showing zeros."""
    warehouse = os.environ["COASTAL_WAREHOUSE"]
    chosen = f"--warehouse {shlex.quote(warehouse)}"
    st.title("No ratings yet", anchor=False)
    st.markdown(
        "This dashboard shows what a warehouse has published, and this one has published nothing so far:"
    )
    _show(warehouse, language=None)
    st.markdown("To look around, build a demonstration league, then reload this page:")
    _show(f"coastal demo {chosen}")
    st.markdown("Or rate hand logs of your own:")
    _show(f"coastal ingest logs/*.jsonl {chosen}\ncoastal replay --name league {chosen}")


def published_by_another_version() -> None:
    """Say how to publish anew what another version of the program published."""
    st.title("Published by another version", anchor=False)
    st.markdown(
        "What is published here lacks something that this version shows. Publish it anew, then reload:"
    )
    _show(f"coastal publish --warehouse {shlex.quote(os.environ['COASTAL_WAREHOUSE'])}")


def provenance(snapshot: Snapshot) -> None:
    """Say which snapshot this is, how old it is, and what it rests on."""
    meta = queries.meta(snapshot, sees_hidden=sees_hidden())
    now = datetime.now(UTC).replace(tzinfo=None)
    rated = "all" if meta["rated_hands"] == meta["hands"] else f"{meta['rated_hands']:,} of them"
    parts = [
        f"Snapshot {meta['snapshot']}, published {words.age(meta['published_at'], now)}",
        f"{counted(meta['hands'], 'hand')}, {rated} rated",
        counted(meta["players"], "player"),
    ]
    if meta["last_hand_at"] is not None:
        parts.append(f"last hand {words.day(meta['last_hand_at'])}")
    st.caption(" · ".join(parts))


def operator_view() -> None:
    """Mark a page that shows hidden players."""
    if sees_hidden():
        st.warning(
            "Players who hide their skill are shown here. Do not share this screen.",
            title="Operator's view",
            icon=":material/visibility:",
        )
