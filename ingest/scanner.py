"""Read regular hand lines in compiled code; leave every other line to the models of `ingest.hand_log`.

A line is regular when it is JSON of a `canasta-hand/1` object with known keys only, each at most once, in any
order and with any blanks, whose texts hold no escapes, whose integers have at most nine digits, whose times
end in Z, and which the model would accept. Whatever is not regular is not judged here: `scan` only says so.
"""

# Long because it reads the whole format of a hand in compiled code.
from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.jit import inlined, lean
from ingest import columns as c
from ingest.columns import NULL, SEATS, SIDES, Ints
from ingest.hand_log import HAND_FORMAT, LONGEST_LINE
from ingest.json_bytes import (
    Bytes,
    blanks,
    boolean,
    find,
    flat_end,
    instant,
    integer,
    is_null,
    is_word,
    mark,
    text_end,
)

# What a key's value is.
_INT, _TEXT, _TIME, _FLAG, _WORD, _INTS, _OBJECTS, _OPTIONS, _TEXTS, _OBJECT = range(10)

#: Spans past the text columns: the parts of the deal.
HOLDINGS: Final = c.TEXTS
UPCARDS: Final = HOLDINGS + SEATS
SPANS: Final = UPCARDS + 1

_LARGEST: Final = 999_999_999
_VOCABULARIES: Final = (c.MODES, c.KINDS, c.SKILLS, c.ENDINGS, c.CARD_STYLES, (HAND_FORMAT,))
_MODE, _KIND, _SKILL, _ENDING, _STYLE, _FORMAT = range(len(_VOCABULARIES))

# Objects, each a run of keys: (name, kind of value, column, lowest, highest, may be null, must be there).
# For a word `lowest` is its vocabulary, for a text its shortest length, for an object its index here.
_HAND, _RESULT, _SEAT, _LEDGER, _COUNTS, _DEAL = range(6)
#: The column of values that are checked and not kept: the format, and a seat's number, which is its place.
_ONLY_CHECKED: Final = -1
_KEYS: Final = (
    (
        ("format", _WORD, _ONLY_CHECKED, _FORMAT, 0, 0, 1),
        ("hand_id", _TEXT, c.HAND_ID, 1, 0, 0, 1),
        ("game_id", _TEXT, c.GAME_ID, 1, 0, 0, 1),
        ("hand_no", _INT, c.HAND_NO, 1, _LARGEST, 0, 1),
        ("started_at", _TIME, c.STARTED_AT, 0, 0, 0, 1),
        ("ended_at", _TIME, c.ENDED_AT, 0, 0, 0, 1),
        ("mode", _WORD, c.MODE, _MODE, 0, 0, 1),
        ("device", _TEXT, c.DEVICE, 1, 0, 1, 0),
        ("ruleset", _TEXT, c.RULESET, 1, 0, 0, 1),
        ("options", _OPTIONS, c.OPTIONS, 0, 0, 0, 0),
        ("seats", _OBJECTS, c.SEAT_COUNT, _SEAT, SEATS, 0, 1),
        ("dealer", _INT, c.DEALER, 0, SEATS - 1, 0, 1),
        ("score_before", _INTS, c.SCORE_BEFORE, 0, 0, 0, 1),
        ("result", _OBJECT, 0, _RESULT, 0, 0, 1),
        ("turns", _INT, c.TURNS, 0, _LARGEST, 1, 0),
        ("engine", _TEXT, c.ENGINE, 0, 0, 1, 0),
        ("seed", _TEXT, c.SEED, 0, 0, 1, 0),
        ("cards", _WORD, c.CARDS, _STYLE, 0, 0, 0),
        ("deal", _OBJECT, 0, _DEAL, 0, 1, 0),
        ("events", _TEXT, c.EVENTS, 0, 0, 1, 0),
    ),
    (
        ("ended_by", _WORD, c.ENDED_BY, _ENDING, 0, 0, 1),
        ("seat", _INT, c.OUT_SEAT, 0, SEATS - 1, 1, 0),
        ("concealed", _FLAG, c.CONCEALED, 0, 0, 0, 0),
        ("special", _TEXT, c.SPECIAL, 1, 0, 1, 0),
        ("points", _INTS, c.POINTS, 0, 0, 0, 1),
        ("ledger", _OBJECTS, c.SIDE_COUNT, _LEDGER, SIDES, 0, 1),
        ("canastas", _OBJECTS, c.SIDE_COUNT, _COUNTS, SIDES, 0, 1),
        ("score_after", _INTS, c.SCORE_AFTER, 0, 0, 0, 1),
        ("game_over", _FLAG, c.GAME_OVER, 0, 0, 0, 1),
        ("winner", _INT, c.WINNER, 0, SIDES - 1, 1, 0),
    ),
    (
        ("seat", _INT, _ONLY_CHECKED, 0, SEATS - 1, 0, 1),
        ("side", _INT, c.SEAT_SIDE, 0, SIDES - 1, 0, 1),
        ("kind", _WORD, c.SEAT_KIND, _KIND, 0, 0, 1),
        ("player", _TEXT, c.PLAYER, 1, 0, 1, 0),
        ("skill", _WORD, c.SEAT_SKILL, _SKILL, 0, 1, 0),
    ),
    tuple(
        (part, _INT, c.LEDGER + index * SIDES, -_LARGEST, _LARGEST, 0, 0)
        for index, part in enumerate(c.LEDGER_PARTS)
    ),
    tuple(
        (kind, _INT, c.CANASTAS + index * SIDES, 0, _LARGEST, 0, 0)
        for index, kind in enumerate(c.CANASTA_KINDS)
    ),
    (
        ("holdings", _TEXTS, HOLDINGS, 0, SEATS, 0, 1),
        ("upcards", _TEXT, UPCARDS, 0, 0, 0, 0),
    ),
)  # fmt: skip


def _as_table(words: list[str]) -> tuple[Bytes, Ints]:
    """Lay words out as rows of bytes, with their lengths."""
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    table = np.zeros((len(words), int(lengths.max())), dtype=np.uint8)
    for row, word in enumerate(words):
        table[row, : len(word)] = list(word.encode())
    return table, lengths


def _starts(groups: tuple[tuple[object, ...], ...]) -> Ints:
    """Where each group starts when they are laid end to end; one entry more for the end."""
    return np.cumsum([0, *[len(group) for group in groups]]).astype(np.int64)


_NAME, _NAME_LENGTH = _as_table([str(key[0]) for group in _KEYS for key in group])
_FIRST_KEY: Final = _starts(_KEYS)
_SHAPE: Final = np.array([key[1:] for group in _KEYS for key in group], dtype=np.int64)
_WORDS, _WORD_LENGTH = _as_table([word for words in _VOCABULARIES for word in words])
_FIRST_WORD: Final = _starts(_VOCABULARIES)
_VALUE_KIND, _COLUMN, _LOW, _HIGH, _NULLABLE, _REQUIRED = range(6)


@lean
def _integers(text: Bytes, at: int, end: int, column: int, numbers: Ints) -> tuple[int, int]:
    """Read one to `SIDES` integers into a column and the next; return how many and the end, or -1."""
    at = mark(text, at, end, 91)
    count = 0
    while at >= 0 and count < SIDES:
        value, at = integer(text, at, end)
        if at < 0:
            return 0, -1
        numbers[column + count] = value
        count += 1
        at = blanks(text, at, end)
        if at < end and text[at] == 93:
            return count, at + 1
        at = mark(text, at, end, 44)
    return 0, -1


@lean
def _texts(text: Bytes, at: int, end: int, column: int, spans: Ints) -> int:
    """Read a list of one to `SEATS` texts into spans; return the end, or -1."""
    at = mark(text, at, end, 91)
    count = 0
    while at >= 0 and count < SEATS:
        close = text_end(text, at, end)
        if close < 0:
            return -1
        spans[column + count, 0], spans[column + count, 1] = at + 1, close
        count += 1
        at = blanks(text, close + 1, end)
        if at < end and text[at] == 93:
            return at + 1
        at = mark(text, at, end, 44)
    return -1


@lean
def _scalar(text: Bytes, at: int, end: int, key: int, place: int, numbers: Ints, spans: Ints) -> int:
    """Read a plain value into its column, shifted by the seat or side; return the end, or -1."""
    shape = _SHAPE[key]
    kind, column = shape[_VALUE_KIND], shape[_COLUMN]
    if shape[_NULLABLE] == 1 and is_null(text, at, end):
        return at + 4
    if kind == _INT:
        value, at = integer(text, at, end)
        if at < 0 or value < shape[_LOW] or value > shape[_HIGH]:
            return -1
        if column == _ONLY_CHECKED:
            return at if value == place else -1
        numbers[column + place] = value
        return at
    if kind == _TEXT:
        close = text_end(text, at, end)
        if close < 0 or close - at - 1 < shape[_LOW]:
            return -1
        spans[column + place, 0], spans[column + place, 1] = at + 1, close
        return close + 1
    if kind == _TIME:
        value, at = instant(text, at, end)
        numbers[column] = value
        return at
    if kind == _WORD:
        close = text_end(text, at, end)
        if close < 0:
            return -1
        first, last = _FIRST_WORD[shape[_LOW]], _FIRST_WORD[shape[_LOW] + 1]
        word = find(text, at + 1, close - at - 1, _WORDS, _WORD_LENGTH, first, last)
        if word < 0:
            return -1
        if column != _ONLY_CHECKED:
            numbers[column + place] = word - first
        return close + 1
    numbers[column], at = boolean(text, at, end)
    return at


@inlined
def _key(text: Bytes, at: int, end: int, thing: int, guess: int) -> tuple[int, int]:
    """Read a key and its colon; return which key of the object it is and where its value starts, or -1."""
    first, last = _FIRST_KEY[thing], _FIRST_KEY[thing + 1]
    if guess < last and is_word(text, at, end, _NAME[guess], _NAME_LENGTH[guess]):
        return guess, mark(text, at + _NAME_LENGTH[guess] + 2, end, 58)
    close = text_end(text, at, end)
    if close < 0:
        return 0, -1
    key = find(text, at + 1, close - at - 1, _NAME, _NAME_LENGTH, first, last)
    if key < 0:
        return 0, -1
    return key, mark(text, close + 1, end, 58)


@lean
def _has_required(thing: int, seen: int) -> bool:
    first, last = _FIRST_KEY[thing], _FIRST_KEY[thing + 1]
    for key in range(first, last):
        if _SHAPE[key, _REQUIRED] == 1 and seen & (1 << (key - first)) == 0:
            return False
    return True


@lean
def _part(text: Bytes, at: int, end: int, thing: int, place: int, numbers: Ints, spans: Ints) -> int:
    """Read an object of scalars (a seat, a ledger, counts, a deal) at `at`; return its end, or -1."""
    at = mark(text, at, end, 123)
    if at >= 0 and at < end and text[at] == 125:
        return at + 1 if _has_required(thing, 0) else -1
    first, seen, guess = _FIRST_KEY[thing], 0, _FIRST_KEY[thing]
    while at >= 0:
        key, at = _key(text, at, end, thing, guess)
        if at < 0 or seen & (1 << (key - first)) != 0:
            return -1
        seen |= 1 << (key - first)
        guess = key + 1
        if _SHAPE[key, _VALUE_KIND] == _TEXTS:
            at = _texts(text, at, end, _SHAPE[key, _COLUMN], spans)
        else:
            at = _scalar(text, at, end, key, place, numbers, spans)
        if at < 0:
            return -1
        at = blanks(text, at, end)
        if at < end and text[at] == 125:
            return at + 1 if _has_required(thing, seen) else -1
        at = mark(text, at, end, 44)
    return -1


@lean
def _parts(text: Bytes, at: int, end: int, key: int, numbers: Ints, spans: Ints) -> tuple[int, int]:
    """Read a list of objects, one a seat or side; return how many and where it ends, or -1."""
    at = mark(text, at, end, 91)
    count = 0
    while at >= 0 and count < _SHAPE[key, _HIGH]:
        at = _part(text, at, end, _SHAPE[key, _LOW], count, numbers, spans)
        if at < 0:
            return 0, -1
        count += 1
        at = blanks(text, at, end)
        if at < end and text[at] == 93:
            return count, at + 1
        at = mark(text, at, end, 44)
    return 0, -1


@lean
def _counted(count: int, column: int, numbers: Ints) -> bool:
    """Keep how many entries a list has; False where lists that must agree do not."""
    if numbers[column] != NULL and numbers[column] != count:
        return False
    numbers[column] = count
    return True


@lean
def _value(text: Bytes, at: int, end: int, key: int, numbers: Ints, spans: Ints) -> int:
    """Read the value of a key of the hand or of its result, but not the result; return the end, or -1."""
    kind, column = _SHAPE[key, _VALUE_KIND], _SHAPE[key, _COLUMN]
    if kind == _INTS:
        count, at = _integers(text, at, end, column, numbers)
        return at if at >= 0 and _counted(count, c.SIDE_COUNT, numbers) else -1
    if kind == _OBJECTS:
        count, at = _parts(text, at, end, key, numbers, spans)
        return at if at >= 0 and _counted(count, column, numbers) else -1
    if kind == _OPTIONS:
        close = flat_end(text, at, end)
        spans[column, 0], spans[column, 1] = at, close
        return close
    if kind == _OBJECT:
        if _SHAPE[key, _NULLABLE] == 1 and is_null(text, at, end):
            return at + 4
        return _part(text, at, end, _SHAPE[key, _LOW], 0, numbers, spans)
    return _scalar(text, at, end, key, 0, numbers, spans)


@lean
def _result(text: Bytes, at: int, end: int, numbers: Ints, spans: Ints) -> int:
    """Read the result object; return its end, or -1."""
    at = mark(text, at, end, 123)
    first, seen, guess = _FIRST_KEY[_RESULT], 0, _FIRST_KEY[_RESULT]
    while at >= 0:
        key, at = _key(text, at, end, _RESULT, guess)
        if at < 0 or seen & (1 << (key - first)) != 0:
            return -1
        seen |= 1 << (key - first)
        guess = key + 1
        at = _value(text, at, end, key, numbers, spans)
        if at < 0:
            return -1
        at = blanks(text, at, end)
        if at < end and text[at] == 125:
            return at + 1 if _has_required(_RESULT, seen) else -1
        at = mark(text, at, end, 44)
    return -1


@lean
def _hand(text: Bytes, at: int, end: int, numbers: Ints, spans: Ints) -> int:
    """Read the hand object; return its end, or -1."""
    at = mark(text, at, end, 123)
    seen, guess = 0, 0
    while at >= 0:
        key, at = _key(text, at, end, _HAND, guess)
        if at < 0 or seen & (1 << key) != 0:
            return -1
        seen |= 1 << key
        guess = key + 1
        if _SHAPE[key, _VALUE_KIND] == _OBJECT and _SHAPE[key, _LOW] == _RESULT:
            at = _result(text, at, end, numbers, spans)
        else:
            at = _value(text, at, end, key, numbers, spans)
        if at < 0:
            return -1
        at = blanks(text, at, end)
        if at < end and text[at] == 125:
            return at + 1 if _has_required(_HAND, seen) else -1
        at = mark(text, at, end, 44)
    return -1


@lean
def _holds_together(numbers: Ints, spans: Ints) -> bool:
    """Judge what the model judges of a hand as a whole; fill in what may be left out."""
    if numbers[c.ENDED_AT] < numbers[c.STARTED_AT]:
        return False
    if numbers[c.MODE] == 1 and spans[c.DEVICE, 1] < 0:
        return False
    if (spans[c.EVENTS, 1] < 0) != (spans[HOLDINGS, 1] < 0):
        return False
    holdings = 0
    for seat in range(SEATS):
        holdings += 1 if spans[HOLDINGS + seat, 1] >= 0 else 0
    if holdings != 0 and holdings != numbers[c.SEAT_COUNT]:
        return False
    for seat in range(numbers[c.SEAT_COUNT]):
        is_computer = numbers[c.SEAT_KIND + seat] == 2
        if is_computer != (spans[c.PLAYER + seat, 1] < 0):
            return False
        if is_computer and numbers[c.SEAT_SKILL + seat] == NULL:
            return False
    for column in range(c.LEDGER, c.NUMBERS):
        if (column - c.LEDGER) % SIDES < numbers[c.SIDE_COUNT] and numbers[column] == NULL:
            numbers[column] = 0
    for column in (c.CONCEALED, c.CARDS):
        if numbers[column] == NULL:
            numbers[column] = 0
    return True


@lean
def scan(
    text: Bytes, starts: Ints, ends: Ints, numbers: Ints, spans: Ints, regular: NDArray[np.bool_]
) -> None:
    """Read the regular lines among some.

    Args:
        text: The bytes of all lines.
        starts: [n] where each line starts.
        ends: [n] where it ends, its line feed not counted.
        numbers: [n, NUMBERS] receives the numbers.
        spans: [n, SPANS, 2] receives where texts start and end; -1 for none.
        regular: [n] receives which lines were read; the others' rows mean nothing.
    """
    for line in range(len(starts)):
        numbers[line] = NULL
        spans[line] = -1
        end = ends[line]
        at = _hand(text, starts[line], end, numbers[line], spans[line])
        if at >= 0:
            at = blanks(text, at, end)
        is_whole = at == end and end - starts[line] <= LONGEST_LINE
        regular[line] = is_whole and _holds_together(numbers[line], spans[line])
