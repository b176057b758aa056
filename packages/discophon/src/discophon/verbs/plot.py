"""``discophon plot heatmap|segmentation UNITS PHONES -o FILE``: pictures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from discophon.verbs.scored import add_mapping_arguments

if TYPE_CHECKING:
    import argparse

    from matplotlib.figure import Figure

    from discophon.verbs.scored import Mapped

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the verb.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Its parser.
    """
    pictures = parser.add_subparsers(dest="picture", metavar="PICTURE", required=True)
    about = "which phones the frames of each unit belong to"
    heatmap = pictures.add_parser("heatmap", help=about, description=f"Draw {about}.", allow_abbrev=False)
    about = "one utterance: gold phones, predicted phones, units and boundaries"
    segmentation = pictures.add_parser("segmentation", help=about, description=f"Draw {about}.", allow_abbrev=False)
    for picture in (heatmap, segmentation):
        add_mapping_arguments(picture)
        picture.add_argument("--title", metavar="TEXT", help="what is shown (the name of the file)")
    segmentation.add_argument("--file", metavar="ID", help="file id of the utterance (the first)")
    segmentation.add_argument("--start", metavar="SECONDS", type=float, default=0.0, help="begin here (0)")
    segmentation.add_argument("--end", metavar="SECONDS", type=float, help="end here")


def run(arguments: argparse.Namespace) -> int:
    """Draw the picture.

    Parameters
    ----------
    arguments : argparse.Namespace
        What the parser gave.

    Returns
    -------
    int
        0.
    """
    from discophon.plot import check_suffix, save
    from discophon.verbs.scored import read_and_map

    check_suffix(arguments.output)
    mapped = read_and_map(arguments)
    save(
        _heatmap(mapped, arguments) if arguments.picture == "heatmap" else _segmentation(mapped, arguments),
        arguments.output,
    )
    return 0


def _heatmap(mapped: Mapped, arguments: argparse.Namespace) -> Figure:
    from discophon.plot import heatmap

    name = os.path.splitext(os.path.basename(arguments.units))[0]
    return heatmap(mapped.cooccurrence, title=name if arguments.title is None else arguments.title)


def _segmentation(mapped: Mapped, arguments: argparse.Namespace) -> Figure:
    from discophon.plot import segmentation

    file_id = next(iter(mapped.gold)) if arguments.file is None else mapped.check_file(arguments.file)
    return segmentation(
        mapped.gold[file_id],
        mapped.predicted[file_id],
        mapped.units[file_id],
        step_units=arguments.step_units,
        start=arguments.start,
        end=arguments.end,
        title=file_id if arguments.title is None else arguments.title,
    )
