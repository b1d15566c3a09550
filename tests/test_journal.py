import pytest

from autods.journal import Journal


@pytest.fixture
def journal(tmp_path):
    ticks = iter(range(100))
    return Journal(tmp_path / "work" / "journal.jsonl", clock=lambda: next(ticks))


def test_events_come_back_in_order_with_their_time(journal):
    journal.append("planned", phase="cleaning", steps=3)
    journal.append("accepted", phase="cleaning")
    assert [(event["event"], event["at"]) for event in journal.events()] == [("planned", 0), ("accepted", 1)]


def test_events_are_chosen_by_name(journal):
    for name in ("planned", "accepted", "planned"):
        journal.append(name)
    assert len(journal.events("planned")) == 2


def test_a_journal_that_was_not_begun_is_empty(journal):
    assert journal.events() == []


def test_a_line_cut_by_a_crash_is_left_out_and_the_next_event_starts_its_own(journal):
    journal.append("planned")
    with journal.path.open("ab") as handle:
        handle.write(b'{"event": "acce')
    journal.append("reviewed")
    assert [event["event"] for event in journal.events()] == ["planned", "reviewed"]
