"""The signature states every choice that changes the number."""

from mdeval import __version__
from mdeval.signature import signature


def test_defaults_are_stated_too() -> None:
    assert signature("der", collar=0.25, ignore_overlap=False, uem="file") == (
        f"mdeval|v:{__version__}|metric:der|collar:0.25|overlap:scored|uem:file|zones:DEFAULT|missing:miss"
        "|channels:matched"
    )


def test_every_choice_changes_it() -> None:
    base = {"collar": 0.0, "ignore_overlap": False, "uem": "file"}
    changes: list[dict[str, object]] = [
        {}, {"collar": 0.5}, {"ignore_overlap": True}, {"uem": "inferred"}, {"missing": "skip"},
        {"channels": "ignored"},
    ]  # fmt: skip
    found = [signature("der", **{**base, **change}) for change in changes]  # type: ignore[arg-type]
    assert len(set(found)) == len(changes)
    assert "|overlap:excluded|" in found[2]
    assert "|collar:0|" in found[0]
