"""Figures by matplotlib, with the colours, dashes and marks of the report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from driftless import _core
from driftless._errors import ConfigError, DataError

if TYPE_CHECKING:
    import pandas

TITLES = {
    "round": "rounds", "exchanges": "exchanges", "messages": "vectors", "bytes": "bytes", "bytes_up": "bytes to the server",
    "bytes_down": "bytes to the clients", "local_steps": "local steps", "grad_evals": "gradients", "wall_s": "seconds",
    "f": "f(x)", "f_gap": "f(x) − f*", "grad_norm": "‖∇f(x)‖", "dist": "‖x − x*‖",
}  #: of the columns of a history
LOGARITHMIC = ("f_gap", "grad_norm", "dist")
_MARKERS = {"none": "", "circle": "o", "square": "s", "triangle": "^", "diamond": "D"}
_GREY = "#777777"


def line_style(index: int) -> dict[str, Any]:
    """The look of the curve with this index, as keywords of `matplotlib.axes.Axes.plot`.

    Example:
        >>> from driftless._figures import line_style
        >>> line_style(0)["color"]
        '#0072b2'
    """
    colour, dashes, marker = _core.line_style(index)
    # The report's lengths belong to lines of its own width; matplotlib scales by that of the line.
    line = (0, tuple(length / 1.6 for length in dashes)) if dashes else "-"
    return {"color": colour, "linestyle": line, "marker": _MARKERS[marker], "markevery": 0.1, "markersize": 4, "linewidth": 1.6}


def new_axes(ax: Any) -> Any:
    """These axes, or new ones."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def variants_of(histories: Mapping[str, pandas.DataFrame]) -> dict[str, list[pandas.DataFrame]]:
    """Histories that differ only in their seed under one name: those whose labels end in -1, -2, ..."""
    groups: dict[str, list[pandas.DataFrame]] = {}
    for label, history in histories.items():
        stem = re.sub(r"-\d+$", "", label)
        several = sum(re.fullmatch(re.escape(stem) + r"-\d+", other) is not None for other in histories) > 1
        groups.setdefault(stem if several else label, []).append(history)
    return groups


def draw_histories(histories: Mapping[str, pandas.DataFrame], x: str, y: str, ax: Any) -> Any:
    """One curve for each method; methods that differ in their seed are their mean, with a band from least to greatest."""
    axes = new_axes(ax)
    for index, (label, seeds) in enumerate(variants_of(histories).items()):
        style = line_style(index)
        cost, middle, low, high = _over_seeds(seeds, x, y)
        axes.plot(cost, middle, label=label if len(seeds) == 1 else f"{label} ({len(seeds)} seeds)", **style)
        if len(seeds) > 1:
            axes.fill_between(cost, low, high, color=style["color"], alpha=0.18, linewidth=0)
    if y in LOGARITHMIC:
        axes.set_yscale("log")
    axes.set_xlabel(TITLES[x])
    axes.set_ylabel(TITLES[y])
    return _finished(axes)


def _over_seeds(seeds: Sequence[pandas.DataFrame], x: str, y: str) -> tuple[Any, Any, Any, Any]:
    rounds = sorted(set.intersection(*(set(history["round"]) for history in seeds)))
    rows = [history.drop_duplicates("round").set_index("round", drop=False).loc[rounds] for history in seeds]
    values = np.array([column(row, y) for row in rows], dtype=float)
    if y in LOGARITHMIC:
        values = np.where(values > 0, values, np.nan)
    cost = np.mean([column(row, x) for row in rows], axis=0)
    return cost, values.mean(axis=0), values.min(axis=0), values.max(axis=0)


def column(history: pandas.DataFrame, name: str) -> pandas.Series:
    """A column of a history; "bytes" are those of both directions."""
    if name == "bytes":
        return history["bytes_up"] + history["bytes_down"]
    return history[name]


def check_columns(*names: str) -> None:
    """ConfigError for a name that no history has."""
    for name in names:
        if name not in TITLES:
            raise ConfigError("a history has no such column", f"{name!r:.80}", f"use one of: {', '.join(TITLES)}")


def draw_roc(evaluation: Mapping[str, Any], ax: Any) -> Any:
    """True against false positive rates, of the fitted rows and the test rows."""
    axes = _draw_rows(evaluation, "roc", lambda points: np.array([point[:2] for point in points]), ax)
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("true positive rate")
    return axes


def draw_calibration(evaluation: Mapping[str, Any], ax: Any) -> Any:
    """Observed frequencies against mean predictions in bins."""
    axes = _draw_rows(evaluation, "calibration", lambda bins: np.array(
        [(each["predicted"], each["observed"]) for each in bins if each["rows"] > 0]), ax)
    axes.set_xlabel("mean prediction")
    axes.set_ylabel("observed frequency")
    return axes


def _draw_rows(evaluation: Mapping[str, Any], key: str, points_of: Any, ax: Any) -> Any:
    shown = [(rows, title) for rows, title in (("train", "fitted rows"), ("test", "test rows"))
             if key in evaluation.get(rows, {})]
    if not shown:
        raise DataError(f"the run has no {key} curve", "evaluation.json", "fit a model of two classes: family = \"logistic\"")
    axes = new_axes(ax)
    for index, (rows, title) in enumerate(shown):
        points = points_of(evaluation[rows][key])
        axes.plot(points[:, 0], points[:, 1], label=title, **line_style(index))
    axes.plot([0, 1], [0, 1], color=_GREY, linewidth=0.8, linestyle=":")
    axes.set_aspect("equal")
    return _finished(axes)


def draw_coefficients(table: pandas.DataFrame, ax: Any) -> Any:
    """Estimates with their intervals, the first coefficient on top, without the intercept."""
    axes = new_axes(ax)
    lines = table[~table.index.str.endswith("(intercept)")]
    heights = np.arange(len(lines))[::-1]
    style = line_style(0)
    axes.errorbar(lines["estimate"], heights, fmt="o", markersize=4, color=style["color"], capsize=2,
                  xerr=[lines["estimate"] - lines["low"], lines["high"] - lines["estimate"]])
    axes.axvline(0, color=_GREY, linewidth=0.8, linestyle=":")
    axes.set_yticks(heights, lines.index)
    axes.set_xlabel("coefficient, 95 % interval")
    return _plain(axes)


def draw_penalty_path(path: Mapping[str, Any], ax: Any) -> Any:
    """The mean loss on the rows left out against l2, with its standard error and the value that was chosen."""
    axes = new_axes(ax)
    l2 = [point["l2"] for point in path["path"]]
    loss = np.array([point["loss"] for point in path["path"]])
    error = np.array([point["standard_error"] for point in path["path"]])
    style = line_style(0)
    axes.plot(l2, loss, label="mean over folds", **style)
    axes.fill_between(l2, loss - error, loss + error, color=style["color"], alpha=0.18, linewidth=0)
    axes.axvline(path["l2"], color=_GREY, linewidth=0.8, linestyle=":", label=f"chosen: {path['l2']:.3g}")
    axes.set_xscale("log")
    axes.set_xlabel("l2")
    axes.set_ylabel("mean loss")
    return _finished(axes)


def _finished(axes: Any) -> Any:
    axes.legend(frameon=False, fontsize="small")
    return _plain(axes)


def _plain(axes: Any) -> Any:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, linewidth=0.4, alpha=0.5)
    axes.set_axisbelow(True)
    return axes
