from autods.phases import PHASES


def test_status_lists_runs_with_score_and_state(cli, finished, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    outcome = cli("status", "--output", finished.path.parents[1])
    assert outcome.code == 0
    for words in ("tiny", finished.path.name, "6/6", "accuracy", "finished"):
        assert words in outcome.out


def test_status_without_runs_is_an_empty_table(cli, tmp_path):
    outcome = cli("status", "--output", tmp_path)
    assert outcome.code == 0
    assert "competition" in outcome.out


def test_report_shows_the_whole_or_one_phase(cli, finished):
    assert "Cleaning" in cli("report", finished.path).out
    assert "Clean" in cli("report", finished.path, "--phase", "cleaning").out


def test_report_of_an_unknown_phase_is_refused_with_the_nearest(cli, finished):
    outcome = cli("report", finished.path, "--phase", "cleanin")
    assert outcome.code == 2
    assert "did you mean 'cleaning'" in outcome.err


def test_tools_lists_the_signatures_by_kind(cli):
    out = cli("tools").out
    assert out.index("frame tools") < out.index("  fill_missing_values(train, test=None") < out.index("fold tools")
    assert "  lightgbm(kind" in out


def test_tools_shows_the_manual_of_one(cli):
    out = cli("tools", "fill_missing_values").out
    for words in ("Parameters", "Returns", "Examples", ">>> "):
        assert words in out


def test_an_unknown_tool_is_refused_with_the_nearest(cli):
    outcome = cli("tools", "fill_missing")
    assert outcome.code == 2
    assert "'fill_missing_values'" in outcome.err


def test_graph_draws_the_run_and_a_phase(cli):
    out = cli("graph").out
    assert out.count("graph TD;") == 2
    for phase in PHASES:
        assert f"{phase.slug}(" in out
    for agent in ("reader", "planner", "developer", "execute", "gate", "reviewer", "summarizer"):
        assert f"{agent}(" in out


def test_help_names_every_command(cli):
    out = cli("--help").out
    for command in (
        "run",
        "resume",
        "predict",
        "status",
        "report",
        "tools",
        "graph",
        "new",
        "score",
        "example",
        "doctor",
    ):
        assert f" {command} " in out
