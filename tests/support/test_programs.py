"""What the tests rely on when they start programs: no wait without an end, and the last words of what died."""

import sys

import pytest

from tests.support.programs import run_program, started, until


def python(script: str) -> list[str]:
    return [sys.executable, "-u", "-c", script]


def test_a_program_that_dies_is_noticed_with_its_last_words() -> None:
    with (
        started(python("import os; print('so far so good'); os.abort()")) as program,
        pytest.raises(pytest.fail.Exception, match=r"has ended with code -6; it said:\nso far so good"),
    ):
        program.until(lambda: False)


def test_what_a_program_did_just_before_its_end_counts(tmp_path) -> None:
    done = tmp_path / "done"
    with started(python(f"open({str(done)!r}, 'w')")) as program:
        program.end()
        assert program.until(done.exists)


def test_a_program_that_does_nothing_is_not_waited_for_without_end() -> None:
    sleeping = python("print('waiting'); import time; time.sleep(1000)")
    with started(sleeping) as program:
        program.until(lambda: program.output)
        for wait in (lambda: program.until(lambda: False, 0.1), lambda: program.end(0.1)):
            with pytest.raises(pytest.fail.Exception, match=r"it said:\nwaiting"):
                wait()
    assert program.code is not None
    with pytest.raises(pytest.fail.Exception, match=r"has not ended after 2 s; it said:\nwaiting"):
        run_program(sleeping, limit=2)
    with pytest.raises(pytest.fail.Exception, match="has not come to pass"):
        until(lambda: False, 0.1)


@pytest.mark.parametrize("words", ["ä", b"\xff\0"])
def test_a_program_is_told_and_says_text_or_bytes(words) -> None:
    ended = run_program(python("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"), input=words)
    assert ended.stdout == words
