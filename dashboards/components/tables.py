"""Tables of rows: real text that can be read out, searched, copied and printed."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st


def show(frame: pd.DataFrame, formats: Mapping[str, str], *, alt: str) -> None:
    """Show a frame whose text cells are Markdown.

    Args:
        frame: Columns under the names that are shown.
        formats: For columns of numbers, which stand to the right, how each is written, "" where they are
            text already; a missing number is blank.
        alt: What the table holds, in a few words.
    """
    style = frame.style.format({column: f"{{:{how}}}" for column, how in formats.items()}, na_rep="")
    numbers = ", ".join(f".col{frame.columns.get_loc(column)}" for column in formats)
    style.set_table_styles([{"selector": numbers, "props": "text-align: right !important"}])
    st.table(style, border="horizontal", hide_index=True, alt=alt)
