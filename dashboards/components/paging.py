"""Pages of a long list: the database returns one page, the viewer turns them below it."""

from __future__ import annotations

import streamlit as st

from rating.showing import counted


def turn(total: int, rows: int, noun: str, of: object) -> int:
    """Show which rows of a list are on show and a way to others; return how many rows come before them.

    Args:
        total: Rows of the whole list, one or more.
        rows: Rows a page.
        noun: What a row is.
        of: What the list is of; another one starts at its first page.
    """
    page = st.pagination(-(-total // rows), key=f"page of {of}") if total > rows else 1
    skip = (page - 1) * rows
    st.caption(f"{skip + 1:,} to {min(skip + rows, total):,} of {counted(total, noun)}")
    return skip
