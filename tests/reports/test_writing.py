from __future__ import annotations

import dataclasses
import json

from autods.reports.manifest import manifest
from autods.reports.writing import write_reports


def test_everything_a_person_looks_for_is_written(content, tmp_path):
    out = tmp_path / "out"
    written = write_reports(content, out)
    assert {path.name for path in written} == {
        "01_background.md", "02_preliminary_eda.md", "03_cleaning.md", "04_deep_eda.md", "05_feature_engineering.md",
        "06_modeling.md", "report.md", "report.html", "solution.py", "solution.ipynb", "manifest.json",
    }  # fmt: skip
    pictures = {path.name for path in (out / "figures").iterdir()}
    assert {"model_comparison.png", "fold_scores.png", "importance.png", "cleaning_a_picture.png"} <= pictures
    assert "(figures/cleaning_a_picture.png)" in (out / "03_cleaning.md").read_text()


def test_a_run_that_stopped_early_is_written_without_a_solution(content, tmp_path):
    early = dataclasses.replace(content, training=None, phases=content.phases[:1])
    names = {path.name for path in write_reports(early, tmp_path / "out")}
    assert names == {"01_background.md", "report.md", "report.html", "manifest.json"}


def test_the_manifest_holds_what_its_docstring_names(content):
    content.submission.write_text("PassengerId,Survived\n1,0\n2,1\n")
    facts = json.loads(manifest(content))
    lines = (manifest.__doc__ or "").split("------\n")[1].splitlines()
    documented = {
        name for line in lines if line.startswith("    ") and line[4:5].strip() for name in line.strip().split(", ")
    }
    assert set(facts) == documented
    assert facts["submission"]["rows"] == 2
    assert facts["scores"]["gain_over_baseline"]["mean"] > 0
    assert facts["phases"][2]["gates"] == {"passed": 1, "warned": 1, "failed": 0, "skipped": 0}
    assert facts["candidates"][2]["parameters"] == {"depth": 5}
    assert facts["seed"] == 0


def test_the_manifest_is_strict_json_even_without_scores(content):
    odd = dataclasses.replace(content.score, standard_error=float("nan"))
    bare = dataclasses.replace(
        content, training=None, baseline=odd, constant=None, folds=None, phases=(), submission=None
    )
    facts = json.loads(manifest(bare), parse_constant=lambda name: (_ for _ in ()).throw(AssertionError(name)))
    assert facts["scores"]["baseline"]["standard_error"] is None
    assert facts["folds"] is None
