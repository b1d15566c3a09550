from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autods.competition.settings import read_settings
from autods.errors import ConfigError


def test_values_are_spelled_as_in_the_files(write: Callable[..., Path]) -> None:
    settings = read_settings(write(settings="target: y\npositive_class: 1\nclasses: [0, 1]\nkind: binary\n"))
    assert (settings.targets, settings.positive_class, settings.classes) == (("y",), "1", ("0", "1"))


def test_what_the_call_says_wins_over_the_file(write: Callable[..., Path]) -> None:
    settings = read_settings(write(settings="target: y\nmetric: rmse\n"), {"metric": "mae"})
    assert (settings.targets, settings.metric) == (("y",), "mae")


def test_an_empty_or_absent_file_states_nothing(write: Callable[..., Path]) -> None:
    assert read_settings(write(settings="# nothing\n")).targets == ()
    assert read_settings(write(folder="other")).metric is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("targt: y\n", "unknown key 'targt'; did you mean 'target'"),
        ("kind: binry\n", "no kind 'binry'; did you mean 'binary'"),
        ("metric: {file: m.py, neds: labels}\n", "unknown metric key 'neds'; did you mean 'needs'"),
        ("metric: {function: f}\n", "needs `file: metric.py`"),
        ("files: {trian: a.csv}\n", "unknown key of files 'trian'; did you mean 'train'"),
        ("submission: {form: label}\n", "no submission form 'label'; did you mean 'labels'"),
        ("greater_is_better: 2\n", "write true or false"),
        ("target: {a: b}\n", "write a name or a list of names"),
        ("id: [a, b]\n", "write one name"),
        ("rules: 3\n", "lines under it"),
        ("- a\n- b\n", "holds a list"),
        ("a: [1\nb: 2\n", "not valid YAML at line"),
    ],
)
def test_a_wrong_file_is_said_in_one_sentence_with_the_nearest(
    write: Callable[..., Path], text: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=r"competition\.yaml") as caught:
        read_settings(write(settings=text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
