"""Read one line through the models and put in words what is wrong with it (checking level 0)."""

from __future__ import annotations

from typing import Any, Final

from pydantic import ValidationError

from ingest import strict_json
from ingest.findings import CODES, Finding, Place
from ingest.hand_log import HAND_FORMAT, LONGEST_LINE, PLAYER_FORMAT, HandLog, PlayerRecord

_TYPE_ERRORS: Final = ("_type", "_parsing", "string_unicode")
_MODELS: Final[dict[str, type[HandLog] | type[PlayerRecord]]] = {
    HAND_FORMAT: HandLog,
    PLAYER_FORMAT: PlayerRecord,
}
#: What of a wrong value is shown.
_SHOWN_CHARACTERS: Final = 80


class LineReader:
    """Reads one line at level 0 and collects what is wrong with it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.hand_id: str | None = None
        self.findings: list[Finding] = []

    def read(self, line: bytes) -> HandLog | PlayerRecord | None:
        """Return what the line says, None when it cannot be kept."""
        value = self._parse(line)
        if value is None:
            return None
        named = value.get("hand_id")
        self.hand_id = named if isinstance(named, str) and named else None
        kind = value.get("format")
        model = _MODELS.get(kind) if isinstance(kind, str) else None
        if model is None:
            known = f"{HAND_FORMAT} or {PLAYER_FORMAT}"
            self._add("unknown_format", f"format is {shown(kind)}, not {known}", expected=known, found=kind)
            return None
        try:
            record = model.model_validate(value)
        except ValidationError as error:
            for fault in error.errors(include_url=False):
                self._add_fault(dict(fault))
            return None
        for path in record.unknown_fields:
            if not path.rpartition(".")[2].startswith("x_"):
                self._add("unknown_field", f"{path} is not a field of {kind}; it is kept", found=path)
        return record

    def _parse(self, line: bytes) -> dict[str, Any] | None:
        if len(line) > LONGEST_LINE:
            self._add("line_too_long", f"the line has more than {LONGEST_LINE} bytes", expected=LONGEST_LINE)
            return None
        try:
            value = strict_json.parse(line)
        except UnicodeDecodeError as error:
            self._add("invalid_utf8", f"byte {error.start + 1} is not UTF-8")
        except strict_json.DuplicateKeyError as error:
            self._add("duplicate_key", f"an object has the key {shown(str(error))} twice", found=str(error))
        except UnicodeEncodeError:
            self._add("invalid_json", "a lone surrogate is no character")
        except RecursionError:
            self._add("invalid_json", "nested too deep")
        except ValueError as error:
            self._add("invalid_json", f"not JSON: {error}")
        else:
            if isinstance(value, dict):
                return value
            self._add("not_an_object", "the line is JSON, but no object")
        return None

    def _add_fault(self, fault: dict[str, Any]) -> None:
        """Put an error of a model in words, under our code."""
        path = ".".join(str(part) for part in fault["loc"])
        if fault["type"] in CODES:
            message = f"{path}: {fault['msg']}" if path else fault["msg"]
            self._add(fault["type"], message, found=fault["input"])
        elif fault["type"] == "missing":
            self._add("missing_field", f"{path} is missing", expected=path)
        else:
            code = "wrong_type" if fault["type"].endswith(_TYPE_ERRORS) else "wrong_value"
            found = fault["input"]
            self._add(
                code,
                f"{path}: {fault['msg']}, found {shown(found)}",
                expected=fault["msg"],
                found=found,
            )

    def _add(self, code: str, message: str, *, expected: Any = None, found: Any = None) -> None:
        self.findings.append(
            self.place.finding(code, message, hand_id=self.hand_id, expected=expected, found=_plain(found))
        )


def _plain(found: Any) -> Any:
    """Return the value at fault where it is short enough to repeat, as JSON can write it."""
    if isinstance(found, int):
        return found if abs(found) < 2**63 else shown(found)
    if isinstance(found, str):
        # The key that an object has twice may be a lone surrogate.
        return found[:_SHOWN_CHARACTERS].encode("utf-8", "backslashreplace").decode()
    return found if isinstance(found, float) else None


def shown(value: object) -> str:
    """Write a value for a message, cut where it is long."""
    text = repr(value) if not isinstance(value, int) or abs(value) < 10**18 else "a very large integer"
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
