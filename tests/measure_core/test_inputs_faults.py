"""Every fault of a file, beside the first that reading tells."""

from pathlib import Path

import pytest

from measure_core import InputError
from measure_core.inputs.columns import read_column
from measure_core.inputs.faults import every_fault


@pytest.mark.parametrize("text", ["a 1\na 2\nb\u00a0c 3\nb 1\nb 2\n", "a 1\na 2\n"])
def test_the_first_is_the_one_that_reading_tells(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.scp"
    path.write_text(text, encoding="utf-8")
    found = every_fault(path)
    with pytest.raises(InputError) as caught:
        read_column(path)
    assert str(found[0]) == str(caught.value)
    assert [one.line for one in found] == ([2, 3, 5] if "c" in text else [2])


def test_very_many_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.scp"
    path.write_text("a 1\n" * 203, encoding="utf-8")
    *found, last = every_fault(path)
    assert len(found) == 100
    assert last.what == f"{path}: 102 more faults"


def test_what_cannot_be_read_again_has_none(tmp_path: Path) -> None:
    assert every_fault(tmp_path / "absent.scp") == []
    assert every_fault(tmp_path) == []
