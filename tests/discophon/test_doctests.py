"""The examples in the docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import discophon

MODULES = sorted(module.name for module in pkgutil.walk_packages(discophon.__path__, "discophon."))


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_give_what_they_show(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = {
        test.name
        for name in ("discophon.evaluate.discovery", "discophon.evaluate.lsap", "discophon.data")
        for test in finder.find(importlib.import_module(name))
        if test.examples
    }
    assert {"discophon.evaluate.discovery.phoneme_discovery", "discophon.evaluate.lsap.assign_most"} <= found
