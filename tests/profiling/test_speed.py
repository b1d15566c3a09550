"""What profiling costs: a million rows in ten seconds and less memory than the frame twice over; wide frames too."""

import threading
import time

import numpy as np
import pandas as pd
import psutil
import pytest

from autods.profiling import profile_frames

ROWS = 1_000_000


def big_frame() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    numbers = {f"number_{i}": draw.normal(size=ROWS) for i in range(25)}
    integers = {f"integer_{i}": draw.integers(0, 10 ** (i % 6 + 1), ROWS) for i in range(10)}
    words = {
        f"word_{i}": pd.Series(
            np.array([f"level {k}" for k in range(4 * i + 4)])[draw.integers(0, 4 * i + 4, ROWS)], dtype="str"
        )
        for i in range(12)
    }
    codes = pd.Series(draw.integers(0, ROWS // 3, ROWS).astype(str), dtype="str").radd("u")
    days = pd.Series(pd.date_range("2020-01-01", periods=1000).astype(str)[draw.integers(0, 1000, ROWS)], dtype="str")
    ids = pd.Series(np.arange(ROWS).astype(str), dtype="str").radd("user_")
    return pd.DataFrame(numbers | integers | words | {"code": codes, "day": days, "user": ids})


class Peak(threading.Thread):
    """Watch how much memory the process takes at most."""

    def __init__(self):
        super().__init__(daemon=True)
        self.process, self.done = psutil.Process(), threading.Event()
        self.start_mb = self.peak_mb = self.process.memory_info().rss / 2**20

    def run(self):
        while not self.done.wait(0.01):
            self.peak_mb = max(self.peak_mb, self.process.memory_info().rss / 2**20)

    @property
    def extra_mb(self):
        return self.peak_mb - self.start_mb


@pytest.mark.slow
def test_a_million_rows_of_fifty_columns_take_seconds_and_less_memory_than_two_frames():
    frame = big_frame()
    y = (frame["number_0"] > 0).to_numpy().astype(int)
    train, test = (
        frame.iloc[: ROWS * 7 // 10].reset_index(drop=True),
        frame.iloc[ROWS * 7 // 10 :].reset_index(drop=True),
    )
    del frame
    watch = Peak()
    watch.start()
    started = time.process_time()
    profile = profile_frames(train, test, y=y[: len(train)], kind="binary")
    seconds = time.process_time() - started
    watch.done.set()
    watch.join()
    assert len(profile.columns) == 50
    assert seconds < 10
    assert watch.extra_mb < 2 * profile.memory_mb


@pytest.mark.slow
def test_a_wide_frame_of_few_rows_takes_seconds():
    draw = np.random.default_rng(0)
    frame = pd.DataFrame(
        {f"x{i}": draw.normal(size=24) for i in range(1200)}
        | {f"s{i}": draw.choice(["a", "b"], 24) for i in range(300)}
    )
    started = time.process_time()
    assert len(profile_frames(frame, frame, y=draw.integers(0, 2, 24), kind="binary").columns) == 1500
    assert time.process_time() - started < 5
