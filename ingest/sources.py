"""Where lines come from: files, globs, folders, standard input, plain or packed, as blocks of whole lines."""

# Long because every kind of input stands here beside the others that give the same blocks.
from __future__ import annotations

import csv
import glob
import gzip
import io
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, cast

import numpy as np
import zstandard

from engine.errors import IngestError
from ingest.columns import Ints
from ingest.findings import Finding, Place
from ingest.hand_log import LONGEST_LINE
from ingest.json_bytes import Bytes
from ingest.score_sheet import SheetHand, sheet_hands
from ingest.sheet_mapping import SheetMapping

STANDARD_INPUT: Final = "-"
LOG_ENDINGS: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")
SHEET_ENDING: Final = ".csv"
#: A block, and with it a batch, holds at most about this much text and this many lines.
BLOCK_BYTES: Final = 48 * 2**20
BLOCK_LINES: Final = 65_536

_READ_BYTES: Final = 4 * 2**20
_PACKED_BYTES: Final = 256 * 2**10
_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_ZIP_MAGIC: Final = b"PK\x03\x04"
_SQLITE_MAGIC: Final = b"SQLite format 3\0"
#: After eight bytes of checksum, before a number that begins and ends with other bytes than text.
_DUCKDB_MAGIC: Final = b"DUCK"
_MAGIC_BYTES: Final = 20
#: Of a zstd frame that readers skip (RFC 8878, 3.1.2).
_SKIPPABLE_MAGIC: Final = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_BLANKS: Final = np.frombuffer(b" \t\r\v\f", dtype=np.uint8)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class UnreadableInputError(IngestError):
    """A file named as input is not there, cannot be read, or is damaged."""


@dataclass(frozen=True)
class Block:
    """Whole lines, blank ones left out, from one source or several.

    Attributes:
        text: The bytes of all lines.
        starts: [n] where each line starts in `text`.
        ends: [n] where it ends, line feed not counted.
        sources: Names of the sources, in order.
        source: [n] each line's place in `sources`.
        line: [n] each line's number in its source, from 1.
        read_bytes: How many bytes of the sources, as they lie on disk, have been read up to here.
        faults: What was wrong with lines before they became lines, by place; none of those can be kept.
    """

    text: Bytes
    starts: Ints
    ends: Ints
    sources: tuple[str, ...]
    source: Ints
    line: Ints
    read_bytes: int = 0
    faults: dict[Place, list[Finding]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.starts)

    def raw(self, row: int) -> bytes:
        """Return a line's bytes."""
        return self.text[self.starts[row] : self.ends[row]].tobytes()

    def place(self, row: int) -> Place:
        """Return where a line came from."""
        return Place(self.sources[self.source[row]], int(self.line[row]))


def find_files(names: Iterable[str]) -> list[str]:
    """Resolve files, globs and folders (searched deeply) to sorted files, each once; ``-`` stands for itself.

    Raises:
        UnreadableInputError: A name matches nothing, is empty, or is not UTF-8.
    """
    found: dict[str, None] = {}
    for name in names:
        # As a path it would be the current folder: what a shell makes of a variable that is not set.
        if not name:
            raise UnreadableInputError("the name of a file is empty")
        path = Path(name)
        if name == STANDARD_INPUT or path.is_file():
            matches = [name]
        elif path.is_dir():
            matches = sorted(str(one) for one in path.rglob("*") if is_input(one))
        else:
            matches = sorted(one for one in glob.glob(name, recursive=True) if Path(one).is_file())
        if not matches:
            raise UnreadableInputError(f"{name}: no such file, and no input files there")
        for match in matches:
            if match.encode(errors="replace").decode() != match:
                raise UnreadableInputError(f"{match!r}: its name is not UTF-8; rename it")
        found |= dict.fromkeys(matches)
    return list(found)


def is_input(path: Path) -> bool:
    """Say whether a file in a folder is taken as input, by its name."""
    return path.is_file() and path.name.lower().endswith((*LOG_ENDINGS, SHEET_ENDING))


def total_bytes(names: Iterable[str]) -> int | None:
    """Add up the sizes of files, for a progress bar; None when standard input is among them."""
    files = list(names)
    return None if STANDARD_INPUT in files else sum(map(_size, files))


def _size(name: str) -> int:
    """Return how many bytes a file has, for a progress bar; 0 when it is gone."""
    try:
        return Path(name).stat().st_size
    except FileNotFoundError:
        return 0


def one_block(lines: list[tuple[Place, bytes]]) -> Block:
    """Make a block of lines that are at hand."""
    pile = _Pile()
    for place, line in lines:
        pile.add(place.file, place.line, line)
    return pile.block(0)


def _refuse(error: UnreadableInputError) -> None:
    raise error


def read_blocks(
    names: Iterable[str],
    mapping: SheetMapping | None = None,
    on_unreadable: Callable[[UnreadableInputError], None] = _refuse,
) -> Iterator[Block]:
    """Read files one after the other into blocks.

    Args:
        names: Files, or ``-`` for standard input.
        mapping: What the columns of score sheets mean, where it is not the default.
        on_unreadable: Hears of each file that cannot be read or is damaged, once what came before the damage
            has been yielded; the next file follows.

    Raises:
        UnreadableInputError: A file cannot be read or is damaged, and `on_unreadable` is left out.
    """
    pile, done_bytes = _Pile(), 0
    for name in names:
        try:
            if source_kind(name) == "score_sheet":
                for hand in _read_sheet(name, mapping or SheetMapping.load()):
                    pile.add(name, hand.line, hand.text)
                    if hand.faults:
                        pile.faults[Place(name, hand.line)] = hand.faults
                done_bytes += _size(name)
                continue
            with _Source(name) as source:
                line = 1
                for chunk in source.chunks():
                    line += pile.add(name, line, chunk)
                    if pile.is_full:
                        yield from pile.blocks(done_bytes + source.position)
                        pile = _Pile()
                done_bytes += source.position
        except UnreadableInputError as error:
            yield from pile.blocks(done_bytes)
            pile = _Pile()
            on_unreadable(error)
    yield from pile.blocks(done_bytes)


def source_kind(name: str) -> str:
    """Say what kind of source a name is: ``log`` or ``score_sheet``."""
    return "score_sheet" if name.lower().endswith(SHEET_ENDING) else "log"


def _read_sheet(name: str, mapping: SheetMapping) -> list[SheetHand]:
    try:
        return list(sheet_hands(Path(name).read_text("utf-8-sig"), mapping, name))
    except (OSError, UnicodeDecodeError, csv.Error, IngestError) as error:
        raise UnreadableInputError(f"{name} cannot be read: {error}") from error


@dataclass
class _Pile:
    """Chunks of whole lines that wait to become a block."""

    chunks: list[bytes] = field(default_factory=list)
    places: list[tuple[str, int]] = field(default_factory=list)
    ends: list[Ints] = field(default_factory=list)
    size: int = 0
    faults: dict[Place, list[Finding]] = field(default_factory=dict)

    def add(self, source: str, first_line: int, chunk: bytes) -> int:
        """Add whole lines of a source, the line feed of the last may be missing; return how many they are."""
        if not chunk.endswith(b"\n"):
            chunk += b"\n"
        ends = np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == ord("\n")) + self.size
        self.chunks.append(chunk)
        self.places.append((source, first_line))
        self.ends.append(ends)
        self.size += len(chunk)
        return len(ends)

    @property
    def is_full(self) -> bool:
        """Whether it is time to make a block of it."""
        return self.size >= BLOCK_BYTES

    def block(self, read_bytes: int) -> Block:
        """Put the chunks together; a line of blanks is none."""
        text = np.frombuffer(b"".join(self.chunks), dtype=np.uint8)
        ends = np.concatenate(self.ends)
        starts = np.concatenate([[0], ends[:-1] + 1])
        sizes = np.array([len(part) for part in self.ends])
        sources = tuple(dict.fromkeys(name for name, _ in self.places))
        source = np.repeat([sources.index(name) for name, _ in self.places], sizes)
        first_of_chunk = np.cumsum(sizes) - sizes
        line = np.arange(len(ends)) + np.repeat([first for _, first in self.places] - first_of_chunk, sizes)
        filled = _has_content(text, starts, ends)
        places = (source[filled], line[filled])
        return Block(text, starts[filled], ends[filled], sources, *places, read_bytes, self.faults)

    def blocks(self, read_bytes: int) -> Iterator[Block]:
        """Yield what there is, in blocks of at most `BLOCK_LINES`."""
        if not self.chunks:
            return
        whole = self.block(read_bytes)
        for first in range(0, len(whole), BLOCK_LINES):
            part = slice(first, first + BLOCK_LINES)
            yield Block(
                whole.text,
                whole.starts[part],
                whole.ends[part],
                whole.sources,
                whole.source[part],
                whole.line[part],
                read_bytes,
                whole.faults,
            )


def _has_content(text: Bytes, starts: Ints, ends: Ints) -> np.ndarray:
    """Tell lines from blank ones, looking closely only at those that begin with a blank."""
    filled = ends > starts
    first = text[np.minimum(starts, len(text) - 1)]
    for row in np.flatnonzero(filled & np.isin(first, _BLANKS)):
        filled[row] = bool(text[starts[row] : ends[row]].tobytes().strip())
    return filled


def _refuse_other_formats(name: str, start: bytes) -> None:
    """Refuse a whole file that holds no lines, by its name and its first bytes, which no line of text has."""
    if name.lower().endswith((f"{SHEET_ENDING}.gz", f"{SHEET_ENDING}.zst")):
        raise UnreadableInputError(f"{name} is a packed score sheet: unpack it first")
    if start.startswith(_ZIP_MAGIC):
        raise UnreadableInputError(f"{name} is a zip archive, as spreadsheets are: save it as CSV")
    if start.startswith(_SQLITE_MAGIC) or (start[8:12] == _DUCKDB_MAGIC and b"\0" in start):
        raise UnreadableInputError(f"{name} is a database, no hand log")


class _Source:
    """One input, unpacked as it is read; a context manager."""

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            if name == STANDARD_INPUT:
                self._file: IO[bytes] = sys.stdin.buffer
            else:
                self._file = Path(name).open("rb")  # noqa: SIM115  closed by __exit__
        except OSError as error:
            raise UnreadableInputError(f"{name} cannot be read: {error.strerror}") from error
        self._counted = _Counted(self._file)

    def __enter__(self) -> _Source:
        return self

    def __exit__(self, *_: object) -> None:
        if self.name != STANDARD_INPUT:
            self._file.close()

    @property
    def position(self) -> int:
        """How many bytes have been read, as they lie on disk."""
        return self._counted.position

    def chunks(self) -> Iterator[bytes]:
        """Yield whole lines in chunks."""
        rest, is_first = b"", True
        for piece in self._pieces():
            if is_first and piece.startswith(_BYTE_ORDER_MARK):
                piece = piece[len(_BYTE_ORDER_MARK) :]
            is_first = False
            cut = piece.rfind(b"\n") + 1
            if cut == 0:
                rest = (rest + piece)[: LONGEST_LINE + 1]
                continue
            yield b"".join((rest, memoryview(piece)[:cut]))
            rest = piece[cut:]
        if rest:
            yield rest

    def _pieces(self) -> Iterator[bytes]:
        """Yield unpacked bytes, all of them up to a damage."""
        parts: list[bytes] = []
        damage: Exception | None = None
        try:
            stream = self._unpacked()
            while part := stream.read1(_READ_BYTES):
                parts.append(part)
                if sum(map(len, parts)) >= _READ_BYTES:
                    yield b"".join(parts)
                    parts = []
        except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
            damage = error
        if parts:
            yield b"".join(parts)
        if damage is not None:
            raise UnreadableInputError(
                f"{self.name} is damaged: {damage}; the whole lines before the damage were read"
            ) from damage

    def _unpacked(self) -> io.BufferedIOBase:
        buffered = io.BufferedReader(cast(Any, self._counted), _READ_BYTES)
        start, name = buffered.peek(_MAGIC_BYTES)[:_MAGIC_BYTES], self.name.lower()
        magic = start[:4]
        _refuse_other_formats(self.name, start)
        if magic.startswith(_GZIP_MAGIC):
            return gzip.GzipFile(fileobj=buffered)
        if magic == _ZSTD_MAGIC or _SKIPPABLE_MAGIC.fullmatch(magic):
            return io.BufferedReader(cast(Any, _Zstd(buffered)), _READ_BYTES)
        for ending, packing in ((".gz", "gzip"), (".zst", "zstd")):
            if name.endswith(ending) and magic:
                raise UnreadableInputError(f"{self.name} is not packed with {packing}, as its name says")
        return buffered


class _Zstd(io.RawIOBase):
    """Unpacks zstd frames; unlike the library's reader it tells a file that ends early from one that ends."""

    def __init__(self, file: IO[bytes] | io.BufferedReader) -> None:
        self._file = file
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._packed = self._unpacked = b""

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer and say how far.

        Raises:
            EOFError: The file ends within a frame.
        """
        while not self._unpacked and self._advance():
            pass
        part, self._unpacked = self._unpacked[: len(buffer)], self._unpacked[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def _advance(self) -> bool:
        """Unpack a little more; False at the end."""
        if not self._packed:
            self._packed = self._file.read(_PACKED_BYTES)
        if not self._packed:
            if not self._frame.eof:
                raise EOFError("it ends early")
            return False
        if self._frame.eof:
            self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._unpacked = self._frame.decompress(self._packed)
        self._packed = self._frame.unused_data if self._frame.eof else b""
        return True


class _Counted(io.RawIOBase):
    """Passes a file's bytes on and counts them."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.position = 0

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer and say how far."""
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self.position += len(data)
        return len(data)
