"""The rules, a clause a function: compiled for the mass paths and run as they stand for one hand."""
