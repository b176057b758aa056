"""Which code computes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pathbench import CPPEvaluator
from pathbench.sources import is_ours, loose_modules

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = (
    "from importlib import import_module; from pathbench.sources import *;"
    "cls = import_module({module!r}).X; print(version_of(cls)); print(sorted(m.__name__ for m in loose_modules(cls)))"
)


def told(folder: Path, module: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-B", "-c", SCRIPT.format(module=module)],
        cwd=folder,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("module", "files", "used"),
    [
        ("mine", {"mine.py": "import helper\nclass X: pass\n", "helper.py": "A = 1\n"}, "helper.py"),
        ("mine", {"mine.py": "class X:\n def f(self):\n  from helper import A\n", "helper.py": "A = 1\n"}, "helper.py"),
        (
            "mine",
            {
                "mine.py": "import a\nclass X: pass\n",
                "a.py": "from sub import b\n",
                "sub/__init__.py": "",
                "sub/b.py": "B = 1\n",
            },
            "sub/b.py",
        ),
        (
            "pack.inner.mine",
            {
                "pack/__init__.py": "",
                "pack/inner/__init__.py": "",
                "pack/inner/mine.py": "from ..tools import f\nclass X: pass\n",
                "pack/tools.py": "def f(): pass\n",
            },
            "pack/tools.py",
        ),
    ],
)
def test_what_a_module_imports_counts(module: str, files: dict[str, str], used: str, tmp_path: Path) -> None:
    for name, text in {**files, "other.py": "O = 1\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = told(tmp_path, module)
    assert before[0].startswith("source=")
    assert module in before[1]
    assert told(tmp_path, module) == before
    (tmp_path / "other.py").write_text("O = 2\n", encoding="utf-8")
    assert told(tmp_path, module) == before
    (tmp_path / used).write_text(f"{(tmp_path / used).read_text()}# changed\n", encoding="utf-8")
    assert told(tmp_path, module)[0] != before[0]


def test_what_was_typed_is_never_the_same() -> None:
    script = "from pathbench.sources import version_of\nclass X: pass\nprint(version_of(X))\nprint(version_of(X))\n"
    done = subprocess.run([sys.executable, "-"], input=script, capture_output=True, check=True, text=True)
    first, second = done.stdout.splitlines()
    assert first.startswith("source=unknown-")
    assert first != second


def test_our_own_classes_are_everywhere() -> None:
    assert is_ours(CPPEvaluator)
    assert loose_modules(CPPEvaluator) == []
