"""Checking level 2: replay logged hands under their rules, and say in words what is wrong with one."""

from engine.replay.hands import position_before, replay, replay_block
from engine.replay.logged_hand import PROBLEMS, ClaimedResult, LoggedHand, Problem
from engine.replay.words import position_in_words

__all__ = [
    "PROBLEMS",
    "ClaimedResult",
    "LoggedHand",
    "Problem",
    "position_before",
    "position_in_words",
    "replay",
    "replay_block",
]
