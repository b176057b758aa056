"""Pieces of words, as a SentencePiece model cuts them."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Any

from measure_core.errors import ConfigError, InputError
from measure_core.normalise.pipeline import escaped

__all__ = ["Pieces"]


class Pieces:
    """A SentencePiece model.

    Parameters
    ----------
    path : path-like or str
        The model file; a call takes a text and gives its pieces.

    Raises
    ------
    ConfigError
        If the path is not one, or the package sentencepiece is not installed.
    InputError
        If the file cannot be read or holds no model.
    """

    def __init__(self, path: object) -> None:
        if not isinstance(path, str | os.PathLike) or not os.fspath(path):
            raise ConfigError(f"ter: tokenizer is {path!r}; it must be the path of a SentencePiece model")
        self.path = os.fspath(path)
        try:
            with open(self.path, "rb") as stream:
                model = stream.read()
        except OSError as error:
            what = f"{self.path}: {error.strerror or error}"
            raise InputError(what, fixes=["give the path of a SentencePiece model"], path=self.path) from error
        self._load(model)
        self.name = f"{escaped(os.path.basename(self.path))}#{sha256(model).hexdigest()[:8]}"
        """Name for a signature: that of the file and a digest of what it holds."""

    def _load(self, model: bytes) -> None:
        try:
            from sentencepiece import SentencePieceProcessor
        except ImportError as error:
            what = "ter: tokenizer needs the package sentencepiece, which is not installed"
            raise ConfigError(what, fixes=["pip install 'measure-core[sentencepiece]'"]) from error
        fault = InputError(
            f"{self.path}: not a SentencePiece model",
            fixes=["give the .model file, not the .vocab file"],
            path=self.path,
        )
        if not model:
            raise fault
        try:
            self._processor = SentencePieceProcessor(model_proto=model)
        except (RuntimeError, TypeError) as error:
            raise fault from error
        self._model = model

    def __call__(self, text: str) -> list[str]:
        """Cut a text into pieces."""
        pieces: list[str] = self._processor.encode(text, out_type=str)
        return pieces

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "name": self.name, "model": self._model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.path, self.name = state["path"], state["name"]
        self._load(state["model"])
