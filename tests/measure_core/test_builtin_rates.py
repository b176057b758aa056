"""Error rates of words, characters, phones and pieces: worked figures, options, faults."""

from __future__ import annotations

import io
import pickle
import sys
from typing import TYPE_CHECKING

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf

from measure_core.builtin import CER, PER, TER, WER
from measure_core.errors import ConfigError, InputError, MetricError
from measure_counts_support import OUT, data

if TYPE_CHECKING:
    from pathlib import Path

    from measure_core.builtin.tokens import TokenMetric

TEXTS = st.text("ab '.é\t\u00a0", max_size=14)


def score(metric: TokenMetric, *pairs: tuple[str, str]) -> dict[str, object]:
    return metric(data(*pairs), "test", OUT)


# figures of jiwer 4.0.0, see docs/wer.md


def test_worked_example() -> None:
    assert score(WER(), ("a b c d", "a x c e f")) == {
        "wer": 0.75,
        "substitutions": 2,
        "deletions": 0,
        "insertions": 1,
        "hits": 2,
        "reference_words": 4,
        "utterance_error_rate": 1.0,
    }


def test_corpus_rate_is_not_a_mean_of_rates() -> None:
    nine = " ".join("bcdefghij")
    assert score(WER(), ("a", "x"), (nine, nine))["wer"] == 0.1
    result = score(WER(), ("we walked along the old river today",) * 2, ("stop", "shop"))
    assert (result["wer"], result["substitutions"], result["reference_words"]) == (0.125, 1, 8)


def test_empty_reference_is_legal() -> None:
    result = score(WER(), ("hello there", "hello there"), ("", "uh huh"), ("", ""))
    assert (result["wer"], result["insertions"], result["reference_words"]) == (1.0, 2, 2)
    assert result["utterance_error_rate"] == 1 / 3


def test_dot_for_empty_sides() -> None:
    pairs = ("", "x"), ("a b", "a c")
    assert score(WER(), *pairs)["wer"] == 1.0
    dotted = score(WER(empty="dot"), *pairs)
    assert (dotted["wer"], dotted["reference_words"]) == (2 / 3, 3)
    assert score(WER(empty="dot"), ("", ""))["hits"] == 1
    assert score(CER(empty="dot"), ("", "."), ("ab", "  "))["cer"] == 2 / 3
    assert score(CER(empty="dot", unit="grapheme"), ("", "."))["cer"] == 0


def test_no_reference_token_at_all() -> None:
    with pytest.raises(MetricError, match=r"no utterance has reference words \(of 2\): there is no wer"):
        score(WER(), ("", "x"), (" ", ""))
    with pytest.raises(MetricError, match="no utterance: there is no cer"):
        score(CER())


def test_a_word_stands_between_unicode_blanks() -> None:
    assert score(WER(), ("a\tb 10\u00a0km\u3000x", "a b 10 km x"))["wer"] == 0


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
def test_wer_is_that_of_jiwer_on_split_words(pairs: list[tuple[str, str]]) -> None:
    refs, hyps = ([" ".join(pair[side].split()) for pair in pairs] for side in (0, 1))
    if not any(refs):
        return
    said = jiwer.process_words(refs, hyps)
    result = score(WER(), *pairs)
    assert result["wer"] == pytest.approx(said.wer, rel=1e-15)
    assert [result[name] for name in ("hits", "substitutions", "deletions", "insertions")] == [
        said.hits,
        said.substitutions,
        said.deletions,
        said.insertions,
    ]


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
def test_cer_is_that_of_jiwer(pairs: list[tuple[str, str]]) -> None:
    if not any(ref.strip() for ref, _ in pairs):
        return
    assert score(CER(), *pairs)["cer"] == pytest.approx(
        jiwer.cer([ref for ref, _ in pairs], [hyp for _, hyp in pairs]), rel=1e-15
    )


def test_blanks_are_characters_unless_dropped() -> None:
    pair = "a big red dog sat here", "abig red dog sat here"
    assert score(CER(), pair)["cer"] == pytest.approx(0.045454545454545456, rel=1e-12)
    assert score(CER(spaces="drop"), pair)["cer"] == 0
    assert "|unit:char|spaces:keep|" in CER().signature
    assert "|unit:char|spaces:drop|" in CER(spaces="drop").signature


def test_graphemes() -> None:
    """One base letter with two marks, a family of three, a flag, a syllable of Hangul letters."""
    ref = "e\u0301\u0323 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1eb\U0001f1f7 \u1112\u1161\u11ab"
    result = score(CER(unit="grapheme"), (ref, "x"))
    assert result["reference_characters"] == 7
    assert score(CER(unit="grapheme", spaces="drop"), (ref, "x"))["reference_characters"] == 4
    assert score(CER(), (ref, "x"))["reference_characters"] == len(ref)
    assert "|unit:grapheme|" in CER(unit="grapheme").signature


def test_graphemes_need_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "regex", None)
    with pytest.raises(ConfigError, match="needs the package regex, which is not installed"):
        CER(unit="grapheme")


def test_normalised_sides_may_become_equal() -> None:
    metric = WER(normalise=["lower", {"punctuation": {"keep": "'"}}])
    assert score(metric, ("Don't stop!", "don't STOP"), ("a", "b"))["wer"] == 1 / 3
    assert "|norm:lower+punct(')|" in metric.signature


def test_signature_says_every_choice() -> None:
    assert WER().signature == "measure-core|v:1.0.0|metric:wer|norm:none|unit:word|empty:count|align:unit"
    spelled = WER(normalise=["nfkc"], empty="dot", alignment="sclite").signature
    assert spelled == "measure-core|v:1.0.0|metric:wer|norm:nfkc|unit:word|empty:dot|align:sclite"


def test_per_utterance() -> None:
    result = score(WER(per_utterance=True), ("a b", "a x"), ("", "y"))
    assert result["_per_utterance"] == {
        "hits": [1, 0],
        "substitutions": [1, 0],
        "deletions": [0, 0],
        "insertions": [0, 1],
        "reference_words": [2, 0],
        "wer": [0.5, None],
    }


def test_aligned_tokens() -> None:
    result = score(WER(per_utterance=True, alignment=True), ("a b c d", "a x c e f"), ("a", "a"), ("p q", "q"))
    assert result["_per_utterance"]["alignment"] == [  # type: ignore[index]
        [("=", "a", "a"), ("S", "b", "x"), ("=", "c", "c"), ("I", None, "e"), ("S", "d", "f")],
        [("=", "a", "a")],
        [("D", "p", None), ("=", "q", "q")],
    ]
    rows = list(WER().rows(WER().count(data(("a", "b"))), ["u1"], data(("a", "b"))))
    assert rows[0]["alignment"] == [("S", "a", "b")]
    assert "|align:unit" in WER(alignment=True).signature


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.sampled_from(["unit", "sclite"]))
def test_alignment_has_what_was_counted(pairs: list[tuple[str, str]], costs: str) -> None:
    metric = WER(alignment=costs)
    counts = metric.count(data(*pairs))
    for k, aligned in enumerate(metric.align(data(*pairs))):
        kinds: list[str] = [kind for kind, _, _ in aligned]
        columns = {"=": "hits", "S": "substitutions", "D": "deletions", "I": "insertions"}
        assert {name: int(counts[name][k]) for name in columns.values()} == {
            name: kinds.count(kind) for kind, name in columns.items()
        }
        assert [token for _, token, _ in aligned if token is not None] == pairs[k][0].split()
        assert [token for _, _, token in aligned if token is not None] == pairs[k][1].split()


def test_warning_names_the_utterance(caplog: pytest.LogCaptureFixture) -> None:
    metric = WER()
    utterances = data(("a", "a"), ("", "uh huh"))
    assert metric.warnings(metric.count(utterances), utterances["utt_id"]) == [
        "1 utterance has no reference words, so its wer is undefined: u2"
    ]
    metric(utterances, "test", OUT)
    assert caplog.messages == ["wer on test: 1 utterance has no reference words, so its wer is undefined: u2"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"empty": "drop"}, "wer: empty is 'drop'; it must be count or dot"),
        ({"alignment": "nist"}, "wer: alignment is 'nist'; it must be unit, sclite or true"),
        ({"per_utterance": "yes"}, "wer: per_utterance is 'yes'; it must be true or false"),
        ({"ref_key": 3}, "wer: ref_key is 3; it must be the name of an input"),
        ({"normalise": ["lowr"]}, r"normalise\[0\]: there is no step 'lowr'"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        WER(**options)  # type: ignore[arg-type]


def test_wrong_options_of_characters() -> None:
    with pytest.raises(ConfigError, match="spaces is 'no'"):
        CER(spaces="no")
    with pytest.raises(ConfigError, match="unit is 'byte'"):
        CER(unit="byte")


def test_wrong_inputs() -> None:
    with pytest.raises(MetricError, match="no input 'hyp'; there is 'utt_id', 'ref'"):
        WER()({"utt_id": ["u1"], "ref": ["a"]}, "test", OUT)
    with pytest.raises(MetricError, match="input 'hyp' has 2 values for 1 utterances"):
        WER()({"utt_id": ["u1"], "ref": ["a"], "hyp": ["a", "b"]}, "test", OUT)
    with pytest.raises(MetricError, match="different numbers of values: 'ref' has 1, 'hyp' has 2"):
        WER()({"ref": ["a"], "hyp": ["a", "b"]}, "test", OUT)


def test_other_inputs() -> None:
    metric = WER(ref_key="text", hyp_key="1best")
    assert metric.input_keys == ("text", "1best")
    assert metric({"text": ["a"], "1best": ["b"]}, "test", OUT)["wer"] == 1


# phones


@pytest.fixture
def phone_map(tmp_path: Path) -> str:
    path = tmp_path / "phones.map"
    path.write_text("ah ax\nix ax\nh# sil\n")
    return str(path)


def test_phones_by_class(phone_map: str) -> None:
    pair = "h# k ah t", "sil k ix t"
    assert score(PER(), pair)["per"] == 0.5
    assert score(PER(map=phone_map), pair)["per"] == 0
    assert score(PER(map=phone_map), pair)["reference_phones"] == 4


def test_dropped_by_own_name_or_by_class(phone_map: str) -> None:
    pair = "h# k ah t h#", "k ix t"
    assert score(PER(map=phone_map, drop=["sil"]), pair)["per"] == 0
    assert score(PER(drop=["h#"]), pair)["reference_phones"] == 3
    metric = PER(map=phone_map, drop=["sil", "q"])
    assert "|unit:phone|map:phones.map#" in metric.signature
    assert "|drop:q,sil|" in metric.signature
    assert "|map:none|drop:none|" in PER().signature


def test_map_counts_by_what_it_says(phone_map: str, tmp_path: Path) -> None:
    other = tmp_path / "again" / "phones.map"
    other.parent.mkdir()
    other.write_text("h#\tsil\r\n\n  ix  ax\nah ax\nah ax")
    assert PER(map=str(other)).signature == PER(map=phone_map).signature
    other.write_text("h# sil\nah ax\n")
    assert PER(map=str(other)).signature != PER(map=phone_map).signature


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ah ax\nq\n", r"phones.map:2: 1 word, wanted two"),
        ("ah ax iy\n", r"phones.map:1: 3 words, wanted two"),
        ("ah ax\nah iy\n", r"phones.map:2: 'ah' becomes 'iy', but line 1 says 'ax'"),
        ("\n", r"phones.map: there is nothing in it"),
    ],
)
def test_wrong_map(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "phones.map"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        PER(map=str(path))


def test_map_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        PER(map=str(tmp_path / "none"))
    with pytest.raises(InputError, match="is a directory"):
        PER(map=str(tmp_path))
    (tmp_path / "latin").write_bytes(b"\xe9 e\n")
    with pytest.raises(InputError, match="latin:1"):
        PER(map=str(tmp_path / "latin"))


def test_lists_of_omegaconf() -> None:
    drop = OmegaConf.create(["sil"])
    assert PER(drop=drop).signature == PER(drop=["sil"]).signature


def test_wrong_options_of_phones() -> None:
    with pytest.raises(ConfigError, match="map is 3; it must be the path"):
        PER(map=3)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="drop is 'sil'; it must be a list"):
        PER(drop="sil")
    with pytest.raises(ConfigError, match="drop has False; each must be one phone"):
        PER(drop=[False])  # type: ignore[list-item]


# pieces


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    from sentencepiece import SentencePieceTrainer

    written = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(["low lower lowest", "new newer newest", "slow slower slowest"] * 20),
        model_writer=written,
        vocab_size=20,
        model_type="bpe",
        minloglevel=2,
    )
    path = tmp_path_factory.mktemp("pieces") / "bpe.model"
    path.write_bytes(written.getvalue())
    return str(path)


def test_pieces(model: str) -> None:
    from sentencepiece import SentencePieceProcessor

    metric = TER(tokenizer=model)
    processor = SentencePieceProcessor(model_file=model)
    ref, hyp = "lower newest", "low newer"
    pieces = [processor.encode(text, out_type=str) for text in (ref, hyp)]
    said = jiwer.process_words(" ".join(pieces[0]), " ".join(pieces[1]))
    result = score(metric, (ref, hyp))
    assert result["reference_pieces"] == len(pieces[0])
    assert result["ter"] == pytest.approx(said.wer)
    assert "|unit:piece|tok:bpe.model#" in metric.signature


def test_unknown_pieces_differ(model: str) -> None:
    assert score(TER(tokenizer=model), ("low ж", "low щ"))["substitutions"] == 1


def test_pieces_can_be_pickled(model: str) -> None:
    metric = TER(tokenizer=model)
    again = pickle.loads(pickle.dumps(metric))
    assert again.signature == metric.signature
    assert score(again, ("lower", "low")) == score(metric, ("lower", "low"))


def test_pieces_need_a_package(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(ConfigError, match=r"sentencepiece, which is not installed(.|\n)*measure-core\[sentencepiece\]"):
        TER(tokenizer=model)


def test_wrong_models(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        TER(tokenizer=str(tmp_path / "none.model"))
    with pytest.raises(InputError, match="Is a directory"):
        TER(tokenizer=str(tmp_path))
    (tmp_path / "x.model").write_text("no model")
    with pytest.raises(InputError, match=r"x\.model: not a SentencePiece model"):
        TER(tokenizer=str(tmp_path / "x.model"))
    (tmp_path / "empty.model").write_bytes(b"")
    with pytest.raises(InputError, match="not a SentencePiece model"):
        TER(tokenizer=str(tmp_path / "empty.model"))
    with pytest.raises(ConfigError, match="tokenizer is None"):
        TER(tokenizer=None)  # type: ignore[arg-type]
