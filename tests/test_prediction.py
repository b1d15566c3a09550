import pandas as pd
import pytest

from autods.errors import CompetitionError, RunNotFoundError
from autods.prediction import predict_file

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture(scope="module")
def test_rows(tiny):
    return pd.read_csv(tiny.folder / "test.csv")


def test_the_tests_own_rows_get_the_submission(finished, test_rows):
    assert finished.predict(test_rows).astype(str).equals(finished.submission.astype(str))


def test_rows_come_back_in_their_order_with_their_ids(finished, test_rows):
    some = test_rows.iloc[[5, 2, 9]].reset_index(drop=True)
    predicted = finished.predict(some)
    assert list(predicted["id"].astype(int)) == list(some["id"])
    submitted = finished.submission.set_index("id")["y"]
    assert list(predicted["y"]) == [submitted[str(number)] for number in some["id"]]


def test_new_rows_may_have_unseen_levels_gaps_and_other_columns(finished, test_rows):
    odd = test_rows.head(3).assign(city=["Quito", None, "Rome"], age=None, colour="red")
    predicted = finished.predict(odd)
    assert len(predicted) == 3
    assert set(predicted["y"]) <= {"yes", "no"}


def test_rows_without_an_id_are_predicted_too(finished, test_rows):
    assert len(finished.predict(test_rows.drop(columns="id").head(4))) == 4


def test_columns_that_are_absent_are_named(finished, test_rows):
    with pytest.raises(CompetitionError, match="lack age; give them the columns of the test file"):
        finished.predict(test_rows.drop(columns="age"))


def test_a_file_is_read_in_any_form(finished, tiny, test_rows, tmp_path):
    from autods.workspace import Workspace

    test_rows.to_csv(tmp_path / "new.tsv", sep="\t", index=False)
    assert len(predict_file(Workspace(finished.path), tmp_path / "new.tsv")) == len(test_rows)


def test_a_run_that_was_stopped_has_nothing_to_predict_with(finished_copy, test_rows):
    journal = finished_copy.path / "work" / "journal.jsonl"
    lines = [line for line in journal.read_text().splitlines() if not ('"accepted"' in line and '"modeling"' in line)]
    journal.write_text("\n".join(lines) + "\n")
    with pytest.raises(RunNotFoundError, match="has no blend to predict with; finish it with `autods resume"):
        finished_copy.predict(test_rows)
