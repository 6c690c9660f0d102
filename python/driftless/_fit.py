"""Models of tables that a run fitted."""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from driftless import _core
from driftless._arrays import FloatArray, type_text
from driftless._errors import ConfigError, DataError
from driftless._figures import draw_calibration, draw_coefficients, draw_penalty_path, draw_roc

if TYPE_CHECKING:
    import pandas

_COLUMNS = ("estimate", "error", "statistic", "p", "low", "high", "ratio", "ratio_low", "ratio_high")


class Fit:
    """A model of tables: its coefficients, how good it is, and its use.

    Example:
        run = driftless.run("examples/hospitals/readmission.toml")
        run.fit().coefficients                        # estimates, errors, tests, intervals
        run.fit().predict("examples/hospitals/west.csv", keep=["patient"])
        run.fit().plot_roc()
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def info(self) -> dict[str, Any]:
        """model.json: the family, the coding of the columns, the coefficients of the coded variables."""
        return self._read("model.json")

    @property
    def inference(self) -> dict[str, Any]:
        """inference.json: what the coefficients are known to, and measures of the fit."""
        return self._read("inference.json")

    @property
    def coefficients(self) -> pandas.DataFrame:
        """A line for each coefficient, on the scale of its column: estimate, error, test and 95 % interval."""
        return self.summary()

    def summary(self, errors: str = "", level: float = 0.95) -> pandas.DataFrame:
        """The coefficients with other errors or intervals, as `driftless summary` has them.

        Args:
            errors: "model", "row" or "site": from the information of the model, or a sandwich over rows or sites.
            level: Of the intervals.
        """
        import pandas

        file = _core.fit_file(self.folder, "inference.json", "")
        table = pandas.DataFrame(json.loads(_core.coefficient_summary(file, errors, level))["coefficients"]).set_index("name")
        return table[[name for name in _COLUMNS if name in table]]

    @property
    def evaluation(self) -> pandas.DataFrame:
        """The measures of the fitted rows and of the test rows, one column each."""
        import pandas

        found = self._read("evaluation.json")
        return pandas.DataFrame({rows: {name: value for name, value in found[rows].items() if np.isscalar(value)}
                                 for rows in ("train", "test") if rows in found})

    @property
    def sites(self) -> pandas.DataFrame:
        """The measures on the test rows of each site: of this model, and of the one that the site fits alone."""
        import pandas

        found = self._read("evaluation.json")
        frames = {name: pandas.DataFrame(found[key]).set_index("site") for name, key in
                  (("together", "sites"), ("alone", "local")) if found.get(key)}
        return pandas.concat(frames, axis=1) if frames else pandas.DataFrame()

    @property
    def penalty_path(self) -> pandas.DataFrame:
        """The mean loss on the rows left out for each l2 of a cross-validation."""
        import pandas

        return pandas.DataFrame(self._read("penalty_path.json")["path"])

    def predict(self, table: Any, keep: Sequence[str] = ()) -> pandas.DataFrame:
        """The predictions for every row of a table: a CSV file, or a DataFrame with the columns of the model.

        Args:
            table: The table. The predictions of a DataFrame have its index.
            keep: Columns of the table that are put in front of the predictions.
        """
        import pandas

        if isinstance(keep, str):
            raise ConfigError("'keep' is no list of columns", f"keep = {keep!r:.80}", f"give [{keep!r:.80}]")
        with _TableFile(table, self.info["csv"]) as file:
            text = _core.predict_table(self.folder / "model.json", file.path, list(keep), None)
        found = pandas.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])
        return found if file.index is None else found.set_index(file.index)

    def evaluate(self, table: Any) -> dict[str, Any]:
        """The measures of the model on a table with labels: a CSV file or a DataFrame."""
        with _TableFile(table, self.info["csv"]) as file:
            found: dict[str, Any] = json.loads(_core.evaluate_tables(self.folder / "model.json", [file.path], None))
        return found

    def plot_roc(self, ax: Any = None) -> Any:
        """Draws the ROC curves of the fitted rows and the test rows, and returns the axes."""
        return draw_roc(self._read("evaluation.json"), ax)

    def plot_calibration(self, ax: Any = None) -> Any:
        """Draws observed frequencies against mean predictions, and returns the axes."""
        return draw_calibration(self._read("evaluation.json"), ax)

    def plot_coefficients(self, ax: Any = None) -> Any:
        """Draws the coefficients with their intervals, and returns the axes."""
        return draw_coefficients(self.coefficients, ax)

    def plot_penalty_path(self, ax: Any = None) -> Any:
        """Draws the mean loss against l2, and returns the axes."""
        return draw_penalty_path(self._read("penalty_path.json"), ax)

    def _read(self, name: str) -> dict[str, Any]:
        file = self.folder / name
        if name == "penalty_path.json" and not file.exists():
            raise DataError("the penalty of this model was given, not searched", f"no {file}", 'use l2 = "cv"')
        return read_json(Path(_core.fit_file(self.folder, name, "")))

    def __repr__(self) -> str:
        return f"<driftless.Fit {self.folder}>"

    def _repr_html_(self) -> str:
        return str(self.coefficients._repr_html_())


class _TableFile:
    """A table as a CSV file; that of a DataFrame is temporary."""

    def __init__(self, table: Any, csv: dict[str, Any]) -> None:
        self.index: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if isinstance(table, (str, os.PathLike)):
            self.path = os.fspath(table)
            return
        if not hasattr(table, "to_csv"):
            raise ConfigError("'table' is no table", type_text(table), "give a CSV file or a pandas DataFrame")
        self.index = table.index
        self._folder = tempfile.TemporaryDirectory(prefix="driftless-")
        self.path = os.path.join(self._folder.name, "table.csv")
        comma = bool(csv["decimal_comma"])
        table.to_csv(self.path, index=False, sep=csv["delimiter"] or (";" if comma else ","), decimal="," if comma else ".")

    def __enter__(self) -> _TableFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def read_json(file: Path) -> dict[str, Any]:
    """A file of a run; DataError where it is missing or no JSON."""
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError("a file of the run is missing", os.fspath(file), "give the directory as the run left it") from None
    except ValueError:
        raise DataError("a file of the run is not JSON", os.fspath(file), "give the directory as the run left it") from None
    return found


def read_vector(file: Path) -> FloatArray:
    """A .npy file of a run."""
    try:
        vector: FloatArray = np.load(file, allow_pickle=False)
    except FileNotFoundError:
        raise DataError("the method left no point", os.fspath(file), "wait for its end, or resume the run") from None
    except (ValueError, EOFError, OSError):
        raise DataError("a file of the run is not NumPy's", os.fspath(file), "give the directory as the run left it") from None
    return vector
