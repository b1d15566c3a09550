"""The search over parameters."""

from __future__ import annotations

from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution, distribution_to_json

from autods.validation.tuning import Tuner, n_trials

SPACE = {
    "depth": IntDistribution(2, 10),
    "rate": FloatDistribution(1e-3, 1.0, log=True),
    "loss": CategoricalDistribution(["a", "b"]),
}


def search(space: dict, seed: int, n: int = 12) -> list[dict]:
    tuner = Tuner(space, seed=seed, n_trials=n)
    asked = []
    while batch := tuner.ask():
        asked += batch
        tuner.tell([abs(parameters["rate"] - 0.1) for parameters in batch])
    return asked


def test_the_same_seed_asks_for_the_same_trials():
    assert search(SPACE, 1) == search(SPACE, 1) != search(SPACE, 2)


def test_a_space_may_come_as_json():
    assert search({name: distribution_to_json(item) for name, item in SPACE.items()}, 1) == search(SPACE, 1)


def test_trials_come_in_batches_of_a_fixed_size():
    tuner = Tuner(SPACE, seed=0, n_trials=6)
    assert [len(tuner.ask()) for _ in range(3) if tuner.tell([0.0] * len(tuner._asked)) is None] == [4, 2, 0]


def test_a_failed_trial_stops_nothing():
    tuner = Tuner(SPACE, seed=0, n_trials=8)
    tuner.ask()
    tuner.tell([None, float("nan"), 1.0, float("inf")])
    assert len(tuner.ask()) == 4


def test_the_search_comes_closer_to_the_optimum():
    distances = [abs(parameters["rate"] - 0.1) for parameters in search(SPACE, 0, n=40)]
    assert sum(distances[20:]) < sum(distances[:20])


def test_more_work_means_fewer_trials():
    assert n_trials("quick", 100, 5, 1) == 0
    assert n_trials("standard", 500, 15, 2) > n_trials("standard", 50_000, 5, 7) >= 4
    assert n_trials("thorough", 500, 15, 2) > n_trials("standard", 500, 15, 2)
