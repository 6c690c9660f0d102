"""Federated optimization with few communication rounds.

    >>> import driftless
    >>> clients = [driftless.logistic(A_i, y_i, l2=1e-3) for A_i, y_i in driftless.split(A, y, clients=5)]
    >>> summary = driftless.minimize(clients, grad_norm=1e-9)
"""

from driftless._catalog import Method, Option, describe, methods
from driftless._core import Client, Cohort, Federation, Objective, __version__
from driftless._data import QuadraticProblem, generate_quadratics, read_libsvm, split, split_rows
from driftless._errors import ConfigError, DataError, Error, InternalError, RunError, TransportError
from driftless._minimize import minimize
from driftless._objectives import glm, least_squares, linear, logistic, quadratic
from driftless._stop import Stop
from driftless._summary import Decision, RoundInfo, Summary

__all__ = [
    "Client", "Cohort", "ConfigError", "DataError", "Decision", "Error", "Federation", "InternalError", "Method",
    "Objective", "Option", "QuadraticProblem", "RoundInfo", "RunError", "Stop", "Summary", "TransportError",
    "__version__", "describe", "generate_quadratics", "glm", "least_squares", "linear", "logistic", "methods", "minimize",
    "quadratic", "read_libsvm", "split", "split_rows",
]
