"""What a run came to."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from driftless._arrays import FloatArray

if TYPE_CHECKING:
    import pandas

COLUMNS = ("round", "exchanges", "messages", "bytes_up", "bytes_down", "local_steps", "grad_evals", "wall_s", "f", "f_gap",
           "grad_norm", "dist")  #: of the history, as in metrics.csv


@dataclass(frozen=True)
class Decision:
    """What a method that chooses its own ways, such as "auto", found and chose."""

    chosen: str  #: in a few words
    reason: str  #: one sentence with the numbers that decided
    measured: dict[str, float]  #: by name


@dataclass(frozen=True)
class RoundInfo:
    """A round that has just ended. Where it was not measured, f and grad_norm are NaN; f_gap and dist are None where the
    reference is not known.
    """

    round: int
    exchanges: int
    messages: int
    bytes_up: int
    bytes_down: int
    local_steps: int
    grad_evals: int
    wall_s: float
    f: float
    f_gap: float | None
    grad_norm: float
    dist: float | None
    x: FloatArray  #: a copy of the point


@dataclass(frozen=True, repr=False)
class Summary:
    """What a run came to: the point, the costs, and the measurements on the way."""

    method: str  #: the name of the method, or of the class of one written in Python
    reason: str  #: why it ended: a stop condition, "diverged", or "interrupted" by a callback or a stop token
    x: FloatArray  #: the last point
    output: FloatArray  #: the output point that was asked for; x itself for "last"
    rows: npt.NDArray[Any]  #: the start and every measured round: a structured array with the columns of metrics.csv
    decision: Decision | None  #: of a method that chooses its own ways
    brief: str  #: one line: reason, rounds, exchanges, bytes, f and the gradient norm

    @property
    def history(self) -> pandas.DataFrame:
        """The rows as a pandas DataFrame. NaN stands where metrics.csv has nothing."""
        import pandas

        return pandas.DataFrame({name: self.rows[name] for name in COLUMNS})

    @property
    def rounds(self) -> int:
        """Rounds, as the papers count them."""
        return int(self.rows["round"][-1])

    @property
    def exchanges(self) -> int:
        """Synchronous round trips."""
        return int(self.rows["exchanges"][-1])

    @property
    def messages(self) -> int:
        """Vectors in both directions."""
        return int(self.rows["messages"][-1])

    @property
    def bytes_up(self) -> int:
        """Bytes from clients to the server."""
        return int(self.rows["bytes_up"][-1])

    @property
    def bytes_down(self) -> int:
        """Bytes from the server to clients."""
        return int(self.rows["bytes_down"][-1])

    @property
    def bytes(self) -> int:
        """Bytes in both directions."""
        return self.bytes_up + self.bytes_down

    @property
    def local_steps(self) -> int:
        """Local steps of the busiest client."""
        return int(self.rows["local_steps"][-1])

    @property
    def grad_evals(self) -> int:
        """Gradient evaluations of the busiest client."""
        return int(self.rows["grad_evals"][-1])

    @property
    def seconds(self) -> float:
        """Seconds of the method; measuring is not included."""
        return float(self.rows["wall_s"][-1])

    @property
    def f(self) -> float:
        """f at x."""
        return float(self.rows["f"][-1])

    @property
    def grad_norm(self) -> float:
        """‖∇f(x)‖."""
        return float(self.rows["grad_norm"][-1])

    @property
    def gap(self) -> float | None:
        """f(x) - f*, where the reference was given."""
        gap = float(self.rows["f_gap"][-1])
        return None if np.isnan(gap) else gap

    def plot(self, y: str | None = None, x: str = "exchanges", ax: Any = None) -> Any:
        """Draws a column of the history against another one with matplotlib, and returns the axes.

        Args:
            y: The column; f_gap where it is known, otherwise grad_norm.
            x: The column on the horizontal axis.
            ax: The axes to draw into; new ones where they are not given.
        """
        import matplotlib.pyplot as plt

        column = y or ("f_gap" if self.gap is not None else "grad_norm")
        axes = plt.subplots()[1] if ax is None else ax
        axes.semilogy(self.rows[x], self.rows[column], label=self.method)
        axes.set_xlabel(x)
        axes.set_ylabel(column)
        axes.legend()
        return axes

    def __repr__(self) -> str:
        return f"<driftless.Summary {self.method}: {self.brief}>"

    def _repr_html_(self) -> str:
        facts = {"reason": self.reason, "rounds": self.rounds, "exchanges": self.exchanges, "bytes": self.bytes,
                 "gradients": self.grad_evals, "f": f"{self.f:.10g}", "‖∇f‖": f"{self.grad_norm:.4g}",
                 "seconds": f"{self.seconds:.3g}"}
        if self.gap is not None:
            facts["gap"] = f"{self.gap:.4g}"
        if self.decision is not None:
            facts["chosen"] = self.decision.chosen
        lines = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                        for name, value in facts.items())
        return f"<table><caption>{html.escape(self.method)}</caption>{lines}</table>"


def rows_of(columns: dict[str, npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """One structured array from the columns of the same length."""
    rows = np.empty(len(columns["round"]), dtype=[(name, columns[name].dtype) for name in COLUMNS])
    for name in COLUMNS:
        rows[name] = columns[name]
    return rows
