#!/usr/bin/env python3
"""Invent a whole phoneme discovery benchmark: seeded words, their alignments, and the units of two systems.

    python docs/examples/discophon/make_example.py OUT
    python docs/examples/discophon/make_example.py OUT --languages swa,tha,fra --files 40

Writes `OUT/dataset`, which has every file and folder of the benchmark (empty where a language is not asked for), and
the predictions of two systems of 20 ms: `OUT/k256` with 256 units and `OUT/inventory` with as many as there are
phonemes and silence. Speech is random words over a language's inventory; units follow the phones, with confusions that
stay within a sonority class, late boundaries, and noise. The same options give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from discophon.data import alignment_filename, item_filename, manifest_filename, units_filename
from discophon.languages import SILENCE, all_languages, get_language, load_sonority

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from discophon.languages import Language

SPLITS = ("dev", "test")
TRAIN_SPLITS = ("train-10h", "train-1h", "train-10min")
STEP = 10  # ms of a frame
CONFUSED, NOISE, LATE = 0.12, 0.03, 0.3  # of phones, units, boundaries


def utterance(phones: Sequence[str], vowels: Sequence[str], dice: random.Random) -> list[str]:
    """Invent some seconds of speech, one phone per frame: pauses around words of consonants and vowels."""
    frames = [SILENCE] * dice.randint(8, 20)
    for _ in range(dice.randint(6, 10)):
        for number in range(dice.randint(2, 5)):
            phone = dice.choice(vowels if number % 2 else phones)
            frames += [phone] * dice.randint(2, 13)
        if dice.random() < 0.3:
            frames += [SILENCE] * dice.randint(5, 30)
    return frames + [SILENCE] * dice.randint(8, 20)


def runs(frames: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Give the stretches of equal phones as begin, end and phone."""
    begin = 0
    for end in range(1, len(frames) + 1):
        if end == len(frames) or frames[end] != frames[begin]:
            yield begin, end, frames[begin]
            begin = end


def heard(frames: Sequence[str], neighbours: dict[str, list[str]], dice: random.Random) -> list[str]:
    """Imitate a system: some phones are taken for others of their class, some changes come late."""
    out: list[str] = []
    for begin, end, phone in runs(frames):
        if out and dice.random() < LATE:
            late = min(dice.randint(1, 3), end - begin - 1)
            out += [out[-1]] * late
            begin += late
        said = dice.choice(neighbours[phone]) if dice.random() < CONFUSED else phone
        out += [said] * (end - begin)
    return out


def systems(language: Language) -> dict[str, dict[str, list[int]]]:
    """Give the units of every phone in the two systems."""
    dice = random.Random(f"{language.iso_639_3} units")
    labels = [SILENCE, *language.phonemes]
    many, few = list(range(256)), list(range(len(labels)))
    dice.shuffle(many)
    dice.shuffle(few)
    each = 256 // len(labels)
    return {
        "k256": {label: many[i * each : (i + 1) * each] for i, label in enumerate(labels)},
        "inventory": {label: [few[i]] for i, label in enumerate(labels)},
    }


def write_language(out: Path, language: Language, split: str, n_files: int) -> None:
    """Write the alignment and the units of one language and split."""
    dice = random.Random(f"{language.iso_639_3} {split}")
    sonority = load_sonority()
    vowels = [phone for phone in language.phonemes if sonority[phone] in {"monophthong", "diphthong"}]
    neighbours = {p: [q for q in language.phonemes if sonority[q] == sonority[p]] for p in language.phonemes}
    neighbours[SILENCE] = [SILENCE]
    rows = ["#file onset offset #phone"]
    tables = systems(language)
    lines: dict[str, list[str]] = {name: [] for name in tables}
    for number in range(n_files):
        name = f"{language.iso_639_3}-{split}-{number:03d}"
        frames = utterance(language.phonemes, vowels, dice)
        rows += [f"{name} {begin * STEP / 1000} {end * STEP / 1000} {phone}" for begin, end, phone in runs(frames)]
        said = heard(frames, neighbours, dice)[::2]
        for system, table in tables.items():
            everything = sorted(unit for some in table.values() for unit in some)
            units = [dice.choice(everything if dice.random() < NOISE else table[phone]) for phone in said]
            lines[system].append(json.dumps({"file": name, "units": units}))
    write(out / "dataset" / "alignment" / alignment_filename(language, split), rows)
    for system, some in lines.items():
        write(out / system / units_filename(language, split), some)


def write(path: Path, lines: Sequence[str] = ()) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def write_tree(dataset: Path) -> None:
    """Write every file and folder that a complete dataset has, without content."""
    for language in all_languages():
        for split in SPLITS:
            write(dataset / "alignment" / alignment_filename(language, split))
            for kind in ("triphone", "phoneme"):
                write(dataset / "item" / item_filename(language, split, kind=kind))
        for split in SPLITS + TRAIN_SPLITS:
            write(dataset / "manifest" / manifest_filename(language, split))
            (dataset / "audio" / language.iso_639_3 / split).mkdir(parents=True, exist_ok=True)
        (dataset / "audio" / language.iso_639_3 / "all").mkdir(exist_ok=True)
    write(dataset / "manifest" / "speakers.jsonl")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Invent a phoneme discovery benchmark.", allow_abbrev=False)
    parser.add_argument("out", type=Path, help="folder to write into")
    parser.add_argument("--languages", default="swa,tha,fra", help="languages with content (%(default)s)")
    parser.add_argument("--files", type=int, default=12, help="files of each language and split (%(default)s)")
    arguments = parser.parse_args(argv)
    write_tree(arguments.out / "dataset")
    for name in arguments.languages.split(","):
        for split in SPLITS:
            write_language(arguments.out, get_language(name), split, arguments.files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
