"""The process of a site, beside Flower's SuperNode: the peer of the federation, and its end of the relay."""

from __future__ import annotations

import importlib
import threading
from pathlib import Path
from typing import Any

from driftless import _federation
from driftless._relay_site import Mailbox

WAIT = 600.0  # seconds to reach the server at first


def main(spec: dict[str, Any]) -> None:
    """Works as the specification says that `driftless._flower` wrote."""
    folder, site, tls = Path(spec["folder"]), spec["site"], spec["tls"]
    context = _context(spec["context"])

    def work(address: str, stop: threading.Event) -> object:
        clients, data = (_call(spec[name], context) for name in ("clients", "data"))
        return _federation.join(address, clients=clients, data=data, tls=tls, plain=tls is None,
                                site=site if tls is None else None, out=folder / site, policy=spec["policy"],
                                threads=spec["threads"], wait=WAIT, grace=spec["grace"], latency=spec["latency"],
                                progress=False, stop_token=stop)
    Mailbox(folder, site, work).run()


def _context(values: dict[str, Any]) -> Any:
    from flwr.app import Context, RecordDict

    return Context(state=RecordDict(), **values)


def _call(reference: list[str] | None, context: Any) -> Any:
    if reference is None:
        return None
    function: Any = importlib.import_module(reference[0])
    for name in reference[1].split("."):
        function = getattr(function, name)
    return function(context)
