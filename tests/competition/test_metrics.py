from __future__ import annotations

import math

import numpy as np
import pytest

from autods.competition.metrics import METRICS, find_metric, get_metric, load_custom_metric, metric_of
from autods.errors import ConfigError
from autods.records import Submission, Task

BINARY = np.array([0, 0, 1, 1])
BINARY_OUT = np.array([[0.9, 0.1], [0.4, 0.6], [0.65, 0.35], [0.2, 0.8]])  # decided: 0, 1, 0, 1
MULTI = np.array([0, 1, 2, 2])
MULTI_OUT = np.array([[0.7, 0.2, 0.1], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7], [0.2, 0.2, 0.6]])  # decided: 0, 0, 2, 2
LABELS = np.array([[1, 0], [1, 1], [0, 1]])
LABELS_OUT = np.array([[0.9, 0.2], [0.8, 0.4], [0.3, 0.6]])  # decided: 10, 10, 01
VALUES = np.array([1.0, 2.0, 4.0])
VALUES_OUT = np.array([[2.0], [2.0], [2.0]])  # errors 1, 0, -2
TARGETS = np.array([[1.0, 0.0], [3.0, 4.0]])
TARGETS_OUT = np.array([[1.0, 1.0], [1.0, 1.0]])

LOG = math.log


@pytest.mark.parametrize(
    ("name", "y", "outputs", "score"),
    [
        ("accuracy", BINARY, BINARY_OUT, 0.5),
        ("accuracy", MULTI, MULTI_OUT, 0.75),
        ("accuracy", LABELS, LABELS_OUT, 2 / 3),
        ("balanced_accuracy", MULTI, MULTI_OUT, 2 / 3),
        ("f1", BINARY, BINARY_OUT, 0.5),
        ("f1", LABELS, LABELS_OUT, (1 + 2 / 3 + 1) / 3),
        ("f1", MULTI, MULTI_OUT, (2 / 3 + 0 + 1) / 3),
        ("f1_macro", MULTI, MULTI_OUT, (2 / 3 + 0 + 1) / 3),
        ("f1_micro", MULTI, MULTI_OUT, 0.75),
        ("f1_weighted", MULTI, MULTI_OUT, (2 / 3 + 0 + 2 * 1) / 4),
        ("mcc", BINARY, BINARY_OUT, 0.0),
        ("kappa", BINARY, BINARY_OUT, 0.0),
        ("kappa", MULTI, MULTI_OUT, 1 - 0.25 / (1 - (0.25 * 0.5 + 0 + 0.5 * 0.5))),
        ("qwk", MULTI, MULTI_OUT, 1 - 1 / ((1 * 2 * 4 + 1 * 2 * 1 + 1 * 2 * 1 + 2 * 2 * 4) / 4)),
        ("auroc", BINARY, BINARY_OUT, 0.75),
        ("auroc", MULTI, MULTI_OUT, 1.0 / 3 + (2.5 / 3) / 3 + 1.0 / 3 + (0.5 / 3) / 3),
        ("mean_column_auroc", LABELS, LABELS_OUT, 1.0),
        ("average_precision", BINARY, BINARY_OUT, (1 + 2 / 3) / 2),
        ("log_loss", BINARY, BINARY_OUT, -(LOG(0.9) + LOG(0.4) + LOG(0.35) + LOG(0.8)) / 4),
        ("log_loss", MULTI, 2 * MULTI_OUT / 4, -(LOG(0.7) + LOG(0.4) + LOG(0.7) + LOG(0.6)) / 4),
        ("log_loss", LABELS[:1], LABELS_OUT[:1], -(LOG(0.9) + LOG(0.8)) / 2),
        ("brier", BINARY, BINARY_OUT, (0.01 + 0.36 + 0.4225 + 0.04) / 4),
        ("brier", MULTI[:1], MULTI_OUT[:1], 0.09 + 0.04 + 0.01),
        ("gini", BINARY, BINARY_OUT, 0.5),
        ("gini", VALUES, np.array([[1.0], [2.0], [3.0]]), 1.0),
        ("map@1", MULTI, MULTI_OUT, 0.75),
        ("map@2", MULTI, MULTI_OUT, (1 + 1 / 2 + 1 + 1) / 4),
        ("map@2", LABELS, LABELS_OUT, 1.0),
        ("rmse", VALUES, VALUES_OUT, math.sqrt(5 / 3)),
        ("mcrmse", TARGETS, TARGETS_OUT, (math.sqrt(2) + math.sqrt(5)) / 2),
        ("mse", VALUES, VALUES_OUT, 5 / 3),
        ("mae", VALUES, VALUES_OUT, 1.0),
        ("medae", VALUES, VALUES_OUT, 1.0),
        ("rmsle", np.array([0.0, 3.0]), np.array([[-5.0], [1.0]]), math.sqrt(LOG(2) ** 2 / 2)),
        ("rmse_log", VALUES, VALUES_OUT, math.sqrt(2 * LOG(2) ** 2 / 3)),
        ("mape", VALUES, VALUES_OUT, 0.5),
        ("smape", np.array([0.0, 1.0]), np.array([[0.0], [3.0]]), 50.0),
        ("rmspe", np.array([0.0, 2.0]), np.array([[9.0], [3.0]]), 0.5),
        ("r2", VALUES, np.full((3, 1), 7 / 3), 0.0),
        ("r2", VALUES, VALUES[:, None], 1.0),
        ("pearson", VALUES, -VALUES[:, None], -1.0),
        ("spearman", VALUES, np.exp(VALUES)[:, None], 1.0),
    ],
)
def test_scores_are_what_one_computes_by_hand(name, y, outputs, score):
    assert get_metric(name).score(y, outputs) == pytest.approx(score, abs=1e-9)


EXAMPLES = {
    "binary": (np.array([0, 1, 1, 0, 1, 0, 0]), 2),
    "multiclass": (np.array([0, 1, 2, 2, 2, 0, 2]), 3),
    "ordinal": (np.array([0, 1, 2, 2, 2, 0, 2]), 3),
    "multilabel": (np.array([[1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 0, 0]]), 3),
    "regression": (np.array([1.0, 2.0, 2.5, 7.0, 40.0, 0.5]), 1),
    "multi_regression": (np.array([[1.0, 5.0], [2.0, 5.0], [8.0, 1.0], [3.0, 3.0]]), 2),
}
PAIRS = [(name, kind) for name, metric in METRICS.items() for kind in metric.kinds]


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_no_constant_tried_beats_the_best_constant(name, kind):
    metric = METRICS[name]
    y, n = EXAMPLES[kind]
    best = metric.best_constant(y, kind, n)
    assert best.shape == (n,)
    score = metric.score(y, np.tile(best, (len(y), 1)))
    rng = np.random.default_rng(0)
    if "regression" in kind:
        rivals = [*np.quantile(y, rng.random((200, 1))) * np.ones(n), *(y.mean(axis=0) * rng.uniform(0, 2, (200, 1)))]
    else:
        rivals = [*rng.dirichlet(np.ones(n), 20), *np.eye(n), *rng.integers(0, 2, (10, n))]
    for rival in rivals:
        rival_score = metric.score(y, np.tile(np.asarray(rival, dtype=float), (len(y), 1)))
        assert rival_score <= score + 1e-9 if metric.greater_is_better else rival_score >= score - 1e-9


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 10, 31, 32])
def test_the_median_absolute_errors_constant_is_the_best_of_a_fine_grid(n):
    metric, y = METRICS["medae"], np.random.default_rng(n).lognormal(size=n)
    best = metric.score(y, np.tile(metric.best_constant(y, "regression", 1), (n, 1)))
    assert best <= min(metric.score(y, np.full((n, 1), c)) for c in np.linspace(0, y.max(), 3000)) + 1e-12


@pytest.mark.parametrize(
    ("name", "constant"),
    [("rmse", 43 / 3), ("mae", 2.0), ("rmsle", (2 * 3 * 41) ** (1 / 3) - 1), ("rmse_log", (1 * 2 * 40) ** (1 / 3))],
)
def test_constants_of_a_skewed_target_have_their_closed_form(name, constant):
    y = np.array([1.0, 2.0, 40.0])
    assert METRICS[name].best_constant(y, "regression", 1)[0] == pytest.approx(constant)


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_a_fold_without_variety_scores_without_a_warning(name, kind):
    y, n = EXAMPLES[kind]
    constant = np.zeros_like(y)
    outputs = np.full((len(y), n), 1.0 / n)
    score = METRICS[name].score(constant, outputs)
    assert math.isfinite(score) or "auroc" in name or name == "average_precision"


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if "regression" in metric.kinds])
def test_a_diverged_regressor_scores_without_a_warning(name):
    assert isinstance(METRICS[name].score(VALUES, np.array([[1e308], [-1e308], [1e300]])), float)


def test_kappa_keeps_the_distance_to_a_class_that_the_fold_lacks():
    y, outputs = np.array([0, 0, 3, 3]), np.eye(4)[[0, 3, 3, 3]]
    assert get_metric("qwk").score(y, outputs) == pytest.approx(1 - 9 / ((2 * 3 * 9 + 2 * 1 * 9) / 4))


def test_a_certain_wrong_probability_costs_a_finite_log_loss():
    assert get_metric("log_loss").score(np.array([0]), np.array([[0.0, 1.0]])) == pytest.approx(-LOG(1e-15))


def test_shapes_that_do_not_belong_together_are_refused():
    with pytest.raises(ValueError, match="cannot score outputs of shape"):
        get_metric("rmse").score(VALUES, np.zeros((2, 1)))


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("AUC", "auroc"), ("roc_auc", "auroc"), ("LogLoss", "log_loss"), ("multi-class logarithmic loss", "log_loss"),
        ("RMSE", "rmse"), ("Quadratic Weighted Kappa", "qwk"), ("Cohen's kappa", "kappa"), ("R²", "r2"), ("R^2", "r2"),
        ("macro-averaged F1", "f1_macro"), ("Mean Average Precision @ 3", "map@3"), ("map_at_4", "map@4"),
        ("Root Mean Squared Logarithmic Error", "rmsle"), ("neg_root_mean_squared_error", "rmse"),
    ],
)  # fmt: skip
def test_aliases_are_understood(alias, name):
    assert get_metric(alias).name == name


def test_an_unknown_metric_is_refused_with_the_nearest():
    with pytest.raises(ConfigError, match=r"no metric 'acuracy'; did you mean 'accuracy'"):
        get_metric("acuracy")


def test_every_metric_names_a_direction_and_needs_one_of_three():
    assert {metric.needs for metric in METRICS.values()} == {"labels", "probabilities", "values"}
    assert METRICS["gini"].needs_of("regression") == "values"
    assert METRICS["gini"].needs_of("binary") == "probabilities"


# --- overviews -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("evaluated on area under the ROC curve between the predicted probability and the observed target.", "auroc"),
        ("Submissions are evaluated on **Area Under the Receiver Operating Characteristic Curve (ROC AUC)**.", "auroc"),
        ("Submissions are evaluated on the AUC score, not on accuracy.", "auroc"),
        ("Submissions are evaluated using the multi-class\nlogarithmic loss. Each row has one true class.", "log_loss"),
        ("scored on Root-Mean-Squared-Error (RMSE) between the logarithm of the predicted value and the logarithm of "
         "the observed sales price.", "rmse_log"),
        ("The evaluation metric is the Root Mean Squared Logarithmic Error (RMSLE).", "rmsle"),
        ("The evaluation metric is RMSE between log(1 + y) and log(1 + p).", "rmsle"),
        ("scored using MCRMSE, the mean columnwise root mean squared error", "mcrmse"),
        ("evaluated on the mean column-wise ROC AUC. In other words, the average of the individual AUCs of each "
         "predicted column.", "mean_column_auroc"),
        ("Scored by quadratic weighted kappa, which measures the agreement between two ratings.", "qwk"),
        ("evaluated according to the Mean Average Precision @ 3 (MAP@3):", "map@3"),
        ("evaluated by MAP@K. You may predict the top 7 labels.", "map@5"),
        ("evaluated on the [Matthews correlation coefficient](https://en.wikipedia.org) (MCC).", "mcc"),
        ("Submissions will be evaluated using the Normalized Gini Coefficient.", "gini"),
        ("The score is the percentage of passengers you correctly predict. This is known as accuracy.", "accuracy"),
        ("<h2>Evaluation</h2><p>Submissions are evaluated on <b>micro-averaged F1-Score</b>.</p>", "f1_micro"),
        ("We use the F1 score (macro) as metric.", "f1_macro"),
        ("evaluated on the coefficient of determination, $R^2$", "r2"),
        ("Submissions are evaluated on SMAPE between forecasts and actual values.", "smape"),
        ("Scored on Root Mean Square Percentage Error (RMSPE).", "rmspe"),
        ("Submissions are scored on the area under the precision-recall curve.", "average_precision"),
        ("The metric is the balanced accuracy.", "balanced_accuracy"),
        ("Scored by the median absolute error.", "medae"),
        ("Scored by the Mean Absolute Error.", "mae"),
        ("evaluated on the Spearman’s rank correlation coefficient", "spearman"),
    ],
)  # fmt: skip
def test_an_overview_is_read_in_its_own_words(text, name):
    found = find_metric(text)
    assert found is not None
    assert found[0] == name


def test_the_evidence_is_the_sentence_and_a_sentence_about_scoring_is_surer_than_a_mention():
    text = "Many people love the RMSE. Submissions are scored by the mean absolute error. Good luck!"
    assert find_metric(text) == ("mae", "Submissions are scored by the mean absolute error.", 0.95)
    assert find_metric("Many people love the RMSE.") == ("rmse", "Many people love the RMSE.", 0.6)


def test_a_name_under_the_evaluation_heading_counts_without_a_verb():
    assert find_metric("# Data\nRows.\n\n### Evaluation\n\nlink\n\nRoot mean squared error.") == (
        "rmse", "Root mean squared error.", 0.85,
    )  # fmt: skip


def test_several_metrics_in_one_sentence_lower_the_confidence():
    assert find_metric("Scored on the mean of AUC and log loss.")[2] == 0.6


@pytest.mark.parametrize("text", ["", "Predict the price of houses.", "Files are saved as CSV."])
def test_an_overview_without_a_metric_gives_none(text):
    assert find_metric(text) is None


# --- a metric of one's own -------------------------------------------------------------------------------------------
def _custom(tmp_path, body):
    path = tmp_path / "metric.py"
    path.write_text(body)
    return path


def test_a_custom_metric_on_labels_gets_them_as_spelled(tmp_path):
    path = _custom(tmp_path, "def share(y, p):\n    return sum(a == b == 'yes' for a, b in zip(y, p)) / len(y)\n")
    metric = load_custom_metric(path, "share", "labels", True, ("no", "yes"))
    assert metric.score(BINARY, BINARY_OUT) == 0.25
    assert metric.best_constant(BINARY, "binary", 2).tolist() == [0.0, 1.0]


def test_a_custom_metric_on_values_finds_its_constant(tmp_path):
    path = _custom(
        tmp_path, "import numpy as np\ndef pinball(y, p):\n    return np.mean(np.maximum(.9*(y-p), .1*(p-y)))\n"
    )
    metric = load_custom_metric(path, "pinball", "values", False)
    y = np.arange(101.0)
    assert metric.best_constant(y, "regression", 1)[0] == pytest.approx(90)


def test_a_custom_metric_that_cannot_be_used_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"has no function 'scor'; did you mean 'score'"):
        load_custom_metric(_custom(tmp_path, "def score(y, p):\n    return 0\n"), "scor", "values", True)
    with pytest.raises(ConfigError, match="cannot be run"):
        load_custom_metric(_custom(tmp_path, "1 / 0\n"), "score", "values", True)


def test_the_tasks_metric_is_the_known_or_the_folders_own(tmp_path):
    shape = Submission(("id", "y"), "id", "values")
    known = Task("t", "regression", ("y",), "rmse", False, "values", shape)
    assert metric_of(known) is METRICS["rmse"]
    path = _custom(tmp_path, "def loss(y, p):\n    return abs(y - p).mean()\n")
    own = Task("t", "regression", ("y",), "loss", False, "values", shape, custom_metric=str(path))
    assert metric_of(own).score(VALUES, VALUES_OUT) == 1.0
    gini = Task("t", "regression", ("y",), "gini", True, "values", shape)
    assert metric_of(gini).needs == "values"
