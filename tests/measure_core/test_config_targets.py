"""What a `_target_` may name."""

import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

from measure_core import AbsMetrics, ConfigError
from measure_core.config.targets import BARRED, check_targets, locate


class Metric(AbsMetrics):
    def __init__(self, limit: int = 1, inner: object = None) -> None:
        self.limit, self.inner = limit, inner

    def __call__(self, *_: object) -> int:
        return self.limit


class NoMetric:
    """Has no interface."""


class Abstract(AbsMetrics):
    """Defines nothing."""


@pytest.fixture(autouse=True)
def module() -> Iterator[None]:
    """A module whose names are targets."""
    made = types.ModuleType("targets_here")
    vars(made).update(Metric=Metric, NoMetric=NoMetric, Abstract=Abstract, make=lambda: Metric(), function=len)
    vars(made).update(made=Metric(), method=Metric().__call__, number=3)
    sys.modules["targets_here"] = made
    yield
    del sys.modules["targets_here"]


def said(node: dict[str, Any], *allowed: str) -> str:
    return "\n".join(map(str, check_targets(node, allowed)))


REFUSED = [
    "os.system",
    "os.getcwd",
    "subprocess.Popen",
    "subprocess.run",
    "builtins.eval",
    "builtins.dict",
    "shutil.rmtree",
    "socket.socket",
    "importlib.import_module",
    "sys.exit",
    "ctypes.CDLL",
    "pathlib.Path.unlink",
    "pathlib.os.system",
    "targets_here.make",
    "targets_here.function",
    "targets_here.Metric.__call__",
    "targets_here",
    "tempfile.mkdtemp",
    "tempfile.TemporaryDirectory",
    "imaplib.IMAP4_stream",
    "logging.FileHandler",
    "_io.FileIO",
    "zipfile.ZipFile",
    "sqlite3.Connection",
    "weakref.finalize",
    "unittest.TestProgram",
    "functools.partial",
    "numpy.memmap",
    "this.s",
]


@pytest.mark.parametrize("target", REFUSED)
def test_what_is_refused_outside_and_inside(target: str) -> None:
    for node in (
        {"_target_": target},
        {"_target_": "targets_here.Metric", "inner": {"_target_": target}},
        {"_target_": "targets_here.Metric", "inner": [{"deep": {"_target_": target}}]},
    ):
        words = said(node)
        assert f"`_target_: {target}` is refused" in words
        assert "call it in a class of your own" in words
        assert f"--allow-target {target} (Hydra, which builds it, may refuse it all the same)" in words
        assert "nothing of it was called" in words


@pytest.mark.parametrize("target", REFUSED)
def test_an_allowed_one_is_let_through_alone(target: str) -> None:
    node = {"_target_": "targets_here.Metric", "inner": {"_target_": target, "more": {"_target_": "os.system"}}}
    expected = "" if target == "os.system" else "`_target_: os.system` is refused"
    assert said(node, target).partition(":\n")[0].startswith(expected)
    assert f"{target}` is refused" not in said(node, target)


def test_a_class_of_espnet_without_espnet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "espnet3", types.ModuleType("espnet3"))
    assert "ESPnet is not installed" in said({"_target_": "espnet3.systems.esp2_asr.metrics.wer.WER"})


def test_a_refused_module_is_not_imported() -> None:
    assert "antigravity" not in sys.modules
    assert "is refused" in said({"_target_": "antigravity.x"})
    assert "antigravity" not in sys.modules


def test_a_module_that_ends_the_program_is_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "leaves_at_once.py").write_text("import sys; sys.exit(0)", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert "importing leaves_at_once failed: SystemExit: 0" in said({"_target_": "leaves_at_once.X"})


def test_a_metric_class_with_inner_classes_is_fine() -> None:
    assert (
        said(
            {"_target_": "targets_here.Metric", "limit": 2, "inner": {"_target_": "fractions.Fraction", "_args_": [1]}}
        )
        == ""
    )


def test_an_inner_class_need_not_be_a_metric() -> None:
    assert said({"_target_": "targets_here.Metric", "inner": {"_target_": "targets_here.NoMetric"}}) == ""
    assert "is not a metric: it has neither `__call__` nor `update`/`compute`" in said(
        {"_target_": "targets_here.NoMetric"}
    )


def test_an_abstract_class_says_what_is_missing() -> None:
    assert "`targets_here.Abstract` is abstract: it does not define `__call__`" in said(
        {"_target_": "targets_here.Abstract"}
    )


def test_arguments_are_bound_before_anything_is_built() -> None:
    words = said({"_target_": "targets_here.Metric", "limt": 2})
    assert "'limt'" in words
    assert "accepted: limit, inner" in words
    assert "did you mean limit?" in words
    assert said({"_target_": "targets_here.Metric", "_args_": [1, 2]}) == ""
    assert "too many" in said({"_target_": "targets_here.Metric", "_args_": [1, 2, 3]})
    assert said({"_target_": "targets_here.Metric", "_convert_": "all", "_recursive_": False}) == ""


def test_several_faults_of_an_entry_are_listed_together() -> None:
    faults = check_targets({"_target_": "fractions.Fraction", "colour": 1}, ())
    assert ["not a metric" in str(fault) or "colour" in str(fault) for fault in faults] == [True, True]


def test_what_cannot_be_found() -> None:
    with pytest.raises(ConfigError, match="there is no module statistcs") as caught:
        locate("statistcs.mean")
    assert "did you mean statistics" in str(caught.value)
    assert "searched: " in str(caught.value)
    with pytest.raises(ConfigError, match="statistics has no Meean") as caught:
        locate("statistics.Meean")
    assert "did you mean mean" in str(caught.value)
    with pytest.raises(ConfigError, match=r"xml has no nothing"):
        locate("xml.nothing.Class")
    with pytest.raises(ConfigError, match="not a dotted path"):
        locate("a b.c")
    with pytest.raises(ConfigError, match="not a dotted path"):
        locate(".relative")


def test_a_module_that_fails_is_told_apart_from_one_that_is_missing(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_one.py").write_text("import not_there_at_all\n", encoding="utf-8")
    (tmp_path / "broken_two.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match="importing broken_one failed: there is no module not_there_at_all") as caught:
        locate("broken_one.X")
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)
    with pytest.raises(ConfigError, match="importing broken_two failed: ZeroDivisionError"):
        locate("broken_two.X")


def test_a_target_that_is_no_text() -> None:
    assert "the dotted path of a class is wanted" in said({"_target_": 3})


def test_the_barred_modules_hold_what_reaches_the_system() -> None:
    assert {"builtins", "importlib", "os", "shutil", "socket", "subprocess", "sys"} <= BARRED


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("make", "a function"),
        ("function", "a function"),
        ("made", "an object of the class Metric"),
        ("method", "a method"),
        ("number", "an object of the class int"),
    ],
)
def test_what_is_no_class_is_called_what_it_is(name: str, kind: str) -> None:
    assert f"it is {kind}; a class is wanted" in said({"_target_": f"targets_here.{name}"})


@pytest.mark.parametrize("allowed", [(), ("targets_here.Metric",)])
def test_a_metric_that_would_not_be_made_is_refused(allowed: tuple[str, ...]) -> None:
    words = said({"_target_": "targets_here.Metric", "_partial_": True}, *allowed)
    assert (
        words
        == "`targets_here.Metric` with `_partial_: true` is no metric, but what would make one\nfix: remove `_partial_`"
    )
    inner = {"_target_": "targets_here.NoMetric", "_partial_": True}
    assert not said({"_target_": "targets_here.Metric", "_partial_": False, "inner": inner})


@pytest.mark.parametrize("args", [3, "ab", {"a": 1}, 0, False])
def test_positional_arguments_are_a_list(args: object) -> None:
    words = said({"_target_": "targets_here.Metric", "_args_": args})
    assert words == f"`targets_here.Metric`: `_args_` is {args!r}; a list is wanted\nfix: write `_args_: […]`"
    assert not said({"_target_": "targets_here.Metric", "_args_": None})
