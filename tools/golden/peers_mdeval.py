#!/usr/bin/env python3
"""Compare the metrics of `mdeval` with their peers, and with the figures printed in the documentation, as JSON.

    python tools/golden/peers_mdeval.py --shared ../shared
    python tools/golden/peers_mdeval.py --shared ../shared --environment ~/.cache/mdeval-peers --only S

The peers (pyannote.metrics, simpleder, meeteval) are installed by uv into an environment of their own; one that does
not install is named under `peers` and left out. Inputs are the worked examples, the workloads S and M that
`make_workload.py` makes of the AMI test set, and VoxConverse's references against a perturbed copy (V, no UEM). Exit
status: 0 every figure agrees within its tolerance, 1 one does not, 2 nothing to compare.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdeval.cells import Cells

    Figures = dict[str, float | None]

PEERS = ("pyannote.metrics==4.2.0", "simpleder==0.0.8", "meeteval==0.4.3")
PEER_TOLERANCE, DSCORE_TOLERANCE, DSCORE_JER_TOLERANCE = 1e-7, 6.1e-4, 1e-4

# Printed in diarization-metrics.md, section 11: cell sums, and dscore, which is not on the index
PRINTED: dict[str, Figures] = {
    "S": {
        "bcubed_precision": 0.8272645,
        "bcubed_recall": 0.8317477,
        "bcubed_f1": 0.8295000,
        "gk_tau_ref_to_sys": 0.7906317,
        "gk_tau_sys_to_ref": 0.7853233,
        "entropy_ref_given_sys": 0.6118729,
        "entropy_sys_given_ref": 0.5693797,
        "mutual_information": 2.1198120,
        "nmi": 0.7821160,
        "segmentation_purity": 0.9479421,
        "segmentation_coverage": 0.9537367,
    },
    "M": {
        "bcubed_precision": 0.8122489,
        "bcubed_recall": 0.7834042,
        "bcubed_f1": 0.7975659,
        "gk_tau_ref_to_sys": 0.7806042,
        "gk_tau_sys_to_ref": 0.8097522,
        "entropy_ref_given_sys": 0.6405027,
        "entropy_sys_given_ref": 0.7091145,
        "mutual_information": 5.9844118,
        "nmi": 0.8986775,
        "segmentation_purity": 0.9595478,
        "segmentation_coverage": 0.9416858,
    },
}
DSCORE: dict[str, Figures] = {
    "S": {
        "jer": 0.1526912,
        "bcubed_precision": 0.827092,
        "bcubed_recall": 0.831675,
        "bcubed_f1": 0.829377,
        "gk_tau_ref_to_sys": 0.790539,
        "gk_tau_sys_to_ref": 0.785117,
        "entropy_ref_given_sys": 0.612479,
        "entropy_sys_given_ref": 0.569480,
        "mutual_information": 2.119524,
        "nmi": 0.781991,
    },
    "M": {
        "jer": 0.1810259,
        "bcubed_precision": 0.812176,
        "bcubed_recall": 0.783362,
        "bcubed_f1": 0.797509,
        "gk_tau_ref_to_sys": 0.780561,
        "gk_tau_sys_to_ref": 0.809678,
        "entropy_ref_given_sys": 0.640846,
        "entropy_sys_given_ref": 0.709165,
        "mutual_information": 5.984326,
        "nmi": 0.898649,
    },
}

EXAMPLE = """\
SPEAKER f 1 0 10 <NA> <NA> A <NA> <NA>
SPEAKER f 1 8 12 <NA> <NA> B <NA> <NA>
SPEAKER f 1 22 8 <NA> <NA> C <NA> <NA>
""", """\
SPEAKER f 1 0 9 <NA> <NA> x <NA> <NA>
SPEAKER f 1 9 12 <NA> <NA> y <NA> <NA>
SPEAKER f 1 23 4 <NA> <NA> z <NA> <NA>
SPEAKER f 1 27 3 <NA> <NA> x <NA> <NA>
""", "f 1 0 32\n"  # fmt: skip
WORDS = Path(__file__).resolve().parents[2] / "tests" / "mdeval" / "data" / "metrics"


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare the metrics of mdeval with their peers.", allow_abbrev=False)
    parser.add_argument("--shared", type=Path, required=True, help="the folder that has data/make_workload.py")
    parser.add_argument("--environment", type=Path, help="where the peers are or shall be installed (a temporary one)")
    parser.add_argument("--only", default="example,S,M,V,words", help="inputs, by comma (%(default)s)")
    return parser.parse_args(argv)


# Inputs


def make_inputs(names: Sequence[str], shared: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Make the inputs: for each a folder with ref.rttm, sys.rttm and perhaps all.uem."""
    data = shared / "data"
    ami = ["--rttm-dir", str(data / "ami-test/ref.rttm"), "--uem-dir", str(data / "ami-test/all.uem")]
    sources = {
        "S": [*ami, "--only", "ES2004a"],
        "M": ami,
        "V": ["--rttm-dir", str(data / "voxconverse-test/ref.rttm")],
    }
    for name in names:
        out = folder / name
        out.mkdir()
        if name == "example":
            for file, content in zip(("ref.rttm", "sys.rttm", "all.uem"), EXAMPLE, strict=True):
                (out / file).write_text(content, encoding="utf-8")
        elif name in sources:
            command = [sys.executable, str(data / "make_workload.py"), str(out), *sources[name]]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        yield name, out


# Our figures


def our_figures(folder: Path) -> Figures:
    """Compute all metrics on cells with the region that the peers take: a UEM, or the extent of both sides."""
    from mdeval.cells import Cells
    from mdeval.metrics import METRICS, add_up, compute
    from mdeval.pool import pair, read_side, read_uem

    reference, system = (read_side([str(folder / f"{side}.rttm")], strict=True) for side in ("ref", "sys"))
    keys = reference.keys_with_turns()
    if (folder / "all.uem").exists():
        regions = dict(read_uem(str(folder / "all.uem"), [], strict=True))
    else:
        regions = {}
        for key in keys:
            records = [*reference.records[key], *system.records.get(key, [])]
            regions[key] = [(min(r[1] for r in records), max(r[2] for r in records))]
    names = [name for name, metric in METRICS.items() if not metric.needs_words]
    cells: Iterator[Cells] = map(Cells, pair(keys, reference, system, regions))
    total = add_up(compute(recording, names) for recording in cells)
    return {key: value for name in names for key, value in METRICS[name].columns(total[name]).items()}


def our_words() -> Figures:
    from mdeval.metrics import Cpwer, Wder, compute_words, read_words

    reference, system = (read_words(str(WORDS / name))["talk"] for name in ("words.rttm", "words.seglst.json"))
    sums = compute_words(reference, system, ["cpwer", "wder"])
    assert isinstance(sums["cpwer"], Cpwer)
    assert isinstance(sums["wder"], Wder)
    return {"cpwer": sums["cpwer"].rate, "wder": sums["wder"].rate}


# The peers, in their own environment


def install(environment: Path) -> dict[str, str]:
    """Make the environment and install the peers one by one; tell what became of each."""
    python = environment / "bin" / "python"
    if not python.exists():
        base = Path(sys.base_prefix) / "bin" / "python3"
        subprocess.run(["uv", "venv", "--quiet", "--python", str(base), str(environment)], check=True)
    states = {}
    for peer in PEERS:
        done = subprocess.run(
            ["uv", "pip", "install", "--quiet", "--python", str(python), peer],
            capture_output=True,
            text=True,
            check=False,
        )
        states[peer] = "installed" if done.returncode == 0 else done.stderr.strip()[-300:]
    return states


def peer_figures(environment: Path, name: str, folder: Path) -> dict[str, Figures]:
    """Run this folder's `peers_run.py` in the peers' environment."""
    script = Path(__file__).with_name("peers_run.py")
    command = [str(environment / "bin" / "python"), "-P", str(script), name, str(WORDS if name == "words" else folder)]
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=clean)
    found: dict[str, Figures] = json.loads(done.stdout)
    return found


# Comparison


def compare(name: str, ours: Figures, peers: dict[str, Figures]) -> list[dict[str, str | float | None]]:
    """List every figure that somebody else has too."""
    rows = []
    others = {**peers, "printed": PRINTED.get(name, {}), "dscore": DSCORE.get(name, {})}
    for source, figures in others.items():
        for metric, theirs in figures.items():
            tolerance = PEER_TOLERANCE
            if source == "dscore":
                tolerance = DSCORE_JER_TOLERANCE if metric == "jer" else DSCORE_TOLERANCE
            mine = ours[metric]
            agrees = mine is not None and theirs is not None and abs(mine - theirs) <= tolerance
            rows.append(
                {
                    "input": name,
                    "metric": metric,
                    "ours": mine,
                    "source": source,
                    "theirs": theirs,
                    "tolerance": tolerance,
                    "agrees": agrees,
                }
            )
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(argv)
    here = str(Path(__file__).parent)
    sys.path[:] = [path for path in sys.path if path != here]  # it has a `mdeval.py` of its own
    if not (arguments.shared / "data" / "make_workload.py").exists():
        print(f"{arguments.shared}: no data/make_workload.py there", file=sys.stderr)
        return 2
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        environment = arguments.environment or Path(temporary) / "peers"
        states = install(environment)
        inputs = Path(temporary) / "inputs"
        inputs.mkdir()
        for name, folder in make_inputs(arguments.only.split(","), arguments.shared, inputs):
            ours = our_words() if name == "words" else our_figures(folder)
            rows += compare(name, ours, peer_figures(environment, name, folder))
    print(json.dumps({"peers": states, "figures": rows}, indent=1))
    return 0 if all(row["agrees"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
