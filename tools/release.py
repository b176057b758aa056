#!/usr/bin/env python3
"""Check that what tells a release agrees: the tag, the version in the source, the heading in the changelog.

    python tools/release.py                  every package: version and changelog
    python tools/release.py mdeval-v1.0.0    one package: the tag too

Exit status: 0 they agree, 1 they do not, 2 no such package.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[1]
TAG = re.compile(r"(?P<name>[a-z-]+)-v(?P<version>\d+\.\d+\.\d+)")


def version_of(package: Path) -> str:
    """Read the literal in the source."""
    (about,) = package.glob("src/*/__about__.py")
    found = re.search(r'^__version__ = "([^"]+)"$', about.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        msg = f"{about} has no line with __version__"
        raise ValueError(msg)
    return found[1]


def faults(package: Path, tagged: str | None) -> Iterator[str]:
    """Say what does not agree in one package."""
    name, version = package.name, version_of(package)
    if tagged not in (None, version):
        yield f"{name}: the tag says {tagged}, the source {version}"
    headings = re.findall(r"^## (\S+)", (package / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if headings[:1] != [version]:
        newest = headings[0] if headings else "nothing"
        yield f"{name}: the changelog begins with {newest}, the source says {version}"
    if tagged is not None:
        for note in sorted(package.glob("changelog.d/*.md")):
            yield f"{name}: {note.name} is not in the changelog yet"


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Check that tag, version and changelog agree.", allow_abbrev=False)
    parser.add_argument("tag", nargs="?", help="<package>-vX.Y.Z; without it all packages are checked")
    arguments = parser.parse_args(argv)
    packages = {path.parent.name: path.parent for path in sorted(root.glob("packages/*/pyproject.toml"))}
    tagged = None
    if arguments.tag is not None:
        parts = TAG.fullmatch(arguments.tag)
        if parts is None or parts["name"] not in packages:
            print(f"release: {arguments.tag} is not <package>-vX.Y.Z of {', '.join(packages)}", file=sys.stderr)
            return 2
        packages, tagged = {parts["name"]: packages[parts["name"]]}, parts["version"]
    found = [fault for package in packages.values() for fault in faults(package, tagged)]
    print("\n".join(found) or "tag, version and changelog agree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
