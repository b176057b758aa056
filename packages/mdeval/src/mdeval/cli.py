"""The command ``mdeval``: parse, read, score, render, exit code.

Without an output option of ours it is md-eval 22: its letters, its text, zero or not as there. Importing this
module loads next to nothing, and a run loads only what its input needs.
"""

from __future__ import annotations

import os
import sys

from mdeval.errors import InputError, MdevalError, UndefinedScoreError, UsageError
from mdeval.options import parse
from mdeval.settings import HELP, USAGE, VERBS, Settings, UnknownSetError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdeval.counts import RecordingScore
    from mdeval.options import Options
    from mdeval.recording import Key, Uem
    from mdeval.side import Side
    from mdeval.tables import Extras

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the name of the program; by default those of the process.

    Returns
    -------
    int
        The exit status: 0 done, 2 wrong usage or input, 3 an undefined score, 130 interrupted.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(arguments)
    except BrokenPipeError:  # whoever reads has seen enough
        _drop_stdout()
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def _drop_stdout() -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not trip over it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    streams = _Streams()
    try:
        if arguments and arguments[0] in VERBS:
            from mdeval.verbs import run_verb

            streams.quiet = "--quiet" in arguments
            streams.path = run_verb(arguments, streams.write, streams.warn)
            streams.flush()
            return 0
        options = parse(arguments)
        streams.nist = "nist" in options
        streams.quiet = "quiet" in options
        if "help" in options:
            streams.write(HELP)
        elif "version" in options:
            from mdeval.__about__ import __version__

            streams.write(f"mdeval {__version__}\n")
        else:
            _score(options, arguments, streams)
        streams.flush()
    except Exception as error:
        if not _is_for_people(error):
            raise
        streams.fail(error, verbose="--verbose" in arguments)
        if sys.stdout is not None:
            streams.flush()
        return 3 if isinstance(error, UndefinedScoreError) else 2
    return 0


def _is_for_people(error: Exception) -> bool:
    """Tell errors of input and usage from faults of the program, without loading speechio for the purpose."""
    errors = sys.modules.get("speechio.errors")
    return isinstance(error, MdevalError) or (errors is not None and isinstance(error, errors.SpeechioError))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class _Streams:
    """Standard output, collected until the end, and standard error.

    Bytes of names that were not UTF-8 come out as they went in.
    """

    def __init__(self) -> None:
        self.nist = False
        self.quiet = False
        self.path = ""
        self.warnings: list[str] = []
        self._parts: list[str] = []

    def write(self, text: str) -> None:
        """Add to the output."""
        self._parts.append(text)

    def say(self, text: str) -> None:
        """Write to standard error."""
        sys.stderr.flush()
        sys.stderr.buffer.write(_encoded(text))
        sys.stderr.buffer.flush()

    def warn(self, message: str) -> None:
        """Put a warning on standard error, unless md-eval's own messages are wanted, or none."""
        if self.nist:
            return
        self.warnings.append(message)
        if not self.quiet:
            self.say(f"warning: {message}\n")

    def fail(self, error: Exception, *, verbose: bool) -> None:
        """Put an error on standard error; what was finished is still printed, never written to a file."""
        self.path = ""
        if isinstance(error, UnknownSetError):
            self.write("\n" * error.n_sets)
        nist = getattr(error, "nist", "")
        if verbose:
            import traceback

            traceback.print_exception(error)
        if self.nist and nist:
            self.say(nist)
            return
        if sys.stdout is None:
            self._parts = []
        self.say(f"mdeval: {error}\n" + (f"{USAGE}\n" if isinstance(error, UsageError) else ""))

    def flush(self) -> None:
        """Write what was collected."""
        data = _encoded("".join(self._parts))
        self._parts = []
        if self.path not in ("", "-"):
            _write_whole(self.path, data)
            return
        if sys.stdout is None:
            raise InputError("standard output is closed; write to a file with --output")
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            _drop_stdout()
            raise InputError(f"standard output cannot be written: {error.strerror}") from error


def _write_whole(path: str, data: bytes) -> None:
    """Write a file under a temporary name, then rename it; devices and pipes are written to as they are."""
    is_special = os.path.exists(path) and not os.path.isfile(path)
    temporary = path if is_special else f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as stream:
            stream.write(data)
        if not is_special:
            os.replace(temporary, path)
    except OSError as error:
        message = f"{path}: cannot be written: {error.strerror}; give a path in a folder you may write to"
        raise InputError(message) from error


def _score(options: Options, arguments: Sequence[str], streams: _Streams) -> None:
    """Read, score and print."""
    settings = Settings(options)
    if settings.output == "text":
        streams.write(_first_line(arguments))
    for letter in options.unknown:
        streams.say(f"Unknown option: {letter}\n")
    _protect_inputs(options)
    settings.check(streams.warn, _start_map_file)
    streams.path = options.get("output")
    if settings.output == "text":
        streams.write(settings.parameters())
    reference, system, uem = _read(settings, streams)
    keys = reference.keys_with_turns()
    if not (settings.nist or (settings.quiet and settings.output != "json")):
        from mdeval.audit import silent_losses

        for message in silent_losses(reference, system, keys, uem, settings.missing):
            streams.warn(message)
    keys = _wanted(keys, system, settings.missing)
    if settings.output == "text":
        from mdeval.metadata_gate import check_metadata

        check_metadata(options, reference, keys, uem or {}, streams.warn)
    scores = _scores(settings, reference, system, keys, uem)
    if settings.nist:
        for message in _crowds(settings, reference, system, scores, uem):
            streams.say(message)
    for message in _faults(scores):
        streams.warn(message)
    from mdeval.signature import uem_source

    where = uem_source(scores, uem)
    if settings.output == "text":
        if not (settings.nist or settings.quiet):
            streams.say(f"signature: {settings.signature(where)}\n")
        _print_text(scores, settings, streams)
    else:
        extras = _extras(settings, reference, system, scores, uem)
        streams.write(_own_output(scores, settings, extras, where, streams.warnings))


def _protect_inputs(options: Options) -> None:
    """Refuse to write over what will be read."""
    outputs = [options.get(name) for name in ("output", "M") if name in options]
    if not outputs:
        return
    from mdeval.sources import expand, read_list, refuse_overwriting

    given = [options.get(name) for name in ("r", "s", "R", "S", "u", "ref-words", "sys-words") if name in options]
    try:
        inputs = [file for path in given for file in expand(path)]
        lists = [options.get(name) for name in ("R", "S") if name in options]
        inputs += [file for path in lists if os.path.isfile(path) for file in read_list(path)]  # a pipe is read once
    except InputError:  # reading will say so in its turn
        inputs = given
    for output in outputs:
        refuse_overwriting(output, inputs)


def _first_line(arguments: Sequence[str]) -> str:
    import time

    now = time.localtime()
    month = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()[now.tm_mon - 1]
    date = f"{now.tm_year} {month} {now.tm_mday} at {now.tm_hour:02}:{now.tm_min:02}:{now.tm_sec:02}"
    return f"command line (run on {date}) Version: 22  {sys.argv[0]} {' '.join(arguments)}\n"


def _start_map_file(path: str) -> None:
    from mdeval.report import CSV_HEADER

    try:
        with open(path, "wb") as stream:
            stream.write(CSV_HEADER.encode())
    except OSError as error:
        nist = f"Error: Unable to open speaker map CSV file '{path}' for write\n"
        raise UsageError(f"{path}: the speaker map cannot be written there: {error.strerror}", nist) from error


def _read(settings: Settings, streams: _Streams) -> tuple[Side, Side, Uem | None]:
    from mdeval.pool import read_side, read_uem, without_channels
    from mdeval.sources import LARGE_BYTES, expand, read_list, size_of

    options = settings.options

    def paths(letter: str, list_letter: str) -> list[str]:
        given = [options.get(letter)] if letter in options else read_list(options.get(list_letter))
        return [file for path in given for file in expand(path)]

    ref_paths, sys_paths = paths("r", "R"), paths("s", "S")
    large = "v" not in options and size_of([*ref_paths, *sys_paths]) > LARGE_BYTES
    if large:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no linear algebra here; its threads cost start-up

    def read(paths: list[str]) -> Side:
        return read_side(paths, strict=settings.strict, large=large)

    if large:
        from mdeval.large import in_threads

        reference, system = in_threads(read, (ref_paths, sys_paths), settings.jobs)
    else:
        reference, system = read(ref_paths), read(sys_paths)
    notes: list[str] = []
    uem = None
    if "u" in options:
        uem = read_uem(options.get("u"), notes, strict=settings.strict, keep_directory="n" in options)
    if settings.ignore_channels:
        reference.forget_channels()
        system.forget_channels()
        uem = None if uem is None else without_channels(uem)
    for note in _first([*reference.notes, *system.notes, *notes]):
        streams.warn(note)
    return reference, system, uem


def _first(notes: Sequence[str], most: int = 100) -> Iterator[str]:
    yield from (f"{note} (md-eval reads it so; --strict refuses it)" for note in notes[:most])
    if len(notes) > most:
        yield f"{len(notes) - most} more readings that --strict refuses"


def _wanted(keys: list[Key], system: Side, missing: str) -> list[Key]:
    """Choose the recordings to score."""
    if missing == "miss":
        return keys
    from mdeval.audit import name_of, one_sided

    only_ref, only_sys = one_sided(keys, system.keys_with_turns())
    if missing == "error" and (only_ref or only_sys):
        names = ", ".join(name_of(key) for key in [*only_ref, *only_sys][:10])
        raise InputError(
            f"{len(only_ref)} recordings are only in the reference and {len(only_sys)} only in the system output"
            f" ({names}); add them, or choose --missing miss or skip"
        )
    left_out = set(only_ref) if missing == "skip" else set()
    return [key for key in keys if key not in left_out]


def _scores(
    settings: Settings, reference: Side, system: Side, keys: Sequence[Key], uem: Uem | None
) -> list[RecordingScore]:
    from mdeval.scoring import score_sides

    return score_sides(
        keys,
        reference,
        system,
        uem,
        collar=settings.collar,
        ignore_overlap=settings.ignore_overlap,
        keep_cuts="v" in settings.options and settings.output == "text",
        jobs=settings.jobs,
    )


def _faults(scores: Sequence[RecordingScore]) -> Iterator[str]:
    from mdeval.audit import self_overlaps, undefined

    yield from self_overlaps(scores)
    yield from undefined(scores)


def _crowds(
    settings: Settings, reference: Side, system: Side, scores: Sequence[RecordingScore], uem: Uem | None
) -> Iterator[str]:
    """Write md-eval's own warnings of speakers whose turns overlap one another."""
    keys = [(score.file_id, score.channel) for score in scores if score.self_overlaps]
    if not keys:
        return
    from mdeval.nist import onset_texts
    from mdeval.pool import pair
    from mdeval.sources import is_read_once
    from mdeval.sweep import crowds

    paths = [path for path in (*reference.paths, *system.paths) if not is_read_once(path)]
    texts = onset_texts(paths)
    for recording in pair(keys, reference, system, uem or {}):
        found = crowds(recording, collar=settings.collar, ignore_overlap=settings.ignore_overlap)
        for speaker, time, begins in found:
            text = texts.get((recording.key, speaker, time)) if begins else None
            yield f"WARNING:  speaker {speaker} speaking more than once at time {text or format(time, '.15g')}\n"


def _extras(
    settings: Settings, reference: Side, system: Side, scores: Sequence[RecordingScore], uem: Uem | None
) -> Extras:
    """Compute what was asked for beside the error rate."""
    from mdeval.tables import Extras

    figures = interval = None
    if settings.metrics:
        from mdeval.metric_run import run_metrics
        from mdeval.pool import pair

        keys = [(score.file_id, score.channel) for score in scores]
        words = [settings.options.get("ref-words"), settings.options.get("sys-words")]
        figures = run_metrics(
            pair(keys, reference, system, uem or {}),
            scores,
            settings.metrics,
            collar=settings.collar,
            ignore_overlap=settings.ignore_overlap,
            word_paths=([words[0]], [words[1]]) if words[0] else (reference.paths, system.paths),
        )
    if settings.samples:
        from mdeval.statistics import bootstrap

        counts = [score.counts for score in scores]
        interval = bootstrap(
            [c.error_time for c in counts],
            [c.scored_speaker_time for c in counts],
            level=settings.level,
            samples=settings.samples,
            seed=settings.seed,
        )
    return Extras(figures, interval)


def _own_output(
    scores: Sequence[RecordingScore], settings: Settings, extras: Extras, where: str, warnings: Sequence[str]
) -> str:
    from mdeval import tables

    stamp = settings.signature(where)
    if settings.output == "csv":
        return tables.as_csv(scores, stamp, per_file=settings.per_file, extras=extras)
    if settings.output == "table":
        return tables.as_table(scores, stamp, per_file=settings.per_file, extras=extras)
    document = tables.as_document(
        scores,
        stamp,
        collar=settings.collar,
        ignore_overlap=settings.ignore_overlap,
        uem=where,
        warnings=warnings,
        extras=extras,
    )
    return tables.as_json(document)


def _print_text(scores: Sequence[RecordingScore], settings: Settings, streams: _Streams) -> None:
    """Print what md-eval prints about the scores."""
    from mdeval import report

    options = settings.options
    rows = []
    for score in scores:
        if "m" in options:
            streams.write(report.map_lines(score))
        if "M" in options:
            rows.append(report.csv_rows(score))
        streams.write(report.segment_lines(score))
        if score.cuts == []:
            raise _undefined(f"{score.file_id}, channel {score.channel}")
    if rows:
        with open(options.get("M"), "ab") as stream:
            stream.write(_encoded("".join(rows)))
    if not scores:
        return
    letters = options.get("a").lower()
    for condition, some in report.conditions(scores, by_channel="c" in letters, by_file="f" in letters):
        for line in report.block(condition, some, undefined=None if settings.nist else "NA"):
            streams.write(line)
    try:
        for line in report.block("ALL", scores):
            streams.write(line)
    except UndefinedScoreError as error:
        raise _undefined("ALL") from error


def _undefined(condition: str) -> UndefinedScoreError:
    return UndefinedScoreError(
        f"the report ends at {condition}: no time to divide by is left in the scored regions (look at the collar, the"
        " UEM and the no-score zones)"
    )


if __name__ == "__main__":
    sys.exit(main())
