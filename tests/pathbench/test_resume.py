"""A run that is killed goes on where it stopped."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from pathbench.store import Store

MINI = Path(__file__).parent / "data" / "minidata" / "mini" / "pathological" / "word" / "balanced"
N_READABLE, N_UTTERANCES, N_SPEAKERS, N_KILLS = 19, 20, 6, 10
EVALUATOR = '''
import os, time
from pathbench.evaluator import ReferenceFreeEvaluator

class Slow(ReferenceFreeEvaluator):
    """Takes its time, and leaves a line for every call."""

    name = "slow"

    def _score_audio(self, audio, fs):
        with open(os.environ["CALLS"], "a") as stream:
            stream.write("call\\n")
        time.sleep(0.03)
        return float(abs(audio).mean())
'''


def command(out: Path) -> list[str]:
    evaluators = "cpp,wada_snr,f0_range,slow:Slow"
    return [sys.executable, "-m", "pathbench", "run", str(MINI), "--evaluators", evaluators, "--out", str(out)]


def test_killed_ten_times_at_random_moments_the_end_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(EVALUATOR, encoding="utf-8")
    calls = tmp_path / "calls"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "CALLS": str(calls)}

    def finish(out: Path) -> tuple[list[tuple[object, ...]], bytes]:
        done = subprocess.run(command(out), env=environment, capture_output=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        with Store(str(out / "scores.sqlite"), read_only=True) as store:
            return store.content(), done.stdout

    begun = time.monotonic()
    undisturbed, text = finish(tmp_path / "whole")
    seconds = time.monotonic() - begun
    assert len(calls.read_text().splitlines()) == N_READABLE
    calls.unlink()
    generator = random.Random(11)
    n_rows, n_killed = 0, 0
    for _ in range(N_KILLS):
        run = subprocess.Popen(
            command(tmp_path / "killed"), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            run.wait(generator.uniform(0.2, 0.6) * seconds)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.wait()
            n_killed += 1
        path = tmp_path / "killed" / "scores.sqlite"
        if path.exists():
            try:
                with Store(str(path)) as store:
                    rows = len(store.content())
            except Exception as error:
                raise AssertionError(f"the store cannot be opened any more: {error}") from error
            assert rows >= n_rows  # nothing that was kept is lost
            n_rows = rows
    assert n_killed >= 3
    again, text_again = finish(tmp_path / "killed")
    assert again == undisturbed
    assert text_again == text
    # what a kill can cost is the utterance that was being computed
    assert len(calls.read_text().splitlines()) <= N_READABLE + n_killed
    assert len(undisturbed) == 3 * N_UTTERANCES + N_SPEAKERS
