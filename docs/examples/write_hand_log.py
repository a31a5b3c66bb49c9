"""Write a hand log with nothing but the standard library: the example of docs/hand-log.md.

    python docs/examples/write_hand_log.py FOLDER

writes FOLDER/hands.jsonl and FOLDER/players.jsonl, which `coastal ingest FOLDER` loads.
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

PLAYERS = ["p-ana", "p-bo", "p-cy", "p-di"]


def side(melds, holdings, natural=0, mixed=0, threes=0, going_out=0):
    """Return a side's points, ledger and canastas; classic canastas bring 500 and 300."""
    ledger = {
        "canastas": 500 * natural + 300 * mixed,
        "threes": threes,
        "going_out": going_out,
        "melds": melds,
        "holdings": -holdings,
        "penalties": 0,
        "special": 0,
    }
    return sum(ledger.values()), ledger, {"natural": natural, "mixed": mixed}


def hand(game_id, hand_no, started_at, score_before, out_seat, sides):
    """Return one hand as a record; `sides` are two answers of `side`, by side number."""
    points = [one[0] for one in sides]
    score_after = [before + won for before, won in zip(score_before, points, strict=True)]
    game_over = max(score_after) >= 5000 and score_after[0] != score_after[1]
    return {
        "format": "canasta-hand/1",
        "hand_id": f"{game_id}/{hand_no}",
        "game_id": game_id,
        "hand_no": hand_no,
        "started_at": started_at.isoformat(),
        "ended_at": (started_at + timedelta(minutes=9)).isoformat(),
        "mode": "live",
        "ruleset": "classic_partnership",
        "options": {},
        "seats": [
            {"seat": seat, "side": seat % 2, "kind": "human", "player": player}
            for seat, player in enumerate(PLAYERS)
        ],
        "dealer": (hand_no - 1) % 4,
        "score_before": score_before,
        "result": {
            "ended_by": "stock" if out_seat is None else "out",
            "seat": out_seat,
            "concealed": False,
            "special": None,
            "points": points,
            "ledger": [one[1] for one in sides],
            "canastas": [one[2] for one in sides],
            "score_after": score_after,
            "game_over": game_over,
            "winner": score_after.index(max(score_after)) if game_over else None,
        },
        "engine": "write_hand_log.py 1.0",
        "x_table": "by the window",  # a field of one's own starts with x_
    }


def main(folder):
    """Write a game of three hands and what two of the players say of themselves."""
    started_at = datetime(2026, 1, 5, 18, 0, tzinfo=UTC)
    results = [
        (2, side(520, 0, natural=1, mixed=1, going_out=100), side(240, 85, mixed=1)),
        (None, side(310, 120, mixed=2), side(180, 40, natural=1, threes=100)),
        (0, side(890, 0, natural=2, mixed=2, threes=200, going_out=100), side(-60, 95, threes=-100)),
    ]
    score, lines = [0, 0], []
    for hand_no, (out_seat, *sides) in enumerate(results, 1):
        record = hand("g-0001", hand_no, started_at, score, out_seat, sides)
        score, started_at = record["result"]["score_after"], started_at + timedelta(minutes=12)
        lines.append(record)
    players = [
        {"format": "canasta-player/1", "player": "p-ana", "name": "Ana", "self_rating": "casual"},
        {"format": "canasta-player/1", "player": "p-bo", "name": "Bo", "show_skill": False},
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in (("hands.jsonl", lines), ("players.jsonl", players)):
        with open(folder / name, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python write_hand_log.py FOLDER")
    main(Path(sys.argv[1]))
