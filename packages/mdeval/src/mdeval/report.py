"""md-eval 22's own text, byte for byte.

Everything here returns text; nothing here computes a score. Formats are C's ``printf``, trailing blanks included.
"""

from __future__ import annotations

from mdeval.counts import TypeTable, add_up
from mdeval.errors import UndefinedScoreError
from mdeval.mapping import byte_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mdeval.counts import Counts, RecordingScore

__all__ = ["ZONE_SETS", "block", "conditions", "csv_rows", "map_lines", "parameters", "segment_lines"]

_RULE = "-" * 45
_WORD_FLOOR = 1e-8  # md-eval's word counters start here, so that no words at all are 100.0 percent of no words

_NOSCORE = ("NOSCORE", "<na>")
_SU = ("SU", "unannotated")
_FRAG, _UNLEX = ("LEXEME", "frag"), ("LEXEME", "un-lex")
_NONLEX = [("NON-LEX", subtype) for subtype in ("breath", "cough", "laugh", "lipsmack", "other", "sneeze")]

ZONE_SETS: dict[str, dict[str, list[tuple[str, str]]]] = {
    "y": {"DEFAULT": [_NOSCORE, ("NO_RT_METADATA", "<na>")]},
    "Y": {
        "DEFAULT": [_NOSCORE, _UNLEX, _SU],
        "MIN": [_NOSCORE, _SU],
        "FRAG_UNLEX": [_NOSCORE, _FRAG, _UNLEX, _SU],
        "FRAG": [_NOSCORE, _FRAG, _SU],
        "NONE": [],
    },
    "z": {"DEFAULT": [_NOSCORE]},
    "Z": {"DEFAULT": [_NOSCORE, *_NONLEX]},
}
"""For each option: the sets of record types (type, subtype) that md-eval knows by name."""


def parameters(
    *,
    collar: str = "0",
    word_gap: str | None = None,
    time_gap: str = "1",
    extent: str = "0.5",
    set_names: tuple[str, str, str, str] = ("DEFAULT", "DEFAULT", "DEFAULT", "DEFAULT"),
    by_words: bool = False,
) -> str:
    """Write the parameter block.

    Parameters
    ----------
    collar, time_gap, extent : str
        As given on the command line.
    word_gap : str or None, default None
        The gap of a word-based alignment, which is announced when given.
    set_names : tuple of str, length 4
        Names of the no-eval and no-score sets, as given to ``-y -Y -z -Z``.
    by_words : bool, default False
        Metadata is mapped by words, not by time (``-W``).

    Returns
    -------
    str
        The block, from its empty first line to the last row of the table of exclusion zones.
    """
    alignment = "Time-based metadata alignment"
    if word_gap is not None:
        alignment = f"Word-based metadata alignment, max gap between matching words = {word_gap} sec"
    kind, gap, unit = ("word", "0.1 words", "words") if by_words else ("time", f"{time_gap} sec", "sec")
    lines = [
        "",
        alignment,
        "",
        "Metadata evaluation parameters:",
        f"    {kind}-optimized metadata mapping",
        f"        max gap between matching metadata events = {gap}",
        f"        max extent to match for SU's = {extent} {unit}",
        "",
        "Speaker Diarization evaluation parameters:",
        "    The max time to extend no-score zones for NON-LEX exclusions is 0.5 sec",
        f"    The no-score collar at SPEAKER boundaries is {collar} sec",
        "",
        "Exclusion zones for evaluation and scoring are:",
        "                             -----MetaData-----        -----SpkrData-----",
        "     exclusion set name:{:>12}{:>11}{:>15}{:>11}".format(*set_names),
        "     token type/subtype      no-eval   no-score        no-eval   no-score",
        "             (UEM)              X                         X",
    ]
    chosen = [
        ZONE_SETS[option]["DEFAULT" if name in ("", "0") else name]
        for option, name in zip("yYzZ", set_names, strict=True)
    ]
    for type_, subtype in sorted({member for members in chosen for member in members}):
        marks = ["X" if (type_, subtype) in members else "" for members in chosen]
        lines.append(f"{type_:>15}/{subtype:<14}" + "{:>3}{:>10}{:>16}{:>10}".format(*marks))
    return "\n".join(lines) + "\n"


def map_lines(score: RecordingScore) -> str:
    """Write the speaker map of one recording (``-m``)."""
    lines = []
    for ref in byte_order({ref for ref, _ in score.overlaps}):
        partner = score.mapping.get(ref)
        lines.append(f"'{ref}' => " + ("<nil>" if partner is None else f"'{partner}'"))
        lines += [
            f"{score.overlaps[ref, sys]:9.2f} secs matched to '{sys.replace('%%', '%')}'"
            for sys in byte_order(s for r, s in score.overlaps if r == ref)
        ]
    return "".join(line + "\n" for line in lines)


def segment_lines(score: RecordingScore) -> str:
    """Write the scored segments of one recording (``-v``)."""
    return "".join(
        f"beg/dur/end = {onset:7.3f}/{offset - onset:7.3f}/{offset:7.3f}; REF = ({', '.join(byte_order(refs))});"
        f" SYS = ({', '.join(byte_order(systems))}); file = {score.file_id}; chnl = {score.channel}\n"
        for onset, offset, refs, systems in score.cuts or ()
    )


CSV_HEADER = "File,Channel,RefSpeaker,SysSpeaker,isMapped,timeOverlap\n"


def csv_rows(score: RecordingScore) -> str:
    """Write the speaker map of one recording as rows of the ``-M`` file."""
    rows = []
    for ref in byte_order({ref for ref, _ in score.overlaps}):
        for sys in byte_order(s for r, s in score.overlaps if r == ref):
            word = "mapped" if score.mapping.get(ref) == sys else "notmapped"
            seconds = score.overlaps[ref, sys]
            rows.append(f"{score.file_id},{score.channel},{ref},{sys},{word},{seconds:.4f}\n")
    return "".join(rows)


def conditions(
    scores: Sequence[RecordingScore], *, by_channel: bool, by_file: bool
) -> Iterator[tuple[str, list[RecordingScore]]]:
    """Group the recordings by the conditions of ``-a``.

    Parameters
    ----------
    scores : sequence of RecordingScore
        The recordings in byte order.
    by_channel, by_file : bool
        Whether ``-a`` has c, and f.

    Yields
    ------
    (str, list of RecordingScore)
        A condition and its recordings, in byte order of the conditions; those that contain ``ALL`` get none.
    """
    if not (by_channel or by_file):
        return
    groups: dict[str, list[RecordingScore]] = {}
    for score in scores:
        parts = ([f"c={score.channel}"] if by_channel else []) + ([f"f={score.file_id}"] if by_file else [])
        groups.setdefault(" ".join(parts), []).append(score)
    for name in byte_order(groups):
        if "ALL" not in name:
            yield name, groups[name]


def block(condition: str, scores: Sequence[RecordingScore], *, undefined: str | None = None) -> Iterator[str]:
    """Write the performance block of some recordings, a line at a time.

    Parameters
    ----------
    condition : str
        ``ALL``, or a condition from `conditions`.
    scores : sequence of RecordingScore
        The recordings that the block sums up.
    undefined : str or None, default None
        What to print for a percentage that does not exist; without it the block ends there.

    Yields
    ------
    str
        One line with its line end.

    Raises
    ------
    UndefinedScoreError
        At the first percentage that cannot be computed, unless `undefined` is given.
    """
    counts, speakers, seconds = add_up(scores)

    def percent(part: float, whole: float, width: str = "5.1") -> str:
        if whole:
            return f"{100 * part / whole:{width}f}"
        if undefined is None:
            raise UndefinedScoreError(condition)
        return f"{undefined:>{width.partition('.')[0] or 0}}"

    yield f"\n*** Performance analysis for Speaker Diarization for {condition.replace('%%', '%')} ***\n\n"
    yield from _times_and_words(counts, percent)
    error = percent(counts.error_time, counts.scored_speaker_time, ".2")
    yield f"{_RULE}\n OVERALL SPEAKER DIARIZATION ERROR = {error} percent of scored speaker time  `({condition})\n"
    yield f"{_RULE}\n Speaker type confusion matrix -- speaker weighted\n"
    yield _matrix(speakers, "  REF\\SYS (count)      ", "d", undefined)
    yield f"{_RULE}\n Speaker type confusion matrix -- time weighted\n"
    yield _matrix(seconds, "  REF\\SYS (seconds)    ", ".2f", undefined)
    yield f"{_RULE}\n"


def _times_and_words(c: Counts, percent: Callable[[float, float], str]) -> Iterator[str]:
    """Write lines 1 to 16 of a block."""
    floor = c.n_recordings * _WORD_FLOOR

    def seconds(name: str, part: float, whole: float, of: str) -> str:
        return f"{name} ={part:10.2f} secs ({percent(part, whole)} percent of {of})\n"

    def words(name: str, part: int, whole: int, of: str) -> str:
        return f"{name} ={part:7d}         ({percent(part + floor, whole + floor)} percent of {of})\n"

    yield f"    EVAL TIME ={c.eval_time:10.2f} secs\n"
    yield seconds("  EVAL SPEECH", c.eval_speech, c.eval_time, "evaluated time")
    yield seconds("  SCORED TIME", c.scored_time, c.eval_time, "evaluated time")
    yield seconds("SCORED SPEECH", c.scored_speech, c.scored_time, "scored time")
    yield f"   EVAL WORDS ={c.eval_words:7d}        \n"
    yield words(" SCORED WORDS", c.scored_words, c.eval_words, "evaluated words")
    yield f"{_RULE}\n"
    yield seconds("MISSED SPEECH", c.missed_speech, c.scored_time, "scored time")
    yield seconds("FALARM SPEECH", c.falarm_speech, c.scored_time, "scored time")
    yield words(" MISSED WORDS", c.missed_words, c.scored_words, "scored words")
    yield f"{_RULE}\n"
    yield seconds("SCORED SPEAKER TIME", c.scored_speaker_time, c.scored_speech, "scored speech")
    for name, part in (
        ("MISSED SPEAKER TIME", c.missed_speaker_time),
        ("FALARM SPEAKER TIME", c.falarm_speaker_time),
        (" SPEAKER ERROR TIME", c.speaker_error_time),
    ):
        yield seconds(name, part, c.scored_speaker_time, "scored speaker time")
    yield words("SPEAKER ERROR WORDS", c.speaker_error_words, c.scored_words, "scored speaker words")


def _matrix(table: TypeTable, heading: str, value_format: str, undefined: str | None) -> str:
    """Write a confusion matrix of speaker types."""
    systems = byte_order(table.sys)
    total = sum(table.ref[name] for name in byte_order(table.ref))

    def cell(row: str, column: str) -> str:
        value = table.joint.get((row, column), 0.0)
        share = f"{min(999.9, 100 * value / total):6.1f}" if total else f"{undefined:>6}"
        text = f"{int(value):d}" if value_format == "d" else f"{value:{value_format}}"
        return f"{text:>11} /{share}%"

    lines = [heading + "".join(f"{name:<20}" for name in (*systems, TypeTable.MISS))]
    lines += [
        f"{row:<16}" + "".join(cell(row, column) for column in (*systems, TypeTable.MISS))
        for row in byte_order(table.ref)
    ]
    lines.append(f"{TypeTable.FALSE_ALARM:<16}" + "".join(cell(TypeTable.FALSE_ALARM, name) for name in systems))
    return "".join(line + "\n" for line in lines)
