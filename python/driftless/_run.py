"""Run directories."""

from __future__ import annotations

import html
import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftless import _core
from driftless._arrays import FloatArray
from driftless._errors import ConfigError, DataError
from driftless._figures import check_columns, draw_histories
from driftless._fit import Fit, read_json, read_vector
from driftless._summary import Decision

if TYPE_CHECKING:
    import pandas


class Run:
    """What is in the directory of a run; `read_run` and `run` make it.

    Where a function takes the label of a method, it can be left out if there is only one.
    """

    def __init__(self, directory: Path, methods: list[dict[str, Any]]) -> None:
        self.directory = directory  #: its files are described in docs/results.md
        self._methods = {facts["label"]: facts for facts in methods}

    @property
    def methods(self) -> list[str]:
        """The labels of the methods."""
        return list(self._methods)

    @property
    def config(self) -> dict[str, Any]:
        """config.toml: the configuration with every option."""
        return tomllib.loads((self.directory / "config.toml").read_text(encoding="utf-8"))

    @property
    def record(self) -> dict[str, Any]:
        """run.json: versions, processor, seed, digests of the data, start, end, exit code."""
        return read_json(self.directory / "run.json")

    @property
    def problem(self) -> str:
        """The problem in one line."""
        return str(self.record["problem"]["summary"])

    def history(self, label: str | None = None) -> pandas.DataFrame:
        """metrics.csv: the start and every measured round of a method."""
        import pandas

        file = self.directory / self._label(label) / "metrics.csv"
        if not file.exists():
            raise DataError("the method has not begun", os.fspath(file), "wait for it, or resume the run")
        return pandas.read_csv(file, float_precision="round_trip")

    def summary(self, label: str | None = None) -> dict[str, Any]:
        """summary.json: how the method ended, its first, last and best row, costs to targets, totals."""
        return read_json(self.directory / self._label(label) / "summary.json")

    def model(self, label: str | None = None) -> FloatArray:
        """model.npy: the last point."""
        return read_vector(self.directory / self._label(label) / "model.npy")

    def decision(self, label: str | None = None) -> Decision | None:
        """What a method that chooses its own ways, such as "auto", found and chose."""
        found = self.summary(label).get("decision")
        return None if found is None else Decision(**found)

    def fit(self, label: str | None = None) -> Fit:
        """The model of tables that a method fitted."""
        fitted = [name for name, facts in self._methods.items() if facts["fitted"]]
        if not fitted:
            raise DataError("the run fitted no model of tables", os.fspath(self.directory), 'use kind = "glm"')
        if label is None and len(fitted) > 1:
            raise ConfigError("the run fitted several models", ", ".join(fitted), "name the one that is meant")
        return Fit(self.directory / (fitted[0] if label is None else self._label(label)))

    @property
    def coefficients(self) -> pandas.DataFrame:
        """The coefficients of the model of tables: see `Fit.coefficients`."""
        return self.fit().coefficients

    @property
    def evaluation(self) -> pandas.DataFrame:
        """How good the model of tables is: see `Fit.evaluation`."""
        return self.fit().evaluation

    def predict(self, table: Any, keep: Sequence[str] = ()) -> pandas.DataFrame:
        """The predictions of the model of tables: see `Fit.predict`."""
        return self.fit().predict(table, keep)

    @property
    def table(self) -> pandas.DataFrame:
        """One line for each method that has begun: how it ended, what it cost and how far it came."""
        import pandas

        lines = []
        for label, facts in self._methods.items():
            if facts["begun"]:
                last = self.history(label).iloc[-1].to_dict()
                lines.append({"label": label, "method": facts["name"], "end": facts["stop_reason"], **last})
        table = pandas.DataFrame(lines)
        counts = [name for name in ("round", "exchanges", "messages", "bytes_up", "bytes_down", "local_steps", "grad_evals")
                  if name in table]
        return table.astype({name: int for name in counts}).set_index("label") if lines else table

    def plot(self, x: str = "exchanges", y: str | None = None, methods: Sequence[str] | None = None, ax: Any = None) -> Any:
        """Draws a column of the histories against another one with matplotlib, and returns the axes.

        Methods whose labels differ only in a number at the end, "-1", "-2", ..., are one curve: their mean, with a band
        from least to greatest.

        Args:
            x: The column on the horizontal axis; "bytes" are those of both directions.
            y: The column; f_gap where it is known for all, otherwise grad_norm.
            methods: Labels; all methods where they are not given.
            ax: The axes to draw into; new ones where they are not given.
        """
        if isinstance(methods, str):
            raise ConfigError("'methods' is no list of labels", f"methods = {methods!r:.80}", f"give [{methods!r:.80}]")
        begun = [label for label, facts in self._methods.items() if facts["begun"]]
        labels = begun if methods is None else [self._label(label) for label in methods]
        histories = {label: self.history(label) for label in labels}
        if not histories:
            raise DataError("no method has begun", os.fspath(self.directory), "resume the run")
        known = all(history["f_gap"].notna().any() for history in histories.values())
        name = y or ("f_gap" if known else "grad_norm")
        check_columns(x, name)
        axes = draw_histories(histories, x, name, ax)
        if ax is None:
            axes.set_title(self.directory.name, fontsize="medium")
        return axes

    def _label(self, label: str | None) -> str:
        if label in self._methods:
            return str(label)
        if label is None and len(self._methods) == 1:
            return self.methods[0]
        what = "the run has several methods" if label is None else "the run has no method of this label"
        raise ConfigError(what, repr(label)[:80], f"use one of: {', '.join(self._methods)}")

    def __repr__(self) -> str:
        return f"<driftless.Run {self.directory}: {', '.join(self._methods)}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.problem)}</p>{self.table._repr_html_()}"


def read_run(directory: str | os.PathLike[str]) -> Run:
    """What is in the directory of a run, of Python or of the command line; also of one that is under way.

    The files are checked as `driftless report` checks them: DataError where one is missing or damaged.

    Example:
        run = driftless.read_run("results")
        run.table                                     # a line for each method
        run.history("fedred-gd")                      # a DataFrame of metrics.csv
        run.plot(x="exchanges", y="f_gap")
    """
    path = Path(os.fspath(directory))
    methods = _core.run_methods(path)
    if not (path / "run.json").exists():  # of a server or a site
        path = path / "results"
    return Run(path, methods)
