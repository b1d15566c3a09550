"""The profile of a competition's frames: one pass over every column of train and test."""

from __future__ import annotations

from autods.profiling.facts import ColumnProfile, Pattern, Profile, Semantic, TargetProfile
from autods.profiling.frames import profile_frames

__all__ = ["ColumnProfile", "Pattern", "Profile", "Semantic", "TargetProfile", "profile_frames"]
