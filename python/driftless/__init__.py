"""Federated optimization with few communication rounds.

    >>> import driftless
    >>> clients = [driftless.logistic(A_i, y_i, l2=1e-3) for A_i, y_i in driftless.split(A, y, clients=5)]
    >>> summary = driftless.minimize(clients, grad_norm=1e-9)
"""

from driftless._catalog import Method, Option, describe, methods
from driftless._core import Client, Cohort, Federation, Objective, __version__
from driftless._data import QuadraticProblem, generate_quadratics, read_libsvm, split, split_rows
from driftless._errors import ConfigError, DataError, Error, InternalError, RunError, TransportError
from driftless._experiments import (
    Comparison,
    Inspection,
    Search,
    Study,
    compare,
    inspect,
    reproduce,
    resume,
    run,
    tune,
)
from driftless._federation import join, serve
from driftless._fit import Fit
from driftless._minimize import minimize
from driftless._objectives import glm, least_squares, linear, logistic, quadratic
from driftless._run import Run, read_run
from driftless._stop import Stop
from driftless._summary import Decision, RoundInfo, Summary

__all__ = [
    "Client", "Cohort", "Comparison", "ConfigError", "DataError", "Decision", "Error", "Federation", "Fit",
    "Inspection", "InternalError", "Method", "Objective", "Option", "QuadraticProblem", "RoundInfo", "Run",
    "RunError", "Search", "Stop", "Study", "Summary", "TransportError", "__version__", "compare", "describe",
    "generate_quadratics", "glm", "inspect", "join", "least_squares", "linear", "logistic", "methods", "minimize",
    "quadratic", "read_libsvm", "read_run", "reproduce", "resume", "run", "serve", "split", "split_rows", "tune",
]
