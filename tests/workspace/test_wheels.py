"""The built distributions: what their metadata ask for, and that they work with nothing else installed."""

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {path.parent.name: path.parent for path in sorted(ROOT.glob("packages/*/pyproject.toml"))}
NEEDS = {
    "speechio": ["speechio"],
    "mdeval": ["speechio", "mdeval"],
    "discophon": ["speechio", "discophon"],
    "pathbench": ["speechio", "pathbench"],
    "measure-core": ["speechio", "measure-core"],
    "speechmeasure": ["speechio", "mdeval", "discophon", "pathbench", "measure-core", "speechmeasure"],
}
JOBLIB = {"joblib", "cloudpickle"}
THIRD_PARTY = {  # with what these bring
    "speechio": set[str](),
    "mdeval": {"numpy"},
    "discophon": JOBLIB | {"numpy", "polars", "polars-runtime-32", "rapidfuzz"},
    "pathbench": JOBLIB | {"cffi", "numpy", "pycparser", "scipy", "soundfile", "soxr", "typing_extensions"},
    "measure-core": JOBLIB
    | {"antlr4-python3-runtime", "hydra-core", "numpy", "omegaconf", "packaging", "pyyaml", "rapidfuzz", "regex"},
}
THIRD_PARTY["speechmeasure"] = set().union(*THIRD_PARTY.values())
COMMANDS = {"measure-core": "measure"}
"""Names of commands that are not those of their packages."""
AMI = ROOT / "docs" / "examples" / "ami"
EXAMPLE = ["-r", str(AMI / "ref.rttm"), "-s", str(AMI / "sys.rttm"), "-u", str(AMI / "all.uem")]


def uv(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "uv.py"), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@dataclass(frozen=True)
class Environment:
    """An environment with some wheels and what they ask for, and nothing else."""

    folder: Path

    def run(self, command: str, *arguments: str) -> str:
        """Run a command of the environment, from a folder where no source lies; give its stdout."""
        done = subprocess.run(
            [str(self.folder / "bin" / command), *arguments],
            cwd=self.folder,
            env={"PATH": "", "PYTHONNOUSERSITE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist and a wheel of every package."""
    folder = tmp_path_factory.mktemp("dist")
    uv("build", "--quiet", "--all-packages", "--out-dir", str(folder))
    return folder


@pytest.fixture(scope="session")
def environment(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Environment]:
    """Make the environment of a package, once: its wheel and those of the siblings it needs."""
    made: dict[str, Environment] = {}

    def make(name: str) -> Environment:
        if name not in made:
            folder = tmp_path_factory.mktemp(f"env-{name}")
            wheels = [str(wheel_of(built, needed)) for needed in NEEDS[name]]
            uv("venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
            uv("pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), *wheels)
            made[name] = Environment(folder)
        return made[name]

    return make


def wheel_of(built: Path, name: str) -> Path:
    (wheel,) = built.glob(f"{module_of(name)}-*.whl")
    return wheel


def module_of(name: str) -> str:
    """Give the import name of a package, which is that of its files too."""
    return name.replace("-", "_")


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        return message_from_string(archive.read(name).decode("utf-8"))


def requirements(wheel: Path) -> list[str]:
    return [str(one) for one in metadata(wheel).get_all("Requires-Dist", [])]


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found
    return found[0]


def test_every_package_is_known_here() -> None:
    assert sorted(NEEDS) == sorted(THIRD_PARTY) == sorted(PACKAGES)


@pytest.mark.parametrize("name", NEEDS)
def test_a_package_has_an_sdist_with_its_tests(built: Path, name: str) -> None:
    (sdist,) = built.glob(f"{module_of(name)}-*.tar.gz")
    listed = subprocess.run(["tar", "-tzf", str(sdist)], capture_output=True, text=True, check=True).stdout
    assert re.search(r"/tests/test_\w+\.py$", listed, re.MULTILINE)
    assert f"/src/{module_of(name)}/__about__.py" in listed


@pytest.mark.parametrize("name", NEEDS)
def test_a_wheel_has_types_licence_and_the_version_of_the_source(built: Path, name: str) -> None:
    wheel = wheel_of(built, name)
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert f"{module_of(name)}/py.typed" in names
    assert any(n.endswith("/licenses/LICENSE") for n in names)
    about = (PACKAGES[name] / "src" / module_of(name) / "__about__.py").read_text(encoding="utf-8")
    assert f'__version__ = "{metadata(wheel)["Version"]}"' in about


@pytest.mark.parametrize("name", NEEDS)
def test_a_sibling_is_required_between_bounds(built: Path, name: str) -> None:
    siblings = [one for one in requirements(wheel_of(built, name)) if name_of(one) in PACKAGES]
    assert {name_of(one) for one in siblings} == set(NEEDS[name]) - {name}
    for requirement in siblings:
        assert ">=" in requirement, requirement
        assert re.search(r"<\d", requirement), requirement


@pytest.mark.parametrize("name", NEEDS)
def test_a_package_alone_brings_only_what_it_needs(environment: Callable[[str], Environment], name: str) -> None:
    program = "import importlib.metadata as m, json; print(json.dumps([d.name for d in m.distributions()]))"
    installed = {one.lower() for one in json.loads(environment(name).run("python", "-c", program))}
    assert installed == {*NEEDS[name], *THIRD_PARTY[name]}


@pytest.mark.parametrize("name", NEEDS)
def test_every_import_comes_from_the_wheels(environment: Callable[[str], Environment], name: str) -> None:
    place = environment(name)
    program = (
        "import importlib, json, sys; print(json.dumps({n: importlib.import_module(n).__file__ for n in sys.argv[1:]}))"
    )
    files = json.loads(place.run("python", "-c", program, *map(module_of, NEEDS[name])))
    for imported, path in files.items():
        inside = Path(path).relative_to(place.folder.resolve())
        assert inside.parts[-3:-1] == ("site-packages", imported)


@pytest.mark.parametrize("name", NEEDS)
def test_the_command_of_a_package_runs_alone(environment: Callable[[str], Environment], name: str) -> None:
    place = environment(name)
    command = COMMANDS.get(name, name)
    assert place.run(command, "--version").split()[-1] == metadata_version(place, name)
    assert command in place.run(command, "--help")


def metadata_version(place: Environment, name: str) -> str:
    program = f"import importlib.metadata as m; print(m.version({name!r}))"
    return place.run("python", "-c", program).strip()


def test_the_installed_commands_do_their_work(environment: Callable[[str], Environment]) -> None:
    place = environment("speechmeasure")
    assert set(place.run("speechmeasure", "versions").split()[::2]) == set(map(module_of, NEEDS))
    place.run("speechio", "check", str(AMI / "ref.rttm"))
    assert the_rate(place.run("mdeval", *EXAMPLE)) == the_rate(place.run("python", "-m", "mdeval.cli", *EXAMPLE))


def the_rate(stdout: str) -> Sequence[str]:
    rates: list[str] = re.findall(r"OVERALL SPEAKER DIARIZATION ERROR = (\d+\.\d\d) percent", stdout)
    assert len(rates) == 1
    return rates
