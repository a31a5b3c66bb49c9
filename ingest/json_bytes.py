"""Read JSON values from bytes in compiled code: where one ends, and what the simple ones are.

Each function starts at an index `at` of `text`, looks no further than `end`, and answers with the index
behind what it read, or -1 where it does not find what it looks for in its regular form.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import inlined, lean
from ingest.columns import Ints

Bytes = NDArray[np.uint8]


@inlined
def blanks(text: Bytes, at: int, end: int) -> int:
    """Step over blanks; a line feed is none, it ends the line."""
    while at < end and (text[at] == 32 or text[at] == 9 or text[at] == 13):
        at += 1
    return at


@inlined
def mark(text: Bytes, at: int, end: int, mark: int) -> int:
    """Step over one character and the blanks around it; -1 where another stands there."""
    at = blanks(text, at, end)
    if at >= end or text[at] != mark:
        return -1
    return blanks(text, at + 1, end)


@lean
def _after_rune(text: Bytes, at: int, end: int) -> int:
    """Step over one character outside ASCII; -1 where it is not UTF-8."""
    lead = int(text[at])
    if lead < 0xC2 or lead > 0xF4:
        return -1
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if at + size > end:
        return -1
    second = int(text[at + 1])
    low = 0xA0 if lead == 0xE0 else 0x90 if lead == 0xF0 else 0x80
    high = 0x9F if lead == 0xED else 0x8F if lead == 0xF4 else 0xBF
    if second < low or second > high:
        return -1
    for index in range(at + 2, at + size):
        if int(text[index]) & 0xC0 != 0x80:
            return -1
    return at + size


@inlined
def text_end(text: Bytes, at: int, end: int) -> int:
    """Find the closing quote of a text whose opening quote stands at `at`; -1 where it is not regular."""
    if at >= end or text[at] != 34:
        return -1
    at += 1
    while at < end:
        byte = int(text[at])
        if byte == 34:
            return at
        if byte == 92 or byte < 32:
            return -1
        if byte < 128:
            at += 1
        else:
            at = _after_rune(text, at, end)
            if at < 0:
                return -1
    return -1


@inlined
def _same(text: Bytes, at: int, length: int, word: Bytes) -> bool:
    for index in range(length):  # noqa: SIM110  numba compiles no generator
        if text[at + index] != word[index]:
            return False
    return True


@lean
def find(text: Bytes, at: int, length: int, words: Bytes, lengths: Ints, first: int, last: int) -> int:
    """Return which of the words `first` to `last` stands there; -1 for none."""
    for word in range(first, last):
        if lengths[word] == length and _same(text, at, length, words[word]):
            return word
    return -1


@inlined
def is_word(text: Bytes, at: int, end: int, word: Bytes, length: int) -> bool:
    """Say whether a word without quotes stands there as a text, its opening quote at `at`."""
    close = at + length + 1
    return close < end and text[at] == 34 and text[close] == 34 and _same(text, at + 1, length, word)


@inlined
def is_null(text: Bytes, at: int, end: int) -> bool:
    """Say whether `null` stands there."""
    return (
        at + 4 <= end
        and text[at] == 110
        and text[at + 1] == 117
        and text[at + 2] == 108
        and text[at + 3] == 108
    )


@inlined
def integer(text: Bytes, at: int, end: int) -> tuple[int, int]:
    """Read an integer of at most nine digits; return it and where it ends, or -1."""
    is_negative = at < end and text[at] == 45
    if is_negative:
        at += 1
    start, value = at, 0
    while at < end and 48 <= text[at] <= 57 and at - start < 10:
        value = value * 10 + (int(text[at]) - 48)
        at += 1
    digits = at - start
    if digits == 0 or digits > 9 or (text[start] == 48 and (digits > 1 or is_negative)):
        return 0, -1
    if at < end and (text[at] == 46 or text[at] == 101 or text[at] == 69):
        return 0, -1
    return (-value if is_negative else value), at


@lean
def _digits(text: Bytes, at: int, count: int) -> int:
    """Read exactly so many digits; -1 where something else stands among them."""
    value = 0
    for index in range(at, at + count):
        digit = int(text[index]) - 48
        if digit < 0 or digit > 9:
            return -1
        value = value * 10 + digit
    return value


@lean
def _days(year: int, month: int, day: int) -> int:
    """Count the days from 1970-01-01 to a date of the Gregorian calendar."""
    shifted = year - (1 if month <= 2 else 0)
    era = shifted // 400
    of_era = shifted - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


@lean
def _days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


@lean
def instant(text: Bytes, at: int, end: int) -> tuple[int, int]:
    """Read `"2026-01-05T18:00:00.25Z"`; return microseconds since 1970 and where it ends, or -1."""
    if at + 22 > end or text[at] != 34:
        return 0, -1
    at += 1
    if (
        text[at + 4] != 45
        or text[at + 7] != 45
        or text[at + 10] != 84
        or text[at + 13] != 58
        or text[at + 16] != 58
    ):
        return 0, -1
    year, month, day = _digits(text, at, 4), _digits(text, at + 5, 2), _digits(text, at + 8, 2)
    hour, minute, second = _digits(text, at + 11, 2), _digits(text, at + 14, 2), _digits(text, at + 17, 2)
    if year < 1 or month < 1 or month > 12 or day < 1 or day > _days_in_month(year, month):
        return 0, -1
    if hour < 0 or hour > 23 or minute < 0 or minute > 59 or second < 0 or second > 59:
        return 0, -1
    at += 19
    micros, unit = 0, 100_000
    if text[at] == 46:
        at += 1
        while at < end and unit > 0 and 48 <= text[at] <= 57:
            micros += unit * (int(text[at]) - 48)
            unit //= 10
            at += 1
        if unit == 100_000:
            return 0, -1
    if at + 1 >= end or text[at] != 90 or text[at + 1] != 34:
        return 0, -1
    seconds = _days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    return seconds * 1_000_000 + micros, at + 2


@lean
def boolean(text: Bytes, at: int, end: int) -> tuple[int, int]:
    """Read `true` or `false`; return 1 or 0 and where it ends, or -1."""
    if (
        at + 4 <= end
        and text[at] == 116
        and text[at + 1] == 114
        and text[at + 2] == 117
        and text[at + 3] == 101
    ):
        return 1, at + 4
    is_false = at + 5 <= end and text[at] == 102 and text[at + 1] == 97 and text[at + 2] == 108
    if is_false and text[at + 3] == 115 and text[at + 4] == 101:
        return 0, at + 5
    return 0, -1


@lean
def flat_end(text: Bytes, at: int, end: int) -> int:
    """Find the end of an object without nested objects or lists; its content is judged elsewhere."""
    if at >= end or text[at] != 123:
        return -1
    at += 1
    while at < end:
        byte = text[at]
        if byte == 125:
            return at + 1
        if byte == 123 or byte == 91 or byte < 32:
            return -1
        if byte == 34:
            at = text_end(text, at, end)
            if at < 0:
                return -1
        at += 1
    return -1
