import numpy as np
import pandas as pd
import pytest

from autods.agents.fallback import FALLBACK_CODE
from autods.phases import PHASES
from autods.tools import Candidate, TaskFacts


def module(produces):
    space = {}
    exec(FALLBACK_CODE[produces], space)
    return space


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase.entry_point], ids=lambda phase: phase.slug)
def test_the_vetted_default_defines_every_entry_point_of_its_kind(phase):
    assert callable(module(phase.produces)[phase.entry_point])


def test_the_default_cleaning_leaves_finite_complete_columns():
    frame = pd.DataFrame({"x": [1.0, np.inf, np.nan], "city": ["Oslo", None, "Rome"]})
    for cleaned in module("frames")["clean"](frame, frame.copy()):
        assert len(cleaned) == 3
        assert not cleaned.isna().any().any()
        assert np.isfinite(cleaned["x"]).all()


def test_the_default_candidate_is_the_plain_lightgbm():
    facts = TaskFacts("binary", ("y",), "accuracy", True, "labels", ("no", "yes"))
    (candidate,) = module("candidates")["candidates"](facts).values()
    assert isinstance(candidate, Candidate)
