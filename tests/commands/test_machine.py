import pytest

from autods.commands import machine
from autods.errors import AutoDSError


def test_doctor_says_what_is_wrong_and_fails(cli, monkeypatch):
    def broken():
        raise AutoDSError("the sandbox did not run a script")

    checks = [("python", lambda: "3.11"), ("sandbox", broken)]
    monkeypatch.setattr(machine, "_checks", lambda: iter(checks))
    outcome = cli("doctor")
    assert outcome.code == 1
    assert "✔ python" in outcome.out
    assert "✘ sandbox" in outcome.out
    assert "did not run a script" in outcome.out


def test_doctor_names_an_optional_estimator_that_is_not_installed(monkeypatch):
    def absent(kind):
        raise ImportError("neural_network needs torch; install autods[neural]")

    monkeypatch.setattr("autods.tools.neural_network", absent, raising=False)
    assert "not installed" in machine._fits("neural_network")


def test_doctor_checks_every_estimator_of_the_library():
    from autods import tools

    assert set(machine._estimators()) <= set(tools.__all__)


def test_doctor_distrusts_an_estimator_that_learns_nothing(monkeypatch):
    import numpy as np

    class Constant:
        def fit(self, X, y):
            self.share = y.mean()

        def predict_proba(self, X):
            return np.tile([1.0, 0.0] if self.share > 0.5 else [0.0, 1.0], (len(X), 1))

    monkeypatch.setattr("autods.tools.linear", lambda kind: Constant(), raising=False)
    with pytest.raises(AutoDSError, match="its accuracy on its own training rows is only"):
        machine._fits("linear")


@pytest.mark.slow
def test_doctor_finds_this_machine_healthy(cli):
    outcome = cli("doctor")
    assert outcome.code == 0, outcome.out
    assert "six phases accepted" in outcome.out
