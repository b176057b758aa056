"""Our own outputs: table, JSON, CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest

from mdeval.counts import FIELDS, TIME_FIELDS, Counts, RecordingScore, TypeTable
from mdeval.tables import SCHEMA_VERSION, as_csv, as_document, as_json, as_table


def counts(**times: float) -> Counts:
    return Counts([times.get(name, 0.0) for name in TIME_FIELDS], (4, 3, 2, 1))


def score(file: str, **times: float) -> RecordingScore:
    return RecordingScore(file, "1", counts(**times), {}, {"B": "y", "A": "x"}, TypeTable(), TypeTable())


SCORES = [
    score("long", scored_speaker_time=98.0, missed_speaker_time=1.0),
    score("naïve", scored_speaker_time=2.0, falarm_speaker_time=0.5, speaker_error_time=1 / 3),
]
EMPTY = score("empty", falarm_speaker_time=1.0)


def test_the_table_of_all_recordings() -> None:
    assert as_table(SCORES, "sig", per_file=False) == (
        "recording  channel  speaker time  missed  false alarm  confusion    DER\n"
        "---------  -------  ------------  ------  -----------  ---------  -----\n"
        "ALL                     100.00 s   1.00%        0.50%      0.33%  1.83%\n"
        "signature: sig\n"
    )


def test_the_table_of_every_recording() -> None:
    assert as_table([*SCORES, EMPTY], "sig", per_file=True) == (
        "recording  channel  speaker time  missed  false alarm  confusion     DER\n"
        "---------  -------  ------------  ------  -----------  ---------  ------\n"
        "long       1             98.00 s   1.02%        0.00%      0.00%   1.02%\n"
        "naïve      1              2.00 s   0.00%       25.00%     16.67%  41.67%\n"
        "empty      1              0.00 s      NA           NA         NA      NA\n"
        "---------  -------  ------------  ------  -----------  ---------  ------\n"
        "ALL                     100.00 s   1.00%        1.50%      0.33%   2.83%\n"
        "signature: sig\n"
    )


def document(*scores: RecordingScore) -> dict[str, object]:
    return as_document(scores, "sig", collar=0.25, ignore_overlap=True, uem="file", warnings=["careful"])


def test_the_document_says_what_was_done() -> None:
    found = document(*SCORES)
    assert {key: found[key] for key in ("schema_version", "signature", "collar", "overlap", "uem", "warnings")} == {
        "schema_version": SCHEMA_VERSION,
        "signature": "sig",
        "collar": 0.25,
        "overlap": "excluded",
        "uem": "file",
        "warnings": ["careful"],
    }
    assert as_document([], "sig", collar=0.0, ignore_overlap=False, uem="file")["overlap"] == "scored"


def test_json_has_full_precision_and_names_as_they_are() -> None:
    text = as_json(document(*SCORES))
    assert '"file": "naïve"' in text
    assert text.endswith("}\n")
    parsed = json.loads(text)
    assert parsed == document(*SCORES)
    assert parsed["recordings"][1]["speaker_error_time"] == 1 / 3
    assert parsed["overall"]["der"] == (1.0 + 0.5 + 1 / 3) / 100.0
    assert list(parsed["recordings"][0]["mapping"]) == ["A", "B"]
    assert "reason" not in parsed["overall"]


def test_an_undefined_rate_is_null_with_a_reason() -> None:
    [recording] = json.loads(as_json(document(EMPTY)))["recordings"]
    assert recording["der"] is None
    assert recording["reason"] == "no speaker time is scored"
    assert recording["falarm_speaker_time"] == 1.0


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("per_file", [True, False])
def test_csv_has_the_columns_of_json(*, per_file: bool) -> None:
    found = rows(as_csv([*SCORES, EMPTY], "sig|a", per_file=per_file))
    assert list(found[0]) == ["file", "channel", *FIELDS, "der", "signature"]
    assert [row["file"] for row in found] == (["long", "naïve", "empty", "ALL"] if per_file else ["ALL"])
    assert all(row["signature"] == "sig|a" for row in found)
    assert float(found[-1]["scored_speaker_time"]) == 100.0
    assert int(found[-1]["eval_words"]) == 12
    if per_file:
        assert float(found[1]["speaker_error_time"]) == 1 / 3
        assert found[2]["der"] == "NA"


def test_names_with_commas_are_quoted_in_csv() -> None:
    assert rows(as_csv([score('a,"b"')], "sig", per_file=True))[0]["file"] == 'a,"b"'
