"""What the verbs share that show the units of one language and split: their arguments, reading and mapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from discophon.data import DEFAULT_N_UNITS, STEP_PHONES, STEP_UNITS

if TYPE_CHECKING:
    import argparse

    from discophon.evaluate import LabelledMatrix

__all__ = ["Mapped", "add_mapping_arguments", "read_and_map"]


@dataclass(frozen=True, slots=True)
class Mapped:
    """Units, gold phones, and the phones that the units stand for.

    Attributes
    ----------
    cooccurrence : LabelledMatrix
        Counts of frames.
    units : dict of str to list of int
        Units of every file.
    gold, predicted : dict of str to list of str
        Gold phones, and phones that the units are mapped to, of every file.
    """

    cooccurrence: LabelledMatrix
    units: dict[str, list[int]]
    gold: dict[str, list[str]]
    predicted: dict[str, list[str]]

    def check_file(self, file_id: str) -> str:
        """Refuse a file id that is not there.

        Parameters
        ----------
        file_id : str
            The file id.

        Returns
        -------
        str
            The same.

        Raises
        ------
        UsageError
            If there is no such file; close ones are named.
        """
        from difflib import get_close_matches

        from discophon.errors import UsageError

        if file_id not in self.gold:
            near = get_close_matches(file_id, self.gold, n=3) or list(self.gold)[:3]
            raise UsageError(f"there is no file {file_id!r}; there are {len(self.gold)}, such as {', '.join(near)}")
        return file_id


def add_mapping_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what to read and how units get their phones.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The parser of a verb.
    """
    parser.add_argument("units", metavar="UNITS", help="units, one JSON object a line with file and units")
    parser.add_argument("phones", metavar="PHONES", help="gold alignment: #file onset offset #phone")
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--language", metavar="NAME", help="name or code of the language")
    target.add_argument("--n-phonemes", metavar="N", type=int, help="number of phonemes, without silence")
    parser.add_argument(
        "--n-units", metavar="N", type=int, help=f"number of units ({DEFAULT_N_UNITS}; one-to-one: phonemes + 1)"
    )
    parser.add_argument(
        "--kind", choices=("many-to-one", "one-to-one"), default="many-to-one", help="assignment (many-to-one)"
    )
    parser.add_argument(
        "--step-units", metavar="MS", type=int, default=STEP_UNITS, help=f"time per unit ({STEP_UNITS})"
    )
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="write there")


def read_and_map(arguments: argparse.Namespace) -> Mapped:
    """Read units and gold phones, and give units their phones.

    Parameters
    ----------
    arguments : argparse.Namespace
        What the parser gave.

    Returns
    -------
    Mapped
        Both sides.

    Raises
    ------
    UsageError
        If the output is one of the inputs, or a choice makes no sense.
    DiscophonError, speechio.SpeechioError
        If the files cannot be read, or do not fit each other.
    """
    from discophon.data import read_gold_annotations, read_submitted_units
    from discophon.errors import said_about
    from discophon.evaluate import pair, phone_assignments
    from discophon.evaluate.assignment import count_cooccurrences, number_of_phonemes
    from discophon.output import check_output

    check_output(arguments.output, [arguments.units, arguments.phones])
    n_phonemes = number_of_phonemes(arguments.n_phonemes, arguments.language)
    n_units = arguments.n_units
    if n_units is None:
        n_units = n_phonemes + 1 if arguments.kind == "one-to-one" else DEFAULT_N_UNITS
    units, gold = read_submitted_units(arguments.units), read_gold_annotations(arguments.phones)
    with said_about(f"{arguments.units} against {arguments.phones}"):
        paired = pair(units, gold, step_units=arguments.step_units, step_phones=STEP_PHONES)
        counts = count_cooccurrences(paired, n_units=n_units, n_phonemes=n_phonemes, kind=arguments.kind)
        return Mapped(counts, units, gold, phone_assignments(units, counts, kind=arguments.kind))
