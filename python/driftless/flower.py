"""Methods of driftless inside of a Flower app: `pip install flwr`.

    # server_app.py
    from driftless.flower import server_app

    config = {"problem": {"kind": "own", "dim": 300}, "federation": {"clients": 2},
              "network": {"sites": ["north", "south"]}, "stop": {"grad_norm": 1e-8}}
    app = server_app(config, tls="ca/server")

    # client_app.py
    from driftless.flower import client_app

    def clients(context):
        return [driftless.logistic(*load_rows(context.node_config["site"]), l2=1e-3)]

    app = client_app(clients=clients)

Flower's SuperLink and SuperNodes carry the traffic. What they carry are the bytes of the connections between
`driftless.serve` and `driftless.join`, so a run has the same bits as without Flower, and the TLS of driftless protects it
from end to end.
"""

from __future__ import annotations

try:
    import flwr as _flwr  # noqa: F401
except ImportError as error:
    raise ImportError("driftless.flower needs Flower, which is not installed here: pip install flwr") from error

from driftless._flower import client_app, serve, server_app

__all__ = ["client_app", "serve", "server_app"]
