"""The contract that every frame tool keeps: nothing mutated, rows kept, both frames alike, learned from train."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import autods.tools
from autods.tools import manual

MARKS = ["exclude_from_fit", "exclude_reason"]
LADDER = ["low", "middle", "high"]
ODD_NAMES = ["a b", "ä[0]{1}:\"q\", 'x'", "", "index", "level_0", "count", "group", "x.y", "$1\\n"]

# One call or more for each tool, with what it cannot do without; a new tool is called with no argument at all.
CALLS: dict[str, list[dict[str, Any]]] = {
    "aggregate_by_group": [
        {"by": "town", "columns": ["num"], "statistics": ["mean", "std", "rank", "count"], "relative": ["ratio"]},
        {"by": ["town", "flag"]},
        {"by": "town", "columns": ["text"], "statistics": ["nunique"]},
    ],
    "bin_columns": [{"columns": ["num", "whole"]}, {"columns": "num", "method": "uniform", "drop_original": True}],
    "cluster_features": [{"columns": ["num", "zeros"], "n_clusters": 3}, {"n_clusters": 2}],
    "combine_categories": [{"pairs": [("town", "num"), ("flag", "town")]}],
    "convert_data_types": [
        {"columns": ["town", "num"], "target_type": target_type} for target_type in ("int", "float", "str", "bool")
    ]
    + [{"columns": ["day"], "target_type": "datetime"}],
    "create_feature_combinations": [
        {"columns": ["num", "whole", "zeros"], "max_combination_size": 3},
        {"columns": ["num", "whole"], "combination_type": "addition"},
    ],
    "create_polynomial_features": [{"columns": ["num", "whole"], "degree": 3}],
    "detect_and_handle_outliers_iqr": [{}, {"method": "mark"}, {"method": "exclude"}, {"columns": ["num", "whole"]}],
    "detect_and_handle_outliers_zscore": [{}, {"method": "mark"}, {"method": "exclude"}],
    "differences": [{"pairs": [("num", "whole"), ("when", "when")]}],
    "drop_columns": [{"columns": ["town"]}, {"columns": {"num": "a copy"}}],
    "exclude_rows": [{"rows": np.arange(60) % 7 == 0, "reason": "every seventh"}],
    "fill_missing_values": [
        {},
        {"method": "mean"},
        {"method": "mode"},
        {"columns": ["num", "town", "when"], "by": ["ladder", "flag"]},
        {"columns": ["town"], "by": "ladder", "method": "mode"},
        {"columns": ["num", "town"], "method": "constant", "fill_value": 0},
    ],
    "format_datetime": [{}, {"columns": ["day"]}, {"columns": ["day"], "day_first": True}],
    "group_size": [{"by": "town"}, {"by": ["town", "whole"], "name": "peers"}],
    "label_encode": [{}, {"columns": ["town", "flag"], "drop_original": False}],
    "missing_as_level": [{}, {"columns": ["town"], "level": "none"}],
    "normalise_categories": [{}, {"columns": ["town"], "aliases": {"b": "a"}, "merge_typos": False}],
    "one_hot_encode": [{}, {"columns": ["town", "flag"], "max_levels": 2, "drop_original": False}],
    "ordinal_map": [{"columns": "ladder", "order": LADDER}, {"columns": {"ladder": LADDER[::-1]}}],
    "parse_numbers": [{}, {"columns": ["price"]}, {"columns": ["price"], "decimal": ","}],
    "perform_pca": [{}, {"columns": ["num", "zeros"], "n_components": 2, "drop_original": True}],
    "rare_levels": [{}, {"columns": ["town"], "min_count": 3, "max_levels": 1}],
    "ratios": [{"pairs": [("num", "zeros"), ("num", "whole")]}],
    "replace_infinite": [{}, {"method": "extreme"}, {"method": "constant", "fill_value": -1.0}],
    "row_statistics": [{}, {"columns": ["num", "zeros"], "statistics": ["median"]}],
    "scale_features": [{}, {"method": "minmax"}, {"method": "robust"}],
    "split_structured": [{}]
    + [{"columns": ["code"], "pattern": pattern} for pattern in ("name", "parts", "prefix_number", "code")],
    "sum_columns": [{"columns": ["num", "whole", "truth"], "name": "total"}],
    "text_statistics": [{}, {"columns": ["text"], "drop_original": True}],
    "text_svd": [{"columns": ["text", "town"], "n_components": 3}, {"columns": "text", "analyzer": "char"}],
    "transform_skewed": [
        {},
        {"columns": ["num", "whole"], "method": "yeo-johnson"},
        {"columns": ["num"], "method": "quantile"},
        {"columns": ["whole"], "method": "log1p"},
    ],
    "values_to_missing": [{"values": [0, "a", "?"]}, {"values": {"num": [0], "town": ["b"]}}],
}
CASES = [
    pytest.param(name, call, id=f"{name}-{number}")
    for name in manual.names("frame")
    for number, call in enumerate(CALLS.get(name, [{}]))
]
every_call = pytest.mark.parametrize("name, call", CASES)
every_tool = pytest.mark.parametrize("name", manual.names("frame"))


@functools.cache
def make_frame(n: int, seed: int, *, new_levels: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    towns = ["a", "b", "c", None] + (["zz", "ä ö"] if new_levels else [])
    frame = pd.DataFrame(
        {
            "num": np.where(rng.random(n) < 0.2, np.nan, rng.lognormal(1, 1, n)),
            "whole": rng.integers(0, 50, n),
            "zeros": np.where(rng.random(n) < 0.7, 0.0, rng.normal(5, 1, n)),
            "endless": np.where(rng.random(n) < 0.1, np.inf, rng.normal(0, 1, n)),
            "truth": rng.random(n) < 0.5,
            "town": pd.Series(rng.choice(np.array(towns, dtype=object), n), dtype="str"),
            "flag": pd.Series(rng.choice(["True", "False"], n), dtype="str"),
            "ladder": pd.Series(rng.choice(np.array([*LADDER, "High ", None], dtype=object), n), dtype="str"),
            "text": [
                " ".join(rng.choice(["free", "Call", "now!", "home", "$5"], 4)) + f" {k}"
                for k in rng.integers(0, 99, n)
            ],
            "price": pd.Series([f"${k:,}" if k % 9 else None for k in rng.integers(0, 9999, n)], dtype="str"),
            "code": pd.Series([f"{'ABC'[k % 3]}/{k}/P" for k in rng.integers(0, 99, n)], dtype="str"),
            "day": pd.Series(
                [f"2021-0{k % 9 + 1}-1{k % 10}" if k % 5 else None for k in rng.integers(0, 99, n)], dtype="str"
            ),
            "when": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 9000, n), unit="h"),
            "constant": np.ones(n),
            "empty": np.full(n, np.nan),
            "blank": pd.Series([None] * n, dtype="str"),
        }
    )
    for name, values in zip(
        ODD_NAMES, ["num", "town", "whole", "text", "when", "num", "town", "flag", "price"], strict=True
    ):
        frame[name] = frame[values]
    return frame


@pytest.fixture
def train() -> pd.DataFrame:
    return make_frame(60, 0).copy()


@pytest.fixture
def test() -> pd.DataFrame:
    return make_frame(25, 1, new_levels=True).copy()


def run(name: str, train: pd.DataFrame, test: pd.DataFrame | None, call: dict[str, Any]) -> Any:
    return getattr(autods.tools, name)(train, test, **call)


USUAL: dict[tuple[str, int], tuple[pd.DataFrame, pd.DataFrame]] = {}


def usual(name: str, call: dict[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What a call gives for the usual frames, computed once."""
    key = name, id(call)
    if key not in USUAL:
        USUAL[key] = run(name, make_frame(60, 0).copy(), make_frame(25, 1, new_levels=True).copy(), call)
    return USUAL[key]


def equal(left: pd.DataFrame, right: pd.DataFrame, *, exact: bool = True) -> None:
    if not left.equals(right):  # much the faster of the two
        assert_frame_equal(left, right, check_exact=exact)


def same_types(train: pd.DataFrame, test: pd.DataFrame) -> None:
    unmarked = train.drop(columns=MARKS, errors="ignore")
    assert list(unmarked) == list(test)
    assert unmarked.dtypes.astype(str).to_dict() == test.dtypes.astype(str).to_dict()


@every_call
def test_it_mutates_nothing_and_repeats_exactly(
    name: str, call: dict[str, Any], train: pd.DataFrame, test: pd.DataFrame
) -> None:
    result = run(name, train, test, call)
    equal(train, make_frame(60, 0))
    equal(test, make_frame(25, 1, new_levels=True))
    for frame, again in zip(result, usual(name, call), strict=True):
        equal(frame, again)


@every_call
def test_it_keeps_rows_and_index(name: str, call: dict[str, Any], train: pd.DataFrame, test: pd.DataFrame) -> None:
    train.index = pd.Index(np.arange(60)[::-1] // 2, name="row")
    test.index = pd.Index([f"r{number}" for number in range(25)])
    new_train, new_test = run(name, train, test, call)
    assert new_train.index.equals(train.index)
    assert new_test.index.equals(test.index)
    equal(new_train.reset_index(drop=True), usual(name, call)[0])
    equal(new_test.reset_index(drop=True), usual(name, call)[1])


@every_call
def test_rows_stay_in_their_order(name: str, call: dict[str, Any], train: pd.DataFrame, test: pd.DataFrame) -> None:
    order = np.random.default_rng(2).permutation(len(test))
    shuffled = run(name, train, test.iloc[order].reset_index(drop=True), call)[1]
    equal(shuffled, usual(name, call)[1].iloc[order].reset_index(drop=True), exact=False)


@every_call
def test_both_frames_get_the_same_columns(name: str, call: dict[str, Any]) -> None:
    new_train, new_test = usual(name, call)
    assert new_train.columns.is_unique
    assert all(isinstance(column, str) for column in new_train.columns)
    same_types(new_train, new_test)
    allowed = {"float64", "int64", "bool", "str", "datetime64[us]", "datetime64[ns]"}
    assert set(new_train.dtypes.astype(str)) <= allowed


@every_call
def test_test_may_be_absent(name: str, call: dict[str, Any], train: pd.DataFrame) -> None:
    alone, nothing = run(name, train, None, call)
    assert nothing is None
    assert len(alone) == len(train)


@every_call
def test_it_learns_from_train_alone(name: str, call: dict[str, Any], train: pd.DataFrame, test: pd.DataFrame) -> None:
    if getattr(autods.tools, name).joint:
        pytest.skip("declared joint")
    new_train, new_test = usual(name, call)
    equal(run(name, train, None, call)[0], new_train)
    equal(run(name, train, test.iloc[:1], call)[1], new_test.iloc[:1], exact=False)


@every_call
def test_an_empty_test_frame_gets_the_same_columns(
    name: str, call: dict[str, Any], train: pd.DataFrame, test: pd.DataFrame
) -> None:
    new_train, new_test = run(name, train, test.iloc[:0], call)
    assert len(new_test) == 0
    same_types(new_train, new_test)


@functools.cache
def emptied(n: int, seed: int) -> pd.DataFrame:
    frame = make_frame(n, seed)
    can_be = [column for column in frame if frame[column].dtype not in ("int64", "bool")]
    return frame.assign(**{column: frame[column].mask(frame[column].notna()) for column in can_be})


@every_call
def test_all_may_be_missing(name: str, call: dict[str, Any], train: pd.DataFrame) -> None:
    same_types(*run(name, emptied(60, 0), emptied(25, 1), call))
    same_types(*run(name, train, emptied(25, 1), call))


@every_call
def test_one_row_is_enough(name: str, call: dict[str, Any], train: pd.DataFrame, test: pd.DataFrame) -> None:
    if name == "exclude_rows":
        call = call | {"rows": [True]}
    new_train, new_test = run(name, train.iloc[[1]].fillna({"ladder": "low"}), test, call)
    assert (len(new_train), len(new_test)) == (1, len(test))


@every_call
def test_new_columns_are_never_infinite(
    name: str, call: dict[str, Any], train: pd.DataFrame, test: pd.DataFrame
) -> None:
    test.loc[0, "num"] = 1e308
    for before, after in zip((train, test), run(name, train, test, call), strict=True):
        new = after[[column for column in after if column not in before]].select_dtypes("number")
        assert not np.isinf(new.to_numpy(dtype="float64")).any()


@functools.cache
def with_categories(n: int, seed: int, new_levels: bool) -> pd.DataFrame:
    frame = make_frame(n, seed, new_levels=new_levels)
    return frame.astype(dict.fromkeys(frame.select_dtypes("str"), "category"))


@every_call
def test_categories_are_taken_as_text(name: str, call: dict[str, Any]) -> None:
    taken = run(name, with_categories(60, 0, False), with_categories(25, 1, True), call)
    for expected, got in zip(usual(name, call), taken, strict=True):
        categories = got.select_dtypes("category")
        equal(got.astype(dict.fromkeys(categories, "str")), expected)


@every_call
def test_a_target_that_only_train_has_is_left_alone(
    name: str, call: dict[str, Any], train: pd.DataFrame, test: pd.DataFrame
) -> None:
    target = pd.Series(np.arange(60.0))
    plain = usual(name, call)
    with_target = run(name, train.assign(target=target), test, call)
    assert with_target[0]["target"].equals(target)
    equal(with_target[0].drop(columns="target"), plain[0])
    equal(with_target[1], plain[1])


@every_tool
def test_an_unknown_column_is_named_with_the_nearest(name: str, train: pd.DataFrame, test: pd.DataFrame) -> None:
    tool, call = getattr(autods.tools, name), dict(CALLS.get(name, [{}])[0])
    parameter = next(p for p in ("by", "pairs", "columns") if p in inspect.signature(tool).parameters or p == "columns")
    if parameter not in inspect.signature(tool).parameters:
        pytest.skip("names no columns")
    call[parameter] = [("twon", "num")] if parameter == "pairs" else ["twon"]
    with pytest.raises(ValueError, match=rf"{parameter}.*'twon'.*did you mean 'town'"):
        tool(train, test, **call)


@every_tool
def test_an_unknown_parameter_is_named_with_the_nearest(name: str, train: pd.DataFrame) -> None:
    tool = getattr(autods.tools, name)
    last = list(inspect.signature(tool).parameters)[-1]
    with pytest.raises(TypeError, match=f"{name} has no parameter '{last}s'.*did you mean '{last}'"):
        tool(train, **{f"{last}s": 1})


@every_tool
def test_what_is_no_frame_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=r"train must be a DataFrame, not list"):
        run(name, [1, 2], None, CALLS.get(name, [{}])[0])  # type: ignore[arg-type]


@every_tool
def test_it_declares_what_it_is(name: str) -> None:
    tool = getattr(autods.tools, name)
    parameters = list(inspect.signature(tool).parameters.values())
    assert [parameter.name for parameter in parameters[:2]] == ["train", "test"]
    assert all(parameter.kind is inspect.Parameter.KEYWORD_ONLY for parameter in parameters[2:])
    assert isinstance(tool.joint, bool)
