from autods.records import Fact, FileFact, Note

SURE, GUESSED = Fact("accuracy", "the overview says so", 0.95), Fact("accuracy", "nothing is said", 0.4)


def test_a_doubtful_fact_is_named_with_the_key_that_settles_it(situation, task, review):
    judged = review("background", situation(task=task(facts={"metric": GUESSED, "id": SURE})))
    assert judged.accept
    assert judged.findings[1:] == (
        "Doubtful: metric = accuracy (40 % sure: nothing is said); `metric:` in competition.yaml settles it.",
    )


def test_the_summary_says_what_is_asked_and_how_it_is_scored(column, situation, task, summarize):
    told = summarize("background", situation(column("a"), task=task(facts={"metric": SURE})))
    assert told.headline == "A binary classification of `y`, scored by accuracy; 800 rows to learn from, 200 to predict"
    (facts,) = told.sections[0].tables
    assert facts.rows == (("metric", "accuracy", "the overview says so", "95 %"),)
    assert "higher is better" in told.sections[0].text


def test_an_error_metric_is_told_as_lower_is_better(column, situation, task, summarize):
    told = summarize("background", situation(column("a"), task=task("regression", "rmse", "values")))
    assert "lower is better" in told.sections[0].text


def test_files_notes_and_instructions_are_told(column, situation, summarize):
    asked = situation(
        column("a"),
        files=(FileFact("train.csv", "train", 891, 12, "cp1252"),),
        notes=(Note("train.csv", "2 rows lack a target", "warning"),),
        instructions="Keep it simple.",
        tables={"shops": ("shop", "town")},
    )
    told = summarize("background", asked)
    sections = {section.heading: section for section in told.sections}
    assert sections["What was found in the folder"].tables[0].rows == (("train.csv", "train", "891", "12", "cp1252"),)
    assert "`shops` (`shop`, `town`)" in sections["What was found in the folder"].text
    assert (
        "**warning** `train.csv`: 2 rows lack a target" in sections["What was repaired or noticed while reading"].text
    )
    assert sections["What the person asked for"].text == "Keep it simple."
    assert "1 thing in the files needs" in told.what_changed
