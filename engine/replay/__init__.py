"""Checking level 2: replay logged hands under their rules, and say in words what is wrong with one."""

from engine.replay.hands import replay, replay_block
from engine.replay.logged_hand import PROBLEMS, ClaimedResult, LoggedHand, Problem

__all__ = ["PROBLEMS", "ClaimedResult", "LoggedHand", "Problem", "replay", "replay_block"]
