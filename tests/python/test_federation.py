"""Sites and servers of Python in federations over TLS."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from federation import LABELS, METHODS, OPTIONS, WAIT, Peers, Ridge, fingerprint, summary_fingerprint, write_libsvm

import driftless

pytest.importorskip("driftless._net", reason="this build of the package has no network")

OWN = '[problem]\nkind = "own"\ndim = 6\n[federation]\nclients = 3\n[stop]\nrounds = 6\n'
SITES = ('[problem]\nkind = "logistic"\ndata = "sites"\ndim = 12\nl2 = 0.01\n'
         '[federation]\nclients = 4\n[stop]\nrounds = 6\n')


@pytest.fixture()
def peers(program, tmp_path):
    federation = Peers(program, tmp_path)
    yield federation
    federation.close()


@pytest.fixture()
def parts(rows):
    return driftless.split(*rows, clients=4, how="dirichlet", alpha=0.5)


def test_import_alone_loads_no_network():
    script = ("import sys, driftless; assert 'driftless._net' not in sys.modules; "
              "assert 'grpc' not in open('/proc/self/maps').read()")
    subprocess.run([sys.executable, "-c", script], check=True, timeout=WAIT)


def test_the_stubs_name_what_the_network_part_has(source):
    from driftless import _net

    text = (source / "python/driftless/_net.pyi").read_text(encoding="utf-8")
    named = set(re.findall(r"^(?:def|class) ([A-Za-z]\w*)", text, re.M))
    assert named == {name for name in vars(_net) if not name.startswith("_")}


def test_a_site_of_python_and_one_of_the_command_line_have_the_bits_of_one_process(peers, parts, run_program):
    files = [write_libsvm(peers.folder / f"client-{k}.svm", *part) for k, part in enumerate(parts)]
    peers.serve(SITES + METHODS)
    peers.join_program("north", *files[:2])
    here = peers.join("south", data=[parts[2], (parts[3][0].toarray(), parts[3][1])])
    assert peers.wait("north") == 0 and peers.wait("server") == 0
    listed = ", ".join(f'"{file}"' for file in files)
    alone = SITES.replace('data = "sites"', 'reference = "none"').replace("clients = 4", f"files = [{listed}]")
    together = driftless.read_run(run_program(alone + METHODS))
    for label in LABELS:
        expected = fingerprint(together, label)
        assert fingerprint(here, label) == expected, label
        assert fingerprint(peers.results("north"), label) == expected, label
        assert fingerprint(peers.results("server"), label) == expected, label


def test_objects_of_python_have_the_bits_of_minimize_with_the_same_objects(peers):
    clients = [Ridge(seed) for seed in range(3)]
    peers.serve(OWN + METHODS)
    peers.join_thread("north", clients=clients[:2])
    here = peers.join("south", clients=clients[2:])
    peers.wait_for_threads()
    assert peers.failures == {} and peers.wait("server") == 0
    for label in LABELS:
        expected = summary_fingerprint(driftless.minimize(clients, label, rounds=6, **OPTIONS[label]))
        for run in (here, peers.runs["north"], peers.results("server")):
            assert fingerprint(run, label) == expected, label


def test_without_a_method_auto_decides_as_minimize_does(peers):
    clients = [Ridge(seed) for seed in range(3)]
    peers.serve(OWN.replace("rounds = 6", "grad_norm = 1e-8"))
    peers.join_thread("north", clients=clients[:2])
    here = peers.join("south", clients=clients[2:])
    peers.wait_for_threads()
    alone = driftless.minimize(clients, grad_norm=1e-8)
    assert fingerprint(here, "auto") == summary_fingerprint(alone)
    assert here.decision("auto") == alone.decision


def test_losses_over_rows_are_weighted_by_the_rows_of_all_sites(peers, parts):
    clients = [driftless.logistic(A, y, l2=0.01) for A, y in parts]
    theory = '[[method]]\nname = "fedred-gd"\neta = "theory"\nlambda = "theory"\np = "theory"\n'
    peers.serve(OWN.replace("dim = 6", "dim = 12").replace("clients = 3", "clients = 4") + theory)
    peers.join_thread("north", clients=clients[:2])
    here = peers.join("south", clients=clients[2:])
    peers.wait_for_threads()
    alone = driftless.minimize(clients, "fedred-gd", eta="theory", lambda_="theory", p="theory", rounds=6)
    assert fingerprint(here, "fedred-gd") == summary_fingerprint(alone)


def test_rows_with_weights_of_their_own_have_the_bits_of_minimize(peers, parts):
    rng = np.random.default_rng(8)
    clients = [driftless.glm(A, y, l2=0.01, intercept=False, sample_weight=rng.uniform(0.5, 2.0, y.size))
               for A, y in parts]
    peers.serve(OWN.replace("dim = 6", "dim = 12").replace("clients = 3", "clients = 4")
                + '[[method]]\nname = "gd"\nstep = 1\n')
    peers.join_thread("north", clients=clients[:2])
    here = peers.join("south", clients=clients[2:])
    peers.wait_for_threads()
    assert fingerprint(here, "gd") == summary_fingerprint(driftless.minimize(clients, "gd", step=1.0, rounds=6))


def test_a_server_of_python_runs_sites_of_the_command_line_and_of_python(peers, parts):
    file = write_libsvm(peers.folder / "north.svm", *parts[0])
    found: list[str] = []
    listening = threading.Event()

    def listen(address: str) -> None:
        found.append(address)
        listening.set()

    config = {"problem": {"kind": "logistic", "data": "sites", "dim": 12}, "federation": {"clients": 2},
              "method": {"name": "gd", "step": 1.0}, "stop": {"rounds": 4}, "network": {"sites": ["north", "south"]}}
    results: list[driftless.Run] = []
    server = threading.Thread(target=lambda: results.append(driftless.serve(
        config, listen="127.0.0.1:0", tls=peers.tls("server"), out=peers.folder / "server", on_listen=listen)))
    server.start()
    assert listening.wait(WAIT)
    peers.address = found[0]
    peers.join_program("north", file)
    here = peers.join("south", data=parts[1])
    server.join(WAIT)
    assert not server.is_alive() and peers.wait("north") == 0
    assert fingerprint(results[0], "gd") == fingerprint(here, "gd") == fingerprint(peers.results("north"), "gd")


def test_an_inspection_of_the_sites_finds_what_one_process_finds(peers, parts):
    files = [write_libsvm(peers.folder / f"client-{k}.svm", *part) for k, part in enumerate(parts)]
    found: dict[str, driftless.Inspection] = {}
    listening = threading.Event()

    def listen(address: str) -> None:
        peers.address = address
        listening.set()

    server = threading.Thread(target=lambda: found.update(server=driftless.serve(
        peers.config(SITES), listen="127.0.0.1:0", tls=peers.tls("server"), out=peers.folder / "server", inspect=True,
        on_listen=listen, inspect__trials=False)))
    server.start()
    assert listening.wait(WAIT)
    peers.join_program("north", *files[:2])
    here = peers.join("south", data=parts[2:])
    server.join(WAIT)
    assert not server.is_alive() and peers.wait("north") == 0
    listed = [str(file) for file in files]
    alone = driftless.inspect({"problem": {"kind": "logistic", "l2": 0.01, "reference": "none"},
                               "federation": {"files": listed}, "stop": {"rounds": 6}}, trials=False)
    for inspection in (here, found["server"]):
        assert inspection.constants == alone.constants
        assert inspection.clients.equals(alone.clients)


def wait_until(holds, process: subprocess.Popen[str]) -> None:
    """Until then or until the process has ended."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until and process.poll() is None and not holds():
        time.sleep(0.01)


SLOW = """
import sys, time
sys.path.insert(0, {tests!r})
from federation import Ridge

class Slow(Ridge):
    def value_gradient(self, x):
        time.sleep(0.02)
        return super().value_gradient(x)

run = driftless.join(address, clients=[Slow(2)], tls=tls, out=out, threads=1)
"""


def test_a_site_of_python_that_is_killed_continues(peers):
    clients = [Ridge(seed) for seed in range(3)]
    gd = OWN.replace("rounds = 6", "rounds = 60") + '[[method]]\nname = "gd"\nstep = 0.5\n'
    body = SLOW.format(tests=str(__file__).rsplit("/", 1)[0])
    peers.serve(gd)
    peers.join_thread("north", clients=clients[:2])
    first = peers.join_script("south", body)
    metrics = peers.folder / "south" / "results" / "gd" / "metrics.csv"
    wait_until(lambda: metrics.exists() and metrics.read_text().count("\n") >= 6, first)
    first.kill()
    first.communicate()
    assert 6 <= metrics.read_text().count("\n") < 60
    second = peers.join_script("south", body)
    _, errors = second.communicate(timeout=WAIT)
    assert second.returncode == 0, errors
    peers.wait_for_threads()
    assert peers.failures == {} and peers.wait("server") == 0
    expected = summary_fingerprint(driftless.minimize(clients, "gd", step=0.5, rounds=60))
    for name in ("server", "north", "south"):
        assert fingerprint(peers.results(name), "gd") == expected, name


WAITING = """
import sys
sys.path.insert(0, {tests!r})
from federation import Ridge

print("joining", flush=True)
try:
    driftless.join(address, clients=[Ridge(0), Ridge(1)], tls=tls, out=out)
except KeyboardInterrupt:
    print("left", flush=True)
"""


def test_ctrl_c_makes_a_site_leave_that_waits_for_others(peers):
    peers.serve(OWN + METHODS)
    site = peers.join_script("north", WAITING.format(tests=str(__file__).rsplit("/", 1)[0]))
    audit = peers.folder / "north" / "audit.jsonl"
    wait_until(audit.exists, site)
    time.sleep(0.3)  # for the first collective
    begin = time.monotonic()
    site.send_signal(signal.SIGINT)
    out, errors = site.communicate(timeout=WAIT)
    assert out.splitlines() == ["joining", "left"], errors
    assert time.monotonic() - begin < 10  # without the look at signals it waits for ever


BUSY = """
import sys, time
sys.path.insert(0, {tests!r})
from federation import Ridge

class Busy(Ridge):
    def value_gradient(self, x):
        print("working", flush=True)
        while True:
            time.sleep(0.01)

try:
    driftless.join(address, clients=[Busy(k) for k in range(3)], tls=tls, out=out)
except KeyboardInterrupt:
    print("left", flush=True)
"""


def test_ctrl_c_ends_an_objective_of_a_site(program, tmp_path):
    peers = Peers(program, tmp_path, ("north",))
    try:
        peers.serve(OWN + METHODS)
        site = peers.join_script("north", BUSY.format(tests=str(__file__).rsplit("/", 1)[0]))
        assert site.stdout is not None
        assert site.stdout.readline().startswith("working")
        site.send_signal(signal.SIGINT)
        out, errors = site.communicate(timeout=WAIT)
        assert out.endswith("left\n"), errors
    finally:
        peers.close()


def test_ctrl_c_ends_a_server_that_waits_for_sites(peers):
    script = ("import driftless\nprint('serving', flush=True)\ntry:\n"
              f"    driftless.serve({peers.config(OWN)!r}, listen='127.0.0.1:0', tls={str(peers.tls('server'))!r},\n"
              f"                    out={str(peers.folder / 'server')!r},\n"
              "                    on_listen=lambda address: print('listening', flush=True))\n"
              "except KeyboardInterrupt:\n    print('ended', flush=True)\n")
    server = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert [server.stdout.readline() for _ in range(2)] == ["serving\n", "listening\n"]
    server.send_signal(signal.SIGINT)
    out, errors = server.communicate(timeout=WAIT)
    assert out == "ended\n", errors


def test_a_stop_token_makes_a_site_leave_and_the_same_call_continues(peers):
    clients = [Ridge(seed) for seed in range(3)]
    token = threading.Event()

    class Stopping(Ridge):
        calls = 0

        def value_gradient(self, x):
            Stopping.calls += 1
            if Stopping.calls == 10:
                token.set()
                time.sleep(0.5)  # until the token has been looked at
            return super().value_gradient(x)

    peers.serve(OWN.replace("rounds = 6", "rounds = 30") + '[[method]]\nname = "gd"\nstep = 0.5\n')
    peers.join_thread("north", clients=clients[:2])
    with pytest.raises(driftless.RunError, match="was stopped before the run ended"):
        peers.join("south", clients=[Stopping(2)], stop_token=token)
    here = peers.join("south", clients=[Ridge(2)])
    peers.wait_for_threads()
    assert peers.failures == {}
    assert fingerprint(here, "gd") == summary_fingerprint(driftless.minimize(clients, "gd", step=0.5, rounds=30))


def test_an_exception_of_an_objective_ends_the_run_for_all(peers):
    class Broken(Ridge):
        def value_gradient(self, x):
            raise ZeroDivisionError("no gradient today")

    peers.serve(OWN + METHODS)
    peers.join_thread("north", clients=[Ridge(0), Ridge(1)])
    with pytest.raises(ZeroDivisionError, match="no gradient today"):
        peers.join("south", clients=[Broken(2)])
    peers.wait_for_threads()
    assert isinstance(peers.failures["north"], driftless.TransportError)
    assert "no gradient today" in str(peers.failures["north"])
    assert peers.wait("server") == 3


@pytest.mark.parametrize(("config", "options", "error", "text"), [
    (OWN, {"clients": [Ridge(2, dim=7)]}, driftless.ConfigError, "another number of variables"),
    (OWN, {"clients": [Ridge(2), Ridge(3)]}, driftless.ConfigError, "was given 2"),
    (OWN, {}, driftless.ConfigError, "was given 0"),
    (OWN, {"data": "rows.svm"}, driftless.ConfigError, "leaves no data to the sites"),
    (OWN, {"data": (np.ones((3, 6)), np.ones(3))}, driftless.ConfigError, "no rows in arrays"),
    (SITES, {"clients": [Ridge(2, dim=12)]}, driftless.ConfigError, "leaves no functions to the sites"),
    (SITES, {"data": [(np.ones((3, 12)), np.ones(3))]}, driftless.ConfigError, "rows of 1 clients were given, 2"),
    (SITES, {"data": [(np.ones((3, 13)), np.ones(3))] * 2}, driftless.DataError, "more columns than the problem"),
    (OWN, {"clients": [Ridge(2)], "policy": {"kinds": ["glm"]}}, driftless.ConfigError, "does not allow"),
    (OWN, {"clients": [Ridge(2)], "policy": {"max_round": 3}}, driftless.ConfigError, "max_rounds"),
    (OWN, {"clients": [Ridge(2)], "policy": {"least_rows": 5}}, driftless.ConfigError, "so few rows")])
def test_a_site_that_does_not_fit_gets_a_reason(peers, config, options, error, text):
    peers.serve(config + METHODS)
    with pytest.raises(error, match=text):
        peers.join("south", **options)


@pytest.mark.parametrize(("options", "text"), [
    ({"clients": [Ridge(1)], "data": "rows.svm"}, "functions or data, not both"),
    ({"data": 3}, "no data of clients"),
    ({"data": [3]}, "neither a path nor a pair"),
    ({"data": ["rows.svm", (np.ones((3, 2)), np.ones(3))]}, "files and arrays"),
    ({"threads": -1}, "'threads'"), ({"grace": "long"}, "'grace'"), ({"wait": float("nan")}, "'wait'"),
    ({"latency": 601.0}, "'latency'"), ({"latency": -1}, "'latency'"),
    ({"stop_token": 1}, "is_set"), ({"plain": True}, "without certificates a site must say who it is"),
    ({}, "connections are protected by TLS"), ({"tls": "/nowhere"}, "/nowhere")])
def test_bad_arguments_of_a_site_are_errors_before_anything_is_sent(options, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(driftless.ConfigError, match=text):
        driftless.join("127.0.0.1:1", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_server_without_sites_in_its_configuration_is_an_error(tmp_path):
    with pytest.raises(driftless.ConfigError, match="names no sites"):
        driftless.serve(OWN + METHODS, plain=True, out=tmp_path / "server")


def test_a_server_that_cannot_be_reached_is_an_error_of_the_transport(tmp_path):
    with pytest.raises(driftless.TransportError, match="cannot be reached"):
        driftless.join("127.0.0.1:1", plain=True, site="south", out=tmp_path / "south", wait=0.5)
