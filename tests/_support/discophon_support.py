"""What the tests of `discophon` share: the command as a process, and a dataset with every name of the benchmark."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "discophon" / "data" / "discovery"
CODES = "deu swa tam tha tur ukr cmn eng eus fra jpn wol".split()
SPLITS = ("dev", "test", "train-10h", "train-1h", "train-10min")
N_PHONEMES = {"swa": 29, "wol": 39}


@dataclass(frozen=True)
class Done:
    """How a process ended."""

    status: int
    stdout: str
    stderr: str


def run_discophon(*arguments: object, cwd: Path, stdin: bytes = b"", module: str = "discophon") -> Done:
    """Run the command in a folder; no run of it may ever show a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True, check=False
    )
    stdout, stderr = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
    assert "Traceback" not in stderr, stderr
    return Done(done.returncode, stdout, stderr)


def make_dataset(root: Path) -> Path:
    """Write a dataset that is complete in names; only Swahili and Wolof have alignments that are not empty."""
    names = [f"alignment/alignment-{code}-{split}.txt" for code in CODES for split in SPLITS[:2]]
    names += [
        f"item/{kind}-{code}-{split}.item" for kind in ("triphone", "phoneme") for code in CODES for split in SPLITS[:2]
    ]
    names += [f"manifest/manifest-{code}-{split}.csv" for code in CODES for split in SPLITS]
    for folder in ("alignment", "item", "manifest"):
        (root / folder).mkdir(parents=True)
    for name in [*names, "manifest/speakers.jsonl"]:
        (root / name).touch()
    for code in CODES:
        for split in ("all", *SPLITS):
            (root / "audio" / code / split).mkdir(parents=True)
    for path in (DATA / "alignment").iterdir():
        shutil.copyfile(path, root / "alignment" / path.name)
    return root
