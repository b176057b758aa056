"""Word, character, phone and piece error rates: (S + D + I) / (H + S + D) over the whole corpus."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from measure_core.builtin.counts import Counts, quotient
from measure_core.builtin.pieces import Pieces
from measure_core.builtin.tokens import TokenMetric
from measure_core.errors import ConfigError
from measure_core.normalise.pipeline import escaped
from measure_core.normalise.tables import TokenTable, read_token_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from measure_core.builtin.counts import Scalar

__all__ = ["CER", "PER", "TER", "WER"]

_PUBLIC = "measure_core.builtin"


class _ErrorRate(TokenMetric):
    """Errors by reference tokens."""

    total_key: ClassVar[str]

    def sums(self, counts: Counts) -> Counts:
        """Give ``errors`` and the reference tokens of every utterance."""
        return Counts({"errors": self.errors(counts), self.total_key: self.tokens(counts)})

    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Divide errors by reference tokens."""
        return {self.name: quotient(totals["errors"], totals[self.total_key])}

    def result(self, counts: Counts) -> dict[str, Scalar]:
        """Give the rate of the corpus and what it is made of.

        Parameters
        ----------
        counts : Counts
            Of all utterances.

        Returns
        -------
        dict of str to number
            The rate, the four counts, the reference tokens, and the fraction of utterances with an error.

        Raises
        ------
        MetricError
            If there is no reference token at all.
        """
        rates = self._corpus_rates(counts)
        totals = counts.totals()
        errors = self.errors(counts)
        return {
            **rates,
            **{key: totals[key] for key in ("substitutions", "deletions", "insertions", "hits")},
            self.total_key: int(self.tokens(counts).sum()),
            "utterance_error_rate": int(np.count_nonzero(errors)) / len(errors),
        }

    def _per_utterance_columns(self, counts: Counts) -> dict[str, list[Scalar]]:
        return {**super()._per_utterance_columns(counts), self.total_key: self.tokens(counts).tolist()}


class WER(_ErrorRate):
    """Word error rate; a word is what stands between Unicode blanks.

    The parameters are those of `TokenMetric`. The result has ``wer``, ``substitutions``, ``deletions``, ``insertions``,
    ``hits``, ``reference_words`` and ``utterance_error_rate``.

    Examples
    --------
    >>> result = WER()({"utt_id": ["u1"], "ref": ["a b c d"], "hyp": ["a x c e f"]}, "test", None)
    >>> result["wer"], result["substitutions"], result["insertions"]
    (0.75, 2, 1)
    """

    __module__ = _PUBLIC
    name = "wer"
    rate_keys = ("wer",)
    total_key = "reference_words"


class CER(_ErrorRate):
    """Character error rate.

    Parameters
    ----------
    spaces : {"keep", "drop"}, default "keep"
        Whether blanks between words are characters; those around a text never are.
    unit : {"char", "grapheme"}, default "char"
        What a character is: a Unicode code point, or what a reader sees as one (extended grapheme cluster).
    **options
        Those of `TokenMetric`.

    Notes
    -----
    The result has ``cer``, ``substitutions``, ``deletions``, ``insertions``, ``hits``, ``reference_characters`` and
    ``utterance_error_rate``.

    Examples
    --------
    >>> data = {"utt_id": ["u1"], "ref": ["a big dog"], "hyp": ["abig dog"]}
    >>> CER()(data, "test", None)["deletions"], CER(spaces="drop")(data, "test", None)["deletions"]
    (1, 0)
    """

    __module__ = _PUBLIC
    name = "cer"
    rate_keys = ("cer",)
    denominator = "reference characters"
    total_key = "reference_characters"

    def __init__(
        self,
        *,
        spaces: str = "keep",
        unit: str = "char",
        normalise: object = None,
        per_utterance: bool = False,
        empty: str = "count",
        alignment: str | bool = "unit",
        ref_key: str = "ref",
        hyp_key: str = "hyp",
    ) -> None:
        super().__init__(
            normalise=normalise,
            per_utterance=per_utterance,
            empty=empty,
            alignment=alignment,
            ref_key=ref_key,
            hyp_key=hyp_key,
        )
        if spaces not in ("keep", "drop"):
            raise ConfigError(f"cer: spaces is {spaces!r}; it must be keep or drop")
        if unit not in ("char", "grapheme"):
            raise ConfigError(f"cer: unit is {unit!r}; it must be char or grapheme")
        self.spaces = spaces
        self.unit = unit
        if unit == "grapheme":
            _clusters()

    def _unit_choices(self) -> dict[str, str]:
        return {"spaces": self.spaces}

    def _split(self) -> Callable[[str], Sequence[str]]:
        trim = str.strip if self.spaces == "keep" else _without_blanks
        if self.unit == "char":
            return trim
        clusters = _clusters()
        return lambda text: clusters(trim(text))


def _clusters() -> Callable[[str], list[str]]:
    """Give what takes a text apart into extended grapheme clusters."""
    try:
        import regex  # type: ignore[import-untyped]
    except ImportError as error:
        what = "cer: unit grapheme needs the package regex, which is not installed"
        raise ConfigError(what, fixes=["pip install regex"]) from error
    find: Callable[[str], list[str]] = regex.compile(r"\X").findall
    return find


def _without_blanks(text: str) -> str:
    return "".join(text.split())


class PER(_ErrorRate):
    """Phone error rate; phones stand between blanks.

    Parameters
    ----------
    map : str, optional
        File of phone and class, a pair a line: phones are compared by class. Phones that are not in it stand for
        themselves.
    drop : sequence of str, optional
        Phones that are left out on both sides: by their own name or by that of their class.
    **options
        Those of `TokenMetric`.

    Notes
    -----
    The result has ``per``, ``substitutions``, ``deletions``, ``insertions``, ``hits``, ``reference_phones`` and
    ``utterance_error_rate``.

    Examples
    --------
    >>> data = {"utt_id": ["u1"], "ref": ["sil k ae t sil"], "hyp": ["k ah t"]}
    >>> PER(drop=["sil"])(data, "test", None)["substitutions"]
    1
    """

    __module__ = _PUBLIC
    name = "per"
    rate_keys = ("per",)
    unit = "phone"
    denominator = "reference phones"
    total_key = "reference_phones"

    def __init__(
        self,
        *,
        map: str | None = None,  # noqa: A002
        drop: Sequence[str] = (),
        normalise: object = None,
        per_utterance: bool = False,
        empty: str = "count",
        alignment: str | bool = "unit",
        ref_key: str = "ref",
        hyp_key: str = "hyp",
    ) -> None:
        super().__init__(
            normalise=normalise,
            per_utterance=per_utterance,
            empty=empty,
            alignment=alignment,
            ref_key=ref_key,
            hyp_key=hyp_key,
        )
        self.map = _phone_map(map)
        self.drop = _phones(drop)

    def _unit_choices(self) -> dict[str, str]:
        dropped = ",".join(map(escaped, sorted(self.drop)))
        return {"map": self.map.name if self.map else "none", "drop": dropped or "none"}

    def _split(self) -> Callable[[str], Sequence[str]]:
        if not self.map and not self.drop:
            return str.split
        classes, dropped = self.map.table if self.map else {}, self.drop

        def split(text: str) -> list[str]:
            kept = [phone for phone in text.split() if phone not in dropped]
            return [name for phone in kept if (name := classes.get(phone, phone)) not in dropped]

        return split


def _phone_map(path: object) -> TokenTable | None:
    if path is None:
        return None
    if not isinstance(path, str | os.PathLike):
        raise ConfigError(f"per: map is {path!r}; it must be the path of a file of phone and class")
    return read_token_table(os.fspath(path), separator="blanks")


def _phones(drop: object) -> frozenset[str]:
    from collections.abc import Sequence

    if isinstance(drop, str) or not isinstance(drop, Sequence):
        raise ConfigError(f"per: drop is {drop!r}; it must be a list of phones")
    for phone in drop:
        if not isinstance(phone, str) or len(phone.split()) != 1:
            raise ConfigError(f"per: drop has {phone!r}; each must be one phone, in quotation marks")
    return frozenset(drop)


class TER(_ErrorRate):
    """Error rate of the pieces that a SentencePiece model makes.

    Parameters
    ----------
    tokenizer : str
        Path of the model (extra ``sentencepiece``).
    **options
        Those of `TokenMetric`.

    Notes
    -----
    Pieces are compared as text, so two characters that the model does not know differ. The result has ``ter``,
    ``substitutions``, ``deletions``, ``insertions``, ``hits``, ``reference_pieces`` and ``utterance_error_rate``.
    """

    __module__ = _PUBLIC
    name = "ter"
    rate_keys = ("ter",)
    unit = "piece"
    denominator = "reference pieces"
    total_key = "reference_pieces"

    def __init__(
        self,
        *,
        tokenizer: str,
        normalise: object = None,
        per_utterance: bool = False,
        empty: str = "count",
        alignment: str | bool = "unit",
        ref_key: str = "ref",
        hyp_key: str = "hyp",
    ) -> None:
        super().__init__(
            normalise=normalise,
            per_utterance=per_utterance,
            empty=empty,
            alignment=alignment,
            ref_key=ref_key,
            hyp_key=hyp_key,
        )
        self.tokenizer = Pieces(tokenizer)

    def _unit_choices(self) -> dict[str, str]:
        return {"tok": self.tokenizer.name}

    def _split(self) -> Callable[[str], Sequence[str]]:
        return self.tokenizer
