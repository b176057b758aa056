"""What a run of the command was asked to do: the options, checked as md-eval checks them, then what is ours."""

from __future__ import annotations

import sys

from mdeval.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mdeval.metric_run import Choices
    from mdeval.options import Options

__all__ = ["HELP", "USAGE", "VERBS", "Settings", "UnknownSetError"]

USAGE = "usage: mdeval -r REF -s SYS [-u UEM] [-c COLLAR] [-1] [options]   (mdeval --help explains them all)"

HELP = """\
usage: mdeval -r REF -s SYS [-u UEM] [-c COLLAR] [-1] [options]

Score speaker diarization as NIST md-eval 22 does: the same options, the same text, the same figures.

input
  -r, --ref REF     reference RTTM; a directory means every .rttm file in it, - is standard input
  -R LIST           file with one reference RTTM path per line, or a directory of RTTMs
  -s, --sys SYS     system RTTM; a directory or - as above
  -S LIST           file with one system RTTM path per line, or a directory of RTTMs
  -u, --uem UEM     regions to evaluate; without it, the extent of each reference recording
  -n                keep the directory part of UEM file names
  --ignore-channels treat all channels of a file as one
  --missing WHAT    recordings without system output: miss (all missed, the default), skip, or error
  --jobs N          threads for large inputs; default 1
  --strict          refuse input that md-eval forgives (every output but md-eval's text does)

scoring
  -c, --collar SECONDS
                    take SECONDS out of the scored time on EACH side of every reference boundary (a zone of
                    2 x SECONDS; pyannote's collar is the whole width); default 0
  -1, --single-speaker
                    score only where at most one reference speaker speaks; by default overlap is scored
  -z, -Z NAME       no-eval and no-score zones of diarization; DEFAULT is the only set
  -a LETTERS        blocks by channel (c), by file (f), or both (cf), before the one for ALL

more figures (a table if no other output is named)
  --metrics NAMES   by comma, or all: der jer detection purity_coverage bcubed nmi mi homogeneity_completeness gk_tau
                    boundary segmentation ier speaker_count cpwer wder
  --tolerance SECONDS, --edges end|both, --aggregate block|mean
                    for boundary (0.25, end), and for bcubed, nmi, mi, gk_tau over several recordings (block)
  --ref-words FILE, --sys-words FILE
                    words for cpwer and wder: RTTM with LEXEME records, or SegLST JSON; default: the RTTMs
  --bootstrap N     confidence interval of the DER from N resamples of the recordings; --level (0.95), --seed (0)

output (default: md-eval's text)
  --table           a compact table
  --per-file        a row for every recording too (a table if no other output is named)
  --json            one JSON document: signature, overall, recordings, warnings
  --csv             comma separated values
  --output FILE     write there instead of standard output
  -m                md-eval's text with the speaker map
  -M FILE           write the speaker map to FILE as CSV
  -v                md-eval's text with the scored segments
  --nist            nothing but md-eval's own text and messages
  --quiet           no warnings
  --verbose         show where an error arose
  --help, --version

verbs (mdeval VERB --help explains each)
  compare           which of several systems is better on what, and is it more than chance
  explain           the errors that cost most, the times of every speaker, who was taken for whom
  plot              a picture of one recording's timeline, or of all error rates

Exit status: 0 done, 2 wrong usage or input, 3 nothing to divide by in md-eval's text (NA elsewhere).
-h is a letter of md-eval's; --help is this text.
Example: mdeval -r ref.rttm -s sys.rttm -u all.uem -c 0.25 --per-file
"""

VERBS = ("compare", "explain", "plot")
"""First arguments that are no options: verbs, each with a command line of its own."""

_OUTPUTS = ("table", "json", "csv")
_MOST_DIGITS = 9
_MISSING = ("miss", "skip", "error")


class UnknownSetError(UsageError):
    """An unknown set of exclusion zones; md-eval then prints an empty line per existing set on standard output."""

    def __init__(self, message: str, nist: str, n_sets: int) -> None:
        super().__init__(message, nist)
        self.n_sets = n_sets


class Settings:
    """The options of one run, checked.

    Parameters
    ----------
    options : Options
        As given.

    Attributes
    ----------
    nist : bool
        Print nothing but what md-eval prints.
    output : {"text", "table", "json", "csv"}
        Which output; ``text`` is md-eval's.
    strict : bool
        Refuse input that md-eval forgives.
    collar : float
        Half-width of the collar, in seconds; set by `check`.
    jobs : int
        Number of threads for large inputs; set by `check`.
    metrics : Choices or None
        The metrics to compute beside the error rate; set by `check`.
    samples, seed, level : int, int, float
        Of the bootstrap; no samples, no interval; set by `check`.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.nist = "nist" in options
        self.quiet = "quiet" in options
        self.per_file = "per-file" in options
        chosen = [name for name in _OUTPUTS if name in options]
        ours = self.per_file or "metrics" in options or "bootstrap" in options
        self.output = chosen[0] if chosen else "table" if ours else "text"
        self.strict = "strict" in options or self.output != "text"
        self.missing = options.get("missing", "miss")
        self.ignore_overlap = "1" in options
        self.ignore_channels = "ignore-channels" in options
        self.collar = 0.0
        self.jobs = 1
        self.samples = self.seed = 0
        self.level = 0.95
        self.metrics: Choices | None = None

    def check(self, warn: Callable[[str], None], start_map: Callable[[str], None]) -> None:
        """Check as md-eval does, in its order, then what is ours.

        Parameters
        ----------
        warn : callable
            Called with each warning.
        start_map : callable
            Called with the path of the map file (``-M``) at the point where md-eval creates it.

        Raises
        ------
        UsageError
            If an option cannot be used.
        """
        options = self.options
        if "h" in options:
            raise UsageError("-h asks for md-eval's usage; --help explains the options", nist=f"\n\n{USAGE}\n")
        self._check_inputs()
        self._check_extent()
        self._check_collar(warn)
        if "M" in options:
            start_map(options.get("M"))
        self._check_sets()
        if options.ignored:
            warn(f"arguments after the first that is no option are ignored: {' '.join(options.ignored)}")
        if self.missing not in _MISSING:
            raise UsageError(f"--missing {self.missing}: it is miss, skip or error")
        jobs = options.get("jobs", "1")
        if not (jobs.isascii() and jobs.isdecimal() and int(jobs) > 0):
            raise UsageError(f"--jobs {jobs}: it is a number of threads, 1 or more")
        self.jobs = int(jobs)
        self.samples = self._whole("bootstrap", 0)
        self.seed = self._whole("seed", 0)
        self.level = self._positive("level", 0.95)
        if not 0 < self.level < 1:
            raise UsageError(f"--level {self.level:g}: it lies between 0 and 1, for example 0.95")
        self._check_metrics()
        outputs = [f"--{name}" for name in _OUTPUTS if name in options]
        if len(outputs) > 1:
            raise UsageError(f"{' and '.join(outputs)} are two outputs; choose one")
        if self.nist and self.strict:
            raise UsageError("--nist is for md-eval's text; leave it out, or leave out the output option and --strict")
        from_stdin = [options.get("r"), options.get("s"), options.get("u")].count("-")
        if from_stdin and sys.stdin is None:
            raise UsageError("standard input (-) is closed; give a file")
        if from_stdin > 1:
            raise UsageError("standard input (-) can be read once only; give the other as a file")

    def _check_inputs(self) -> None:
        for letter, list_letter, what, data in (
            ("r", "R", "reference", "reference data"),
            ("s", "S", "system output", "system output data"),
        ):
            given = [name for name in (letter, list_letter) if name in self.options]
            if not given:
                raise _usage(f"no {data} specified", f"give it with -{letter} FILE or -{list_letter} LIST")
            if len(given) > 1:
                message = f"both {what} file list and {what} file specified"
                raise _usage(message, f"give either -{letter} or -{list_letter}")

    def _check_extent(self) -> None:
        if "W" not in self.options and "l" not in self.options:
            return
        from mdeval.nist import leading_number

        if "W" in self.options:
            if leading_number(self.options.get("l", "2")) < 1:
                raise _usage("SU extent limit must be at least 1 for word-based MD alignment", "see -l")
        elif leading_number(self.options.get("l")) <= 0:
            raise _usage("SU extent limit must be positive for time-based MD alignment", "see -l")

    def _check_collar(self, warn: Callable[[str], None]) -> None:
        text = self.options.get("c", "0")
        plain = text.removeprefix("-").removeprefix("+")
        if plain.replace(".", "", 1).isdecimal() and plain.isascii():
            self.collar = float(text)
        else:
            from mdeval.nist import leading_number

            if self.strict:
                raise UsageError(f"collar '{text}' is not a number of seconds; write for example -c 0.25")
            self.collar = leading_number(text)
            warn(f"collar '{text}' is read as {self.collar:g}")
        if self.collar < 0:
            message = f"Speaker Diarization scoring collar ('{text}') must be non-negative"
            raise _usage(message, "write for example -c 0.25")
        if self.collar == float("inf"):
            raise UsageError(f"collar '{text}' is not finite; write for example -c 0.25")

    def _whole(self, name: str, default: int) -> int:
        text = self.options.get(name, str(default))
        if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
            raise UsageError(f"--{name} {text[:40]}: it is a whole number, 0 or more, of at most {_MOST_DIGITS} digits")
        return int(text)

    def _positive(self, name: str, default: float) -> float:
        text = self.options.get(name, str(default))
        if not (text.isascii() and text.replace(".", "", 1).isdecimal() and 0 < float(text) < float("inf")):
            raise UsageError(f"--{name} {text}: it is a number above 0, such as {default:g}")
        return float(text)

    def _check_metrics(self) -> None:
        own = ("metrics", "tolerance", "edges", "aggregate", "ref-words", "sys-words")
        if not any(name in self.options for name in own):
            return
        from mdeval.metric_run import Choices

        words = "ref-words" in self.options
        if words != ("sys-words" in self.options):
            raise UsageError("--ref-words and --sys-words go together")
        choices = Choices.of(
            self.options.get("metrics", "der"),
            has_words=words,
            tolerance=self._positive("tolerance", 0.25),
            edges=self.options.get("edges", "end"),
            aggregate=self.options.get("aggregate", "block"),
        )
        if "metrics" in self.options:
            self.metrics = choices

    def _check_sets(self) -> None:
        if not any(letter in self.options for letter in "yYzZ"):
            return
        from mdeval.report import ZONE_SETS

        for letter in "yYzZ":
            name = self.options.get(letter, "DEFAULT")
            known = ZONE_SETS[letter]
            if name in known or name in ("", "0"):
                continue
            kind = "no-eval" if letter == "y" else "no-score"  # md-eval says no-score for -z as well
            of = "metadata" if letter in "yY" else "speaker diarization"
            lines = [f"\nCOMMAND LINE ERROR:  unknown name ({name}) of {kind} conditions for {of}"]
            lines += [f"    available {kind} conditions for {of} are:", ""]
            for set_name in sorted(known):
                title = f'    for "{set_name}":'
                lines.append(f"{title:<24}type    subtype")
                lines += [f"{type_:>28}    {subtype}" for type_, subtype in sorted(known[set_name])]
            lines.append("")
            raise UnknownSetError(
                f"-{letter} {name}: there is no such set of {kind} zones; there is {', '.join(sorted(known))}",
                "\n".join([*lines, USAGE, ""]),
                len(known),
            )

    def parameters(self) -> str:
        """Write md-eval's parameter block."""
        from mdeval.report import parameters

        get = self.options.get
        by_words = "W" in self.options
        return parameters(
            collar=get("c", "0"),
            word_gap=get("t", "1") if "w" in self.options else None,
            time_gap=get("T", "1"),
            extent=get("l", "2" if by_words else "0.5"),
            set_names=(get("y", "DEFAULT"), get("Y", "DEFAULT"), get("z", "DEFAULT"), get("Z", "DEFAULT")),
            by_words=by_words,
        )

    def signature(self, uem: str) -> str:
        """Write the signature of a run.

        Parameters
        ----------
        uem : str
            Where the evaluated regions came from.
        """
        from mdeval.signature import signature

        stamp = signature(
            "+".join(self.metrics.names) if self.metrics else "der",
            collar=self.collar,
            ignore_overlap=self.ignore_overlap,
            uem=uem,
            missing=self.missing,
            channels="ignored" if self.ignore_channels else "matched",
        )
        if self.metrics:
            stamp += self.metrics.signature()
        if self.samples:
            stamp += f"|ci:{self.level:g}|samples:{self.samples}|seed:{self.seed}"
        return stamp


def _usage(nist: str, remedy: str) -> UsageError:
    """Make the error for a usage that md-eval refuses."""
    return UsageError(f"{nist}; {remedy}", nist=f"\nCOMMAND LINE ERROR:  {nist}\n{USAGE}\n")
