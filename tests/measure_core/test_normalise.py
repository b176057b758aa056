"""Steps of normalisation: what they do, how a configuration names them, how faults are told."""

from __future__ import annotations

import pickle
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf

from measure_core.builtin import WER
from measure_core.errors import ConfigError, InputError, MetricError
from measure_core.normalise import Normaliser, Step, normaliser
from measure_core.normalise.pipeline import escaped
from measure_core.normalise.steps import FILLERS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("step", "text", "wanted"),
    [
        ("nfc", "e\u0301 ﬁ", "\u00e9 ﬁ"),
        ("nfkc", "e\u0301 ﬁ", "\u00e9 fi"),
        ("lower", "Straße ÉTÉ", "straße été"),
        ("casefold", "Straße ÉTÉ", "strasse été"),
        ("punctuation", "“Don't—stop!” 5€", "Dontstop 5€"),
        ({"punctuation": None}, "a,b", "ab"),
        ({"punctuation": {"keep": "'-"}}, "don't—stop, well-known.", "don'tstop well-known"),
        ({"remove": ["<unk>", "[noise]"]}, "a <unk> b<unk>  [noise]", "a b<unk>"),
        ({"remove": "<unk>"}, "<unk>", ""),
        ({"fillers": "en"}, "Uh I, um, see Hmm", "I, um, see"),
        ({"regex": {"pattern": r"\[.*?\]", "by": " "}}, "a[x]b", "a b"),
        ({"regex": {"pattern": r"(\w)\1", "by": r"\1"}}, "aabb", "ab"),
        ({"regex": {"pattern": "x"}}, "axb", "ab"),
        ("whisper_basic", "Hello,  [noise] WORLD!", "hello world"),
        ("whisper_english", "Twenty-one colours, won't it?", "21 colors will not it"),
    ],
)
def test_steps(step: object, text: str, wanted: str) -> None:
    assert normaliser([step])(text) == wanted


def test_order_matters() -> None:
    steps: list[object] = ["lower", {"remove": ["UM"]}]
    assert normaliser(steps)("UM a") == "um a"
    assert normaliser(steps[::-1])("UM a") == "a"


def test_nothing_is_done_unless_asked() -> None:
    configs: tuple[object, ...] = (None, [], ())
    for config in configs:
        nothing = normaliser(config)
        assert not nothing
        assert nothing.signature == "none"
        assert nothing("  A,\tb ") == "  A,\tb "


def test_signature() -> None:
    config: list[object] = ["nfkc", "lower", {"punctuation": {"keep": "'"}}, {"remove": ["<unk>"]}, {"fillers": "en"}]
    assert normaliser(config).signature == "nfkc+lower+punct(')+remove(<unk>)+fillers(en)"
    assert normaliser(["punctuation"]).signature == "punct"
    assert normaliser([{"remove": ["b", "a", "b"]}]).signature == "remove(a,b)"
    assert normaliser([{"regex": {"pattern": "a|b c", "by": "+"}}]).signature == "regex(a%7Cb%20c,%2B)"
    assert normaliser(["whisper_english"]).signature.startswith("whisper_english(0.")
    many = normaliser([{"remove": [f"token{k}" for k in range(50)]}]).signature
    assert many.startswith("remove(50#")
    assert len(many) < 30


@given(st.text())
def test_a_signature_cannot_be_broken_by_a_value(text: str) -> None:
    shown = escaped(text)
    assert not set(shown) & set("|+(),: \n\t")
    assert bytes(shown, "utf-8", "surrogatepass").isascii() or shown.isprintable()


@given(st.text(max_size=30))
def test_steps_change_nothing_twice(text: str) -> None:
    config: list[object] = ["nfkc", "casefold", "nfkc", "punctuation", {"remove": ["a"]}, {"fillers": "en"}]
    once = normaliser(config)(text)
    assert normaliser(config[3:])(once) == once


@given(st.text())
def test_punctuation_is_what_unicode_says(text: str) -> None:
    kept = [c for c in text if c == "-" or not unicodedata.category(c).startswith("P")]
    assert normaliser([{"punctuation": {"keep": "-"}}])(text) == "".join(kept)


def test_fillers_are_in_lower_case_words() -> None:
    assert all(word == word.lower() and word.isalpha() for words in FILLERS.values() for word in words)


# files


def test_replace(tmp_path: Path) -> None:
    path = tmp_path / "variants.tsv"
    path.write_text("colour\tcolor\ncan't\tcan not\neh\t\n\n", "utf-8")
    steps = normaliser([{"replace": {"file": str(path)}}])
    assert steps("eh colour  can't colours") == "color can not colours"
    assert steps.signature.startswith("replace(variants.tsv#")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour color\n", r"x\.tsv:1: 0 tabs, wanted one"),
        ("a\tb\nc\td\te\n", r"x\.tsv:2: 2 tabs, wanted one"),
        ("two words\tone\n", r"x\.tsv:1: 'two words' is not one token"),
        ("\tone\n", r"x\.tsv:1: '' is not one token"),
        ("a\tb\na\tc\n", r"x\.tsv:2: 'a' becomes 'c', but line 1 says 'b'"),
        ("", r"x\.tsv: there is nothing in it"),
    ],
)
def test_wrong_files_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        normaliser([{"replace": {"file": str(path)}}])
    assert caught.value.path == str(path)


@pytest.mark.parametrize("content", [None, b"a\tb\xff\n", b"\xff\xfea\x00"])
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.tsv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"x\.tsv"):
        normaliser([{"replace": {"file": str(path)}}])
    with pytest.raises(InputError, match="is a directory"):
        normaliser([{"replace": {"file": str(tmp_path)}}])


# configurations


def test_omegaconf_lists_and_mappings() -> None:
    config = OmegaConf.create({"normalise": ["lower", {"punctuation": {"keep": "'"}}, {"remove": ["<unk>"]}]})
    steps = normaliser(config.normalise)
    assert steps.signature == "lower+punct(')+remove(<unk>)"
    assert WER(normalise=config.normalise).signature == WER(normalise=steps).signature


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("lower", r"normalise is str 'lower'; it must be a list of steps"),
        ({"lower": None}, r"normalise is dict .*; it must be a list of steps"),
        (3, r"normalise is int 3"),
        (["nfkc", "lowercase"], r"normalise\[1\]: there is no step 'lowercase'(.|\n)*did you mean"),
        (["stem"], r"normalise\[0\]: there is no step 'stem'"),
        ([None], r"normalise\[0\] is None; it must be the name of a step"),
        ([str.lower], r"normalise\[0\] is <method"),
        ([{"punctuation": None, "keep": "'"}], r"names 2 steps: punctuation, keep; one is wanted(.|\n)*indent"),
        ([{}], r"normalise\[0\] names 0 steps"),
        ([{3: None}], r"normalise\[0\]: there is no step 3"),
        ([{"lower": {"language": "tr"}}], r"normalise\[0\]: lower has no option 'language'; it takes none"),
        ([{"lower": "tr"}], r"the options of lower are 'tr'; nothing is wanted"),
        ([{"punctuation": "'"}], r"the options of punctuation are \"'\"; a mapping of keep is wanted"),
        ([{"punctuation": {"keeep": "'"}}], r"punctuation has no option 'keeep'; it takes keep"),
        ([{"punctuation": {"keep": 1}}], r"punctuation.keep is 1, a int; it must be text"),
        (["remove"], r"remove is None; it must be a list of tokens"),
        ([{"remove": []}], r"remove is \[\]; it must be a list of tokens"),
        ([{"remove": [False]}], r"remove is False, a bool; it must be text(.|\n)*quotation marks"),
        ([{"remove": ["a b"]}], r"remove has 'a b', which is not one token"),
        ([{"remove": [" a"]}], r"remove has ' a', which is not one token"),
        ([{"fillers": "xx"}], r"fillers is 'xx'; it must be one of en"),
        (["fillers"], r"fillers is None; it must be one of en"),
        (["replace"], r"replace needs file"),
        ([{"replace": {"file": None}}], r"replace.file is None"),
        ([{"regex": {"by": ""}}], r"regex needs pattern"),
        ([{"regex": {"pattern": "("}}], r"pattern '\(' is no regular expression"),
        ([{"regex": {"pattern": "a", "by": r"\1"}}], r"by '\\\\1' does not go with pattern 'a'"),
        ([{"regex": {"pattern": "a", "by": r"\g<x>"}}], r"does not go with pattern 'a'"),
    ],
)
def test_wrong_configurations(config: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        normaliser(config)


# own classes


class Reverse:
    """A class as a user writes it."""

    def __init__(self, times: int = 1) -> None:
        self.times = times

    def __call__(self, text: str) -> str:
        return text[::-1] if self.times % 2 else text


class Numb:
    """A class whose objects give no text."""

    def __call__(self, text: str) -> int:
        return len(text)


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name: str, text: str) -> None:
        (tmp_path / f"{name}.py").write_text(text)

    return write


OWN = """
class Shout:
    def __init__(self, mark="!"):
        self.mark = mark
    def __call__(self, text):
        return text.upper() + self.mark
class Mute:
    pass
class Broken:
    def __init__(self):
        raise RuntimeError("no model")
    def __call__(self, text):
        return text
def shout(text):
    return text.upper()
from subprocess import Popen
"""


def test_own_classes(own_module: Callable[[str, str], None]) -> None:
    own_module("own_steps_a", OWN)
    plain = normaliser(["own_steps_a.Shout"])
    assert plain("a") == "A!"
    assert plain.signature == "own_steps_a.Shout"
    with_options = normaliser([{"own_steps_a.Shout": {"mark": "?"}}])
    assert with_options("a") == "A?"
    assert with_options.signature == "own_steps_a.Shout(mark='?')"


def test_objects_of_a_configuration() -> None:
    steps = normaliser([Reverse(), "lower"])
    assert steps("AB") == "ba"
    assert steps.signature.endswith(".Reverse+lower") or steps.signature.endswith("Reverse+lower")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("own_steps_b.Shot", r"normalise\[0\]: `own_steps_b.Shot`: own_steps_b has no Shot(.|\n)*did you mean"),
        ("own_steps_b.shout", "own_steps_b.shout is not a class whose objects can be called"),
        ("own_steps_b.Mute", "own_steps_b.Mute is not a class whose objects can be called"),
        ("own_steps_b.Broken", "own_steps_b.Broken cannot be built: RuntimeError: no model"),
        ({"own_steps_b.Shout": {"sign": "?"}}, "own_steps_b.Shout cannot be built: TypeError: .*'sign'"),
        ({"own_steps_b.Shout": "?"}, "the options of own_steps_b.Shout are '[?]'; they must be a mapping"),
        ("own_steps_b.Popen", "own_steps_b.Popen may not be used"),
        ("no_such_module.Step", "there is no module no_such_module"),
        ("own_steps_b.2nd", "not a dotted path"),
        ("os.path.join", "os.path.join may not be used"),
        ("os.system", "os.system may not be used"),
        ("subprocess.Popen", "subprocess.Popen may not be used"),
        ("builtins.eval", "builtins.eval may not be used"),
        ("importlib.import_module", "importlib.import_module may not be used"),
        ("collections.OrderedDict", "collections.OrderedDict is not a class whose objects can be called"),
    ],
)
def test_wrong_classes(own_module: Callable[[str, str], None], step: object, message: str) -> None:
    own_module("own_steps_b", OWN)
    with pytest.raises(ConfigError, match=message):
        normaliser([step])


def test_a_normaliser_gives_text() -> None:
    with pytest.raises(MetricError, match="Numb gave int for 'abc'; a normaliser gives text"):
        normaliser([Numb()])("abc")


def test_whisper_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.metadata

    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(ConfigError, match=r"whisper-normalizer, which is not installed(.|\n)*measure-core\[whisper\]"):
        normaliser(["whisper_basic"])


def test_steps_travel_to_other_processes(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("a\tb\n")
    config: list[Any] = [
        "nfc",
        "nfkc",
        "lower",
        "casefold",
        {"punctuation": {"keep": "'"}},
        {"remove": ["x"]},
        {"fillers": "en"},
        {"replace": {"file": str(path)}},
        {"regex": {"pattern": "q", "by": "k"}},
        "whisper_basic",
    ]
    steps = normaliser(config)
    again = pickle.loads(pickle.dumps(steps))
    assert again.signature == steps.signature
    assert again("A, um x q don't") == steps("A, um x q don't") == "b k don t"


def test_a_pipeline_of_ones_own() -> None:
    assert Normaliser((Step("x", str.upper),))("a") == "A"
