"""Whatever the bytes: a result, or an error that a user can be told."""

from __future__ import annotations

import math
import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mdeval.counts import add_up
from mdeval.errors import MdevalError
from mdeval.pool import read_side, read_uem
from mdeval.scoring import score_sides
from mdeval_strategies import corpora, rttm_text, uem_text
from mdeval_support import damaged, ordinary_rttm
from speechio import SpeechioError

RTTM = st.one_of(
    ordinary_rttm(max_lines=4), corpora(max_size=2).map(lambda c: rttm_text(c, "ref").encode()), st.binary(max_size=60)
)
UEM = st.one_of(
    corpora(max_size=2).map(lambda c: uem_text(c).encode()),
    st.sampled_from([b"f 1 0 5\n", b"f 1 0 5\nf 1 5 9.5\n", b"d/f.sph A 1 2\n"]),
)
MAYBE_DAMAGED_RTTM = RTTM.flatmap(lambda data: st.one_of(st.just(data), damaged(data)))


@given(MAYBE_DAMAGED_RTTM, MAYBE_DAMAGED_RTTM, st.booleans(), st.booleans())
def test_rttm(ref: bytes, sys: bytes, strict: bool, large: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("ref.rttm", "sys.rttm")]
        for path, data in zip(paths, (ref, sys), strict=True):
            path.write_bytes(data)
        try:
            sides = [read_side([str(path)], strict=strict, large=large) for path in paths]
        except (MdevalError, SpeechioError):
            return
    scores = score_sides(sides[0].keys_with_turns(), sides[0], sides[1], collar=0.25)
    counts, _, _ = add_up(scores)
    assert counts.n_recordings == len(scores)
    if strict:
        assert all(value is None or math.isfinite(value) for value in counts.to_dict().values())


@given(UEM.flatmap(damaged), st.booleans(), st.booleans())
def test_uem(data: bytes, strict: bool, keep_directory: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.uem"
        path.write_bytes(data)
        try:
            regions = read_uem(str(path), [], strict=strict, keep_directory=keep_directory)
        except (MdevalError, SpeechioError):
            return
    for some in regions.values():
        assert all(begin < end for begin, end in some)
        assert all(a[1] <= b[0] for a, b in pairwise(some))


@given(MAYBE_DAMAGED_RTTM)
def test_what_is_read_strictly_means_the_same_to_md_eval(data: bytes) -> None:
    # md-eval splits at these two, the format does not (`speechio check` warns of them): formats.md, T111
    data = data.replace(b"\x0b", b"").replace(b"\x0c", b"")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ref.rttm"
        path.write_bytes(data)
        try:
            strictly = read_side([str(path)], strict=True)
        except (MdevalError, SpeechioError):
            return
        forgivingly = read_side([str(path)], strict=False)
    assert forgivingly.records == strictly.records
    assert forgivingly.types == strictly.types
