#!/usr/bin/env python3
"""Write what `docs/examples/measure.yaml` scores besides the sentences: units, phones and recordings as SCP files.

    python docs/examples/make_infer.py [FOLDER]

They are made of the other examples; FOLDER is `docs/examples/infer/dev` by default.
"""

from __future__ import annotations

import sys
from pathlib import Path

import speechio
from discophon.data import read_gold_annotations, read_submitted_units

EXAMPLES = Path(__file__).resolve().parent
FROM_TEST_SET = "../.."
RECORDINGS = "wav"


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLES / "infer" / "dev"
    folder.mkdir(parents=True, exist_ok=True)
    phones = read_gold_annotations(EXAMPLES / "discophon" / "alignment" / "alignment-swa-dev.txt")
    units = read_submitted_units(EXAMPLES / "discophon" / "k256" / "units-swa-dev.jsonl")
    speechio.write_scp(folder / "phones.scp", ((key, " ".join(labels)) for key, labels in phones.items()), sort=True)
    speechio.write_scp(folder / "units.scp", ((key, " ".join(map(str, one))) for key, one in units.items()), sort=True)
    recordings = sorted((EXAMPLES / "pathbench" / RECORDINGS).glob("P*.flac"))
    paths = ((path.stem, f"{FROM_TEST_SET}/pathbench/{RECORDINGS}/{path.name}") for path in recordings)
    speechio.write_scp(folder / "wav.scp", paths, sort=True)
    for name, path in (("ref_rttm", "ref.rttm"), ("hyp_rttm", "sys.rttm"), ("uem", "all.uem")):
        speechio.write_scp(folder / f"{name}.scp", {"ES2004a": f"{FROM_TEST_SET}/ami/{path}"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
