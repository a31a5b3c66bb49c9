"""Lines come from files, globs, folders and streams, plain or packed, with the numbers they have there."""

import gzip
import io
import shutil
import sqlite3
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

import duckdb
import numpy as np
import pytest
import zstandard

from ingest import sources
from ingest.inbox import Inbox
from ingest.sources import UnreadableInputError, find_files, read_blocks, total_bytes

LINES = [b'{"n": %d}' % number for number in range(1, 8)]
TEXT = b"\n".join(LINES) + b"\n"
#: A zstd frame that readers skip: a magic number, a length, and so many bytes (RFC 8878, 3.1.2).
SKIPPABLE = b"\x50\x2a\x4d\x18" + b"\x03\x00\x00\x00" + b"abc"


def read(*names):
    return [
        (block.place(row).file, block.place(row).line, block.raw(row))
        for block in read_blocks([str(name) for name in names])
        for row in range(len(block))
    ]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", TEXT),
        ("a.jsonl", TEXT[:-1]),
        ("a.jsonl", b"\xef\xbb\xbf" + TEXT),
        ("a.jsonl.gz", gzip.compress(TEXT, mtime=0)),
        ("a.jsonl.gz", gzip.compress(TEXT[:10], mtime=0) + gzip.compress(TEXT[10:], mtime=0)),
        ("a.jsonl.zst", zstandard.compress(TEXT)),
        ("a.jsonl.zst", zstandard.compress(TEXT[:10]) + zstandard.compress(TEXT[10:])),
        ("a.jsonl.zst", SKIPPABLE + zstandard.compress(TEXT)),
        (
            "a.jsonl",
            b"\x5f"
            + SKIPPABLE[1:]
            + zstandard.compress(TEXT[:10])
            + SKIPPABLE
            + zstandard.compress(TEXT[10:]),
        ),
    ],
)
def test_every_packing_gives_the_same_lines(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    assert read(path) == [(str(path), number, line) for number, line in enumerate(LINES, 1)]


def test_blank_lines_are_none_but_count(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n \t\r\n" + LINES[0] + b"\r\n\n" + LINES[1])
    assert [(line, text.strip()) for _, line, text in read(path)] == [(3, LINES[0]), (5, LINES[1])]


def test_blocks_are_small_and_lines_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "BLOCK_LINES", 3)
    monkeypatch.setattr(sources, "_READ_BYTES", 5)
    one, two = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    one.write_bytes(TEXT)
    two.write_bytes(TEXT)
    blocks = list(read_blocks([str(one), str(two)]))
    assert [len(block) for block in blocks] == [3, 3, 3, 3, 2]
    assert [line for _, line, _ in read(one, two)] == [*range(1, 8), *range(1, 8)]


def test_standard_input_is_a_dash(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    assert read("-")[0] == ("-", 1, LINES[0])


def test_files_globs_and_folders_are_found_once_in_order(tmp_path):
    for name in ("b.jsonl", "a.jsonl.gz", "deep/c.csv", "deep/d.jsonl.zst", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    names = ["a.jsonl.gz", "b.jsonl", "deep/c.csv", "deep/d.jsonl.zst"]
    everything = [str(tmp_path / name) for name in names]
    assert find_files([str(tmp_path)]) == everything
    assert find_files([str(tmp_path / "*.jsonl*"), everything[1]]) == everything[:2]
    with pytest.raises(UnreadableInputError, match="nothing-here"):
        find_files([str(tmp_path / "nothing-here*")])


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_what_comes_before_damage_is_read(tmp_path, pack):
    path = tmp_path / "a.jsonl"
    text = b"".join(b'{"n": %d, "x": "%d"}\n' % (number, number**7) for number in range(200_000))
    packed = pack(text)
    path.write_bytes(packed[: len(packed) // 2])
    seen = []
    with pytest.raises(UnreadableInputError, match="damaged"):
        seen.extend(len(block) for block in read_blocks([str(path)]))
    assert sum(seen) > 1000


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_every_whole_line_before_damage_is_read_of_a_small_file_too(tmp_path, pack):
    path = tmp_path / "a.jsonl"
    numbers = np.random.default_rng(1).integers(0, 2**62, 60_000)
    lines = [b'{"n": %d}' % number for number in numbers]
    packed = pack(b"\n".join(lines) + b"\n")
    cut = packed[: len(packed) * 9 // 10]
    path.write_bytes(cut)
    unpacked = _unpacked(cut, pack)
    blocks = []
    with pytest.raises(UnreadableInputError, match="damaged"):
        blocks.extend(read_blocks([str(path)]))
    found = [block.raw(row) for block in blocks for row in range(len(block))]
    assert found[: unpacked.count(b"\n")] == unpacked.split(b"\n")[:-1]
    assert len(found) > 1000


def _unpacked(cut, pack):
    if pack is gzip.compress:
        return zlib.decompressobj(wbits=31).decompress(cut)
    return zstandard.ZstdDecompressor().decompressobj().decompress(cut)


def test_a_line_of_blanks_is_none_however_long(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b" " * 20 + b"\n" + LINES[0] + b"\n" + b"\t" * 15 + b"\n  \r\n" + LINES[1])
    assert [line for _, line, _ in read(path)] == [2, 5]


def test_a_line_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "LONGEST_LINE", 100)
    monkeypatch.setattr(sources, "_READ_BYTES", 64)
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES[0] + b"\n" + b"x" * 10_000 + b"\n" + LINES[1])
    found = read(path)
    assert [line for _, line, _ in found] == [1, 2, 3]
    assert 100 < len(found[1][2]) < 300


def test_an_inbox_gives_files_that_are_whole_and_moves_them(tmp_path):
    inbox, path = Inbox(tmp_path), tmp_path / "a.jsonl"
    path.write_bytes(b"1")
    (tmp_path / "notes.txt").write_bytes(b"")
    assert inbox.arrivals() == []
    path.write_bytes(b"12")
    assert inbox.arrivals() == []
    assert inbox.arrivals() == [path]
    assert inbox.done(path) == tmp_path / "done" / "a.jsonl"
    path.write_bytes(b"3")
    inbox.arrivals()
    assert inbox.done(inbox.arrivals()[0]) == tmp_path / "done" / "2-a.jsonl"
    path.write_bytes(b"4")
    assert inbox.failed(path) == tmp_path / "failed" / "a.jsonl"


def test_an_inbox_does_without_a_file_that_is_taken_away(tmp_path, monkeypatch):
    inbox, taken, kept = Inbox(tmp_path), tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    taken.write_bytes(b"1")
    kept.write_bytes(b"2")
    inbox.arrivals()

    def is_input_until_now(path):
        taken.unlink(missing_ok=True)
        return path in (taken, kept)

    monkeypatch.setattr("ingest.inbox.is_input", is_input_until_now)
    assert inbox.arrivals() == [kept]
    kept.unlink()
    assert inbox.done(kept) is None
    assert inbox.failed(kept) is None


def test_a_file_that_is_taken_away_has_no_size(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"12")
    assert total_bytes([str(tmp_path / "a.jsonl"), str(tmp_path / "gone.jsonl")]) == 2


def test_a_sheet_that_is_taken_away_once_it_was_read_is_read(tmp_path, monkeypatch):
    sheet = Path(shutil.copy("data/samples/score-sheet.csv", tmp_path))
    whole = [len(block) for block in read_blocks([str(sheet)])]
    read_sheet = sources._read_sheet

    def taken_away(name, mapping):
        hands = read_sheet(name, mapping)
        Path(name).unlink()
        return hands

    monkeypatch.setattr(sources, "_read_sheet", taken_away)
    assert [len(block) for block in read_blocks([str(sheet)])] == whole


def test_what_comes_before_a_file_that_cannot_be_read_is_read(tmp_path):
    good, bad = tmp_path / "a.jsonl", tmp_path / "b.csv"
    good.write_bytes(TEXT)
    bad.write_bytes(b"\xff\xfe")
    seen = []
    with pytest.raises(UnreadableInputError, match="cannot be read"):
        seen.extend(len(block) for block in read_blocks([str(good), str(bad)]))
    assert seen == [len(LINES)]


def test_what_comes_before_damage_and_after_it_is_read(tmp_path):
    damaged, good = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl"
    damaged.write_bytes(gzip.compress(TEXT)[:-8])
    good.write_bytes(TEXT)
    unreadable = []
    blocks = list(read_blocks([str(damaged), str(good)], on_unreadable=unreadable.append))
    assert [block.sources for block in blocks] == [(str(damaged),), (str(good),)]
    assert [len(block) for block in blocks] == [len(LINES), len(LINES)]
    assert len(unreadable) == 1
    assert "a.jsonl.gz is damaged" in str(unreadable[0])


@pytest.mark.parametrize(("ending", "packing"), [(".gz", "gzip"), (".zst", "zstd"), (".ZST", "zstd")])
@pytest.mark.parametrize("data", [TEXT, b"\x28\xb5\x2f", b"\x1f", b"\x4f\x2a\x4d\x18abcd"])
def test_a_name_that_promises_a_packing_is_held_to_it(tmp_path, ending, packing, data):
    path = tmp_path / f"a.jsonl{ending}"
    path.write_bytes(data)
    with pytest.raises(UnreadableInputError, match=f"not packed with {packing}"):
        list(read_blocks([str(path)]))


def other_formats() -> dict[str, bytes]:
    """Files that hold no lines, by the names under which they are taken for logs and sheets."""
    with tempfile.TemporaryDirectory() as folder:
        duckdb.connect(f"{folder}/a.duckdb").close()
        sqlite = sqlite3.connect(f"{folder}/a.sqlite")
        sqlite.execute("create table a (b)")
        sqlite.close()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("sheet.xml", "<sheet/>")
        return {
            "league.duckdb": Path(folder, "a.duckdb").read_bytes(),
            "league.sqlite": Path(folder, "a.sqlite").read_bytes(),
            "sheet.xlsx": packed.getvalue(),
            "sheet.csv.gz": gzip.compress(b"a,b\n"),
        }


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("league.duckdb", "a database"),
        ("league.sqlite", "a database"),
        ("sheet.xlsx", "save it as CSV"),
        ("sheet.csv.gz", "unpack it first"),
    ],
)
def test_a_file_of_another_format_is_refused_whole(tmp_path, name, says):
    (tmp_path / name).write_bytes(other_formats()[name])
    with pytest.raises(UnreadableInputError, match=says):
        list(read_blocks([str(tmp_path / name)]))


@pytest.mark.parametrize("first", [b"PK", b"SQLite format 3", b"12345678DUCK", b"\0\0\0\0\0\0\0\0duck"])
def test_a_first_line_of_rubbish_keeps_no_other_out(tmp_path, first):
    log = tmp_path / "hands.jsonl"
    log.write_bytes(first + b"\n" + TEXT)
    assert [line for _, _, line in read(log)] == [first, *LINES]


def test_a_skippable_frame_that_is_cut_is_damage(tmp_path):
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(SKIPPABLE[:-1])
    with pytest.raises(UnreadableInputError, match="damaged"):
        list(read_blocks([str(path)]))


def test_a_name_without_characters_is_not_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "a.jsonl").write_bytes(TEXT)
    monkeypatch.chdir(tmp_path)
    for names in ([""], ["a.jsonl", ""]):
        with pytest.raises(UnreadableInputError, match="the name of a file is empty"):
            find_files(names)
    assert find_files(["."]) == ["a.jsonl"]


def test_an_ending_counts_in_capitals_too(tmp_path):
    assert sources.source_kind("SHEET.CSV") == "score_sheet"
    (tmp_path / "A.JSONL").write_bytes(TEXT)
    assert find_files([str(tmp_path)]) == [str(tmp_path / "A.JSONL")]


def test_a_name_that_is_not_utf_8_is_refused(tmp_path):
    try:
        (tmp_path / "\udcff\udcfe.jsonl").write_bytes(b"{}\n")
    except OSError:
        pytest.skip("this file system takes no such name")
    with pytest.raises(UnreadableInputError, match="not UTF-8"):
        find_files([str(tmp_path)])
