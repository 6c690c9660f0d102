"""A server and its sites as processes and in this one, with certificates made on the spot."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np

import driftless

WAIT = 120  # seconds after which a test fails
METHODS = """
[[method]]
name = "gd"
step = 0.5
[[method]]
name = "dane+-gd"
lambda = 0.2
eta = 2
local_steps = 5
[[method]]
name = "fedred-gd"
lambda = 0.3
eta = 1.5
p = 0.2
[[method]]
name = "newton-cg"
"""
LABELS = ("gd", "dane+-gd", "fedred-gd", "newton-cg")
OPTIONS = {"gd": {"step": 0.5}, "dane+-gd": {"lambda_": 0.2, "eta": 2.0, "local_steps": 5},
           "fedred-gd": {"lambda_": 0.3, "eta": 1.5, "p": 0.2}, "newton-cg": {}}


class Ridge:
    """½‖Ax − b‖² + (l2/2)‖x‖² over a few rows."""

    def __init__(self, seed: int, dim: int = 6, rows: int = 9, l2: float = 0.1) -> None:
        rng = np.random.default_rng(seed)
        self.A, self.b, self.l2, self.dim = rng.standard_normal((rows, dim)) / 3, rng.standard_normal(rows), l2, dim

    def value_gradient(self, x):
        r = self.A @ x - self.b
        return 0.5 * (r @ r + self.l2 * x @ x), self.A.T @ r + self.l2 * x

    def hessian_vector(self, x, v):
        return self.A.T @ (self.A @ v) + self.l2 * v


class Peers:
    """The processes and threads of a federation in a folder of its own; `close` ends what is left of them."""

    def __init__(self, program: str, folder: Path, sites: tuple[str, ...] = ("north", "south")) -> None:
        self.program, self.folder, self.sites = program, folder, sites
        self.address = "127.0.0.1:0"
        self.processes: dict[str, subprocess.Popen[str]] = {}
        self.threads: list[threading.Thread] = []
        self.failures: dict[str, BaseException] = {}
        self.runs: dict[str, driftless.Run] = {}
        self._call("pki", "init", "--ca", "ca")
        for name in ("server", *sites):
            self._call("pki", "issue", "--ca", "ca", "--site", name)

    def _call(self, *arguments: str) -> None:
        subprocess.run([self.program, *arguments], cwd=self.folder, check=True, capture_output=True)

    def tls(self, name: str) -> Path:
        return self.folder / "ca" / name

    def config(self, text: str) -> str:
        names = ", ".join(f'"{site}"' for site in self.sites)
        return f"{text}\n[network]\nsites = [{names}]\ngrace = 60\n"

    def serve(self, text: str) -> None:
        """The server as a process; a second call starts it again at the same address."""
        file = self.folder / "case.toml"
        file.write_text(self.config(text), encoding="utf-8")
        server = self._start("server", [self.program, "serve", str(file), "--listen", self.address, "--tls",
                                        str(self.tls("server")), "--out", "server"])
        assert server.stderr is not None
        for line in server.stderr:
            if "listening at " in line:
                self.address = line.split("listening at ")[1].split(" ")[0]
                break
        assert server.poll() is None and not self.address.endswith(":0"), "the server did not start"
        # What follows must not fill the pipe.
        rest = server.stderr
        threading.Thread(target=lambda: [None for _ in rest], daemon=True).start()

    def join_program(self, site: str, *data: str) -> None:
        """A site of the command line."""
        arguments = [self.program, "join", self.address, "--tls", str(self.tls(site)), "--out", site]
        for file in data:
            arguments += ["--data", file]
        self._start(site, arguments)

    def join_script(self, site: str, body: str) -> subprocess.Popen[str]:
        """A site in a Python of its own, which runs `body` with `address`, `tls` and `out`."""
        head = f"address, tls, out = {self.address!r}, {str(self.tls(site))!r}, {str(self.folder / site)!r}\n"
        script = "import driftless\n" + head + textwrap.dedent(body)
        return self._start(site, [sys.executable, "-c", script])

    def join_thread(self, site: str, **options) -> None:
        """A site of Python in a thread; its results are in `runs`, its error in `failures`."""
        def work() -> None:
            try:
                self.runs[site] = self.join(site, **options)
            except BaseException as error:
                self.failures[site] = error
        thread = threading.Thread(target=work)
        thread.start()
        self.threads.append(thread)

    def join(self, site: str, **options) -> driftless.Run:
        """A site of Python here and now."""
        return driftless.join(self.address, tls=self.tls(site), out=self.folder / site, threads=1, **options)

    def _start(self, name: str, arguments: list[str]) -> subprocess.Popen[str]:
        self.processes[name] = subprocess.Popen(arguments, cwd=self.folder, stdout=subprocess.PIPE,
                                                stderr=subprocess.PIPE, text=True)
        return self.processes[name]

    def wait(self, name: str) -> int:
        return self.processes[name].wait(WAIT)

    def wait_for_threads(self) -> None:
        for thread in self.threads:
            thread.join(WAIT)
            assert not thread.is_alive()

    def results(self, name: str) -> driftless.Run:
        return driftless.read_run(self.folder / name)

    def close(self) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.communicate()
        for thread in self.threads:
            thread.join(WAIT)


def fingerprint(run: driftless.Run, label: str) -> tuple[bytes, str]:
    """Everything that must be equal: the point and all of the history but the time."""
    history = run.history(label).drop(columns="wall_s")
    return run.model(label).tobytes(), history.to_csv(index=False)


def summary_fingerprint(summary: driftless.Summary) -> tuple[bytes, str]:
    """The same of a run by `minimize`."""
    return summary.x.tobytes(), summary.history.drop(columns="wall_s").to_csv(index=False)


def write_libsvm(file: Path, matrix, labels) -> str:
    """Rows as a file, with every number in a form that reads back to the same bits."""
    with file.open("w", encoding="utf-8") as out:
        for row, label in zip(matrix.toarray(), labels, strict=True):
            out.write(f"{label:+.0f} " + " ".join(f"{k + 1}:{v!r}" for k, v in enumerate(row.tolist()) if v) + "\n")
    return str(file)
