"""Streamlit pages over a published snapshot; read-only."""
