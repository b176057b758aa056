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
SECONDS_OF_CALL = 0.1
EVALUATOR = '''
import os, time
from pathbench.evaluator import ReferenceFreeEvaluator

class Slow(ReferenceFreeEvaluator):
    """Takes its time, and leaves a line for every call."""

    name = "slow"

    def _score_audio(self, audio, fs):
        with open(os.environ["CALLS"], "a") as stream:
            stream.write("call\\n")
        time.sleep(0.1)
        return float(abs(audio).mean())
'''


def command(out: Path) -> list[str]:
    evaluators = "cpp,wada_snr,f0_range,slow:Slow"
    return [sys.executable, "-m", "pathbench", "run", str(MINI), "--evaluators", evaluators, "--out", str(out)]


def test_killed_ten_times_at_random_moments_the_end_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(EVALUATOR, encoding="utf-8")
    calls = tmp_path / "calls"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "CALLS": str(calls)}

    def n_calls() -> int:
        return len(calls.read_text().splitlines()) if calls.exists() else 0

    def finish(out: Path) -> tuple[list[tuple[object, ...]], bytes]:
        done = subprocess.run(command(out), env=environment, capture_output=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        with Store(str(out / "scores.sqlite"), read_only=True) as store:
            return store.content(), done.stdout

    undisturbed, text = finish(tmp_path / "whole")
    assert n_calls() == N_READABLE
    calls.unlink()
    generator = random.Random(11)
    n_rows = 0
    for i in range(N_KILLS):
        # every other one while it computes: however fast the machine is, none has ended by then
        n_wanted = n_calls() + 1 if i % 2 else 0
        run = subprocess.Popen(
            command(tmp_path / "killed"), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while run.poll() is None and n_calls() < n_wanted:
            time.sleep(0.001)
        time.sleep(generator.uniform(0, SECONDS_OF_CALL if i % 2 else 0.4))
        assert run.poll() is None
        run.send_signal(signal.SIGKILL)
        run.wait()
        path = tmp_path / "killed" / "scores.sqlite"
        if path.exists():
            try:
                with Store(str(path)) as store:
                    rows = len(store.content())
            except Exception as error:
                raise AssertionError(f"the store cannot be opened any more: {error}") from error
            assert rows >= n_rows  # nothing that was kept is lost
            n_rows = rows
    again, text_again = finish(tmp_path / "killed")
    assert again == undisturbed
    assert text_again == text
    # what a kill can cost is the utterance that was being computed
    assert n_calls() <= N_READABLE + N_KILLS
    assert len(undisturbed) == 3 * N_UTTERANCES + N_SPEAKERS
