import pytest

from autods.reasoners.rules.evidence import all_findings, evidence


@pytest.fixture
def told(situation, finding):
    early = (finding("skew", ["fare"], 4.0, "fare is skewed"),)
    late = (finding("signal", ["fare", "y"], 0.5, "fare tells"), finding("signal", ["age", "y"], 0.2, "age tells"))
    return situation(findings={"preliminary_eda": early, "deep_eda": late})


def test_the_latest_phase_is_cited_first(told):
    assert evidence(told, ["fare"]) == "deep eda found: fare tells"


def test_columns_without_a_finding_have_nothing_against_them(told):
    assert evidence(told, ["city"]) == "no finding speaks against it"


def test_all_findings_come_with_their_phase(told):
    assert [slug for slug, _ in all_findings(told)] == ["deep_eda", "deep_eda", "preliminary_eda"]
