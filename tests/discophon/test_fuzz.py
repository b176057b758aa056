"""Files with damage of any kind are read, or refused with an error that names the file; nothing else happens."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from discophon.data import read_gold_annotations, read_submitted_units
from discophon.errors import DiscophonError
from discophon_support import DATA
from speechio.errors import SpeechioError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BYTES = b' \n\r\t0123456789.-"{}[],:\x00\xff\xc3eNa#'
READERS: dict[str, tuple[Callable[[Path], object], Path]] = {
    "gold": (read_gold_annotations, DATA / "alignment" / "alignment-swa-dev.txt"),
    "units": (read_submitted_units, DATA / "units" / "k256-20ms" / "units-swa-dev.jsonl"),
}


def damaged(content: bytes, dice: random.Random) -> bytes:
    """Change, remove, insert or repeat some bytes."""
    data = bytearray(content)
    for _ in range(dice.randint(1, 3)):
        place, kind = dice.randrange(len(data)), dice.randrange(4)
        if kind == 0:
            data[place] = dice.choice(BYTES)
        elif kind == 1:
            del data[place : place + dice.randint(1, 40)]
        elif kind == 2:
            data[place:place] = bytes(dice.choices(BYTES, k=dice.randint(1, 6)))
        else:
            other = dice.randrange(len(data))
            data[place:place] = data[other : other + dice.randint(1, 200)]
    return bytes(data)


@pytest.mark.parametrize("name", READERS)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    reader, source = READERS[name]
    content = source.read_bytes()[:3000].rpartition(b"\n")[0] + b"\n"
    dice = random.Random(22)
    path = tmp_path / "damaged"
    path.write_bytes(content)
    assert reader(path)
    messages = []
    for _ in range(300):
        path.write_bytes(damaged(content, dice))
        try:
            reader(path)
        except (DiscophonError, SpeechioError) as error:
            messages.append(str(error))
    assert len(messages) > 100
    assert all(str(path) in message for message in messages)
