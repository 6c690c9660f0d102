"""driftless inside of a Flower app; `driftless.flower` is its public name. flwr is imported where it is used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from driftless import _federation
from driftless._config import Config
from driftless._errors import ConfigError, RunError
from driftless._relay_server import NAME, Fields, RelayServer
from driftless._relay_site import NoMailbox, ask
from driftless._run import Run

__all__ = ["client_app", "serve", "server_app"]

RECORD = "driftless"
MESSAGE_TYPE = "query.driftless"
POLL = 0.25  # seconds between two looks for answers
TIME_TO_LIVE = 3600.0  # seconds after which Flower drops a message
START = 60.0  # seconds for the process of a site to start
FINISH = 60.0  # seconds for the sites to get what is left when the run has ended
# What the process of a site is started with; what it works on follows on its standard input.
SITE = ("import json, sys; spec = json.load(sys.stdin); sys.path[:] = spec['path']; "
        "from driftless._flower_site import main; main(spec)")


def server_app(config: Config | Callable[[Any], Config], *, after: Callable[[Run, Any], object] | None = None,
               **options: Any) -> Any:
    """A Flower `ServerApp` that is the server of a federation: `serve` with this configuration.

    Args:
        config: As for `driftless.serve`, or a function of Flower's context that returns it, such as one that reads
            `context.run_config`.
        after: Called with the `Run` and the context, when the run has ended.
        **options: Those of `serve`.
    """
    from flwr.serverapp import ServerApp

    def main(grid: Any, context: Any) -> None:
        run = serve(grid, context, config(context) if callable(config) else config, **options)
        if after is not None:
            after(run, context)
    app = ServerApp()
    app.main()(main)
    return app


def serve(grid: Any, context: Any, config: Config, *, name: str | None = None, folder: str | os.PathLike[str] = "driftless",
          tls: str | os.PathLike[str] | None = None, wait: float = 600.0, latency: float = 120.0, hold: float = 20.0,
          progress: bool | None = False, **overrides: Any) -> Run:
    """The server of a federation inside of the main function of a `ServerApp`. Flower's messages carry the connections
    between this server and the sites, whose `ClientApp` is `client_app`; the bits are those of `driftless.serve`.

    Args:
        grid: Flower's grid, which `main` gets.
        context: Flower's context, which `main` gets.
        config: As for `driftless.serve`; `network.sites` names the sites.
        name: The name of the federation, which is that of its folders at the server and at the sites. The same name
            again, also in another run of Flower, continues a run that was interrupted; the default is new in each.
        folder: Of the server; the results are in FOLDER/NAME/server.
        tls: A folder of certificates, made by `driftless pki issue`: the sites need theirs, and Flower's servers see
            ciphertext. Without it the operators of these servers see what sites send.
        wait: Seconds for all sites to join.
        latency: Seconds that a message of Flower and its answer may take: the time limits of connections grow with it.
        hold: Seconds that a site keeps a message for which it has no answer yet.
        progress: As for `driftless.serve`.
        **overrides: Keys that are set on top of the configuration, as for `driftless.serve`.

    Raises:
        ConfigError: The configuration or the certificates do not fit.
        TransportError: A site did not join in time, or was lost.
    """
    name = f"run-{context.run_id}" if name is None else name
    if not NAME.fullmatch(name):
        raise ConfigError("the name of a federation has other characters than letters, digits, '.', '_' and '-'",
                          f"name = {name!r:.80}", "give a name of at most 64 of these")
    out = Path(folder).absolute() / name / "server"
    out.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    server = _Server(lambda told: cast(Run, _federation.serve(
        config, listen="127.0.0.1:0", tls=tls, plain=tls is None, out=out, wait=wait, latency=latency,
        progress=progress, on_listen=told.listening, stop_token=told.stop, **overrides)))
    host, port = server.address()
    relay = RelayServer(_Grid(grid), (host, port), hold=hold, patience=hold + latency, report=_report,
                        told={"name": name, "latency": float(latency)})
    try:
        while server.runs():
            relay.step()
            time.sleep(0.05)
        relay.finish(FINISH)
    finally:
        server.stop.set()
        relay.close()
    return server.result()


def client_app(*, clients: Callable[[Any], Any] | None = None, data: Callable[[Any], Any] | None = None,
               grace: float = 600.0) -> Any:
    """A Flower `ClientApp` that is a site of a federation whose server is `serve`.

    A `ClientApp` lives for one message. What the site works with lives in a process beside it, which the first message
    starts and which ends with the run: `driftless.join` with the clients or the data that these functions return.

    Args:
        clients: A function of Flower's context that returns the functions of the clients that this site hosts, as for
            `driftless.join`. It must be one that can be imported, so no lambda, and none inside of another.
        data: The same for the data of these clients.
        grace: Seconds to reach the server again after a break.

    The operator of a node decides by its configuration (`flower-supernode --node-config`): `site`, the name of the site
    (otherwise "site-" and the `partition-id`); `tls`, a folder of certificates; `folder`, where the site keeps its
    files ("driftless"); `policy`, a file of what it agrees to; `threads`.
    """
    from flwr.app import ConfigRecord, Message, RecordDict
    from flwr.clientapp import ClientApp

    made = {"clients": _reference("clients", clients), "data": _reference("data", data), "grace": float(grace)}

    def query(message: Any, context: Any) -> Any:
        answer = _answer(dict(message.content[RECORD]), context, made)
        return Message(RecordDict({RECORD: ConfigRecord(answer)}), reply_to=message)
    app = ClientApp()
    app.query("driftless")(query)
    return app


class _Server:
    """`driftless.serve` in a thread."""

    def __init__(self, work: Callable[[_Server], Run]) -> None:
        self.stop = threading.Event()
        self._listening = threading.Event()
        self._address = ""
        self._result: Run | BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[_Server], Run]) -> None:
        try:
            self._result = work(self)
        except BaseException as error:
            self._result = error
        self._listening.set()

    def listening(self, address: str) -> None:
        self._address = address
        self._listening.set()

    def address(self) -> tuple[str, int]:
        self._listening.wait()
        if not self._address:
            self.result()
        host, _, port = self._address.rpartition(":")
        return host, int(port)

    def runs(self) -> bool:
        return self._thread.is_alive()

    def result(self) -> Run:
        self._thread.join()
        if isinstance(self._result, BaseException):
            raise self._result
        assert self._result is not None
        return self._result


class _Grid:
    """Flower's grid as the carrier of a relay."""

    def __init__(self, grid: Any) -> None:
        self._grid = grid
        self._looked = 0.0

    def nodes(self) -> Iterable[int]:
        return list(self._grid.get_node_ids())

    def send(self, messages: Mapping[int, Fields]) -> dict[str, int]:
        from flwr.app import ConfigRecord, Message, RecordDict

        numbers = list(messages)
        sent = self._grid.push_messages([
            Message(RecordDict({RECORD: ConfigRecord(messages[number])}), dst_node_id=number, message_type=MESSAGE_TYPE,
                    ttl=TIME_TO_LIVE) for number in numbers])
        return {message: number for message, number in zip(sent, numbers, strict=False) if message}

    def collect(self, messages: Iterable[str]) -> dict[str, Fields | str]:
        if time.monotonic() - self._looked < POLL:
            return {}
        self._looked = time.monotonic()
        return {reply.metadata.reply_to_message_id: _content(reply) for reply in self._grid.pull_messages(messages)}


def _content(reply: Any) -> Fields | str:
    if reply.has_error():
        return str(reply.error.reason)
    return dict(reply.content[RECORD]) if RECORD in reply.content else "an answer of another app"


def _answer(message: Fields, context: Any, made: Fields) -> Fields:
    site = str(context.node_config.get("site", f"site-{context.node_config.get('partition-id', '')}"))
    for text in (site, str(message["name"])):
        if not NAME.fullmatch(text):
            raise ConfigError("a site or federation has no valid name", f"{text!r:.80}",
                              "give the node a configuration with site=\"NAME\", of letters, digits, '.', '_' and '-'")
    folder = Path(str(context.node_config.get("folder", "driftless"))).absolute() / str(message["name"])
    try:
        return ask(folder, site, message)
    except NoMailbox:
        pass
    process = _start(folder, site, context, {**made, "latency": float(message["latency"])})
    until = time.monotonic() + START
    while time.monotonic() < until and process.poll() is None:
        try:
            return ask(folder, site, message)
        except NoMailbox:
            time.sleep(0.05)
    log = folder / f"{site}.log"
    raise RunError("the process of the site does not start", f"{log}: {log.read_text(errors='replace')[-2000:]}",
                   "see its last lines")


def _start(folder: Path, site: str, context: Any, made: Fields) -> subprocess.Popen[bytes]:
    node = dict(context.node_config)
    spec = {**made, "path": sys.path, "folder": str(folder), "site": site, "tls": node.get("tls"),
            "policy": node.get("policy"), "threads": node.get("threads", 0),
            "context": {"run_id": context.run_id, "node_id": context.node_id, "node_config": node,
                        "run_config": dict(context.run_config)}}
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(folder / f"{site}.log", "ab") as log:
        process = subprocess.Popen([sys.executable, "-c", SITE], stdin=subprocess.PIPE, stdout=log, stderr=log,
                                   start_new_session=True)
    assert process.stdin is not None
    with process.stdin as told:
        told.write(json.dumps(spec).encode())
    return process


def _reference(name: str, function: Callable[[Any], Any] | None) -> list[str] | None:
    """How another process finds a function."""
    if function is None:
        return None
    module, qualified = getattr(function, "__module__", "__main__"), getattr(function, "__qualname__", "<locals>")
    if not callable(function) or module == "__main__" or "<" in qualified:
        raise ConfigError(f"'{name}' is no function that another process can import", f"{module}.{qualified}",
                          "give a function at the top of a module of the app")
    return [module, qualified]


def _report(text: str) -> None:
    print(f"driftless: {text}", file=sys.stderr, flush=True)
