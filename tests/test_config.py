import pytest

from autods.config import RunConfig, load_config, parse_duration, parse_memory
from autods.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("5m", 300), ("1h30m", 5400), ("1.5m", 90), (12, 12)]
)
def test_durations_are_read_as_people_write_them(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "5 parsecs", "m5"])
def test_a_duration_that_cannot_be_read_is_refused_with_the_remedy(text):
    with pytest.raises(ConfigError, match="write it like 90s, 5m or 1h30m"):
        parse_duration(text)


@pytest.mark.parametrize(("text", "megabytes"), [("8g", 8192), ("512m", 512), ("2GB", 2048), (300, 300)])
def test_memory_is_read_as_people_write_it(text, megabytes):
    assert parse_memory(text) == megabytes


def test_the_call_wins_over_the_environment_and_the_environment_over_the_file():
    file, environment = (
        {"seed": 1, "effort": "quick", "iterations": 2},
        {"AUTODS_SEED": "2", "AUTODS_EFFORT": "standard"},
    )
    config = load_config(file, environment, effort="thorough")
    assert (config.iterations, config.seed, config.effort) == (2, 2, "thorough")


def test_an_option_that_was_not_given_leaves_the_file_s_setting():
    assert load_config({"seed": 5}, {}, seed=None).seed == 5


def test_an_unknown_setting_is_refused_with_the_nearest():
    with pytest.raises(ConfigError, match="no setting 'efort'; did you mean 'effort'"):
        load_config({"efort": "quick"}, {})


def test_an_unknown_rule_is_refused_with_the_nearest():
    with pytest.raises(ConfigError, match="z_threshold"):
        load_config({"rules": {"z_treshold": 3}}, {})


@pytest.mark.parametrize(
    "settings",
    [{"effort": "heroic"}, {"budget_s": "0s"}, {"iterations": 0}, {"seed": -1}, {"rules": {"iqr_factor": -1}}],
)
def test_a_value_out_of_range_is_refused_with_the_setting_and_the_value(settings):
    with pytest.raises(ConfigError, match="is not allowed"):
        load_config(settings, {})


def test_a_phase_that_does_not_exist_is_refused_with_the_nearest():
    with pytest.raises(ConfigError, match="did you mean 'cleaning'"):
        load_config({"stop_after": "cleanin"}, {})


def test_yaml_switches_may_be_booleans():
    config = load_config({"gates": False, "fallback": True}, {})
    assert (config.gates, config.fallback) == ("off", "on")


def test_settings_survive_json():
    config = load_config({"rules": {"estimators": ["lightgbm"]}}, {}, budget_s="2m")
    assert RunConfig.model_validate_json(config.model_dump_json()) == config


def test_an_estimator_that_does_not_exist_is_refused_before_anything_runs():
    with pytest.raises(ConfigError, match="no estimator 'lightgmb'; did you mean 'lightgbm'"):
        load_config({"rules": {"estimators": ["linear", "lightgmb"]}}, {})


def test_a_variant_of_an_estimator_may_be_named():
    assert load_config({"rules": {"estimators": ["lightgbm_shallow"]}}, {}).rules.estimators == ("lightgbm_shallow",)
