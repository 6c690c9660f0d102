"""The types of the compiled part that communicates with other machines."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from driftless._core import ConfigSource, FloatArray, Objective

class Rows: ...

class _PeerRequest:
    address: str
    tls: str
    plain: bool
    out: str
    wait: float
    latency: float
    on_round: Callable[[str, int, int, float, float], None] | None
    stop_token: Any

class ServerRequest(_PeerRequest):
    inspect: bool
    on_listen: Callable[[str], object] | None

class SiteRequest(_PeerRequest):
    site: str
    files: Sequence[str]
    rows: Sequence[Rows]
    clients: Sequence[Objective]
    policy: str | Mapping[str, Any] | None
    threads: int
    grace: float

def rows_of_csr(name: str, start: npt.NDArray[Any], column: npt.NDArray[Any], value: FloatArray, columns: int,
                labels: FloatArray) -> Rows: ...
def rows_of_dense(name: str, matrix: FloatArray, labels: FloatArray) -> Rows: ...
# The run directory, and the JSON of an inspection.
def serve(source: ConfigSource, request: ServerRequest) -> tuple[Path, str | None]: ...
def join(request: SiteRequest) -> tuple[Path, str | None]: ...
