from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autods.competition import build_submission, read_competition, validate_submission
from autods.errors import CompetitionError, ConfigError
from autods.records import Competition, Decision

Read = Callable[..., Competition]
Write = Callable[..., Path]

TRAIN = "id,x1,color,y\n1,10,red,0\n2,81,blue,1\n3,12,red,0\n4,80,blue,1\n5,11,red,0\n6,79,blue,1\n"
TEST = "id,x1,color\n7,10,red\n8,80,blue\n"
SAMPLE = "id,y\n7,0\n8,0\n"
ACCURACY = "Submissions are scored by classification accuracy."
AUROC = "Submissions are scored by area under the ROC curve."


def notes(competition: Competition) -> str:
    return "\n".join(note.text for note in competition.notes)


def refused(read: Read, **files: str | bytes) -> str:
    with pytest.raises(CompetitionError) as caught:
        read(**files)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- the plain case --------------------------------------------------------------------------------------------------
def test_target_and_id_stand_apart_from_features(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST, sample=SAMPLE, overview=ACCURACY)
    assert competition.train.columns.tolist() == competition.test.columns.tolist() == ["x1", "color"]
    assert competition.y.tolist() == [0, 1, 0, 1, 0, 1]
    assert competition.keys["id"].tolist() == ["1", "2", "3", "4", "5", "6"]
    assert competition.test_keys["id"].tolist() == ["7", "8"]
    assert competition.target["y"].tolist() == ["0", "1", "0", "1", "0", "1"]


def test_every_fact_has_evidence_and_confidence(read: Read) -> None:
    facts = read(train=TRAIN, test=TEST, sample=SAMPLE, overview=ACCURACY).task.facts
    assert {"id", "targets", "kind", "metric", "submission", "classes"} <= set(facts)
    assert all(fact.evidence and 0 < fact.confidence <= 1 for fact in facts.values())


def test_without_sample_and_overview_all_is_inferred_and_the_metric_is_a_guess(read: Read) -> None:
    task = read(train=TRAIN, test=TEST).task
    assert (task.id_column, task.targets, task.kind, task.metric) == ("id", ("y",), "binary", "accuracy")
    assert task.submission.columns == ("id", "y")
    assert task.facts["metric"].confidence < 0.5


def test_the_fingerprint_follows_the_files(write: Write) -> None:
    folder = write(train=TRAIN, test=TEST)
    before = read_competition(folder).fingerprint
    assert read_competition(folder).fingerprint == before
    write(train=TRAIN.replace("81", "82"))
    assert read_competition(folder).fingerprint != before


def test_files_are_described(read: Read) -> None:
    facts = {fact.name: fact for fact in read(train=TRAIN, test=TEST, sample=SAMPLE, overview=ACCURACY).files}
    assert (facts["train.csv"].role, facts["train.csv"].rows, facts["train.csv"].separator) == ("train", 6, ",")
    assert facts["overview.txt"].role == "overview"


# --- ids -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "ids",
    [["007", "010"], ["1e5", "2E3"], ["9007199254740993", "9007199254740995"], ["0013_01", "0014_01"], ["a b", "c,d"]],
)
def test_ids_are_kept_letter_by_letter(read: Read, ids: list[str]) -> None:
    rows = "".join(f'"{key}",10,red\n' for key in ids)
    sample = "id,y\n" + "".join(f'"{key}",0\n' for key in ids)
    competition = read(train=TRAIN, test="id,x1,color\n" + rows, sample=sample, overview=ACCURACY)
    assert competition.test_keys["id"].tolist() == ids
    assert competition.sample is not None
    assert competition.sample["id"].tolist() == ids


def test_repeated_ids_are_warned_about(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST.replace("8,80", "7,80"), sample="id,y\n7,0\n7,0\n", overview=ACCURACY)
    assert "2 rows of test share an id ('7')" in notes(competition)


def test_ids_unknown_to_the_other_file_are_counted(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST, sample="id,y\n7,0\n9,0\n", overview=ACCURACY)
    assert "1 id of the sample submission ('9') not in the test" in notes(competition)
    assert "1 row of the test ('8') not in the sample submission" in notes(competition)


def test_another_order_of_the_sample_is_told(read: Read) -> None:
    assert "another order" in notes(read(train=TRAIN, test=TEST, sample="id,y\n8,0\n7,0\n", overview=ACCURACY))


def test_a_competition_may_have_no_id_at_all(read: Read) -> None:
    train, test = "a,b,y\n1,5,0\n1,6,1\n2,7,0\n", "a,b\n1,5\n1,9\n"
    competition = read(train=train, test=test, sample="y\n0\n0\n", overview=ACCURACY)
    assert competition.task.id_column is None
    assert competition.task.submission.columns == ("y",)
    assert (len(competition.keys), len(competition.test_keys)) == (3, 2)


def test_an_id_that_is_a_text_is_a_feature_too(read: Read) -> None:
    train = 'text,price\n"a small red box",5\n"two big bags",7\n"one tiny bag",6\n'
    competition = read(train=train, test='text\n"some big box"\n', sample='text,price\n"some big box",0\n')
    assert competition.train.columns.tolist() == ["text"]
    assert competition.test_keys["text"].tolist() == ["some big box"]


# --- targets ---------------------------------------------------------------------------------------------------------
def test_rows_without_target_are_left_out_and_counted(read: Read) -> None:
    train = TRAIN + "9,50,red,\n10,51,red, \n11,52,red,NA\n"
    competition = read(train=train, test=TEST, sample=SAMPLE, overview=ACCURACY)
    assert len(competition.train) == len(competition.y) == len(competition.keys) == 6
    assert "3 rows of train have no y" in notes(competition)


def test_the_test_may_contain_the_target_which_is_dropped_with_a_note(read: Read) -> None:
    test = "id,x1,color,y\n7,10,red,\n8,80,blue,\n"
    for sample in ({"sample": SAMPLE}, {}):
        competition = read(train=TRAIN, test=test, overview=ACCURACY, **sample)
        assert competition.task.targets == ("y",)
        assert "y" not in competition.test
        assert "test file has the target y" in notes(competition)


def test_thousands_separators_of_the_target_are_read(read: Read) -> None:
    train = 'id,x1,sales\n1,5,"1,000"\n2,6,"9,130"\n3,7,12\n'
    competition = read(train=train, test="id,x1\n4,5\n", sample="id,sales\n4,0\n")
    assert (competition.task.kind, competition.y.tolist()) == ("regression", [1000, 9130, 12])


def test_a_column_that_only_train_has_and_nobody_asks_for_is_no_target(read: Read) -> None:
    train = "id,x1,casual,registered,count\n1,5,3,4,7\n2,6,5,5,10\n3,8,1,1,2\n"
    overview = "Predict the number `count` for every row. Scored by root mean squared error."
    for sample in ({"sample": "id,count\n4,0\n"}, {}):
        competition = read(train=train, test="id,x1,station\n4,5,s0\n", overview=overview, **sample)
        assert competition.task.targets == ("count",)
        assert competition.train.columns.tolist() == ["x1"]
        assert "casual, registered only in the train file" in notes(competition)
        assert "station only in the test file" in notes(competition)


def test_several_targets_of_mixed_kinds_are_numbers(read: Read) -> None:
    train = "id,x1,A - b,depth (mm)\n1,5,0,2.5\n2,6,1,12.5\n3,7,0,\n"
    competition = read(train=train, test="id,x1\n4,5\n", sample="id,A - b,depth (mm)\n4,0.5,0\n")
    assert competition.task.kind == "multi_regression"
    assert competition.y.tolist() == [[0, 2.5], [1, 12.5]]


def test_several_flags_are_a_multilabel_task(read: Read) -> None:
    train = "id,x1,toxic,rude\n1,5,0,1\n2,6,1,1\n3,7,0,0\n"
    competition = read(
        train=train, test="id,x1\n4,5\n", sample="id,toxic,rude\n4,0.5,0.5\n", overview="Mean column-wise ROC AUC."
    )
    assert (competition.task.kind, competition.task.metric) == ("multilabel", "mean_column_auroc")
    assert competition.y.tolist() == [[0, 1], [1, 1], [0, 0]]
    assert competition.task.submission.form == "values"


def test_classes_that_have_a_column_each_are_recognised(read: Read) -> None:
    train = "id,x1,Status\n1,5,C\n2,6,CL\n3,7,D\n4,8,C\n"
    competition = read(train=train, test="id,x1\n5,5\n", sample="id,Status_C,Status_CL,Status_D\n5,0.3,0.3,0.4\n")
    task = competition.task
    assert (task.targets, task.kind, task.metric) == (("Status",), "multiclass", "log_loss")
    assert task.submission.form == "class_probabilities"
    assert task.submission.column_classes == ("C", "CL", "D")


def test_a_class_column_that_train_never_shows_is_a_class(read: Read) -> None:
    train = "id,x1,kind\n1,5,1\n2,6,3\n3,7,1\n"
    task = read(train=train, test="id,x1\n5,5\n", sample="id,kind_1,kind_2,kind_3\n5,0.3,0.3,0.4\n").task
    assert task.classes == ("1", "2", "3")


def test_long_ids_are_recognised(read: Read) -> None:
    train = "id,x1,a,b\n1,5,0.5,1.5\n2,6,2.5,3.5\n"
    sample = "row,value\n4_a,0\n4_b,0\n5_a,0\n5_b,0\n"
    task = read(train=train, test="id,x1\n4,5\n5,6\n", sample=sample).task
    assert task.submission.long_ids is not None
    assert (task.targets, task.id_column, task.submission.id_column) == (("a", "b"), "id", "row")


def test_whole_labels_saved_as_floats_are_written_as_the_sample_writes_them(read: Read) -> None:
    train = TRAIN.replace(",0\n", ",0.0\n").replace(",1\n", ",1.0\n")
    assert read(train=train, test=TEST, sample=SAMPLE, overview=ACCURACY).task.classes == ("0", "1")
    sample = "id,y\n7,0.0\n8,0.0\n"
    assert read(train=train, test=TEST, sample=sample, overview=ACCURACY).task.classes == ("0.0", "1.0")


def test_the_metric_decides_that_probabilities_are_wanted_though_the_sample_shows_labels(read: Read) -> None:
    task = read(train=TRAIN, test=TEST, sample=SAMPLE, overview=AUROC).task
    assert (task.needs, task.submission.form, task.submission.positive_class) == ("probabilities", "probability", "1")


def test_a_sample_of_fractions_means_probabilities_where_nothing_is_said(read: Read) -> None:
    task = read(train=TRAIN, test=TEST, sample="id,y\n7,0.5\n8,0.5\n").task
    assert (task.metric, task.submission.form) == ("auroc", "probability")


def test_one_label_everywhere_is_said_loudly(read: Read) -> None:
    competition = read(train="id,x,y\n1,5,ok\n2,6,ok\n", test="id,x\n3,5\n", sample="id,y\n3,ok\n", overview=ACCURACY)
    assert competition.task.classes == ("ok",)
    assert "nothing to learn" in notes(competition)


def test_labels_with_commas_and_quotes_stay(read: Read) -> None:
    train = 'id,x,y\n1,5,"No ""claim"" made"\n2,6,"Returned, to owner"\n3,5,"No ""claim"" made"\n'
    competition = read(train=train, test="id,x\n4,5\n", sample='id,y\n4,"Returned, to owner"\n', overview=ACCURACY)
    assert set(competition.task.classes) == {'No "claim" made', "Returned, to owner"}


# --- columns ---------------------------------------------------------------------------------------------------------
def test_a_column_that_is_empty_in_train_is_dropped_on_both_sides(read: Read) -> None:
    train, test = "id,sensor,x,y\n1,,5,0\n2,NA,6,1\n", "id,sensor,x\n3,7.5,5\n"
    competition = read(train=train, test=test, sample="id,y\n3,0\n", overview=ACCURACY)
    assert competition.train.columns.tolist() == competition.test.columns.tolist() == ["x"]
    assert "sensor empty in all of train" in notes(competition)


def test_columns_have_the_same_type_on_both_sides(read: Read) -> None:
    competition = read(train=TRAIN, test="id,x1,color\n7,,red\n8,unknown,\n", sample=SAMPLE, overview=ACCURACY)
    assert (competition.train.dtypes == competition.test.dtypes).all()
    assert competition.test["x1"].isna().all()


def test_columns_that_are_ignored_are_gone(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST, sample=SAMPLE, overview=ACCURACY, settings="ignore: [Color]\n")
    assert competition.train.columns.tolist() == ["x1"]


def test_dates_that_test_continues_are_the_time(read: Read) -> None:
    train = "id,day,x,y\n" + "".join(f"{i},2024-01-{i:02d},5,{i}.5\n" for i in range(1, 21))
    test = "id,day,x\n" + "".join(f"{i},2024-02-{i:02d},5\n" for i in range(1, 9))
    competition = read(train=train, test=test)
    assert competition.task.time_column == "day"
    assert competition.keys["day"].max() == pd.Timestamp("2024-01-20")
    assert "day" in competition.train


def test_patients_that_train_and_test_do_not_share_are_the_group(read: Read) -> None:
    train = "id,patient_id,x,y\n" + "".join(f"{i},p{i % 6},5,{i % 2}\n" for i in range(30))
    test = "id,patient_id,x\n" + "".join(f"{i},q{i % 6},5\n" for i in range(30, 50))
    competition = read(train=train, test=test, overview=ACCURACY)
    assert competition.task.group_column == "patient_id"
    assert competition.keys.columns.tolist() == ["id", "patient_id"]
    assert competition.train.columns.tolist() == ["x"]
    assert "patient_id groups rows and is no feature" in notes(competition)


# --- files -----------------------------------------------------------------------------------------------------------
def test_packed_files_are_found_and_a_whole_competition_in_one_zip_too(read: Read, write: Write) -> None:
    one = io.BytesIO()
    with zipfile.ZipFile(one, "w") as archive:
        for name, text in (("train.csv", TRAIN), ("data/test.csv", TEST), ("sample_submission.csv", SAMPLE)):
            archive.writestr(name, text)
        archive.writestr("__MACOSX/._train.csv", "x")
    assert read_competition(write(folder="zipped", **{"all.zip": one.getvalue()})).y.tolist() == [0, 1, 0, 1, 0, 1]
    packed = {"train.csv.gz": gzip.compress(TRAIN.encode()), "test.csv": TEST}
    assert read_competition(write(folder="gzipped", **packed)).task.targets == ("y",)


def test_parquet_and_csv_give_the_same_competition(write: Write, tmp_path: Path) -> None:
    folder = write(test=TEST, sample=SAMPLE, overview=ACCURACY)
    pd.read_csv(io.StringIO(TRAIN)).to_parquet(folder / "train.parquet")
    competition = read_competition(folder)
    assert competition.y.tolist() == [0, 1, 0, 1, 0, 1]
    assert competition.keys["id"].tolist() == ["1", "2", "3", "4", "5", "6"]


def test_other_files_become_tables_and_texts(read: Read) -> None:
    competition = read(
        train=TRAIN, test=TEST, sample=SAMPLE, overview=ACCURACY,
        **{"colors.csv": "color,red\nred,255\nblue,0\n", "data_description.txt": "x1: a size", "notes.txt": "a,b\n1,2\n",
           "instructions.md": "No neural networks."},
    )  # fmt: skip
    assert competition.tables["colors"]["red"].tolist() == [255, 0]
    assert list(competition.tables) == ["colors"]
    assert competition.description == "x1: a size"
    assert competition.instructions == "No neural networks."


def test_an_unreadable_table_is_left_out_and_said(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST, **{"extra.parquet": b"PAR1x"})
    assert competition.tables == {}
    assert "extra.parquet was left out" in notes(competition)


def test_labels_in_a_file_of_their_own_are_joined_by_id(read: Read) -> None:
    features = "id,x1,color\n1,10,red\n2,81,blue\n3,12,red\n4,80,blue\n"
    files = {"train_values.csv": features, "train_labels.csv": "id,y\n4,1\n1,0\n2,1\n3,0\n", "test_values.csv": TEST}
    competition = read(**files, **{"submission_format.csv": SAMPLE})
    assert competition.y.tolist() == [0, 1, 0, 1]
    assert competition.tables == {}
    assert "joined" in notes(competition)


def test_labels_in_a_file_of_their_own_are_joined_row_by_row(read: Read) -> None:
    files = {"X_train.csv": "a,b\n1,2\n3,4\n1,6\n", "y_train.csv": "y\n5.5\n6.5\n7.5\n", "X_test.csv": "a,b\n1,2\n"}
    assert read(**files).y.tolist() == [5.5, 6.5, 7.5]


def test_names_are_matched_in_different_spellings_of_files(read: Read) -> None:
    files = {"Training.csv": TRAIN, "TEST.CSV": TEST, "sampleSubmission.csv": SAMPLE}
    competition = read(**files)
    assert competition.sample is not None
    assert competition.task.targets == ("y",)


def test_files_may_be_named_in_the_settings(read: Read) -> None:
    files = {"known.csv": TRAIN, "asked.csv": TEST, "form.csv": SAMPLE}
    settings = "files: {train: known.csv, test: asked.csv, sample_submission: form.csv}\n"
    assert read(settings=settings, **files).task.id_column == "id"
    message = refused(read, settings=settings.replace("known", "knwn"), **files)
    assert "'knwn.csv' as train file, which is not there; did you mean 'known.csv'" in message


def test_semicolons_with_decimal_commas_are_read_in_all_files(read: Read) -> None:
    train = "id;x;y\n1;0,5;10,25\n2;1,5;11\n3;2,25;12,5\n"
    competition = read(train=train, test="id;x\n4;0,75\n", sample="id;y\n4;0\n")
    assert competition.y.tolist() == [10.25, 11, 12.5]
    assert competition.test["x"].tolist() == [0.75]


def test_a_bad_line_of_train_is_left_out_and_named(read: Read) -> None:
    competition = read(train=TRAIN + "9,1,2,red,0\n", test=TEST, sample=SAMPLE, overview=ACCURACY)
    assert len(competition.train) == 6
    assert "line 8 (5 fields instead of 4); 6 rows kept" in notes(competition)


def test_an_empty_sample_gives_its_header_only(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST, sample="id,y\n", overview=ACCURACY)
    assert competition.sample is None
    assert competition.task.submission.columns == ("id", "y")


def test_the_samples_header_is_kept_as_spelled(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST, sample="ID, y\n7,0\n8,0\n", overview=ACCURACY)
    assert competition.task.submission.columns == ("ID", " y")
    assert competition.sample is not None
    assert competition.sample.columns.tolist() == ["ID", " y"]
    assert competition.task.id_column == "ID"


# --- settings --------------------------------------------------------------------------------------------------------
def test_settings_override_every_fact(read: Read) -> None:
    settings = (
        "id: x1\ntarget: color\nkind: binary\nmetric: f1\npositive_class: red\n"
        "group: x1\nconfig: {effort: quick}\nrules: {n_splits: 3}\n"
    )
    train, test = TRAIN, "id,x1,y\n7,10,0\n8,80,1\n"
    competition = read(train=train, test=test, settings=settings)
    task = competition.task
    assert (task.id_column, task.targets, task.metric, task.classes) == ("x1", ("color",), "f1", ("blue", "red"))
    assert task.group_column == "x1"
    assert competition.settings == {"effort": "quick", "rules": {"n_splits": 3}}
    assert task.facts["targets"].confidence == 1.0


def test_a_custom_metric_is_loaded_from_the_folder(read: Read) -> None:
    settings = "metric: {file: m.py, function: wins, needs: labels, greater_is_better: true}\n"
    code = "def wins(y_true, y_pred):\n    return (y_true == y_pred).mean()\n"
    task = read(train=TRAIN, test=TEST, sample=SAMPLE, settings=settings, **{"m.py": code}).task
    assert (task.metric, task.needs, task.greater_is_better) == ("wins", "labels", True)
    assert task.custom_metric is not None
    assert task.custom_metric.endswith("m.py")


def test_an_unknown_metric_is_refused_with_the_nearest(read: Read) -> None:
    with pytest.raises(ConfigError, match=r"competition\.yaml: There is no metric 'acuracy'; did you mean 'accuracy'"):
        read(train=TRAIN, test=TEST, settings="metric: acuracy\n")


def test_a_stated_metric_that_cannot_score_the_target_is_refused(read: Read) -> None:
    train = TRAIN.replace(",0\n", ",no\n").replace(",1\n", ",yes\n")
    with pytest.raises(ConfigError, match="'rmse' scores regression"):
        read(train=train, test=TEST, settings="metric: rmse\n")


def test_a_told_metric_that_cannot_score_the_target_is_replaced_and_said(read: Read) -> None:
    train = TRAIN.replace(",0\n", ",no\n").replace(",1\n", ",yes\n")
    competition = read(train=train, test=TEST, overview="Submissions are scored by RMSE.")
    assert competition.task.metric == "accuracy"
    assert "cannot score a target like y" in notes(competition)


def test_the_call_overrides_the_file(read: Read) -> None:
    assert read(train=TRAIN, test=TEST, settings="metric: accuracy\n", given={"metric": "auroc"}).task.metric == "auroc"


# --- refusals --------------------------------------------------------------------------------------------------------
def test_what_cannot_be_predicted_is_refused_in_one_sentence(read: Read) -> None:
    assert "no train file" in refused(read, folder="a", test=TEST)
    assert "no test file" in refused(read, folder="b", train=TRAIN)
    assert "train.csv has a header but no rows" in refused(read, folder="c", train="id,x,y\n", test=TEST)
    assert "test.csv has a header but no rows" in refused(read, folder="d", train=TRAIN, test="id,x1\n")
    assert "No target was found" in refused(read, folder="e", train=TEST, test=TEST)
    assert "no feature in common" in refused(read, folder="f", train="id,a,y\n1,2,0\n2,3,1\n", test="id,b\n3,4\n")
    assert "no feature in common" in refused(
        read, folder="g", train="id,a,y\n1,,0\n2,,1\n", test="id,a\n3,4\n", sample="id,y\n3,0\n"
    )
    assert "has a value in the target y" in refused(read, folder="h", train="id,a,y\n1,2,\n2,3,\n", test="id,a\n3,4\n")


def test_a_bad_line_of_test_is_refused_with_its_number(read: Read) -> None:
    message = refused(read, train=TRAIN, test=TEST + "9,1,2,red\n")
    assert "Line 4 of test.csv has 4 fields instead of 3" in message


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompetitionError, match="There is no competition folder"):
        read_competition(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("target: yy\n", "names the target 'yy', which the train file does not have; did you mean 'y'"),
        ("id: idd\n", "names the id 'idd', which the test file does not have; did you mean 'id'"),
        ("group: colour\n", "names the group column 'colour'"),
        ("ignore: [colour]\n", "ignores 'colour', which neither file has; did you mean 'color'"),
    ],
)
def test_a_setting_that_names_no_column_is_refused_with_the_nearest(read: Read, settings: str, message: str) -> None:
    assert message in refused(read, train=TRAIN, test=TEST, settings=settings)


def test_several_targets_of_words_are_refused_with_the_remedy(read: Read) -> None:
    train = "id,x,a,b\n1,5,red,s\n2,6,blue,m\n3,7,green,l\n"
    message = refused(read, train=train, test="id,x\n4,5\n", sample="id,a,b\n4,red,s\n")
    assert "name a single target in competition.yaml" in message


def test_reading_writes_nothing(write: Write) -> None:
    folder = write(train=TRAIN, test=TEST, sample=SAMPLE)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    read_competition(folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_y_of_a_regression_is_float(read: Read) -> None:
    competition = read(
        train="id,x,y\n1,5,3\n2,6,4\n3,6,9\n", test="id,x\n4,5\n", overview="Scored by mean absolute error."
    )
    assert competition.y.dtype == np.float64


def test_two_columns_may_name_a_row_together(read: Read) -> None:
    train = "store,day,x,sales\n1,1,5,10.5\n1,2,6,11\n2,1,7,12\n2,2,8,13\n"
    test = "store,day,x\n1,3,5\n1,4,6\n2,3,7\n2,4,8\n"
    sample = "store,day,sales\n2,3,0\n2,4,0\n1,3,0\n1,4,0\n"
    competition = read(train=train, test=test, sample=sample)
    task = competition.task
    assert (task.targets, task.id_column, task.submission.copied_columns) == (("sales",), "store", ("day",))
    assert competition.train.columns.tolist() == ["store", "day", "x"]
    outputs = np.array([[1.0], [2.0], [3.0], [4.0]])
    frame = build_submission(task, competition.sample, competition.test_keys, outputs, Decision("none"))
    assert frame["sales"].tolist() == [3, 4, 1, 2]
    assert frame["day"].tolist() == ["3", "4", "3", "4"]
    assert validate_submission(frame, task, competition.sample, competition.test_keys) == ()
    assert "share an id" not in notes(competition)


def test_a_sample_that_asks_for_what_train_cannot_answer_is_refused(read: Read) -> None:
    message = refused(read, train=TRAIN, test=TEST, sample="id,a,b,c\n7,0,0,0\n8,0,0,0\n", overview=ACCURACY)
    assert "3 columns to fill" in message


def test_a_sample_that_cannot_be_read_counts_as_absent(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST, sample="", overview=ACCURACY)
    assert competition.task.submission.columns == ("id", "y")
    assert "left out" in notes(competition)


def test_empty_rows_below_a_table_are_no_rows(read: Read) -> None:
    competition = read(train=TRAIN + ",,,\n,,,\n", test=TEST + ",,\n,,,,\n", sample=SAMPLE, overview=ACCURACY)
    assert (len(competition.train), len(competition.test)) == (6, 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("kind: binary\n", "the target y has 3 different values; state multiclass or regression"),
        ("kind: regression\nsubmission: {form: labels}\n", "has no classes; write `form: values`"),
        ("submission: {columns: [id, a, b]}\n", "2 columns to fill"),
        ("submission: {id_column: key}\n", "is not among its columns"),
        ("submission: {long_ids: {separator: _, order: x}}\n", "write `separator:` and `order: row_target`"),
        ("targets: [x1, y]\nkind: binary\n", "has one target, but there are 2"),
    ],
)
def test_settings_that_contradict_the_data_are_refused(read: Read, settings: str, message: str) -> None:
    train = "id,x1,y\n1,5,0\n2,6,1\n3,7,2\n4,8,0\n"
    assert message in refused(read, train=train, test="id,x1\n5,5\n", settings=settings)


def test_stated_classes_make_numbers_classes(read: Read) -> None:
    train = "id,x1,y\n1,5,1\n2,6,5\n3,7,5\n4,8,1\n"
    task = read(train=train, test="id,x1\n5,5\n", settings="classes: [1, 3, 5]\n").task
    assert (task.kind, task.classes) == ("multiclass", ("1", "3", "5"))


def test_a_stated_kind_of_one_target_becomes_that_of_several(read: Read) -> None:
    train = "id,x,a,b\n1,5,0,1\n2,6,1,0\n3,7,1,1\n"
    for stated, kind in (("regression", "multi_regression"), ("binary", "multilabel")):
        settings = f"kind: {stated}\n"
        assert read(train=train, test="id,x\n4,5\n", sample="id,a,b\n4,0,0\n", settings=settings).task.kind == kind


def test_a_metric_of_ones_own_says_what_it_needs(read: Read, write: Write) -> None:
    files = {"train": TRAIN, "test": TEST, "m.py": "def f(a, b):\n    return 0.0\n"}
    for section, message in (
        ("{file: n.py, function: f, greater_is_better: true}", "'n.py', which is not in"),
        ("{file: m.py, function: f}", "needs `greater_is_better: true` or `false`"),
        (
            "{file: m.py, function: f, needs: label, greater_is_better: true}",
            "metric.needs is 'label'; did you mean 'labels'",
        ),
        ("{file: m.py, function: g, greater_is_better: true}", "no function 'g'"),
    ):
        with pytest.raises(ConfigError) as caught:
            read(settings=f"metric: {section}\n", **files)
        assert message in str(caught.value)


def test_the_overview_may_be_named_and_must_be_there(read: Read) -> None:
    files = {"train": TRAIN, "test": TEST, "asked.md": AUROC}
    assert read(settings="files: {overview: asked.md}\n", **files).task.metric == "auroc"
    assert "did you mean 'asked.md'" in refused(read, settings="files: {overview: askd.md}\n", **files)


def test_a_zip_may_hold_more_than_its_table(read: Read) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("train.csv", TRAIN)
        archive.writestr("codebook.csv", "a,b\n1,2\n")
    competition = read(test=TEST, sample=SAMPLE, overview=ACCURACY, **{"train.csv.zip": packed.getvalue()})
    assert competition.y.tolist() == [0, 1, 0, 1, 0, 1]
    assert "codebook.csv left out" in notes(competition)


def test_a_member_that_leads_out_of_the_folder_is_refused_and_said(read: Read) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("train.csv", TRAIN)
        archive.writestr("../../evil.csv", "a,b\n1,2\n")
    competition = read(test=TEST, sample=SAMPLE, overview=ACCURACY, **{"train.csv.zip": packed.getvalue()})
    assert "'../../evil.csv' of train.csv.zip leads out of the folder and was refused" in notes(competition)


def test_ids_that_only_the_sample_spells_so_are_told(read: Read) -> None:
    competition = read(train=TRAIN, test=TEST, sample="id,y\n70,0\n80,0\n", overview=ACCURACY)
    assert "No id of the sample submission is in the test" in notes(competition)


def test_a_sample_without_ids_should_have_a_row_a_test_row(read: Read) -> None:
    train, test = "a,y\n1,0\n1,1\n2,0\n", "a\n1\n1\n"
    assert "has 3 rows, the test 2" in notes(read(train=train, test=test, sample="y\n0\n0\n0\n", overview=ACCURACY))
