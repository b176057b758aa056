"""Reading a configuration: YAML with places, defaults, overrides, interpolation."""

import time
from pathlib import Path

import pytest

from measure_core import ConfigError
from measure_core.config.document import load_document, node_at, plain


def written(folder: Path, text: str, name: str = "measure.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_interpolations_are_resolved_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEASURE_BEAM", "5")
    text = "a: {b: 1, c: '${.b}'}\nd: ${a.b}\ne: ${oc.env:MEASURE_BEAM}\nf: ${nowhere}\nl: [x, '${l.0}']\n"
    document = load_document(written(tmp_path, text))
    assert plain(document, "a") == {"b": 1, "c": 1}
    assert plain(document, "d") == 1
    assert plain(document, "e") == "5"
    assert plain(document, "l") == ["x", "x"]
    assert plain(document, "not", "there") is None
    with pytest.raises(ConfigError, match="nowhere") as caught:
        plain(document, "f")
    assert "measure.yaml:4" in str(caught.value)


def test_a_node_can_be_looked_at_without_resolving_it(tmp_path: Path) -> None:
    text = (
        "dataset: {_target_: x.Y, root: '${nowhere}', test: [{name: a}]}\nn: ~\nd: ${dataset}\nt: ${d.test}\nm: ???\n"
    )
    document = load_document(written(tmp_path, text))
    for place in (("dataset", "test"), ("d", "test"), ("t",)):
        assert [one["name"] for one in node_at(document, *place)] == ["a"]
    assert node_at(document, "t", 0, "name") == "a"
    assert node_at(document, "dataset", "_target_") == "x.Y"
    assert [node_at(document, *place) for place in (("n",), ("n", "x"), ("x",), ("d", "x"))] == [None] * 4
    for wrong, words in (
        (("dataset", "root"), "nowhere"),
        (("m",), "m"),
        (("t", "name"), "a mapping is wanted"),
        (("d", 0), "a list is wanted"),
        (("d", "_target_", "x"), "a mapping is wanted"),
    ):
        with pytest.raises(ConfigError, match=words):
            node_at(document, *wrong)


def test_aliases_of_aliases_are_refused_at_once(tmp_path: Path) -> None:
    for many in ("[{}]", "{{{}}}"):
        levels = [f"l0: &l0 {many.format('x: x' if many[0] == '{' else 'x')}"]
        for i in range(1, 30):
            uses = [f"k{k}: *l{i - 1}" if many[0] == "{" else f"*l{i - 1}" for k in range(9)]
            levels.append(f"l{i}: &l{i} {many.format(', '.join(uses))}")
        started = time.perf_counter()
        with pytest.raises(ConfigError, match=r"yaml: the aliases of the file stand for more than 10000 values"):
            load_document(written(tmp_path, "\n".join(levels)))
        assert time.perf_counter() - started < 1
    merged = "a: &a {x: 1}\n" + "".join(f"b{i}: {{<<: *a, y: {i}}}\n" for i in range(1000))
    assert plain(load_document(written(tmp_path, merged)), "b999") == {"x": 1, "y": 999}
    with pytest.raises(ConfigError, match="an alias of the file contains itself"):
        load_document(written(tmp_path, "a: &a [*a]\n"))


def test_a_missing_value_is_refused(tmp_path: Path) -> None:
    document = load_document(written(tmp_path, "metrics:\n  - metric: ???\n"))
    with pytest.raises(ConfigError, match="metric"):
        plain(document, "metrics", 0)


def test_every_node_has_its_line(tmp_path: Path) -> None:
    document = load_document(written(tmp_path, "a: 1\nmetrics:\n  - metric: wer\n\n  - metric: cer\n    name: x\n"))
    assert document.at("metrics", 1)[1] == 5
    assert document.at("metrics", 1, "name")[1] == 6
    assert document.at("metrics", 1, "none", "such")[1] == 5
    assert document.where("metrics", 0) == f"metrics[0] ({tmp_path / 'measure.yaml'}:3)"


def test_a_key_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "infer_dir: x\nmetrics:\n  - metric: wer\n    name: a\n    name: b\n")
    with pytest.raises(ConfigError, match=r"yaml:5: the key metrics\.0\.name is on line 4 already") as caught:
        load_document(path)
    assert caught.value.line == 5


def test_merge_keys_and_anchors_are_no_second_keys(tmp_path: Path) -> None:
    text = "base: &base {x: 1}\none:\n  <<: *base\n  y: 2\ntwo: *base\n"
    assert plain(load_document(written(tmp_path, text)), "one") == {"x": 1, "y": 2}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1, 2\nb: 3\n", "not YAML"),
        ("a: b: c\n", "yaml:1: not YAML"),
        ("- 1\n- 2\n", "a mapping is wanted at the top"),
        ("just text\n", "a mapping is wanted at the top"),
        ("a: \x07\n", "not YAML"),
        ("a: &a [*a]\n", "contains itself"),
        ("a: !!python/object/apply:os.system ['true']\n", "not YAML"),
    ],
)
def test_what_is_no_configuration_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_document(written(tmp_path, text))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_document(tmp_path / "absent.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_document(tmp_path)
    path = tmp_path / "latin.yaml"
    path.write_bytes("a: 1\nb: é\n".encode("latin-1"))
    with pytest.raises(ConfigError, match=r"latin.yaml:2: not UTF-8: byte 0xe9"):
        load_document(path)


def test_a_mark_and_an_empty_file_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "mark.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert plain(load_document(path), "a") == 1
    assert plain(load_document(written(tmp_path, "")), "a") is None


def test_defaults_are_merged_in_order(tmp_path: Path) -> None:
    written(tmp_path, "x: 1\ny: 1\nz: 1\n", "base.yaml")
    written(tmp_path, "y: 2\n", "more.yaml")
    last = load_document(written(tmp_path, "defaults: [base, more]\nz: 3\n"))
    assert plain(last) == {"x": 1, "y": 2, "z": 3}
    first = load_document(written(tmp_path, "defaults: [_self_, base.yaml]\nz: 3\n"))
    assert plain(first) == {"x": 1, "y": 1, "z": 1}
    assert last.at("y") == (str(tmp_path / "more.yaml"), 1)


def test_defaults_that_lead_nowhere_or_back(tmp_path: Path) -> None:
    words = r"measure.yaml:2: `defaults` names 'other', but there is no file .*other.yaml"
    with pytest.raises(ConfigError, match=words) as caught:
        load_document(written(tmp_path, "defaults:\n - other\n"))
    assert caught.value.line == 2
    with pytest.raises(ConfigError, match="lead back"):
        load_document(written(tmp_path, "defaults: [measure]\n"))
    with pytest.raises(ConfigError, match="list of names"):
        load_document(written(tmp_path, "defaults: {model: x}\n"))


def test_overrides_come_after_defaults(tmp_path: Path) -> None:
    written(tmp_path, "a: {b: 1, c: 1}\n", "base.yaml")
    path = written(tmp_path, "defaults: [base]\nmetrics: [{metric: wer}]\n")
    document = load_document(path, ["a.b=2", "new.key=[1, x]", "metrics.0.name=raw", "a.d={e: 1e3}"])
    assert plain(document, "a") == {"b": 2, "c": 1, "d": {"e": 1000.0}}
    assert plain(document, "new", "key") == [1, "x"]
    assert plain(document, "metrics", 0) == {"metric": "wer", "name": "raw"}


@pytest.mark.parametrize("override", ["a", "=1", "metrics.7.name=x", "a=[1", "metrics.x.y=1"])
def test_overrides_that_make_no_sense(tmp_path: Path, override: str) -> None:
    with pytest.raises(ConfigError, match="--set"):
        load_document(written(tmp_path, "a: 1\nmetrics: [{metric: wer}]\n"), [override])


def test_a_mapping_is_taken_as_it_is_and_not_changed() -> None:
    from omegaconf import OmegaConf

    given = {"a": 1}
    assert plain(load_document(given, ["a=2"]), "a") == 2
    assert given == {"a": 1}
    config = OmegaConf.create({"a": 1})
    assert plain(load_document(config, ["a=2"]), "a") == 2
    assert config.a == 1
    with pytest.raises(ConfigError, match="is a list"):
        load_document(OmegaConf.create([1]))
