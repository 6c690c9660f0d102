#!/usr/bin/env python3
"""Runs examples/flower with a SuperLink and two SuperNodes on loopback, and compares the models with one process.

    PYTHONPATH=build/release/python python tools/test_flower.py FOLDER [--simulation]

scripts/test-flower makes the environment for it. Everything is written below FOLDER.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import driftless

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "driftless"
SITES = ("north", "south")
ROUNDS = 6
OPTIONS = {"auto": {}, "dane+-gd": {"lambda_": 0.2, "eta": 2.0, "local_steps": 5}}  # as in examples/flower
METHODS = {"calm": "auto", "killed": "dane+-gd", "simulated": "dane+-gd"}  # of each run
WAIT = 480.0  # seconds for a run


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


class Deployment:
    """A SuperLink and its SuperNodes, which end with it."""

    def __init__(self, folder):
        self.folder = folder
        self.link = f"127.0.0.1:{free_port()}"
        self.ports = {site: free_port() for site in SITES}
        self.processes = {}
        self.environment = {**os.environ, "FLWR_HOME": str(folder / "home"), "FLWR_TELEMETRY_ENABLED": "0",
                            "FLWR_SUPEREXEC_TASK_POLL_INTERVAL": "0.1",
                            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        (folder / "home").mkdir()
        (folder / "home" / "config.toml").write_text(
            f'[superlink]\ndefault = "here"\n[superlink.here]\naddress = "{self.link}"\ninsecure = true\n', encoding="utf-8")

    def __enter__(self):
        _, port = self.link.split(":")
        self._start("link", "flower-superlink", "--insecure", "--port", port, "--disable-runtime-dependency-installation")
        self._wait_for_port(int(port))
        for site in SITES:
            self.start_node(site)
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            self._end(process)

    def start_node(self, site):
        values = {"site": site, "data": self.folder / "silos" / f"client-{SITES.index(site)}.svm",
                  "tls": self.folder / "ca" / site, "folder": self.folder / "sites", "threads": 1}
        config = " ".join(f"{key}={value}" if isinstance(value, int) else f'{key}="{value}"'
                          for key, value in values.items())
        self._start(site, "flower-supernode", "--insecure", "--superlink", self.link, "--port", str(self.ports[site]),
                    "--node-config", config)

    def kill_node(self, site):
        self._end(self.processes[site], signal.SIGKILL)

    def run(self, name):
        """Starts the app."""
        settings = (f'name="{name}" method="{METHODS[name]}" rounds={ROUNDS} folder="{self.folder / "servers"}" '
                    f'tls="{self.folder / "ca" / "server"}"')
        done = subprocess.run(["flwr", "run", str(ROOT / "examples" / "flower"), "here", "-c", settings],
                              env=self.environment, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"flwr run: {done.stdout}{done.stderr}")

    def _start(self, name, *command):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdout=log, stderr=log,
                                                    start_new_session=True)

    @staticmethod
    def _end(process, how=signal.SIGTERM):
        """With the processes that it started; those of the sites are in sessions of their own."""
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            pass
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    @staticmethod
    def _wait_for_port(port):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the SuperLink does not listen")


def make_federation(folder):
    """Certificates and a file of rows for each site."""
    def call(*arguments):
        subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, capture_output=True)
    call("pki", "init", "--ca", "ca")
    for site in ("server", *SITES):
        call("pki", "issue", "--ca", "ca", "--site", site)
    call("data", "generate", "classification", "--rows", "600", "--dim", "20", "--out", "all.svm")
    call("data", "split", "all.svm", "--clients", str(len(SITES)), "--out", "silos")


def alone(folder, method):
    """The same in one process."""
    clients = [driftless.logistic(*driftless.read_libsvm(str(folder / "silos" / f"client-{k}.svm")), l2=1e-3)
               for k in range(len(SITES))]
    return driftless.minimize(clients, method, rounds=ROUNDS, grad_norm=1e-9, **OPTIONS[method])


def rounds_of(folder, name):
    file = folder / "servers" / name / "server" / "results" / METHODS[name] / "metrics.csv"
    return max(0, file.read_text().count("\n") - 2) if file.exists() else 0


def wait_for(what, holds, folder):
    until = time.monotonic() + WAIT
    while not holds():
        if time.monotonic() > until:
            show_logs(folder)
            raise SystemExit(f"{what}: not within {WAIT:.0f} s")
        time.sleep(0.2)


def show_logs(folder):
    for log in sorted(folder.rglob("*.log")):
        print(f"== {log}\n{log.read_text(errors='replace')[-2000:]}")


def finished(folder, name):
    return all((folder / kind / name / peer / "results" / METHODS[name] / "summary.json").exists()
               for kind, peer in (("servers", "server"), *(("sites", site) for site in SITES)))


def compare(folder, name):
    summary = alone(folder, METHODS[name])
    for peer in (folder / "servers" / name / "server", *(folder / "sites" / name / site for site in SITES)):
        run = driftless.read_run(peer)
        history, expected = (frame.drop(columns="wall_s").to_csv(index=False)
                             for frame in (run.history(METHODS[name]), summary.history))
        if run.model(METHODS[name]).tobytes() != summary.x.tobytes() or history != expected:
            raise SystemExit(f"{name}: {peer.name} has other bits than one process")
    print(f"{name}: the server and {len(SITES)} sites have the bits of one process ({METHODS[name]})", flush=True)


def seconds_of_an_exchange(folder, name):
    """With measuring, which is an exchange too: f and the gradient after every round."""
    history = driftless.read_run(folder / "servers" / name / "server").history(METHODS[name])
    exchanges = history["exchanges"].iloc[-1] + history["round"].iloc[-1]
    seconds = history["wall_s"].iloc[-1]
    print(f"{name}: {exchanges} exchanges, measuring included, in {seconds:.1f} s: {seconds / exchanges:.2f} s each",
          flush=True)


def deploy(folder):
    with Deployment(folder) as deployment:
        deployment.run("calm")
        wait_for("a run", lambda: finished(folder, "calm"), folder)
        compare(folder, "calm")
        seconds_of_an_exchange(folder, "calm")
        wait_for("the end of the sites", lambda: not list(folder.glob("sites/calm/*.sock")), folder)
        deployment.run("killed")
        wait_for("two rounds", lambda: rounds_of(folder, "killed") >= 2, folder)
        deployment.kill_node("south")
        print("killed: the SuperNode of 'south', after round", rounds_of(folder, "killed"), flush=True)
        time.sleep(3)
        deployment.start_node("south")
        wait_for("a run with a SuperNode that was killed", lambda: finished(folder, "killed"), folder)
        compare(folder, "killed")
        seconds_of_an_exchange(folder, "killed")
        wait_for("the end of the sites", lambda: not list(folder.glob("sites/killed/*.sock")), folder)


def simulate(folder):
    """Both sites are nodes of Flower's simulation engine, which knows them by partition-id."""
    script = folder / "simulate.py"
    script.write_text(SIMULATION.format(example=str(ROOT / "examples" / "flower"), folder=str(folder), rounds=ROUNDS),
                      encoding="utf-8")
    environment = {**os.environ, "FLWR_HOME": str(folder / "home"), "FLWR_TELEMETRY_ENABLED": "0",
                   "PYTHONPATH": f"{os.environ['PYTHONPATH']}:{folder}"}
    with open(folder / "simulation.log", "wb") as log:
        done = subprocess.run([sys.executable, str(script)], env=environment, cwd=folder, stdout=log, stderr=log,
                              timeout=WAIT, check=False)
    if done.returncode != 0:
        show_logs(folder)
        raise SystemExit("the simulation failed")
    run = driftless.read_run(folder / "servers" / "simulated" / "server")
    if run.model("dane+-gd").tobytes() != alone(folder, "dane+-gd").x.tobytes():
        raise SystemExit("the simulation has other bits than one process")
    print("simulated: the bits of one process", flush=True)
    seconds_of_an_exchange(folder, "simulated")


SIMULATED_CLIENT = """
import driftless
from driftless.flower import client_app

def clients(context):
    part = context.node_config["partition-id"]
    return [driftless.logistic(*driftless.read_libsvm(f"{folder}/silos/client-{{part}}.svm"), l2=1e-3)]

app = client_app(clients=clients)
"""
SIMULATION = """
from flwr.simulation import run_simulation
from driftless.flower import server_app
import simulated_client

config = {{"problem": {{"kind": "own", "dim": 20}}, "federation": {{"clients": 2}},
           "network": {{"sites": ["site-0", "site-1"]}}, "stop": {{"rounds": {rounds}, "grad_norm": 1e-9}},
           "method": [{{"name": "dane+-gd", "lambda": 0.2, "eta": 2.0, "local_steps": 5}}]}}
run_simulation(server_app(config, name="simulated", folder="{folder}/servers"), simulated_client.app,
               num_supernodes=2, backend_config={{"client_resources": {{"num_cpus": 1}}}})
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--simulation", action="store_true")
    asked = parser.parse_args()
    folder = asked.folder / "work"
    folder.mkdir()
    make_federation(folder)
    deploy(folder)
    if asked.simulation:
        (folder / "simulated_client.py").write_text(SIMULATED_CLIENT.format(folder=str(folder)), encoding="utf-8")
        simulate(folder)


if __name__ == "__main__":
    main()
