"""JSON that can be kept and written again: what is refused, and what stays apart."""

import pytest

from ingest import strict_json
from ingest.hand_log import HandLog
from tests.support.hand_lines import HAND


@pytest.mark.parametrize(
    "text", [b"1e999", b"[-1e400]", b'{"x": 1.7976931348623159e308}', b"NaN", b"-Infinity"]
)
def test_a_number_without_end_is_refused(text):
    with pytest.raises(ValueError, match=r"too large|not JSON"):
        strict_json.parse(text)


def test_unknown_fields_of_different_places_stay_apart():
    seats = [dict(seat) for seat in HAND["seats"]]
    seats[0]["x_c"] = 1
    log = HandLog.model_validate(HAND | {"seats": seats, "seats.0.x_c": 2, "x\\.y": 3})
    assert log.unknown_fields == {"seats.0.x_c": 1, "seats\\.0\\.x_c": 2, "x\\\\\\.y": 3}
