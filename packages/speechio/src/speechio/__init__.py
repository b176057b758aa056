"""Readers, writers and a lint for the file formats of speech research.

Names are loaded where they are first used, so that ``import speechio`` costs little.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING

from speechio.__about__ import __version__

if TYPE_CHECKING:
    from speechio.alignment import Aligned, align
    from speechio.check import check_path
    from speechio.codes import CODES
    from speechio.columns import ColumnTable, TextColumn
    from speechio.data_dir import DataDir, read_data_dir
    from speechio.errors import (
        AlignmentError,
        FormatError,
        InputError,
        Problem,
        SpeechioError,
        UsageError,
        WriteError,
    )
    from speechio.jsonl import iter_jsonl, read_jsonl, write_jsonl
    from speechio.kaldi import (
        iter_reco2dur,
        iter_reco2file_and_channel,
        iter_spk2age,
        iter_spk2gender,
        iter_spk2score,
        iter_spk2utt,
        iter_text,
        iter_utt2dur,
        iter_utt2lang,
        iter_utt2num_frames,
        iter_utt2score,
        iter_utt2spk,
        iter_utt2uniq,
        read_language,
        read_reco2dur,
        read_reco2file_and_channel,
        read_spk2age,
        read_spk2gender,
        read_spk2score,
        read_spk2utt,
        read_text,
        read_utt2dur,
        read_utt2lang,
        read_utt2num_frames,
        read_utt2score,
        read_utt2spk,
        read_utt2uniq,
        write_language,
        write_reco2dur,
        write_reco2file_and_channel,
        write_spk2age,
        write_spk2gender,
        write_spk2score,
        write_spk2utt,
        write_text,
        write_utt2dur,
        write_utt2lang,
        write_utt2num_frames,
        write_utt2score,
        write_utt2spk,
        write_utt2uniq,
    )
    from speechio.rttm import RttmTable, iter_rttm, read_rttm, write_rttm
    from speechio.rttm_line import RttmRecord
    from speechio.scp import Entry, iter_scp, read_scp, write_scp
    from speechio.segments import Segment, SegmentTable, iter_segments, read_segments, write_segments
    from speechio.uem import UemRecord, UemTable, iter_uem, read_uem, write_uem
    from speechio.wav_scp import WavLocation, iter_wav_scp, open_wav, read_wav_scp, write_wav_scp

__all__ = [
    "CODES",
    "Aligned",
    "AlignmentError",
    "ColumnTable",
    "DataDir",
    "Entry",
    "FormatError",
    "InputError",
    "Problem",
    "RttmRecord",
    "RttmTable",
    "Segment",
    "SegmentTable",
    "SpeechioError",
    "TextColumn",
    "UemRecord",
    "UemTable",
    "UsageError",
    "WavLocation",
    "WriteError",
    "__version__",
    "align",
    "check_path",
    "iter_jsonl",
    "iter_reco2dur",
    "iter_reco2file_and_channel",
    "iter_rttm",
    "iter_scp",
    "iter_segments",
    "iter_spk2age",
    "iter_spk2gender",
    "iter_spk2score",
    "iter_spk2utt",
    "iter_text",
    "iter_uem",
    "iter_utt2dur",
    "iter_utt2lang",
    "iter_utt2num_frames",
    "iter_utt2score",
    "iter_utt2spk",
    "iter_utt2uniq",
    "iter_wav_scp",
    "open_wav",
    "read_data_dir",
    "read_jsonl",
    "read_language",
    "read_reco2dur",
    "read_reco2file_and_channel",
    "read_rttm",
    "read_scp",
    "read_segments",
    "read_spk2age",
    "read_spk2gender",
    "read_spk2score",
    "read_spk2utt",
    "read_text",
    "read_uem",
    "read_utt2dur",
    "read_utt2lang",
    "read_utt2num_frames",
    "read_utt2score",
    "read_utt2spk",
    "read_utt2uniq",
    "read_wav_scp",
    "write_jsonl",
    "write_language",
    "write_reco2dur",
    "write_reco2file_and_channel",
    "write_rttm",
    "write_scp",
    "write_segments",
    "write_spk2age",
    "write_spk2gender",
    "write_spk2score",
    "write_spk2utt",
    "write_text",
    "write_uem",
    "write_utt2dur",
    "write_utt2lang",
    "write_utt2num_frames",
    "write_utt2score",
    "write_utt2spk",
    "write_utt2uniq",
    "write_wav_scp",
]

_MODULE_OF = {
    name: module
    for module, names in {
        "alignment": "Aligned align",
        "check": "check_path",
        "codes": "CODES",
        "columns": "ColumnTable TextColumn",
        "data_dir": "DataDir read_data_dir",
        "errors": ("AlignmentError FormatError InputError Problem SpeechioError UsageError WriteError"),
        "jsonl": "iter_jsonl read_jsonl write_jsonl",
        "kaldi": (
            "iter_reco2dur iter_reco2file_and_channel iter_spk2age iter_spk2gender "
            "iter_spk2score iter_spk2utt iter_text iter_utt2dur iter_utt2lang "
            "iter_utt2num_frames iter_utt2score iter_utt2spk iter_utt2uniq read_language "
            "read_reco2dur read_reco2file_and_channel read_spk2age read_spk2gender "
            "read_spk2score read_spk2utt read_text read_utt2dur read_utt2lang "
            "read_utt2num_frames read_utt2score read_utt2spk read_utt2uniq write_language "
            "write_reco2dur write_reco2file_and_channel write_spk2age write_spk2gender "
            "write_spk2score write_spk2utt write_text write_utt2dur write_utt2lang "
            "write_utt2num_frames write_utt2score write_utt2spk write_utt2uniq"
        ),
        "rttm": "RttmTable iter_rttm read_rttm write_rttm",
        "rttm_line": "RttmRecord",
        "scp": "Entry iter_scp read_scp write_scp",
        "segments": "Segment SegmentTable iter_segments read_segments write_segments",
        "uem": "UemRecord UemTable iter_uem read_uem write_uem",
        "wav_scp": "WavLocation iter_wav_scp open_wav read_wav_scp write_wav_scp",
    }.items()
    for name in names.split()
}

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> object:
    """Load a public name where it is first used."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
