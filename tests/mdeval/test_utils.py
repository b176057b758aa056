"""The interval type."""

import pytest

from mdeval.utils import Segment


def test_a_segment_is_a_pair_with_names() -> None:
    segment = Segment(tbeg=1.0, tend=2.5)
    assert segment == (1.0, 2.5)
    assert (segment.tbeg, segment.tend, segment.duration) == (1.0, 2.5, 1.5)
    assert min(Segment(2.0, 3.0), segment) is segment


def test_a_segment_does_not_change() -> None:
    with pytest.raises(AttributeError):
        Segment(1.0, 2.0).tbeg = 0.0  # type: ignore[misc]
