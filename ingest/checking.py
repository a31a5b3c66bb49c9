"""Check a block of lines at level 0, 1 or 2: what can be kept, and what is wrong with the rest.

Regular lines are read and judged as columns. Every other line goes through the models one by one, and joins
the columns; both ways obey the same rules, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from engine.errors import RuleSetError
from engine.ruleset import RuleSet
from ingest import arithmetic, card_count
from ingest import columns as c
from ingest.columns import SEATS, HandColumns, Ints, joined
from ingest.findings import Finding
from ingest.gather import from_logs, scan_lines
from ingest.hand_log import HandLog, PlayerRecord
from ingest.line_reader import LineReader
from ingest.sources import Block
from ingest.wording import ArithmeticWords

STRUCTURE, ARITHMETIC, REPLAY = 0, 1, 2
LEVELS: Final = (STRUCTURE, ARITHMETIC, REPLAY)


@dataclass
class Checked:
    """What a block holds.

    Attributes:
        hands: The hands that may be kept, in the order of their lines.
        players: The players' records that may be kept, with the lines that they came from.
        findings: What is wrong, with the line's place in the block, in the order of lines.
        hand_ids: The hand_id of each refused line, where it can be read.
    """

    hands: HandColumns
    players: list[tuple[int, PlayerRecord]] = field(default_factory=list)
    findings: list[tuple[int, Finding]] = field(default_factory=list)
    hand_ids: dict[int, str] = field(default_factory=dict)

    @property
    def refused(self) -> list[int]:
        """Lines with an error, ascending."""
        return sorted({row for row, finding in self.findings if finding.is_error})


def check_block(block: Block, level: int) -> Checked:
    """Check a block's lines up to a level.

    Args:
        block: Lines from anywhere.
        level: `STRUCTURE`, `ARITHMETIC` or `REPLAY`.
    """
    regular = scan_lines(block.text, block.starts, block.ends)
    faulty = _known_faults(block)
    if faulty:
        regular = regular.take(np.flatnonzero(~np.isin(regular.rows, list(faulty))))
    checked = Checked(regular)
    for row, faults in faulty.items():
        checked.findings += [(row, fault) for fault in faults]
        if faults[0].hand_id is not None:
            checked.hand_ids[row] = faults[0].hand_id
    others = np.setdiff1d(np.arange(len(block)), [*regular.rows, *faulty], assume_unique=True)
    logs = _read_lines(block, others.tolist(), checked)
    if logs:
        checked.hands = joined([regular, from_logs(list(logs.values()), list(logs))])
    if level >= ARITHMETIC:
        _check_arithmetic(block, checked, level)
    if level >= REPLAY:
        _check_replay(block, checked)
    checked.findings.sort(key=lambda entry: entry[0])
    return checked


def _known_faults(block: Block) -> dict[int, list[Finding]]:
    """Return what was wrong with lines before they became lines, by their place in the block."""
    if not block.faults:
        return {}
    places = ((row, block.place(row)) for row in range(len(block)))
    return {row: block.faults[place] for row, place in places if place in block.faults}


def _read_lines(block: Block, rows: Iterable[int], checked: Checked) -> dict[int, HandLog]:
    """Read lines one by one; what cannot be read becomes findings."""
    logs = {}
    for row in rows:
        line = block.raw(row)
        reader = LineReader(block.place(row))
        record = reader.read(line)
        checked.findings += [(row, finding) for finding in reader.findings]
        if reader.hand_id is not None:
            checked.hand_ids[row] = reader.hand_id
        if isinstance(record, HandLog):
            logs[row] = record
        elif record is not None:
            checked.players.append((row, record))
    return logs


def _check_arithmetic(block: Block, checked: Checked, level: int) -> None:
    """Judge the hands at level 1, word what is wrong, and keep the rest.

    Cards that cannot be mostly come of an event that was not legal: at level 2 the replay says which.
    """
    hands = checked.hands
    if len(hands) == 0:
        return
    which, rule_sets, unknown = _rule_sets(hands)
    rules, special = _facts(rule_sets), _special_indices(hands)
    sound = _adds_up(hands, which, rules, special)
    twice = _sits_twice(hands)
    cards = _card_faults(hands)
    good = sound & ~twice & (cards[:, 0] == card_count.SOUND)
    for place in np.flatnonzero(~good).tolist():
        words = ArithmeticWords(hands, place, block.place(int(hands.rows[place])))
        if place in unknown:
            words.rule_set(unknown[place])
        elif not sound[place]:
            words.arithmetic(rules[which[place]], int(special[place]))
        if twice[place]:
            words.sits_twice()
        row, faults = int(hands.rows[place]), words.findings
        if cards[place, 0] != card_count.SOUND:
            replayed = (
                _replay_findings(block, hands, place) if level >= REPLAY and place not in unknown else []
            )
            if replayed:
                faults += replayed
            else:
                words.cards(cards[place])
        checked.findings += [(row, finding) for finding in faults]
        checked.hand_ids[row] = words.hand_id
    checked.hands = hands if good.all() else hands.take(np.flatnonzero(good))


def _check_replay(block: Block, checked: Checked) -> None:
    """Replay the full logs among hands that are sound at level 1, word what is wrong, and keep the rest."""
    # Only level 2 needs the compiled rules of play, which take long to load.
    from ingest.replaying import faulty_hands

    hands = checked.hands
    if len(hands) == 0:
        return
    which, rule_sets, _ = _rule_sets(hands)
    faulty = faulty_hands(hands, rule_sets, which)
    for place in faulty.tolist():
        row = int(hands.rows[place])
        checked.findings += [(row, one) for one in _replay_findings(block, hands, place)]
        checked.hand_ids[row] = hands.texts[c.HAND_ID][place].as_py()
    checked.hands = hands.take(np.setdiff1d(np.arange(len(hands)), faulty))


def _replay_findings(block: Block, hands: HandColumns, place: int) -> list[Finding]:
    """Say what the replay of a full log finds wrong."""
    from ingest.replaying import replay_findings

    return replay_findings(hands, place, block.place(int(hands.rows[place])))


def is_sound(hands: HandColumns) -> NDArray[np.bool_]:
    """Tell hands in which everything adds up."""
    if len(hands) == 0:
        return np.zeros(0, dtype=np.bool_)
    which, rule_sets, _ = _rule_sets(hands)
    return _adds_up(hands, which, _facts(rule_sets), _special_indices(hands))


def _adds_up(hands: HandColumns, which: Ints, rules: Ints, special: Ints) -> NDArray[np.bool_]:
    sound = np.zeros(len(hands), dtype=np.int64)
    arithmetic.mark_sound(hands.numbers, rules, which, special, sound)
    holds: NDArray[np.bool_] = sound == 1
    return holds


def _facts(rule_sets: list[RuleSet]) -> Ints:
    """Return the facts of rule sets, a row each; one row at least, so that there is something to point at."""
    rows = [arithmetic.facts(one) for one in rule_sets]
    return np.array(rows or [np.zeros(arithmetic.FACTS, dtype=np.int64)])


def _rule_sets(hands: HandColumns) -> tuple[Ints, list[RuleSet], dict[int, RuleSetError]]:
    """Look up each hand's rule set: its place among those in use (-1: unknown), and why it is unknown."""
    ruleset: Any = hands.texts[c.RULESET].dictionary_encode()
    options: Any = hands.texts[c.OPTIONS].dictionary_encode()
    names, changes = ruleset.dictionary.to_pylist(), options.dictionary.to_pylist()
    pairs = np.asarray(ruleset.indices, dtype=np.int64) * len(changes) + np.asarray(options.indices)
    tables = pairs * (SEATS + 1) + hands.numbers[:, c.SEAT_COUNT]
    coded: Any = pa.array(tables).dictionary_encode()
    distinct, which = np.asarray(coded.dictionary), np.asarray(coded.indices, dtype=np.int64)
    found: list[RuleSet] = []
    row_of = np.full(len(distinct), -1, dtype=np.int64)
    unknown: dict[int, RuleSetError] = {}
    for index, table in enumerate(distinct.tolist()):
        pair, seats = divmod(table, SEATS + 1)
        name, option = divmod(pair, len(changes))
        try:
            found.append(arithmetic.rule_set(names[name], changes[option], seats))
            row_of[index] = len(found) - 1
        except RuleSetError as error:
            unknown |= dict.fromkeys(np.flatnonzero(which == index).tolist(), error)
    return row_of[which], found, unknown


def _special_indices(hands: HandColumns) -> Ints:
    """Return each hand's `special_index`."""
    names: Any = hands.texts[c.SPECIAL].dictionary_encode()
    known = np.array(
        [arithmetic.special_index(name) for name in [*names.dictionary.to_pylist(), None]], dtype=np.int64
    )
    place: Ints = np.asarray(pc.fill_null(names.indices, len(known) - 1))
    special: Ints = known[place]
    return special


def _sits_twice(hands: HandColumns) -> NDArray[np.bool_]:
    """Tell hands in which a person has two seats."""
    players = [hands.texts[c.PLAYER + seat] for seat in range(SEATS)]
    coded: Any = pa.chunked_array(players).combine_chunks().dictionary_encode()
    codes = np.asarray(pc.fill_null(coded.indices, -1)).reshape(SEATS, len(hands))
    ordered = np.sort(codes, axis=0)
    return np.asarray(((ordered[1:] == ordered[:-1]) & (ordered[1:] >= 0)).any(axis=0))


def _card_faults(hands: HandColumns) -> Ints:
    """Judge the cards of the full logs among the hands; [n, 3]."""
    found = np.zeros((len(hands), 3), dtype=np.int64)
    full = np.flatnonzero(np.asarray(hands.texts[c.EVENTS].is_valid()))
    if len(full):
        found[full] = card_count.card_faults(
            hands.texts[c.DEAL].take(full),
            hands.texts[c.EVENTS].take(full),
            hands.numbers[full, c.CARDS],
            hands.numbers[full, c.SEAT_COUNT],
        )
    return found
