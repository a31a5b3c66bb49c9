"""Write the JSON Schema of the log formats: `python -m ingest.schema > docs/hand-log.schema.json`."""

from __future__ import annotations

import sys
from typing import Any

import orjson
from pydantic.json_schema import models_json_schema

from ingest.hand_log import HAND_FORMAT, PLAYER_FORMAT, HandLog, PlayerRecord


def json_schema() -> dict[str, Any]:
    """Return the schema of a line: a hand or a player's statement."""
    _, found = models_json_schema(
        [(HandLog, "validation"), (PlayerRecord, "validation")], ref_template="#/$defs/{model}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of {HAND_FORMAT} or {PLAYER_FORMAT}",
        "oneOf": [{"$ref": "#/$defs/HandLog"}, {"$ref": "#/$defs/PlayerRecord"}],
        "$defs": found["$defs"],
    }


if __name__ == "__main__":
    sys.stdout.buffer.write(orjson.dumps(json_schema(), option=orjson.OPT_INDENT_2) + b"\n")
