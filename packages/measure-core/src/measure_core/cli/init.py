"""Write a commented measure.yaml for the test sets and SCP files of an inference directory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from measure_core.cli.streams import emit

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

__all__ = ["add_arguments", "execute"]

_REFERENCES = ("ref", "text", "reference", "ref_text")
_MISSING = "???"
_HYPOTHESES = ("hyp", "hyp0", "text", "1best/text", "1best_recog/text", "hypothesis", "pred")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("dir", metavar="DIR", help="inference directory: one directory per test set, SCP files in it")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="file to write; - is standard output (-)")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def execute(arguments: argparse.Namespace) -> int:
    """Write it."""
    from pathlib import Path

    from measure_core.errors import InputError
    from measure_core.results import write_text

    text = _text(Path(arguments.dir))
    if arguments.output == "-":
        emit(text.rstrip("\n"))
        return 0
    output = Path(arguments.output)
    if output.exists() and not arguments.force:
        raise InputError(f"{output} is there already", fixes=["name another file, or pass --force"])
    write_text(output, text)
    return 0


def _text(root: Path) -> str:
    from measure_core.errors import InputError
    from measure_core.inputs.names import scp_stems

    if not root.is_dir():
        raise InputError(f"{root} is not a directory", fixes=["name the inference directory"])
    tests = sorted(entry for entry in root.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    stems = {test.name: scp_stems(test) for test in tests}
    stems = {name: found for name, found in stems.items() if found}
    if not stems:
        raise InputError(
            f"{root} has no test set with an SCP file",
            fixes=["an inference directory has one directory per test set, with files such as ref.scp and hyp.scp"],
        )
    common = sorted(set.intersection(*map(set, stems.values())))
    ref, hyp = _sides(common)
    lines = [
        "# Read with `measure check` and run with `measure run`; `measure list` shows the metrics there are.",
        f"infer_dir: {_quoted(str(root))}",
        "dataset:",
        "  test:  # the test sets, in the order of the results; without this section, all that are there",
        *(f"    - name: {_quoted(name)}" for name in stems),
        "metrics:",
        *_entries(ref, hyp, common),
        "statistics:  # intervals, where a metric counts utterances",
        "  bootstrap: 1000",
        "  seed: 0",
        "# per_utterance: true  # a row per utterance in TEST/measure/KEY.jsonl",
        f"# SCP files that every test set has: {', '.join(map(_quoted, common)) or 'none'}",
    ]
    return "\n".join(lines) + "\n"


def _entries(ref: str, hyp: str, common: list[str]) -> list[str]:
    note = "" if ref in common and hyp in common else "  # not found: write the names of your files"
    inputs = f"    inputs: {{ref: {_quoted(ref)}, hyp: {_quoted(hyp)}}}{note}"
    return [
        "  - metric: wer",
        inputs,
        "  - name: WER-normalised  # the same metric again needs a name",
        "    metric:",
        "      _target_: measure_core.builtin.WER",
        "      normalise: [nfkc, lower, punctuation]  # both sides; part of the signature",
        inputs,
        "  - metric: cer",
        inputs,
    ]


def _sides(common: list[str]) -> tuple[str, str]:
    """Guess which files are the reference and the hypothesis."""
    ref = next((name for name in _REFERENCES if name in common), "ref")
    hyp = next((name for name in _HYPOTHESES if name in common and name != ref), "hyp")
    return ref, hyp


def _quoted(text: str) -> str:
    """Give a text as YAML takes it, with nothing in it that OmegaConf would resolve."""
    if text == _MISSING:
        from measure_core.errors import InputError

        what = f"{text!r} cannot be written into a configuration, where it stands for what is missing"
        raise InputError(what, fixes=["rename the directory; without `dataset`, `measure run` finds it under any name"])
    text = re.sub(r"(\\*)\$\{", r"\1\1\\${", text)
    is_plain = text.replace("/", "").replace("-", "").replace("_", "").replace(".", "").isalnum() and text[0].isalpha()
    is_word = text.lower() in ("true", "false", "yes", "no", "on", "off", "null")
    if is_plain and not is_word:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'
