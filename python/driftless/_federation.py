"""Federations over the network: a server and its sites, each a process on its own machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from driftless._arrays import as_csr, as_floats, is_sparse, type_text
from driftless._config import Config, config_source
from driftless._errors import ConfigError
from driftless._experiments import Inspection, inspection_of
from driftless._objectives import as_objectives
from driftless._progress import RoundShower
from driftless._run import Run, read_run

if TYPE_CHECKING:
    from driftless import _net

Path_ = str | os.PathLike[str]


@overload
def serve(config: Config, *, listen: str = ..., tls: Path_ | None = ..., plain: bool = ..., out: Path_ | None = ...,
          wait: float = ..., latency: float = ..., on_listen: Callable[[str], object] | None = ...,
          progress: bool | None = ..., stop_token: Any = ..., inspect: Literal[False] = ..., **overrides: Any) -> Run: ...


@overload
def serve(config: Config, *, inspect: Literal[True], listen: str = ..., tls: Path_ | None = ..., plain: bool = ...,
          out: Path_ | None = ..., wait: float = ..., latency: float = ...,
          on_listen: Callable[[str], object] | None = ..., progress: bool | None = ..., stop_token: Any = ...,
          **overrides: Any) -> Inspection: ...


def serve(config: Config, *, listen: str = "127.0.0.1:7443", tls: Path_ | None = None, plain: bool = False,
          out: Path_ | None = None, wait: float = 600.0, latency: float = 0.0, inspect: bool = False,
          on_listen: Callable[[str], object] | None = None, progress: bool | None = None, stop_token: Any = None,
          **overrides: Any) -> Run | Inspection:
    """The server of a federation, as `driftless serve`: meets the sites, runs the configuration with them, returns the
    results. The same call again, with the same folder, continues a run that was interrupted or killed.

    Args:
        config: A TOML file, TOML as text, or a nested dict, with a table `network` that names the sites.
        listen: HOST:PORT; port 0 takes a free one.
        tls: A folder of certificates, made by `driftless pki issue`.
        plain: No TLS: for trying things out on one machine.
        out: The folder of the server; NAME-server where it is not given, NAME-inspect-server for an inspection.
        wait: Seconds for all sites to join.
        latency: Seconds to a site and back, at most, where a relay carries the connections: their time limits grow with
            it. Up to 600; give the sites the same.
        inspect: Instead of running, the constants of the sites' clients are measured and methods are tried, as
            `inspect` does for a problem in one process. Sites join as they join a run.
        on_listen: Called with the address, once sites can join.
        progress: Whether progress is shown, by tqdm; None: where tqdm is installed and the errors go to a terminal.
        stop_token: An object with `is_set()`, such as a threading.Event: the run ends soon after this is true, for all.
        **overrides: Keys that are set on top of the configuration; two underscores stand for the dot: stop__rounds=10.

    Ctrl-C ends the run after its round, at the server and at the sites.

    Raises:
        ConfigError: The configuration or the certificates do not fit.
        TransportError: A site did not join in time, or was lost.
    """
    net = _network()
    request = net.ServerRequest()
    _fill(request, listen, tls, plain, out, wait, latency, stop_token)
    request.on_listen = on_listen
    request.inspect = bool(inspect)
    with config_source(config, overrides) as source, RoundShower(progress) as shower:
        request.on_round = shower.on_round
        directory, text = net.serve(source, request)
    return read_run(directory) if text is None else inspection_of(text)


def join(address: str, *, clients: Any = None, data: Any = None, tls: Path_ | None = None, plain: bool = False,
         site: str | None = None, out: Path_ | None = None, policy: Path_ | Mapping[str, Any] | None = None,
         threads: int = 0, wait: float = 20.0, grace: float = 60.0, latency: float = 0.0,
         progress: bool | None = None, stop_token: Any = None) -> Run | Inspection:
    """A site of a federation, as `driftless join`: works for a server on its own data or functions, returns the model
    and the metrics, or what the server finds where it only inspects. The same call again, with the same folder, continues a run that was interrupted or killed.

    Args:
        address: HOST:PORT of the server.
        clients: The functions of the clients that this site hosts, for problems of `kind = "own"`: as for `minimize`.
        data: The data of the clients that this site hosts, for problems with `data = "sites"`: one for each client, the
            path of a file, or a pair (A, y) of the rows and their labels for linear models.
        tls: A folder of certificates, made by `driftless pki issue`.
        plain: No TLS: for trying things out on one machine.
        site: Who this is, without certificates; otherwise the certificate says it.
        out: The folder of the site; site-NAME where it is not given.
        policy: What this site agrees to: a TOML file or a dict with its keys (docs/federation.md).
        threads: The number of threads; 0: one for each core.
        wait: Seconds to reach the server at first.
        grace: Seconds to reach it again after a break.
        latency: Seconds to the server and back, at most, where a relay carries the connection: its time limits grow
            with it. Up to 600; give the server the same.
        progress: Whether progress is shown, by tqdm; None: where tqdm is installed and the errors go to a terminal.
        stop_token: An object with `is_set()`, such as a threading.Event: this site leaves soon after this is true.

    Ctrl-C makes this site leave within a second. The others wait for it as for a site that was killed, for
    `network.grace` seconds.

    Raises:
        ConfigError: The policy declines what the server asks, or clients and data do not fit the configuration.
        DataError: A vector or a matrix has the wrong size or type.
        TransportError: The server cannot be reached, or the run ended for all.
    """
    net = _network()
    if clients is not None and data is not None:
        raise ConfigError("a site brings functions or data, not both", "clients=... and data=...", "leave one out")
    request = net.SiteRequest()
    _fill(request, address, tls, plain, out, wait, latency, stop_token)
    request.site = site or ""
    request.policy = policy if isinstance(policy, Mapping) or policy is None else os.fspath(policy)
    request.threads = _count("threads", threads)
    request.grace = _seconds("grace", grace)
    if clients is not None:
        request.clients = as_objectives(clients)
    items = _items(data)
    request.files = [os.fspath(item) for item in items if _is_path(item)]
    request.rows = [_rows(net, k, item) for k, item in enumerate(items) if not _is_path(item)]
    if request.files and len(request.files) < len(items):
        raise ConfigError("'data' has files and arrays", f"{len(items)} entries", "give one kind for all clients")
    with RoundShower(progress) as shower:
        request.on_round = shower.on_round
        directory, text = net.join(request)
    return read_run(directory) if text is None else inspection_of(text)


def _network() -> ModuleType:
    """The compiled part with gRPC, which is loaded by the first call alone."""
    try:
        from driftless import _net
    except ImportError as error:
        raise ConfigError("this build of the package has no network", str(error),
                          "run './scripts/install-packages core python network' and './scripts/build', and use "
                          "PYTHONPATH=build/release/python; wheels are made without it") from error
    return _net


def _fill(request: _net.ServerRequest | _net.SiteRequest, address: str, tls: Path_ | None, plain: bool,
          out: Path_ | None, wait: float, latency: float, stop_token: Any) -> None:
    if not isinstance(address, str):
        raise ConfigError("an address is a text", type_text(address), 'give "HOST:PORT"')
    if stop_token is not None and not callable(getattr(stop_token, "is_set", None)):
        raise ConfigError("'stop_token' has no is_set()", type_text(stop_token), "give a threading.Event")
    request.address = address
    request.tls = "" if tls is None else os.fspath(tls)
    request.plain = bool(plain)
    request.out = "" if out is None else os.fspath(out)
    request.wait = _seconds("wait", wait)
    request.latency = _seconds("latency", latency, most=600)
    request.stop_token = stop_token


def _count(name: str, value: Any) -> int:
    if hasattr(value, "__index__") and not isinstance(value, bool) and 0 <= value.__index__() <= 1024:
        return int(value.__index__())
    raise ConfigError(f"'{name}' is not a whole number from 0 to 1024", f"{name} = {value!r:.80}", "give one")


def _seconds(name: str, value: Any, most: float = 1e9) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= most:
        return float(value)
    raise ConfigError(f"'{name}' is not a number of seconds", f"{name} = {value!r:.80}",
                      f"give a number from 0 to {most:g}")


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _items(data: Any) -> list[Any]:
    """One entry for each client; a path or a pair alone stands for one client."""
    if data is None:
        return []
    if _is_path(data) or (isinstance(data, tuple) and len(data) == 2 and not _is_path(data[0])
                          and not isinstance(data[0], tuple)):
        return [data]
    if isinstance(data, (list, tuple)):
        return list(data)
    raise ConfigError("'data' is no data of clients", type_text(data), "give a path or a pair (A, y) for each client")


def _rows(net: ModuleType, index: int, pair: Any) -> _net.Rows:
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise ConfigError("'data' has an entry that is neither a path nor a pair", f"data[{index}]: {type_text(pair)}",
                          "give a path or a pair (A, y) for each client")
    matrix, labels = pair
    y = np.ascontiguousarray(as_floats(labels, "y", 1))
    name = f"data[{index}]"
    rows: _net.Rows
    if is_sparse(matrix):
        csr = as_csr(matrix)
        rows = net.rows_of_csr(name, csr.start, csr.column, csr.value, csr.columns, y)
    else:
        rows = net.rows_of_dense(name, as_floats(matrix, "A", 2), y)
    return rows
