"""The lazy attributes of the meta-package: what they give, and what merely importing it must not load."""

import importlib.metadata
import json
import subprocess
import sys

import pytest

import speechmeasure


def loaded_after(statements: str, *names: str) -> list[str]:
    """Run statements in a fresh interpreter; which of these modules does it have loaded then?"""
    probe = f"import json, sys\n{statements}\nprint(json.dumps([n for n in {names!r} if n in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_importing_loads_no_member_and_no_numeric_library() -> None:
    assert loaded_after("import speechmeasure", "numpy", "scipy", "argparse", "mdeval", "speechio") == []


def test_asking_for_versions_loads_no_member() -> None:
    assert loaded_after("import speechmeasure; speechmeasure.versions()", "numpy", "mdeval", "speechio") == []


@pytest.mark.parametrize("name", speechmeasure.members())
def test_a_member_is_imported_when_asked_for(name: str) -> None:
    assert loaded_after(f"import speechmeasure; speechmeasure.{name}", name) == [name]


@pytest.mark.parametrize("name", speechmeasure.members())
def test_a_member_is_the_package_itself(name: str) -> None:
    assert getattr(speechmeasure, name) is sys.modules[name]


@pytest.mark.parametrize("name", speechmeasure.members())
def test_a_member_can_be_imported_by_name(name: str) -> None:
    assert loaded_after(f"from speechmeasure import {name}", name) == [name]


def test_completion_shows_every_public_name() -> None:
    assert dir(speechmeasure) == sorted(speechmeasure.__all__)
    assert {"versions", *speechmeasure.members()} <= set(dir(speechmeasure))


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'; its members are speechio, mdeval, discophon"):
        _ = speechmeasure.nothing


def test_every_member_is_required_by_the_distribution() -> None:
    required = importlib.metadata.requires("speechmeasure") or []
    assert sorted(r.split("<")[0].split(">")[0].replace("-", "_") for r in required) == sorted(speechmeasure.members())
