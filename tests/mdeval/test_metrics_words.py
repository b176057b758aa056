"""cpWER and WDER: the worked example, edges, all assignments tried one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.metrics.edits import edit_distance
from mdeval.metrics.word_files import read_words
from mdeval.metrics.words import Cpwer, Wder, Word, cpwer, cpwer_columns, wder, wder_columns
from mdeval_metrics import DATA, best_assignment, total

REF: list[Word] = read_words(str(DATA / "words.rttm"))["talk"]
SYS: list[Word] = read_words(str(DATA / "words.seglst.json"))["talk"]


def streams(speakers: str) -> st.SearchStrategy[list[Word]]:
    times = st.integers(0, 9).map(float)
    return st.lists(st.tuples(times, st.sampled_from(speakers), st.sampled_from(["a", "b", "c"])), max_size=14)


def test_cpwer_of_the_worked_example() -> None:
    # diarization-metrics.md section 10: meeteval. A-1 costs 4, B-2 one deletion.
    found = cpwer(REF, SYS)
    assert found == Cpwer(5, 8, 10)
    assert cpwer_columns(found) == {"cpwer": 0.625, "cpwer_errors": 5, "n_ref_words": 8}


def test_wder_of_the_worked_example() -> None:
    # diarization-metrics.md section 10: simpleder. Only "hi" has the wrong speaker.
    found = wder(REF, SYS)
    assert found == Wder(1, 8)
    assert wder_columns(found) == {"wder": 0.125, "wder_wrong_words": 1, "wder_aligned_words": 8}
    assert edit_distance([w for _, _, w in REF], [w for _, _, w in SYS]) / 8 == 0.375  # the WER


@pytest.mark.parametrize(
    ("ref", "system", "errors"),
    [
        ([], [], 0),
        ([(0.0, "A", "a")], [], 1),
        ([], [(0.0, "x", "a"), (0.0, "y", "b")], 2),
        ([(0.0, "A", "a"), (1.0, "B", "b")], [(0.0, "x", "a"), (1.0, "x", "b")], 2),  # one deleted, one inserted
        ([(0.0, "A", "a")], [(0.0, "x", "A")], 1),  # case counts
    ],
)
def test_edges_of_cpwer(ref: list[Word], system: list[Word], errors: int) -> None:
    assert cpwer(ref, system).errors == errors


def test_nothing_to_divide_by() -> None:
    assert cpwer([], [(0.0, "x", "a")]).rate is None
    assert wder([], [(0.0, "x", "a")]).rate is None


def test_words_are_put_in_the_order_of_time() -> None:
    assert cpwer(REF[::-1], [(t, s, w) for t, s, w in SYS]).errors == 5
    assert cpwer([(1.0, "A", "b"), (0.0, "A", "a")], [(0.0, "x", "a"), (1.0, "x", "b")]).errors == 0


def test_recordings_add_up() -> None:
    assert total([cpwer(REF, SYS), cpwer(REF, REF)]).rate == 5 / 16
    assert total([wder(REF, SYS), wder(REF, REF)]).rate == 1 / 16


@given(streams("ABC"), streams("wxyz"))
def test_all_assignments_give_the_same(ref: list[Word], system: list[Word]) -> None:
    def said(words: list[Word], name: str) -> list[str]:
        return [w for _, speaker, w in sorted(words, key=lambda word: word[0]) if speaker == name]

    # pairs of 3 reference speakers with 4 system ones; the last one of a side meets nobody, an empty speaker
    costs = {(r, s): -float(edit_distance(said(ref, r), said(system, s))) for r in "ABC_" for s in "wxyz"}
    found = cpwer(ref, system)
    assert found.errors == -best_assignment_of_all(costs)
    assert (found.n_ref_words, found.n_sys_words) == (len(ref), len(system))


def best_assignment_of_all(costs: dict[tuple[str, str], float]) -> float:
    worst = 1000.0  # added so that nobody stays alone in the best assignment
    return best_assignment({pair: cost + worst for pair, cost in costs.items()}, "ABC_", "wxyz") - 4 * worst


@given(streams("ABC"), streams("wxyz"))
def test_bounds(ref: list[Word], system: list[Word]) -> None:
    found = wder(ref, system)
    assert 0 <= found.n_wrong <= found.n_aligned <= min(len(ref), len(system))
    plain = edit_distance(*([w for _, _, w in sorted(side, key=lambda word: word[0])] for side in (ref, system)))
    assert cpwer(ref, system).errors <= len(ref) + len(system)
    assert abs(len(ref) - len(system)) <= plain


@given(streams("ABC"))
def test_the_reference_is_perfect_under_any_names(ref: list[Word]) -> None:
    renamed = [(time, {"A": "y", "B": "z", "C": "x"}[who], word) for time, who, word in ref]
    assert cpwer(ref, renamed).errors == 0
    assert wder(ref, renamed) == Wder(0, len(ref))
