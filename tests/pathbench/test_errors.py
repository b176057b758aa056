"""The tree of exceptions, and optional parts that are not installed."""

from __future__ import annotations

import pickle
import re
from importlib.metadata import requires

import pytest

from pathbench import errors


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.UsageError, ValueError),
        (errors.InputError, ValueError),
        (errors.MissingDatasetError, FileNotFoundError),
        (errors.MissingDatasetError, errors.InputError),
        (errors.MissingDependencyError, ImportError),
        (errors.EvaluationError, RuntimeError),
    ],
)
def test_every_error_is_ours_and_what_python_calls_it(error: type[Exception], builtin: type[Exception]) -> None:
    assert issubclass(error, errors.PathbenchError)
    assert issubclass(error, builtin)
    raised = error("a: b; fix: c")
    assert str(raised) == "a: b; fix: c"
    assert str(pickle.loads(pickle.dumps(raised))) == str(raised)


def test_a_missing_extra_says_what_to_install() -> None:
    with pytest.raises(
        errors.MissingDependencyError, match=r"pitch needs no_such_module.*pip install praat-parselmouth"
    ):
        errors.import_extra("no_such_module.part", "signal", "pitch")
    assert errors.import_extra("json", "signal", "pitch").dumps({}) == "{}"


def test_every_extra_can_be_installed_by_the_names_of_what_it_brings() -> None:
    wanted: dict[str, set[str]] = {}
    for line in requires("pathbench") or []:
        requirement, sign, extra = line.partition("; extra == ")
        if sign:
            wanted.setdefault(extra.strip("'\""), set()).add(re.split("[<>=!~ ]", requirement)[0])
    assert set(wanted) == {"signal", "plot", "dask"}
    for extra, names in wanted.items():
        command, verb, *found = errors.install(extra).split()
        assert (command, verb, set(found)) == ("pip", "install", names)


def test_a_module_that_lacks_something_itself_says_so(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half.py").write_text("import no_such_module")  # type: ignore[operator]
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module") as caught:
        errors.import_extra("half", "signal", "pitch")
    assert not isinstance(caught.value, errors.MissingDependencyError)
