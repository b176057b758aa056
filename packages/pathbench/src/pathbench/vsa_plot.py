"""A picture of a speaker's vowel space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pathbench.errors import import_extra

if TYPE_CHECKING:
    from pathbench.vsa import VowelSpace

__all__ = ["draw"]


def draw(space: VowelSpace, title: str = "") -> Any:  # noqa: ANN401 (matplotlib is optional)
    """Draw a vowel space as phoneticians do: F1 downwards, F2 to the left.

    Parameters
    ----------
    space : VowelSpace
        The vowels.
    title : str, default ""
        Title, such as the name of the speaker.

    Returns
    -------
    matplotlib.figure.Figure
        The figure; nothing is written.

    Raises
    ------
    MissingDependencyError
        If matplotlib is not installed.
    """
    from scipy.spatial import ConvexHull

    figure = import_extra("matplotlib.figure", "plot", "a picture").Figure((6.4, 4.8), layout="constrained")
    axes = figure.subplots()
    hull = ConvexHull(space.centres)
    corners = space.centres[[*hull.vertices, hull.vertices[0]]]
    axes.fill(corners[:, 1], corners[:, 0], color="#1b4965", alpha=0.10, linewidth=0)
    axes.plot(corners[:, 1], corners[:, 0], color="#1b4965", linewidth=1.6, label="convex hull")
    axes.scatter(space.points[:, 1], space.points[:, 0], s=5, color="#8a8a8a", linewidth=0, label="voiced frames")
    axes.scatter(
        space.centres[:, 1], space.centres[:, 0], s=46, color="#c8553d", edgecolor="white", zorder=3, label="vowels"
    )
    axes.set(xlabel="F2 (Hz)", ylabel="F1 (Hz)")
    heading = f"{title}\nvowel space area {space.area / 1e6:.3f} kHz²".lstrip()
    axes.set_title(heading, fontsize=10, loc="left", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    axes.invert_xaxis()
    axes.invert_yaxis()
    axes.legend(frameon=False, fontsize=8, loc="best")
    return figure
