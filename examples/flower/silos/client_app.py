"""A site: its rows, in the file that the operator of the node names."""

from flwr.app import Context

import driftless
from driftless.flower import client_app


def clients(context: Context) -> list[driftless.Objective]:
    """The functions of the clients of this site: one, over the rows of its file."""
    matrix, labels = driftless.read_libsvm(str(context.node_config["data"]))
    return [driftless.logistic(matrix, labels, l2=1e-3)]


app = client_app(clients=clients)
