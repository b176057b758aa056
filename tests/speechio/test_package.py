"""The package as a whole: names, what it costs to import, what it must not do."""

from __future__ import annotations

import ast
import doctest
import importlib
import logging
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import speechio

SOURCE = Path(speechio.__file__).parent
MODULES = sorted(module.name for module in pkgutil.iter_modules([str(SOURCE)]))


def loaded_after(code: str) -> set[str]:
    """Give the modules that a fresh interpreter has after some code, beyond those of a bare one."""
    script = f"import sys; bare = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - bare))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_is_cheap() -> None:
    loaded = loaded_after("import speechio")
    assert {name for name in loaded if name.startswith("speechio")} == {"speechio", "speechio.__about__"}
    assert not loaded & {"argparse", "json", "dataclasses", "decimal", "zlib", "gzip", "pathlib", "inspect", "csv"}


def test_reading_rttm_loads_no_more_than_it_needs() -> None:
    loaded = loaded_after("import speechio; speechio.read_rttm")
    assert not loaded & {"argparse", "json", "decimal", "zlib", "gzip", "subprocess", "unicodedata", "difflib"}


def test_the_command_line_loads_no_reader_for_its_version() -> None:
    loaded = loaded_after("import speechio.cli")
    assert {name for name in loaded if name.startswith("speechio.")} == {
        "speechio.__about__",
        "speechio.cli",
        "speechio.errors",
        "speechio.shown",
    }


@pytest.mark.parametrize("name", speechio.__all__)
def test_public_names_are_there(name: str) -> None:
    assert getattr(speechio, name) is not None
    assert name in dir(speechio)


def test_public_names_have_docstrings() -> None:
    for name in speechio.__all__:
        if name not in ("__version__", "CODES"):
            assert (getattr(speechio, name).__doc__ or "").strip(), name


def test_every_format_has_its_three_functions() -> None:
    names = "rttm uem scp segments text jsonl wav_scp utt2spk utt2lang utt2uniq spk2utt spk2gender spk2score utt2score"
    more = "spk2age utt2dur reco2dur utt2num_frames reco2file_and_channel"
    for name in f"{names} {more}".split():
        assert {f"{verb}_{name}" for verb in ("iter", "read", "write")} <= set(speechio.__all__)


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'speechio' has no attribute 'read_docx'"):
        _ = speechio.read_docx


def test_the_logger_is_silent() -> None:
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("speechio").handlers)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    if name == "__main__":
        assert "speechio.cli" in (SOURCE / "__main__.py").read_text()
        return
    module = importlib.import_module(f"speechio.{name}")
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_modules_and_functions_are_small(name: str) -> None:
    text = (SOURCE / f"{name}.py").read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            start = node.body[1].lineno if ast.get_docstring(node) and len(node.body) > 1 else node.lineno
            assert (node.end_lineno or 0) - start <= 60, node.name


def test_only_the_standard_library_is_imported() -> None:
    for path in SOURCE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                top = name.partition(".")[0]
                assert top == "speechio" or top in sys.stdlib_module_names, f"{path.name}: {name}"
