"""Vowel space area: how far apart a speaker's vowels lie in the plane of the first two formants.

Formants of all voiced frames are clustered, starting from the vowels of the language; the area is that of the convex
hull of the cluster centres. After Sandoval, Berisha, Utianski, Liss & Spanias, "Automatic assessment of vowel space
area", JASA 134, 2013. Formants are Praat's, through parselmouth (GPL-3.0), clusters scikit-learn's; the extra
``signal`` installs both.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pathbench.errors import UsageError, import_extra
from pathbench.evaluator import LanguageAwareSpeakerEvaluator
from pathbench.praat import failure, sound, voiced
from pathbench.reasons import fault, scored
from pathbench.vowels import VOWELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pathbench.audio import FloatArray
    from pathbench.base import Audio, Compat, Undefined
    from pathbench.reasons import Detail
    from pathbench.vowels import Gender

    Points = NDArray[np.float64]

__all__ = ["VSAEvaluator", "VowelSpace", "hull_area", "vowel_centres"]

FEMALE_FROM = 165.0  # Hz, mean pitch
CEILING = {"f": 5500.0, "m": 5000.0}  # Hz, of formants
N_FORMANTS, STEP, WINDOW, PRE_EMPHASIS_FROM = 5, 0.01, 0.05, 50.0  # s, s, Hz
N_COMPONENTS = 4  # of the mixture that tells outliers
OUTLIER = 2.0  # standard deviations of log-likelihood


class VowelSpace(NamedTuple):
    """The vowels of a speaker.

    Attributes
    ----------
    points : ndarray of float64, shape (frames, 2)
        F1 and F2 in Hz of the frames that were clustered.
    centres : ndarray of float64, shape (vowels, 2)
        F1 and F2 in Hz of the clusters.
    area : float
        Area of the convex hull of the centres, in Hz².
    """

    points: Points
    centres: Points
    area: float


def hull_area(centres: Points) -> float:
    """Compute the area of the convex hull of points in a plane.

    Parameters
    ----------
    centres : ndarray of float, shape (points, 2)
        At least three points that are not on a line.

    Returns
    -------
    float
        The area.

    Examples
    --------
    >>> import numpy as np
    >>> hull_area(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 3.0], [0.5, 0.5]]))
    3.0
    """
    from scipy.spatial import ConvexHull

    return float(ConvexHull(centres).volume)  # in the plane, the volume is the area


def vowel_centres(points: Points, start: Points) -> tuple[Points, Points]:
    """Cluster formants, without outliers.

    Parameters
    ----------
    points : ndarray of float, shape (frames, 2)
        F1 and F2 in Hz; at least 4.
    start : ndarray of float, shape (vowels, 2)
        Where the clusters start.

    Returns
    -------
    points : ndarray of float64, shape (frames, 2)
        Points that are no outliers.
    centres : ndarray of float64, shape (vowels, 2)
        Centres of the clusters; empty if there are fewer points than vowels.
    """
    import numpy as np

    mixture = import_extra("sklearn.mixture", "signal", "the vowel space area")
    cluster = import_extra("sklearn.cluster", "signal", "the vowel space area")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few or equal points; the area is that of the centres all the same
        likelihood = (
            mixture.GaussianMixture(N_COMPONENTS, covariance_type="full", random_state=0)
            .fit(points)
            .score_samples(points)
        )
        kept = points[likelihood >= likelihood.mean() - OUTLIER * likelihood.std()]
        if len(kept) < len(start):
            return kept, np.empty((0, 2))
        found = cluster.KMeans(len(start), init=start, n_init=1, algorithm="lloyd").fit(kept)
    return kept, np.asarray(found.cluster_centers_)


def _formants(of: Any, ceiling: float, times: NDArray[np.float64]) -> Points:  # noqa: ANN401
    """Give F1 and F2 at given times, (frames, 2); frames that lack one are left out."""
    import numpy as np

    analysis = of.to_formant_burg(STEP, N_FORMANTS, ceiling, WINDOW, PRE_EMPHASIS_FROM)
    found = np.array([[analysis.get_value_at_time(number, time) for number in (1, 2)] for time in times])
    found = found.reshape(-1, 2)
    return np.asarray(found[~np.isnan(found).any(axis=1)])


class _Voice(NamedTuple):
    """Voiced frames of a recording."""

    times: NDArray[np.float64]
    pitch: NDArray[np.float64]


def _voice(audio: FloatArray, fs: int) -> _Voice | None:
    """Find the voiced frames; None if there are none or the recording is too short."""
    try:
        found = _Voice(*voiced(sound(audio, fs))) if len(audio) else None
    except failure():
        return None
    return found if found is not None and len(found.times) else None


def _gender(voices: Sequence[_Voice | None]) -> Gender:
    """Guess the gender: the mean over recordings of the mean pitch."""
    means = [voice.pitch.mean() for voice in voices if voice is not None]
    return "f" if not means or sum(means) / len(means) > FEMALE_FROM else "m"


def _points(audios: Sequence[Audio], voices: Sequence[_Voice | None], gender: Gender) -> Points:
    """Give F1 and F2 of the voiced frames of all recordings, (frames, 2)."""
    import numpy as np

    tracks = [np.empty((0, 2))]
    for (audio, fs), voice in zip(audios, voices, strict=True):
        if voice is not None:
            with suppress(*failure()):  # a recording that Praat refuses is left out
                tracks.append(_formants(sound(audio, fs), CEILING[gender], voice.times))
    return np.concatenate(tracks)


class VSAEvaluator(LanguageAwareSpeakerEvaluator):
    """Score a speaker by the vowel space area, in Hz²; smaller is less distinct.

    Parameters
    ----------
    gender : {"f", "m", "female", "male"}, optional
        Gender of the speaker; by default guessed from the pitch.
    visualize : bool, default False
        Give a figure (of matplotlib, extra ``plot``) in ``extras["figure"]``.
    undefined : {"zero", "none"}, default "zero"
        What a speaker scores whose vowels cannot be found.
    compat : {"upstream"}, optional
        Changes nothing here.
    """

    name: ClassVar[str] = "vsa"

    def __init__(
        self,
        gender: str | None = None,
        visualize: bool = False,
        undefined: Undefined = "zero",
        compat: Compat | None = None,
    ) -> None:
        if gender is not None and gender.lower() not in ("f", "m", "female", "male"):
            raise UsageError(f"gender is {gender!r}; it must be f or m")
        self.gender = gender
        self._visualize = visualize
        self._choose(undefined, compat)

    def detail_audio_list(self, audios: Sequence[Audio], language: str) -> Detail:
        """Score the recordings of a speaker, with the reason if there is no score."""
        import numpy as np

        vowels = VOWELS.get(language.lower().partition("-")[0])
        if vowels is None:
            return fault("unsupported_language", f"{language} has no table of vowels; there are {', '.join(VOWELS)}")
        # the recordings are walked through twice, so that they need not fit into memory together
        voices = [_voice(audio, fs) for audio, fs in audios]
        gender: Gender = _gender(voices) if self.gender is None else "f" if self.gender.lower()[0] == "f" else "m"
        points = _points(audios, voices, gender)
        extras = {"gender": gender, "n_points": len(points)}
        if len(points) < N_COMPONENTS:
            return self._failed("no_voiced_frames", "fewer than 4 voiced frames with two formants", **extras)
        try:
            kept, centres = vowel_centres(points, np.array(vowels[gender], dtype=np.float64))
            area = hull_area(centres) if len(centres) else 0.0
        except (ValueError, RuntimeError) as error:  # points on a line, for example; Qhull writes pages
            return self._failed("analysis_failed", f"the vowels have no area: {str(error).splitlines()[0]}", **extras)
        if not len(centres):
            words = f"{len(kept)} voiced frames with two formants; {len(vowels[gender])} are needed"
            return self._failed("too_short", words, **extras)
        if self._visualize:
            from pathbench.vsa_plot import draw

            extras["figure"] = draw(VowelSpace(kept, centres, area))
        return scored(area, **extras)
