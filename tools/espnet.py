#!/usr/bin/env python3
"""Compare `measure` with ESPnet3's own measure stage: the same results file from ESPnet3's own metric classes.

    python tools/espnet.py ENVIRONMENT --python python3.12
    python tools/espnet.py ENVIRONMENT --conformance CONFORMANCE_DIR

The first run makes ENVIRONMENT, an environment of its own with espnet (about 5 GB, Python 3.12 or newer) and with the
packages of this checkout. Exit status: 0 all results are equal, 1 some differ.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
ESPNET = "espnet==202611"
CONFIG = """\
inference_dir: {root}
dataset:
  test: [{{name: clean}}, {{name: noisy}}]
metrics:
  - metric: {{_target_: espnet3.systems.esp2_asr.metrics.wer.WER, clean_types: null}}
    inputs: {{ref: ref, hyp: hyp}}
  - metric: {{_target_: espnet3.systems.esp2_asr.metrics.cer.CER, clean_types: null}}
    inputs: {{ref: ref, hyp: hyp}}
"""
UPSTREAM = "import sys; from omegaconf import OmegaConf; from espnet3.systems.base.metric import measure; "
UPSTREAM += "measure(OmegaConf.load(sys.argv[1]))"
WORDS = "birch canoe slid smooth planks glue sheet dark blue background easy tell depth well über 你好 naïve".split()


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare measure with ESPnet3's measure stage.", allow_abbrev=False)
    parser.add_argument("environment", type=Path, help="folder of the environment; made if it is not there")
    parser.add_argument("--python", default="python3.12", help="interpreter of a new environment (%(default)s)")
    parser.add_argument("--conformance", type=Path, help="folder of golden data: run its measure cases there too")
    return parser.parse_args(argv)


def interpreter(environment: Path, python: str) -> str:
    """Make the environment if need be; install this checkout into it."""
    found = environment.resolve() / "bin" / "python"

    def uv(*arguments: str) -> None:
        # from a folder without a workspace, whose pins are not espnet's
        command = [sys.executable, str(ROOT / "tools" / "uv.py"), *arguments]
        subprocess.run(command, check=True, cwd=environment.resolve().parent)

    if not found.exists():
        uv("venv", "--python", python, str(environment.resolve()))
        uv("pip", "install", "--python", str(found), ESPNET, "jiwer")
    ours = [str(ROOT / "packages" / name) for name in ("speechio", "measure-core")]
    uv("pip", "install", "--quiet", "--reinstall-package", "measure-core", "--python", str(found), *ours)
    return str(found)


def inference(root: Path, seed: int) -> None:
    """Write references and hypotheses with errors of all kinds, sorted as ESPnet3 wants them."""
    rng = random.Random(seed)
    for test_name in ("clean", "noisy"):
        folder = root / test_name
        folder.mkdir(parents=True)
        sides: dict[str, list[str]] = {"ref": [], "hyp": []}
        for i in range(200):
            ref = rng.choices(WORDS, k=rng.randint(1, 12))
            hyp = [rng.choice(WORDS) if rng.random() < 0.1 else word for word in ref if rng.random() > 0.05]
            if rng.random() < 0.2:
                hyp.insert(rng.randint(0, len(hyp)), rng.choice(WORDS))
            for side, words in (("ref", ref), ("hyp", hyp)):
                sides[side].append(f"utt{i:04d} {' '.join(words)}\n" if words else f"utt{i:04d} .\n")
        for side, lines in sides.items():
            (folder / f"{side}.scp").write_text("".join(lines), encoding="utf-8")


def results(python: str, seed: int, folder: Path) -> list[str]:
    """Score the same files with both; give the texts of their results files."""
    texts = []
    for name, command in (("upstream", ["-c", UPSTREAM]), ("ours", ["-m", "measure_core", "run", "--quiet"])):
        root = folder / f"{seed}-{name}"
        inference(root, seed)
        config = folder / f"{seed}-{name}.yaml"
        config.write_text(CONFIG.format(root=json.dumps(str(root))), encoding="utf-8")
        subprocess.run([python, *command, str(config)], check=True, stdout=subprocess.DEVNULL)
        texts.append((root / "metrics.json").read_text(encoding="utf-8"))
    return texts


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(argv)
    python = interpreter(arguments.environment, arguments.python)
    n_equal, seeds = 0, range(5)
    with tempfile.TemporaryDirectory() as name:
        for seed in seeds:
            upstream, ours = results(python, seed, Path(name))
            n_equal += upstream == ours
            if upstream != ours:
                print(f"seed {seed}:\nupstream {upstream}\nours     {ours}")
    print(f"results files of ESPnet3's own WER and CER: {n_equal} of {len(seeds)} are the same bytes")
    status = 0 if n_equal == len(seeds) else 1
    if arguments.conformance:
        check = arguments.conformance / "measure" / "check.py"
        done = subprocess.run([sys.executable, str(check), "--cmd", f"{python} -m measure_core run"], check=False)
        status = status or done.returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
