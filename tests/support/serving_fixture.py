"""A believable league, written straight into a serving snapshot for the tests of the pages.

Ratings here are a plain random walk, not the Coastal Rating: what the pages must show is written down by hand
for the named players, and the crowd around them only gives the tables their size.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd

LIVE = "live/modern_american"
SOLO = "solo/modern_american"
LEVELS = [
    ("Beginner", None, 10, 0),
    ("Improver", 950.0, 25, 2),
    ("Intermediate", 1050.0, 50, 5),
    ("Advanced", 1175.0, 100, 12),
    ("Expert", 1300.0, 200, 25),
    ("Master", 1425.0, 400, 50),
]
PUBLISHED = datetime(2026, 3, 14, 20, 30)
FIRST_HAND = datetime(2025, 9, 1, 18, 0)
_TOML = Path("rating/parameters/coastal.toml").read_text(encoding="utf-8")
EVIL_NAME = "**Bo** <b>x</b> :red[hot] $e^x$ [link](https://example.com) `code`"

_GIVEN = ["Ada", "Bruno", "Clara", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaya"]
_MIDDLE = ["A.", "B.", "C."]
_FAMILY = ["Albers", "Bianchi", "Castro", "Dupont", "Eriksen", "Ferrari", "Garcia", "Haddad", "Ivanova"]
_TABLES = {
    "meta": "snapshot INTEGER, published_at TIMESTAMP, run VARCHAR, parameters VARCHAR,"
    " parameters_toml VARCHAR, hands BIGINT, rated_hands BIGINT, players BIGINT, first_hand_at TIMESTAMP,"
    " last_hand_at TIMESTAMP, quarantined BIGINT",
    "player": "player_key INTEGER, player VARCHAR, name VARCHAR, self_rating VARCHAR, show_skill BOOLEAN,"
    " joined_at TIMESTAMP",
    "standing": "pool VARCHAR, device VARCHAR, player_key INTEGER, rating DOUBLE, form DOUBLE, level VARCHAR,"
    " hands INTEGER, games INTEGER, last_change_shown INTEGER, rating_shown INTEGER, last_hand_at TIMESTAMP,"
    " peak_rating DOUBLE, hands_since_move INTEGER, at_risk BOOLEAN, next_level VARCHAR, next_form DOUBLE,"
    " next_hands INTEGER, next_games INTEGER, form_progress DOUBLE, hands_progress DOUBLE,"
    " games_progress DOUBLE, progress DOUBLE, relegation_form DOUBLE,"
    " place INTEGER, public_place INTEGER",
    "player_hand": "pool VARCHAR, device VARCHAR, player_key INTEGER, hands INTEGER, hand_id VARCHAR,"
    " ended_at TIMESTAMP, side INTEGER, partners VARCHAR, opponents VARCHAR, points INTEGER,"
    " points_against INTEGER, rating_before DOUBLE, rating_after DOUBLE, k_factor DOUBLE, expected DOUBLE,"
    " actual DOUBLE, surprise DOUBLE, change DOUBLE, form_after DOUBLE, games INTEGER, level VARCHAR,"
    " held BOOLEAN, beside_hidden BOOLEAN",
    "level_event": "pool VARCHAR, device VARCHAR, player_key INTEGER, hands INTEGER, hand_id VARCHAR,"
    " ended_at TIMESTAMP, kind VARCHAR, from_level VARCHAR, to_level VARCHAR, form DOUBLE, line DOUBLE,"
    " hands_needed INTEGER, games INTEGER, games_needed INTEGER, hands_since_move INTEGER",
    "level": "position INTEGER, level VARCHAR, form_line DOUBLE, hands_needed INTEGER, games_needed INTEGER",
    "player_stats": "mode VARCHAR, ruleset VARCHAR, device VARCHAR, player_key INTEGER, hands INTEGER,"
    " games INTEGER, wins INTEGER, average_points DOUBLE, canasta_known_hands INTEGER,"
    " natural_canastas INTEGER, mixed_canastas INTEGER, seven_canastas INTEGER, ace_canastas INTEGER,"
    " wild_canastas INTEGER, out_known_hands INTEGER, went_out INTEGER",
}

# Named players: id, name, self-rating, show_skill, then by pool and device
# (hands, games, start, Form at the end, Rating before and after the last hand, level).
_NAMED: list[tuple[str, str, str | None, bool, dict[tuple[str, str], tuple[Any, ...]]]] = [
    (
        "p-ana",
        "Ana Okafor",
        "casual",
        True,
        {(LIVE, ""): (186, 24, 1000, 1078.2, 1077.3, 1086.4, "Intermediate")},
    ),
    ("p-ben", "Ben Sato", None, True, {(LIVE, ""): (140, 15, 1080, 1031.0, 1024.0, 1015.2, "Intermediate")}),
    (
        "p-cleo",
        "Cleo Marchetti",
        "expert",
        True,
        {(LIVE, ""): (640, 80, 1300, 1440.4, 1452.0, 1455.0, "Master")},
    ),
    ("p-new", "Dana Lind", "casual", True, {(LIVE, ""): (4, 0, 1000, 1004.6, 1009.0, 1012.0, "")}),
    (
        "p-hid",
        "Hidden Harriet",
        "experienced",
        False,
        {(LIVE, ""): (220, 28, 1150, 1190.0, 1201.0, 1207.0, "Advanced")},
    ),
    ("p-evil", EVIL_NAME, "learning", True, {(LIVE, ""): (90, 9, 850, 962.0, 966.0, 969.0, "Improver")}),
    (
        "p-sol",
        "Sol Vega",
        "learning",
        True,
        {
            (LIVE, ""): (60, 6, 850, 930.0, 934.0, 937.0, "Beginner"),
            (SOLO, "phone"): (35, 4, 850, 905.0, 911.0, 902.0, "Beginner"),
            (SOLO, "tablet"): (12, 1, 850, 871.0, 870.0, 880.0, "Beginner"),
        },
    ),
    ("p-none", "Nils Unplayed", "casual", True, {}),
]


def build_serving(path: Path, *, crowd: int = 300, seed: int = 1) -> Path:
    """Write a snapshot with the named players and a crowd around them; return its path."""
    rng = np.random.default_rng(seed)
    people = _NAMED + [_crowd_player(number, rng) for number in range(crowd)]
    players = pd.DataFrame(
        [(key, p[0], p[1], p[2], p[3], FIRST_HAND) for key, p in enumerate(people, start=1)],
        columns=_columns("player"),
    )
    hands, events, standings = [], [], []
    for key, (_, _, _, _, pools) in enumerate(people, start=1):
        for (pool, device), career in pools.items():
            history, moves = _history(
                pool, device, key, career, players["name"], np.random.default_rng((seed, key))
            )
            hands.append(history)
            events += moves
            standings.append(_standing(history, moves, career))
    history = pd.concat(hands)
    tables = {
        "player": players,
        "player_hand": history,
        "level_event": pd.DataFrame(events, columns=_columns("level_event")),
        "standing": _with_places(pd.DataFrame(standings, columns=_columns("standing")[:-2]), players),
        "level": pd.DataFrame([(i, *row) for i, row in enumerate(LEVELS)], columns=_columns("level")),
        "player_stats": _stats(history, rng),
        "meta": _meta(history, len(people)),
    }
    _write(path, tables)
    return path


def publish_fixture(warehouse: Path, number: int = 1, **options: Any) -> Path:
    """Lay a snapshot beside `warehouse` the way the writer publishes one; return the warehouse's path."""
    folder = warehouse.with_suffix(".snapshots")
    folder.mkdir(parents=True, exist_ok=True)
    build_serving(folder / f"{number}.duckdb", **options)
    (folder / f"{number}.lock").touch()
    (folder / "CURRENT").write_text(f"{number}\n")
    return warehouse


def _columns(table: str) -> list[str]:
    return [column.split()[0] for column in _TABLES[table].split(",")]


def _write(path: Path, tables: dict[str, pd.DataFrame]) -> None:
    with duckdb.connect(str(path)) as connection:
        for name, columns in _TABLES.items():
            frame = tables[name][_columns(name)]
            connection.execute(f"CREATE TABLE {name} ({columns})")
            connection.register("frame", frame)
            connection.execute(f"INSERT INTO {name} SELECT * FROM frame")
            connection.unregister("frame")


def _crowd_player(number: int, rng: np.random.Generator) -> tuple[Any, ...]:
    name = " ".join([_GIVEN[number % 11], _MIDDLE[number // 11 % 3], _FAMILY[number // 33 % 9]])
    hands = int(rng.choice([3, 8, 18, 40, 75, 130, 240, 480]))
    start = int(rng.choice([850, 1000, 1000, 1150, 1300]))
    rating = float(start + rng.normal(0, 60) * min(1.0, hands / 100))
    change = float(rng.normal(0, 6))
    career = (hands, hands // 8, start, rating + float(rng.normal(0, 12)), rating - change, rating, None)
    word = {850: "learning", 1000: "casual", 1150: "experienced", 1300: "expert"}[start]
    return f"p-{number:04d}", name, word, bool(number % 11), {(LIVE, ""): career}


def _history(
    pool: str, device: str, key: int, career: tuple[Any, ...], names: pd.Series[str], rng: np.random.Generator
) -> tuple[pd.DataFrame, list[tuple[Any, ...]]]:
    """Return one player's hands in one pool, and the level events along them."""
    hands, games, start, form_at_end, before_last, after_last, _ = career
    after = _bridge(start, before_last, after_last, hands, rng)
    before = np.concatenate([[start], after[:-1]])
    form = _form(before[0], after, form_at_end)
    number = np.arange(1, hands + 1)
    ended = pd.to_datetime(FIRST_HAND) + pd.to_timedelta(
        np.sort(rng.integers(0, 190 * 24 * 60, hands)), unit="min"
    )
    k_factor = np.where(number <= 30, 24.0, np.where(number <= 100, 16.0, 10.0))
    surprise = (after - before) / k_factor
    expected = np.clip(0.5 - surprise / 2 + rng.normal(0, 0.08, hands), 0.05, 0.95)
    points = rng.integers(-400, 3200, hands)
    levels, moves = _levels(form, number, number * games // hands)
    picks = rng.choice(names, size=(hands, 3))
    picks[::10, 1] = "Hidden Harriet"
    frame = pd.DataFrame(
        {
            "pool": pool,
            "device": device,
            "player_key": key,
            "hands": number,
            "hand_id": [f"h-{key:04d}-{device}{i:05d}" for i in number],
            "ended_at": ended,
            "side": 0,
            "partners": picks[:, 0] if pool == LIVE else "Computer (expert)",
            "opponents": [f"{a}, {b}" for a, b in picks[:, 1:]]
            if pool == LIVE
            else "Computer (expert), Computer (expert)",
            "points": points,
            "points_against": points - (surprise * 3000).astype(int),
            "rating_before": before,
            "rating_after": after,
            "k_factor": k_factor,
            "expected": expected,
            "actual": np.clip(expected + surprise, 0.0, 1.0),
            "surprise": surprise,
            "change": after - before,
            "form_after": form,
            "games": number * games // hands,
            "level": levels,
            "held": False,
            "beside_hidden": (picks == "Hidden Harriet").any(axis=1) & (pool == LIVE),
        }
    )
    events = [
        (pool, device, key, hand, f"h-{key:04d}-{device}{hand:05d}", ended[hand - 1], kind, *rest)
        for hand, kind, *rest in moves
    ]
    return frame, events


def _bridge(start: float, before_last: float, after_last: float, hands: int, rng: np.random.Generator) -> Any:
    """Return ratings after each hand: a walk from `start` that ends with the two given values."""
    most = np.where(np.arange(hands) < 30, 24, np.where(np.arange(hands) < 100, 16, 10))
    walk = np.cumsum(np.clip(rng.normal(0, 0.3, hands), -0.8, 0.8) * most)
    share = np.linspace(0, 1, hands)
    after = start + walk - share * walk[-1] + (before_last - start) * np.sqrt(share)
    after[-2:] = [before_last, after_last][-hands:]
    return after


def _form(start: float, after: Any, at_end: float) -> Any:
    form, smooth = np.empty_like(after), start
    for i, rating in enumerate(after):
        smooth += (rating - smooth) * 2 / 31
        form[i] = smooth
    return form + (at_end - form[-1]) * np.linspace(0, 1, len(after)) ** 2


def _levels(form: Any, hands: Any, games: Any) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the level after each hand and the moves: (hand, kind, from, to, evidence...)."""
    position, levels, moves, moved_at, warned = -1, [], [], 0, False
    for i in range(len(form)):
        own = LEVELS[position][1] if position > 0 else None
        up = LEVELS[position + 1] if position + 1 < len(LEVELS) else None
        old, kind = position, ""
        if position < 0:
            if hands[i] >= 10:
                position, kind = 0, "placed"
        elif up and up[1] and form[i] >= up[1] and hands[i] >= up[2] and games[i] >= up[3]:
            position, kind = position + 1, "promoted"
        elif own and form[i] <= own - 50 and hands[i] - moved_at > 25:
            position, kind = position - 1, "relegated"
        elif own and warned == (form[i] >= own):
            kind = "recovered" if warned else "warned"
            warned = not warned
        if kind:
            target = LEVELS[position]
            name = LEVELS[old][0] if old >= 0 else ""
            evidence = (
                float(form[i]),
                target[1],
                target[2],
                int(games[i]),
                target[3],
                int(hands[i]) - moved_at,
            )
            moves.append((int(hands[i]), kind, name, target[0], *evidence))
        if kind in {"placed", "promoted", "relegated"}:
            moved_at, warned = int(hands[i]), kind == "relegated"
        levels.append(LEVELS[position][0] if position >= 0 else "")
    return levels, moves


def _standing(
    history: pd.DataFrame, moves: list[tuple[Any, ...]], career: tuple[Any, ...]
) -> tuple[Any, ...]:
    last = history.iloc[-1]
    level, form, hands, games = last["level"], last["form_after"], last["hands"], last["games"]
    assert career[-1] in {None, level}, f"the walk ends at {level!r}, not {career[-1]!r}"
    names = [row[0] for row in LEVELS]
    position = names.index(level) if level else -1
    own = LEVELS[position][1] if position > 0 else None
    after, before = int(np.floor(last["rating_after"] + 0.5)), int(np.floor(last["rating_before"] + 0.5))
    moved_at = max((m[3] for m in moves if m[6] in {"placed", "promoted"}), default=0)
    return (
        last["pool"],
        last["device"],
        last["player_key"],
        last["rating_after"],
        form,
        level,
        hands,
        games,
        after - before,
        after,
        last["ended_at"],
        history["rating_after"].max(),
        hands - moved_at,
        own is not None and form < own,
        *_progress(position, own, form, hands, games),
        own - 50 if own else None,
    )


def _with_places(standings: pd.DataFrame, players: pd.DataFrame) -> pd.DataFrame:
    """Return standings with their places: placed players by Rating, then the others."""
    board = standings.assign(
        unplaced=standings["level"] == "",
        shows=standings["player_key"].map(players.set_index("player_key")["show_skill"]),
    )
    board = board.sort_values(["unplaced", "rating"], ascending=[True, False])
    board["place"] = board.groupby("pool").cumcount() + 1
    board["public_place"] = (board.groupby(["pool", "shows"]).cumcount() + 1).where(board["shows"])
    return board.sort_values(["pool", "device", "player_key"])


def _progress(position: int, own: float | None, form: float, hands: int, games: int) -> tuple[Any, ...]:
    """Return next level, its needs, and the bars: Form, hands, games, whole."""
    if position < 0:
        return "Beginner", None, 10, None, None, hands / 10, None, hands / 10
    if position + 1 == len(LEVELS):
        return (None,) * 8
    name, line, hands_needed, games_needed = LEVELS[position + 1]
    start = own if own is not None else 850.0
    bars = [(form - start) / ((line or 0) - start), hands / hands_needed, games / games_needed]
    clamped = [min(1.0, max(0.0, float(bar))) for bar in bars]
    return name, line, hands_needed, games_needed, *clamped, min(clamped)


def _stats(history: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    group = history.assign(won=history["points"] > history["points_against"]).groupby(
        ["pool", "device", "player_key"]
    )
    stats = group.agg(
        hands=("hands", "max"), games=("games", "max"), wins=("won", "sum"), average_points=("points", "mean")
    )
    stats = stats.reset_index()
    stats[["mode", "ruleset"]] = stats["pool"].str.split("/", expand=True)
    rates = {"natural": 0.5, "mixed": 1.1, "seven": 0.12, "ace": 0.08, "wild": 0.05}
    for kind, rate in rates.items():
        stats[f"{kind}_canastas"] = rng.poisson(stats["hands"] * rate)
    stats["canasta_known_hands"] = stats["out_known_hands"] = stats["hands"]
    stats["went_out"] = rng.binomial(stats["hands"], 0.27)
    return stats[_columns("player_stats")]


def _meta(history: pd.DataFrame, players: int) -> pd.DataFrame:
    rated = history["hand_id"].nunique() // 4
    row = (
        1,
        PUBLISHED,
        "demo",
        "coastal",
        _TOML,
        rated + 40,
        rated,
        players,
        history["ended_at"].min(),
        history["ended_at"].max() + timedelta(0),
        2,
    )
    return pd.DataFrame([row], columns=_columns("meta"))
