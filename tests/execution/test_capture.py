"""Output is kept at both ends and counted between."""

from __future__ import annotations

import os

from autods.execution.capture import Capture


def test_what_fits_is_kept_whole() -> None:
    capture = Capture(1)
    capture.add(b"ab")
    capture.add(b"c" * 1000)
    assert capture.text() == "ab" + "c" * 1000


def test_what_does_not_fit_is_cut_in_the_middle() -> None:
    capture = Capture(1)
    for number in range(1000):
        capture.add(b"%06d\n" % number)
    text = capture.text()
    head, mark, tail = text.partition(f"\n[… {7000 - 1024} bytes of output cut …]\n")
    assert mark
    assert head.startswith("000000\n")
    assert tail.endswith("000999\n")
    assert (len(head), len(tail)) == (512, 512)


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    capture = Capture(1)
    capture.add(b"a\xff")
    assert capture.text() == "a�"


def test_a_pipe_is_read_to_its_end_and_closed() -> None:
    ours, theirs = os.pipe()
    capture = Capture(1)
    thread = capture.read_from(ours)
    os.write(theirs, b"hello")
    os.close(theirs)
    thread.join(5)
    assert capture.text() == "hello"
