"""Figures: PNG files that show something, whatever the columns and labels hold."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from PIL import Image

import autods.tools
from autods.tools import (
    plot_calibration,
    plot_confusion,
    plot_correlation,
    plot_distributions,
    plot_drift,
    plot_importance,
    plot_learning_curve,
    plot_missingness,
    plot_residuals,
    plot_scores,
    plot_target,
    plot_target_relation,
)
from autods.tools.explore.canvas import label, short

RNG = np.random.default_rng(0)
N = 120
Y = RNG.integers(0, 3, N)
TRAIN = pd.DataFrame({
    "a": RNG.normal(size=N), "skewed": np.exp(3 * RNG.normal(size=N)), "few": RNG.integers(0, 4, N), "levels": RNG.choice(list("abcdefghijkl"), N),
    "gaps": np.where(RNG.random(N) < 0.3, np.nan, 1.5 + Y), "flag": RNG.random(N) < 0.5, "when": pd.date_range("2020-01-01", periods=N),
    "note": [f"call us now at number {k}" for k in range(N)], "y": np.array(["lo", "mid", "hi"])[Y], "two": np.where(Y > 0, "yes", "no"), "value": Y + RNG.normal(size=N),
})  # fmt: skip
TEST = TRAIN.drop(columns=["y", "two", "value"]).sample(60, random_state=0, ignore_index=True)

COLUMN_FIGURES = {
    "distributions": lambda train, test, out: plot_distributions(train, test, out=out),
    "drift": lambda train, test, out: plot_drift(train, test, out=out),
    "missingness": lambda train, test, out: plot_missingness(train, test, out=out),
    "correlation": lambda train, test, out: plot_correlation(train, out=out),
    "target of classes": lambda train, test, out: plot_target(train, "y", out),
    "target of values": lambda train, test, out: plot_target(train, "value", out),
    "relation to three classes": lambda train, test, out: plot_target_relation(train, "y", out=out),
    "relation to two classes": lambda train, test, out: plot_target_relation(train, "two", out=out),
    "relation to values": lambda train, test, out: plot_target_relation(train, "value", out=out),
}
PREDICTION_FIGURES = {
    "confusion": lambda out: plot_confusion(Y, RNG.integers(0, 3, N), out, classes=["lo", "mid", "hi"]),
    "confusion of forty": lambda out: plot_confusion(np.arange(N) % 40, np.arange(N) % 39, out),
    "calibration of one": lambda out: plot_calibration(Y > 0, RNG.random(N), out),
    "calibration of three": lambda out: plot_calibration(
        Y, RNG.dirichlet([1, 1, 1], N), out, classes=["lo", "mid", "hi"]
    ),
    "calibration of labels": lambda out: plot_calibration(
        np.stack([Y > 0, Y > 1], axis=1).astype(int), RNG.random((N, 2)), out
    ),
    "residuals": lambda out: plot_residuals(TRAIN["value"], TRAIN["a"], out),
    "learning curve": lambda out: plot_learning_curve([10, 20], RNG.random((2, 3)), [0.5, 0.6], out),
    "importance": lambda out: plot_importance({"a": 1.0, "$b": -0.5}, out),
    "scores": lambda out: plot_scores({"a": (0.8, 0.01), "b": (0.7, float("nan")), "c": (float("nan"), 0.0)}, out),
}


def ink(path):
    with Image.open(path) as image:
        counts = image.convert("L").histogram()
    return 1 - max(counts) / sum(counts)


@pytest.mark.parametrize("name", COLUMN_FIGURES)
def test_a_figure_of_columns_shows_something(name, tmp_path):
    file = COLUMN_FIGURES[name](TRAIN, TEST, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [file]
    assert ink(tmp_path / file) > 0.01


@pytest.mark.parametrize("name", PREDICTION_FIGURES)
def test_a_figure_of_predictions_shows_something(name, tmp_path):
    assert ink(tmp_path / PREDICTION_FIGURES[name](tmp_path)) > 0.01


@pytest.mark.parametrize("name", ["distributions", "relation to three classes"])
def test_the_same_data_give_the_same_bytes(name, tmp_path):
    files = [tmp_path / place / COLUMN_FIGURES[name](TRAIN, TEST, tmp_path / place) for place in ("first", "second")]
    assert files[0].read_bytes() == files[1].read_bytes()


ODD_FRAMES = {
    "no rows": TRAIN.iloc[:0],
    "one row": TRAIN.iloc[:1],
    "all missing": TRAIN.assign(a=np.nan, levels=pd.Series([None] * N, dtype="str")),
    "constant": TRAIN.assign(a=1.0, levels="x", few=7, value=3.0, two="yes", y="lo"),
    "infinite": TRAIN.assign(a=np.where(TRAIN["a"] > 0, np.inf, 1.0)),
    "target with gaps": TRAIN.assign(y=TRAIN["y"].where(Y > 0), value=TRAIN["value"].where(Y > 0)),
    "many classes": TRAIN.assign(y=[f"class {k % 25}" for k in range(N)]),
}


@pytest.mark.parametrize("odd", ODD_FRAMES)
@pytest.mark.parametrize("name", COLUMN_FIGURES)
def test_odd_columns_are_drawn(name, odd, tmp_path):
    train = ODD_FRAMES[odd][["a", "few", "levels", "y", "two", "value"]]
    test = train[["a", "few", "levels"]]
    assert (tmp_path / COLUMN_FIGURES[name](train, test, tmp_path)).stat().st_size > 0


@pytest.mark.parametrize(
    "text",
    ["$x$", "$", "\\frac{1}{2}", "_hidden", "", "a\nb\tc", "日本語の列", "a" * 200, "\x00\x07", "100% <b>&"],
)
def test_any_text_can_be_a_label(text, tmp_path):
    frame = pd.DataFrame({text: RNG.normal(size=30), "level": [text, "b", "c"] * 10, "y": [text, "q"] * 15})
    assert plot_target_relation(frame, "y", out=tmp_path)
    assert plot_distributions(frame, out=tmp_path)
    assert plot_importance({text: 1.0}, tmp_path)


def test_at_most_twelve_columns_are_drawn_and_the_rest_counted(tmp_path):
    frame = pd.DataFrame(RNG.normal(size=(20, 40)), columns=[f"x{k}" for k in range(40)])
    plot_distributions(frame, out=tmp_path)
    with Image.open(tmp_path / "distributions.png") as image:
        assert image.width <= 1500
        assert image.height <= 1000


def test_a_folder_that_is_not_there_is_made_and_the_name_can_be_chosen(tmp_path):
    assert plot_target(TRAIN, "y", tmp_path / "new", name="mine") == "mine.png"
    assert (tmp_path / "new" / "mine.png").exists()


def test_a_persons_own_style_is_neither_used_nor_changed(tmp_path):
    plain = tmp_path / "plain" / plot_target(TRAIN, "y", tmp_path / "plain")
    with matplotlib.rc_context({"axes.facecolor": "black", "font.size": 30}):
        styled = tmp_path / "styled" / plot_target(TRAIN, "y", tmp_path / "styled")
        assert matplotlib.rcParams["font.size"] == 30
    assert plain.read_bytes() == styled.read_bytes()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: plot_target(TRAIN, "Y"), "no column 'Y'; did you mean 'y'"),
        (lambda: plot_distributions(TRAIN, columns=["aa"]), "no column 'aa'"),
        (lambda: plot_correlation(TRAIN, ["levels"]), "numbers are needed"),
        (lambda: plot_confusion([0, 1], [0]), "y has 2, predicted has 1"),
        (lambda: plot_residuals([], []), "at least one"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_labels_are_short_and_plain():
    assert label("a" * 50) == "a" * 15 + "…" + "a" * 8
    assert label("") == "(empty)"
    assert short(-25000) == "-25k"


def test_every_figure_is_a_report_tool():
    figures = [name for name in autods.tools.__all__ if name.startswith("plot_")]
    assert len(figures) == 12
    assert {getattr(autods.tools, name).kind for name in figures} == {"report"}
