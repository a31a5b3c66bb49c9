"""Audits of a rating run: what happened and why, what is worth a look, and whether it is right."""
