"""What ends a run, and what may happen while it is under way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import driftless


@pytest.mark.parametrize(("stop", "reason"), [
    ({"rounds": 3}, "rounds"), ({"grad_norm": 1e-2}, "grad_norm"), ({"exchanges": 5}, "exchanges"),
    ({"bytes": 4000}, "bytes"), ({"seconds": 0.0}, "seconds"), ({"grad_evals": 6}, "grad_evals"), ({"gap": 1e-2}, "gap")])
def test_every_stop_condition_ends_a_run_in_all_three_forms(stop, reason, clients):
    best = driftless.minimize(clients, grad_norm=1e-12)
    options = {"step": 1.0, "reference": (best.x, best.f)}
    found = [driftless.minimize(clients, "gd", stop=stop, **options),
             driftless.minimize(clients, "gd", stop=driftless.Stop(**stop), **options),
             driftless.minimize(clients, "gd", **stop, **options)]
    assert [summary.reason for summary in found] == [reason] * 3
    assert found[0].x.tobytes() == found[1].x.tobytes() == found[2].x.tobytes()


def test_the_names_of_stop_conditions_are_those_of_the_library():
    from driftless import _core
    from driftless._stop import STOP_NAMES

    assert [option["name"] for option in _core.stop_options()] == list(STOP_NAMES)


def test_no_method_has_an_option_with_the_name_of_a_stop_condition_or_argument():
    import inspect

    from driftless._stop import STOP_NAMES

    arguments = set(inspect.signature(driftless.minimize).parameters) - {"options"}
    for name in driftless.methods():
        options = {option.name for option in driftless.describe(name).options}
        assert not options & set(STOP_NAMES), name
        assert not options & arguments, name


def test_a_callback_sees_every_round_in_the_thread_that_called(clients):
    seen = []
    summary = driftless.minimize(clients, "gd", step=1.0, rounds=5, every=2,
                                 callback=lambda info: seen.append((info, threading.get_ident())))
    assert [info.round for info, _ in seen] == [1, 2, 3, 4, 5]
    assert {thread for _, thread in seen} == {threading.get_ident()}
    assert [np.isnan(info.f) for info, _ in seen] == [True, False, True, False, False]
    assert list(summary.rows["round"]) == [0, 2, 4, 5]
    assert seen[-1][0].x.tobytes() == summary.x.tobytes() and seen[-1][0].f == summary.f
    assert seen[-1][0].exchanges == summary.exchanges


def test_a_callback_ends_a_run_by_false_alone(clients):
    answers = iter([None, 0, "", True, False])
    summary = driftless.minimize(clients, "gd", step=1.0, callback=lambda info: next(answers))
    assert summary.reason == "interrupted" and summary.rounds == 5


def test_a_callback_may_start_another_run(clients):
    inner = []
    driftless.minimize(clients, "gd", step=1.0, rounds=2,
                       callback=lambda info: inner.append(driftless.minimize(clients, grad_norm=1e-9).f))
    assert len(inner) == 2 and inner[0] == inner[1]


def test_a_stop_token_ends_a_run_from_another_thread(clients):
    token = threading.Event()
    threading.Timer(0.2, token.set).start()
    start = time.monotonic()
    summary = driftless.minimize(clients, "gd", step=1e-9, seconds=60.0, stop_token=token)
    assert summary.reason == "interrupted" and time.monotonic() - start < 30


def test_a_stop_token_that_is_set_already_ends_a_run_after_its_first_rounds(clients):
    token = threading.Event()
    token.set()
    assert driftless.minimize(clients, "gd", step=1e-9, seconds=60.0, stop_token=token).reason == "interrupted"


def test_the_error_of_a_stop_token_passes(clients):
    class Token:
        def is_set(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        driftless.minimize(clients, "gd", step=1e-9, seconds=60.0, stop_token=Token())


def test_runs_in_several_threads_do_not_disturb_each_other(clients):
    expected = driftless.minimize(clients, "newton-cg", rounds=5).x.tobytes()
    found = []
    threads = [threading.Thread(target=lambda: found.append(driftless.minimize(clients, "newton-cg", rounds=5)))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [summary.x.tobytes() for summary in found] == [expected] * 4


def test_other_threads_of_python_work_meanwhile():
    problem = driftless.generate_quadratics(structure="dense", dim=300, samples=1, clients=4)
    counter, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counter[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    driftless.minimize(problem.clients, "gd", step=1e-6, start=problem.start, seconds=0.5)
    done.set()
    thread.join()
    assert counter[0] > 20


INTERRUPTED = """
import os, sys, time
import numpy as np
import driftless

class Slow:
    dim = 2
    def __init__(self, loops):
        self.loops = loops
    def value_gradient(self, x):
        while self.loops and x[0] != 0:
            pass
        return 0.5 * x @ x + x.sum(), x + 1

class Round:
    def round(self, fed, x):
        while True:
            time.sleep(0.01)

rng = np.random.default_rng(1)
rows = driftless.logistic(rng.standard_normal((20000, 50)), np.sign(rng.standard_normal(20000)))
runs = {
    "rows": lambda: driftless.minimize([rows], "gd", step=1e-9, seconds=60.0),
    "objective": lambda: driftless.minimize([Slow(False)], "gd", step=1e-12, seconds=60.0),
    "endless objective": lambda: driftless.minimize([Slow(True)] * 3, "gd", step=0.1, seconds=60.0, threads=2),
    "endless method": lambda: driftless.minimize([rows], Round(), seconds=60.0),
    "long round": lambda: driftless.minimize([rows], "fedprox", lambda_=1.0, solver="gd", eta=1e9, local_steps=10**9,
                                             seconds=60.0),
    "callback": lambda: driftless.minimize([rows], "gd", step=1e-9, seconds=60.0, callback=lambda info: time.sleep(30)),
    "theory": lambda: driftless.minimize([driftless.quadratic(np.diag(np.linspace(1, 2, 2000)), np.ones(2000))] * 40,
                                         "dane", lambda_="theory", seconds=60.0),
}
print("ready", flush=True)
try:
    while True:
        runs[sys.argv[1]]()
except KeyboardInterrupt:
    print("interrupted", flush=True)
    print(driftless.minimize([rows], "newton-cg", rounds=2).rounds, flush=True)
"""


@pytest.mark.parametrize("run", ["rows", "objective", "endless objective", "endless method", "long round", "callback",
                                 "theory"])
def test_ctrl_c_ends_a_run_with_a_keyboard_interrupt(run):
    child = subprocess.Popen([sys.executable, "-B", "-c", textwrap.dedent(INTERRUPTED), run], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(0.7)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert out == "interrupted\n2\n", err
    assert child.returncode == 0


def in_child(work) -> int:
    """The exit status of a forked child that does this."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_fork_between_runs_is_harmless(clients):
    expected = driftless.minimize(clients, "newton-cg", rounds=4, threads=3).x.tobytes()

    def again():
        assert driftless.minimize(clients, "newton-cg", rounds=4, threads=3).x.tobytes() == expected

    assert in_child(again) == 0


def test_a_fork_inside_of_a_run_is_an_error_in_the_child(clients):
    parent = os.getpid()
    children = []

    def fork(info):
        if info.round == 2:
            children.append(os.fork())

    try:
        summary = driftless.minimize(clients, "gd", step=1.0, rounds=4, callback=fork)
    except driftless.ConfigError as error:
        os._exit(7 if os.getpid() != parent and "forked" in str(error) else 8)
    except BaseException:
        os._exit(9)
    assert summary.rounds == 4
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 7
