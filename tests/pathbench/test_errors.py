"""The tree of exceptions, and optional parts that are not installed."""

from __future__ import annotations

import pickle

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
    with pytest.raises(errors.MissingDependencyError, match=r"pitch needs no_such_module.*pathbench\[signal\]"):
        errors.import_extra("no_such_module.part", "signal", "pitch")
    assert errors.import_extra("json", "signal", "pitch").dumps({}) == "{}"


def test_a_module_that_lacks_something_itself_says_so(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half.py").write_text("import no_such_module")  # type: ignore[operator]
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module") as caught:
        errors.import_extra("half", "signal", "pitch")
    assert not isinstance(caught.value, errors.MissingDependencyError)
