"""Slow twin of NIST md-eval 22: speaker diarization, in plain loops, from `md-eval.md` alone.

The oracle for the tests of `mdeval`. It shares no code with the package and is written to be checked against
the specification, not to be fast. Metadata scoring (`-e -d -D -w -W` and the EDIT, FILLER, IP, SU blocks) is
left out: a line on stderr says so when a run asks for it.

As a command, ``python tests/_support/mdeval_twin.py ARGS`` prints what md-eval prints. As a module it gives
`score_files` and `score_turns`, with unrounded figures. The parts: `mdeval_twin_sort` (appendix A), `_match`
(appendix B), `_read` (sections 3 to 5), `_score` (6 to 11); this file has sections 1, 2, 12 and 13.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from mdeval_twin_read import (
    METADATA_TYPES,
    SUBTYPES,
    Place,
    Pool,
    Record,
    Region,
    TwinError,
    command_error,
    fatal,
    lower,
    number,
    read_list,
    read_pool,
    read_uem,
)
from mdeval_twin_score import (
    FALSE_ALARM,
    MISS,
    STATISTICS,
    Matrix,
    Score,
    infer_regions,
    places_to_score,
    score_place,
    score_recording,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FLAGS = "1mvnhedDwWox"
VALUED = "rRsSucaAMzZyYtTlgpP"
RULE = "-" * 45 + "\n"
USAGE = "\nusage: mdeval_twin [-1mvn] [-c SECONDS] [-a cf] [-M FILE] [-u UEM] -r FILE|-R LIST -s FILE|-S LIST\n"

NONLEX = [("NON-LEX", subtype) for subtype in SUBTYPES["NON-LEX"]]
NOSCORE = ("NOSCORE", "<na>")
UNANNOTATED = ("SU", "unannotated")
FRAGMENT = ("LEXEME", "frag")
UNLEX = ("LEXEME", "un-lex")
SETS: dict[str, dict[str, list[tuple[str, str]]]] = {
    "y": {"DEFAULT": [NOSCORE, ("NO_RT_METADATA", "<na>")]},
    "Y": {
        "DEFAULT": [NOSCORE, UNLEX, UNANNOTATED],
        "MIN": [NOSCORE, UNANNOTATED],
        "FRAG_UNLEX": [NOSCORE, FRAGMENT, UNLEX, UNANNOTATED],
        "FRAG": [NOSCORE, FRAGMENT, UNANNOTATED],
        "NONE": [],
    },
    "z": {"DEFAULT": [NOSCORE]},
    "Z": {"DEFAULT": [NOSCORE, *NONLEX]},
}
SET_WORDS = {
    "y": "no-eval conditions for metadata",
    "Y": "no-score conditions for metadata",
    "z": "no-score conditions for speaker diarization",
    "Z": "no-score conditions for speaker diarization",
}

Options = dict[str, str]
Turn = tuple[float, float, str]


class RecordingDict(TypedDict):
    """What one recording gave; all figures unrounded.

    `stats` has the keys of `mdeval_twin_score.STATISTICS` (seconds; the word counters start at 1e-8, so take
    ``int()`` of them), `error` is OVERALL in per cent (None if it has no denominator), `mapping` goes from
    reference to system speaker, `overlaps` from (reference, system) to seconds, `warnings` are stderr lines.
    """

    stats: dict[str, float]
    error: float | None
    mapping: dict[str, str]
    overlaps: dict[tuple[str, str], float]
    eval_regions: list[Region]
    score_regions: list[Region]
    segments: list[tuple[float, float, tuple[str, ...], tuple[str, ...]]]
    counts: Matrix
    seconds: Matrix
    warnings: list[str]


class TotalDict(TypedDict):
    """Statistics added up over recordings; keys as in `RecordingDict`."""

    stats: dict[str, float]
    error: float | None
    counts: Matrix
    seconds: Matrix


class FilesDict(TypedDict):
    """The result of `score_files`: by (file, channel) in byte order, and all together."""

    recordings: dict[Place, RecordingDict]
    overall: TotalDict


def to_text(raw: str) -> str:
    return raw.encode("latin-1").decode("utf-8", "surrogateescape")


def to_raw(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def overall_error(stats: dict[str, float]) -> float | None:
    """Return OVERALL in per cent, None without scored speaker time."""
    wrong = stats["missed_speaker_time"] + stats["falarm_speaker_time"] + stats["speaker_error_time"]
    total = stats["scored_speaker_time"]
    return 100 * wrong / total if total else None


def describe(score: Score, warnings: list[str], decode: Callable[[str], str]) -> RecordingDict:
    segments = [
        (s.begin, s.end, tuple(decode(name) for name in s.ref), tuple(decode(name) for name in s.sys))
        for s in score.segments
    ]
    return {
        "stats": dict(score.stats),
        "error": overall_error(score.stats),
        "mapping": {decode(r): decode(s) for r, s in score.mapping.items()},
        "overlaps": {(decode(r), decode(s)): seconds for (r, s), seconds in score.overlaps.items()},
        "eval_regions": score.eval_regions,
        "score_regions": score.score_regions,
        "segments": segments,
        "counts": score.counts,
        "seconds": score.seconds,
        "warnings": [decode(line) for line in warnings],
    }


def score_files(
    ref_path: str | os.PathLike[str],
    sys_path: str | os.PathLike[str],
    uem_path: str | os.PathLike[str] | None = None,
    collar: float = 0.0,
    one: bool = False,
) -> FilesDict:
    """Score an RTTM file against another as md-eval does.

    Raises
    ------
    TwinError
        For input that md-eval refuses; `message` is its text for stderr.
    """
    ref = read_pool([to_raw(os.fspath(ref_path))])
    sys_ = read_pool([to_raw(os.fspath(sys_path))])
    uem = {} if uem_path is None else read_uem(to_raw(os.fspath(uem_path)))
    recordings: dict[Place, RecordingDict] = {}
    scores: list[Score] = []
    for place in places_to_score(ref):
        warnings: list[str] = []
        score = score_place(place, ref, sys_, uem, collar, one, warnings.append)
        scores.append(score)
        recordings[to_text(place[0]), to_text(place[1])] = describe(score, warnings, to_text)
    total = add_up(scores)
    overall: TotalDict = {
        "stats": total.stats,
        "error": overall_error(total.stats),
        "counts": total.counts,
        "seconds": total.seconds,
    }
    return {"recordings": recordings, "overall": overall}


def score_turns(
    ref: Iterable[Turn],
    sys: Iterable[Turn],
    uem: Iterable[Region] | None = None,
    collar: float = 0.0,
    one: bool = False,
) -> RecordingDict:
    """Score the turns (begin, duration, speaker) of one recording; without `uem` the region is inferred.

    The turns stand for SPEAKER records in file order; there must be at least one reference turn.
    """
    sides: list[list[Record]] = []
    for turns in (ref, sys):
        records = [Record("SPEAKER", b, d, "<na>", "<na>", name, f"{b:.15g}") for b, d, name in turns]
        records.sort(key=lambda record: record.mid)
        sides.append(records)
    regions = None if uem is None else sorted(uem, key=lambda region: region[0])
    warnings: list[str] = []
    score = score_recording(sides[0], sides[1], regions, collar, one, {}, {}, warnings.append)
    return describe(score, warnings, lambda name: name)


def add_up(scores: Iterable[Score]) -> Score:
    total = Score(dict.fromkeys(STATISTICS, 0.0))
    for score in scores:
        total.add(score)
    return total


# Output (section 12)


def put(text: str) -> None:
    sys.stdout.buffer.write(text.encode("latin-1"))


def printf(form: str, *values: object) -> str:
    """Fill a C format; Python's `%` agrees with it for the formats used here."""
    return form % values


def complain(text: str) -> None:
    sys.stderr.buffer.write(text.encode("latin-1"))
    sys.stderr.buffer.flush()


def as_format(text: str) -> str:
    """Do what printf does to a text that serves as its format: two per cent signs become one."""
    return text.replace("%%", "%")


def percent(x: float, y: float) -> float:
    if y == 0:
        raise TwinError("Illegal division by zero\n", 255)
    return 100 * x / y


def set_of(options: Options, letter: str) -> str:
    """Return the set name that an option selects; empty and `0` mean DEFAULT."""
    name = options.get(letter, "DEFAULT")
    return "DEFAULT" if name in ("", "0") else name


def print_parameters(options: Options) -> None:
    by_word = "w" in options
    gap = options.get("t", "1")
    if by_word:
        put(f"\nWord-based metadata alignment, max gap between matching words = {gap} sec\n")
    else:
        put("\nTime-based metadata alignment\n")
    put("\nMetadata evaluation parameters:\n")
    if "W" in options:
        put("    word-optimized metadata mapping\n")
        put("        max gap between matching metadata events = 0.1 words\n")
        put(f"        max extent to match for SU's = {options.get('l', '2')} words\n")
    else:
        put("    time-optimized metadata mapping\n")
        put(f"        max gap between matching metadata events = {options.get('T', '1')} sec\n")
        put(f"        max extent to match for SU's = {options.get('l', '0.5')} sec\n")
    put("\nSpeaker Diarization evaluation parameters:\n")
    put("    The max time to extend no-score zones for NON-LEX exclusions is 0.5 sec\n")
    put(f"    The no-score collar at SPEAKER boundaries is {options.get('c', '0')} sec\n")
    put("\nExclusion zones for evaluation and scoring are:\n")
    put("                             -----MetaData-----        -----SpkrData-----\n")
    names = [options.get(letter, "DEFAULT") for letter in "yYzZ"]
    put(printf("     exclusion set name:%12s%11s%15s%11s\n", *names))
    put("     token type/subtype      no-eval   no-score        no-eval   no-score\n")
    put("             (UEM)              X                         X\n")
    chosen = [SETS[letter][set_of(options, letter)] for letter in "yYzZ"]
    for token in sorted({token for members in chosen for token in members}):
        marks = ["X" if token in members else "" for members in chosen]
        put(printf("%15s/%-14s%3s%10s%16s%10s\n", *token, *marks))


def print_map(score: Score) -> None:
    for r in sorted({r for r, _ in score.overlaps}):
        put(f"'{r}' => '{score.mapping[r]}'\n" if r in score.mapping else f"'{r}' => <nil>\n")
        for s in sorted(s for r2, s in score.overlaps if r2 == r):
            put(f"{score.overlaps[r, s]:9.2f} secs matched to " + as_format(f"'{s}'\n"))


def map_rows(place: Place, score: Score) -> str:
    rows = ""
    for r, s in sorted(score.overlaps):
        mapped = "mapped" if score.mapping.get(r) == s else "notmapped"
        rows += f"{place[0]},{place[1]},{r},{s},{mapped},{score.overlaps[r, s]:.4f}\n"
    return rows


def print_segments(place: Place, score: Score) -> None:
    if not score.segments:
        raise TwinError("no scored segment\n", 255)
    for s in score.segments:
        put(f"beg/dur/end = {s.begin:7.3f}/{s.duration:7.3f}/{s.end:7.3f}; ")
        put(f"REF = ({', '.join(s.ref)}); SYS = ({', '.join(s.sys)}); file = {place[0]}; chnl = {place[1]}\n")


def print_block(condition: str, score: Score) -> None:
    st = score.stats

    def seconds(title: str, name: str, of: str, words: str) -> None:
        put(f"{title} ={st[name]:10.2f} secs ({percent(st[name], st[of]):5.1f} percent of {words})\n")

    def count(title: str, name: str, of: str, words: str) -> None:
        share = percent(st[name], st[of])
        put(f"{title} ={int(st[name]):7d}         ({share:5.1f} percent of {words})\n")

    put(f"\n*** Performance analysis for Speaker Diarization for {as_format(condition)} ***\n\n")
    put(f"    EVAL TIME ={st['eval_time']:10.2f} secs\n")
    seconds("  EVAL SPEECH", "eval_speech", "eval_time", "evaluated time")
    seconds("  SCORED TIME", "scored_time", "eval_time", "evaluated time")
    seconds("SCORED SPEECH", "scored_speech", "scored_time", "scored time")
    put(f"   EVAL WORDS ={int(st['eval_words']):7d}        \n")
    count(" SCORED WORDS", "scored_words", "eval_words", "evaluated words")
    put(RULE)
    seconds("MISSED SPEECH", "missed_speech", "scored_time", "scored time")
    seconds("FALARM SPEECH", "falarm_speech", "scored_time", "scored time")
    count(" MISSED WORDS", "missed_words", "scored_words", "scored words")
    put(RULE)
    seconds("SCORED SPEAKER TIME", "scored_speaker_time", "scored_speech", "scored speech")
    seconds("MISSED SPEAKER TIME", "missed_speaker_time", "scored_speaker_time", "scored speaker time")
    seconds("FALARM SPEAKER TIME", "falarm_speaker_time", "scored_speaker_time", "scored speaker time")
    seconds(" SPEAKER ERROR TIME", "speaker_error_time", "scored_speaker_time", "scored speaker time")
    count("SPEAKER ERROR WORDS", "speaker_error_words", "scored_words", "scored speaker words")
    put(RULE)
    error = overall_error(st)
    if error is None:
        raise TwinError("Illegal division by zero\n", 255)
    share = f"{error:.2f} percent of scored speaker time"
    put(f" OVERALL SPEAKER DIARIZATION ERROR = {share}  `({condition})\n")
    put(RULE)
    put(" Speaker type confusion matrix -- speaker weighted\n")
    print_matrix("  REF\\SYS (count)      ", "%11d /%6.1f%%", score.counts)
    put(RULE)
    put(" Speaker type confusion matrix -- time weighted\n")
    print_matrix("  REF\\SYS (seconds)    ", "%11.2f /%6.1f%%", score.seconds)
    put(RULE)


def print_matrix(heading: str, cell_format: str, matrix: Matrix) -> None:
    columns = sorted(matrix.sys)
    put(heading + "".join(f"{name:20s}" for name in [*columns, "  " + MISS]) + "\n")
    total = sum(matrix.ref[name] for name in sorted(matrix.ref))
    for row in [*sorted(matrix.ref), FALSE_ALARM]:
        title = "  " + row if row == FALSE_ALARM else row
        put(f"{title:16s}")
        for column in columns if row == FALSE_ALARM else [*columns, MISS]:
            cell = matrix.joint.get((row, column), 0.0)
            put(printf(cell_format, cell, min(999.9, percent(cell, total))))
        put("\n")


# Command line (section 2) and flow (section 1)


def parse_options(args: list[str]) -> Options:
    """Read single-letter options in the manner of Perl's Getopt::Std; a flag has the value `1`."""
    options: Options = {}
    args = list(args)
    while args and args[0].startswith("-") and args[0] != "-":
        if args[0] == "--":
            break
        letter, rest = args[0][1], args[0][2:]
        if letter in VALUED:
            args.pop(0)
            if rest:
                options[letter] = rest
            elif args:
                options[letter] = args.pop(0)
            else:
                options.pop(letter, None)
            continue
        if letter in FLAGS:
            options[letter] = "1"
        else:
            complain(f"Unknown option: {letter}\n")
        if rest:
            args[0] = "-" + rest
        else:
            args.pop(0)
    return options


def check_options(options: Options) -> None:
    """Run the checks of section 2 in their order; create the file of `-M` on the way."""
    if "h" in options:
        raise TwinError("\n", 255, usage=True)
    if "r" not in options and "R" not in options:
        raise command_error("no reference data specified")
    if "r" in options and "R" in options:
        raise command_error("both reference file list and reference file specified")
    if "s" not in options and "S" not in options:
        raise command_error("no system output data specified")
    if "s" in options and "S" in options:
        raise command_error("both system output file list and system output file specified")
    if "W" in options:
        if number(options.get("l", "2")) < 1:
            raise command_error("SU extent limit must be at least 1 for word-based MD alignment")
    elif number(options.get("l", "0.5")) <= 0:
        raise command_error("SU extent limit must be positive for time-based MD alignment")
    collar = options.get("c", "0")
    if number(collar) < 0:
        raise command_error(f"Speaker Diarization scoring collar ('{collar}') must be non-negative")
    if "M" in options:
        try:
            write_csv(options["M"], "w", "File,Channel,RefSpeaker,SysSpeaker,isMapped,timeOverlap\n")
        except OSError:
            text = f"\nError: Unable to open speaker map CSV file '{options['M']}' for write\n"
            raise TwinError(text, 2) from None
    for letter in "yYzZ":
        name = set_of(options, letter)
        if name not in SETS[letter]:
            put("\n" * len(SETS[letter]))
            raise command_error(unknown_set(letter, name))


def unknown_set(letter: str, name: str) -> str:
    words = SET_WORDS[letter]
    text = f"unknown name ({name}) of {words}\n    available {words} are:\n\n"
    for known in sorted(SETS[letter]):
        text += printf("%-24stype    subtype\n", f'    for "{known}":')
        for member in sorted(SETS[letter][known]):
            text += printf("%28s    %s\n", *member)
    return text


def write_csv(path: str, mode: str, text: str) -> None:
    with Path(to_text(path)).open(mode, encoding="latin-1", newline="") as handle:
        handle.write(text)


def paths_of(options: Options, single: str, listed: str) -> list[str]:
    """Return the RTTM paths of one side; lines of a list keep their line end, as in md-eval's messages."""
    return [options[single]] if single in options else read_list(options[listed])


def refuse_metadata(options: Options, place: Place, ref: Pool, regions: list[Region]) -> None:
    """Stop where md-eval stops for want of words; say once that metadata is left out where it would go on."""
    records = ref.records[place]
    words = [record for record in records if record.kind == "LEXEME"]
    events = [record for record in records if record.kind in METADATA_TYPES]
    where = f"file '{place[0]}' and channel '{place[1]}'"
    if not words and (events or "w" in options or "W" in options):
        raise fatal(f"FATAL ERROR:  no reference words for {where}")
    if "e" in options and not any(b <= word.mid <= e for word in words for b, e in regions):
        raise fatal(f"FATAL ERROR:  no reference words in UEM portion of {where}")
    if events or any(letter in options for letter in "edDwW"):
        complain(f"mdeval_twin: metadata of {where} left out\n")


def run(options: Options) -> None:
    check_options(options)
    print_parameters(options)
    ref = read_pool(paths_of(options, "r", "R"))
    sys_ = read_pool(paths_of(options, "s", "S"))
    uem = read_uem(options["u"], keep_directory="n" in options) if "u" in options else {}
    collar = number(options.get("c", "0"))
    scored: list[tuple[Place, Score]] = []
    for place in sorted(ref.records):
        refuse_metadata(options, place, ref, uem.get(place) or infer_regions(ref.records[place]))
        if place not in places_to_score(ref):
            continue
        score = score_place(place, ref, sys_, uem, collar, "1" in options, complain)
        if "m" in options:
            print_map(score)
        if "M" in options:
            write_csv(options["M"], "a", map_rows(place, score))
        if "v" in options:
            print_segments(place, score)
        scored.append((place, score))
    if not scored:
        return
    letters = lower(options.get("a", ""))
    conditions: dict[str, list[Score]] = {}
    for (file, channel), score in scored:
        parts = (["c=" + channel] if "c" in letters else []) + (["f=" + file] if "f" in letters else [])
        name = " ".join(parts)
        if parts and "ALL" not in name:
            conditions.setdefault(name, []).append(score)
    for name in sorted(conditions):
        print_block(name, add_up(conditions[name]))
    print_block("ALL", add_up(score for _, score in scored))


def main(argv: list[str] | None = None) -> int:
    """Run as md-eval; return the exit status."""
    args = [to_raw(arg) for arg in (sys.argv[1:] if argv is None else argv)]
    now = time.localtime()
    month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][now.tm_mon - 1]
    stamp = f"{now.tm_year} {month} {now.tm_mday} at {now.tm_hour:02d}:{now.tm_min:02d}:{now.tm_sec:02d}"
    put(f"command line (run on {stamp}) Version: 22  {' '.join([to_raw(sys.argv[0]), *args])}\n")
    status = 0
    try:
        run(parse_options(args))
    except TwinError as error:
        complain(error.message + (USAGE if error.usage else ""))
        status = error.status
    sys.stdout.buffer.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
