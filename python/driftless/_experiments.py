"""Runs, comparisons, inspections, searches and studies, by the functions behind the command line."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from driftless import _core
from driftless._arrays import type_text
from driftless._config import Config, config_source
from driftless._errors import ConfigError, RunError
from driftless._progress import RoundShower
from driftless._run import Run, read_run

if TYPE_CHECKING:
    import pandas

AnyPath = str | os.PathLike[str]


def run(config: Config, out: AnyPath | None = None, *, progress: bool | None = None, stop_token: Any = None,
        **overrides: Any) -> Run:
    """Runs a configuration, as `driftless run` does, and returns what is in its directory.

    Args:
        config: A TOML file, TOML as text, or a nested dict.
        out: Exactly this directory for the results, which must be new or empty; otherwise a new one in `output.dir`.
        progress: Whether progress is shown, by tqdm; None: where tqdm is installed and the errors go to a terminal.
        stop_token: An object with `is_set()`, such as a threading.Event: the run ends soon after this is true.
        **overrides: Keys that are set on top of the configuration; two underscores stand for the dot: stop__rounds=10.

    Ctrl-C ends the run after its round; its directory can be resumed.

    Example:
        >>> import driftless, tempfile
        >>> config = {"problem": {"kind": "quadratic", "dim": 20}, "federation": {"clients": 3},
        ...           "method": [{"name": "gd", "step": 0.01}, {"name": "auto"}], "stop": {"rounds": 5}}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = driftless.run(config, folder + "/results", stop__rounds=3)
        ...     print(run.methods, list(run.history("gd")["round"]))
        ['gd', 'auto'] [0, 1, 2, 3]
    """
    with config_source(config, overrides) as source, RoundShower(progress) as shower:
        directory = _core.run_config(source, _text_path(out), shower.on_round, stop_token)
    return read_run(directory)


def resume(directory: AnyPath, *, progress: bool | None = None, stop_token: Any = None) -> Run:
    """Continues a run that was interrupted or killed, as `driftless resume` does; one that is finished stays as it is.

    Example:
        >>> import driftless, tempfile
        >>> config = {"problem": {"kind": "quadratic", "dim": 5}, "federation": {"clients": 2}, "stop": {"rounds": 2}}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     finished = driftless.run(config, folder + "/results")
        ...     print(driftless.resume(finished.directory).methods)
        ['auto']
    """
    with RoundShower(progress) as shower:
        return read_run(_core.resume_run(os.fspath(directory), shower.on_round, stop_token))


@dataclass(frozen=True, repr=False)
class Comparison:
    """Many methods on one problem."""

    problem: str  #: one line
    constants: dict[str, Any]  #: L, mu, delta and others of the clients
    table: pandas.DataFrame  #: one line for each method and target: the cost, NaN where it was not reached
    methods: pandas.DataFrame  #: one line for each method: its settings, how it ended and what of the gap is left

    def at(self, target: float) -> pandas.DataFrame:
        """The costs to a target, those with the fewest exchanges first."""
        lines = self.table[np.isclose(self.table["target"], target, rtol=1e-9, atol=0.0)]
        if lines.empty:
            known = ", ".join(f"{value:g}" for value in sorted(set(self.table["target"]), reverse=True))
            raise ConfigError("the comparison has no such target", f"{target:g}", f"use one of: {known}")
        return lines.sort_values("exchanges").reset_index(drop=True)

    def __repr__(self) -> str:
        return f"<driftless.Comparison {self.problem}: {len(self.methods)} methods>"

    def _repr_html_(self) -> str:
        wide = self.table.pivot(index="label", columns="target", values="exchanges")
        return f"<p>{html.escape(self.problem)}; exchanges to parts of the first gap:</p>{wide._repr_html_()}"


def compare(config: Config, methods: Sequence[str] = (), *, tables: bool = False, targets: Sequence[float] = (),
            stop_token: Any = None, **overrides: Any) -> Comparison:
    """Compares methods on the problem of a configuration, each with the parameters of its theory, as `driftless compare`
    does. `[stop]` is the budget of each method.

    Args:
        config: A TOML file, TOML as text, or a nested dict.
        methods: Names of methods; the whole catalogue where it is empty.
        tables: Whether the `[[method]]` tables of the configuration take part.
        targets: Parts of the first gap; 1e-2, 1e-4, 1e-6 and 1e-8 where it is empty.
        stop_token: As for `run`.
        **overrides: As for `run`.

    Example:
        >>> import driftless
        >>> config = {"problem": {"kind": "quadratic", "dim": 20}, "federation": {"clients": 3}, "stop": {"rounds": 500}}
        >>> found = driftless.compare(config, ["gd", "dane+-gd"])
        >>> list(found.at(1e-4)["method"])
        ['dane+-gd', 'gd']
    """
    import pandas

    if isinstance(methods, str):
        raise ConfigError("'methods' is no list of names", f"methods = {methods!r:.80}", f"give [{methods!r:.80}]")
    with config_source(config, overrides) as source:
        text = _core.compare_methods(source, list(methods), tables, [float(target) for target in targets], stop_token)
    found = json.loads(text)
    problem = found["problems"][0]
    costs, lines = [], []
    for method in problem["methods"]:
        head = {"method": method["method"], "label": method["label"]}
        for target, cost in zip(found["targets"], method["at"], strict=True):
            costs.append({**head, "target": target, **(cost or {})})
        lines.append({name: value for name, value in method.items() if name != "at"})
    return Comparison(problem["problem"]["summary"], problem["constants"] or {}, pandas.DataFrame(costs),
                      pandas.DataFrame(lines))


@dataclass(frozen=True, repr=False)
class Inspection:
    """The constants of a federation, what theorems predict from them, and what short trials found."""

    problem: str  #: one line
    constants: dict[str, float]  #: of f and of all clients together: L, mu, delta_A, delta_B and others
    clients: pandas.DataFrame  #: L, mu and delta of each client
    bounds: dict[str, float]  #: bounds that hold at every point
    predictions: pandas.DataFrame  #: rounds, exchanges, bytes that the theorems of methods predict
    trials: pandas.DataFrame  #: what short trials of the leading methods took

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} = {self.constants[name]:.4g}" for name in ("L", "mu", "delta_A", "delta_B"))
        return f"<driftless.Inspection {self.problem}: {shown}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.problem)}</p>{self.clients._repr_html_()}{self.trials._repr_html_()}"


def inspect(config: Config, *, at: Any = "zero", along: str = "", trials: bool = True, stop_token: Any = None,
            **overrides: Any) -> Inspection:
    """Measures the constants of a problem, as `driftless inspect` does.

    Args:
        config: A TOML file, TOML as text, or a nested dict.
        at: The point: "zero", "optimum", a .npy file, or an array.
        along: A method along whose run they are measured too.
        trials: Whether the leading methods are tried for a short time.
        stop_token: As for `run`.
        **overrides: As for `run`.

    Example:
        >>> import driftless
        >>> config = {"problem": {"kind": "quadratic", "dim": 20}, "federation": {"clients": 3}, "stop": {"rounds": 9}}
        >>> found = driftless.inspect(config, trials=False)
        >>> round(found.constants["L"]), list(found.clients.columns)
        (100, ['id', 'L', 'mu', 'delta'])
    """
    with tempfile.TemporaryDirectory(prefix="driftless-") as folder, config_source(config, overrides) as source:
        text = _core.inspect_problem(source, _point(at, folder), along, trials, stop_token)
    if text is None:
        raise RunError("the stop token ended the inspection before the constants were known", "stop_token.is_set()",
                       "clear it before a run")
    return inspection_of(text)


def inspection_of(text: str) -> Inspection:
    """From the JSON of the command line."""
    import pandas

    found = json.loads(text)
    constants = found["constants"]
    plain = {name: value for name, value in constants.items() if isinstance(value, float)}
    clients = pandas.DataFrame(constants["clients"]).drop(columns="errors", errors="ignore")
    tried = found.get("trials") or {"trials": []}
    return Inspection(found["problem"]["summary"], plain, clients, constants["bounds"],
                      pandas.DataFrame(found.get("predictions") or []), pandas.DataFrame(tried["trials"]))


@dataclass(frozen=True, repr=False)
class Search:
    """What a search for settings found."""

    directory: Path | None  #: with trials.csv, tune.json and best.toml; None where nothing was written
    complete: bool  #: False: interrupted; the same call with `out` continues
    trials: pandas.DataFrame  #: every setting that was tried
    result: dict[str, Any]  #: tune.json
    best: str  #: the best settings as a configuration, which `driftless.run` takes

    def __repr__(self) -> str:
        return f"<driftless.Search {len(self.trials)} trials{'' if self.complete else ', incomplete'}>"

    def _repr_html_(self) -> str:
        return str(self.trials._repr_html_())


def tune(config: Config, out: AnyPath | None = None, *, stop_token: Any = None, **overrides: Any) -> Search:
    """Searches for the best settings of the methods of a configuration, as `driftless tune` does.

    Args:
        config: A TOML file, TOML as text, or a nested dict; a method's table `search` has the options that are searched.
        out: The directory, new, or that of the same search, which is continued. Where it is not given nothing is kept.
        stop_token: As for `run`.
        **overrides: As for `run`.

    Example:
        >>> import driftless
        >>> config = {"problem": {"kind": "quadratic", "dim": 20}, "federation": {"clients": 3},
        ...           "method": {"name": "gd", "search": {"step": [0.001, 0.01]}}, "stop": {"rounds": 50}}
        >>> len(driftless.tune(config).trials)
        2
    """
    import pandas

    with tempfile.TemporaryDirectory(prefix="driftless-") as folder, config_source(config, overrides) as source:
        target = os.path.join(folder, "search") if out is None else os.fspath(out)
        found = _core.tune_methods(source, target, stop_token)
        file = Path(target) / "trials.csv"
        trials = pandas.read_csv(file) if file.exists() else pandas.DataFrame()
    return Search(None if out is None else Path(found["directory"]), found["complete"], trials,
                  json.loads(found["json"]), found["best"])


@dataclass(frozen=True, repr=False)
class Study:
    """One of the paper's experiments again."""

    what: str
    directory: Path  #: with configurations, run directories and figures
    markdown: str  #: the tables, for people
    result: dict[str, Any]  #: the same as numbers
    lines: pandas.DataFrame  #: one line for each result

    def runs(self) -> dict[str, Run]:
        """The runs of the study by the names of their directories."""
        return {folder.name: read_run(folder) for folder in sorted(self.directory.iterdir())
                if (folder / "run.json").exists()}

    def __repr__(self) -> str:
        return f"<driftless.Study {self.what}: {len(self.lines)} lines in {self.directory}>"

    def _repr_html_(self) -> str:
        return str(self.lines._repr_html_())


# What each study can be told besides `quick`.
_OF_STUDY = {
    "fig1": (),
    "fig2": ("data", "iid", "alphas", "draws"),
    "fig3": ("data", "model", "images", "rounds", "seeds", "methods", "rates", "local_steps", "lambdas", "seconds"),
    "table1": (),
    "auto": ("data", "iid", "clients", "methods", "again", "seconds"),
}


def reproduce(what: str, out: AnyPath, *, quick: bool = False, data: Sequence[str] = (), iid: bool = False,
              alphas: Sequence[float] = (), draws: int | None = None, clients: Sequence[int] = (),
              methods: Sequence[str] = (), again: Sequence[str] = (), model: str | None = None,
              images: int | None = None, rounds: int | None = None, seeds: int | None = None,
              rates: Sequence[float] = (), local_steps: Sequence[int] = (), lambdas: Sequence[float] = (),
              seconds: float | None = None, stop_token: Any = None) -> Study:
    """Repeats an experiment of the paper, as `driftless reproduce` does. What is not given is as there.

    Args:
        what: "fig1" (quadratics), "fig2" (logistic regression), "fig3" (networks), "table1" (rates against constants),
            or "auto" (`auto` against every tuned method).
        out: A new or empty folder; of "fig3" and "auto" also that of the same study, which is continued.
        quick: Less of all but fig1.
        data: Of fig2 and auto: the data sets; of fig3: the set of images.
        iid: Of fig2 and auto: rows are divided evenly at random.
        alphas: Of fig2: of the Dirichlet draws.
        draws: Of fig2: the number of ways to divide the rows.
        clients: Of auto: numbers of clients.
        methods: Of fig3 and auto: these alone.
        again: Of auto: methods that run again where the study has them.
        model: Of fig3: the network.
        images: Of fig3: train on the first so many alone.
        rounds: Of fig3: of the settings that win the race.
        seeds: Of fig3: runs with the chosen settings.
        rates: Of fig3: the learning rates of the grid that are tried.
        local_steps: Of fig3: the numbers of local steps of the grid that are tried.
        lambdas: Of fig3: the λ of the grid that are tried.
        seconds: Of fig3: no trial begins that would not end within them; of auto: no cell begins after them.
        stop_token: As for `run`.

    Example:
        study = driftless.reproduce("fig1", "fig1")
        study.lines.groupby(["problem", "method"])["rounds"].first()
        study = driftless.reproduce("auto", "auto", clients=[5], seconds=600)     # the same call continues
    """
    import pandas

    options = {"data": data, "iid": iid, "alphas": alphas, "draws": draws, "clients": clients, "methods": methods,
               "again": again, "model": model, "images": images, "rounds": rounds, "seeds": seeds, "rates": rates,
               "local_steps": local_steps, "lambdas": lambdas, "seconds": seconds}
    markdown, text = _core.reproduce(_study_request(what, quick, options), os.fspath(out), stop_token)
    result = json.loads(text)
    found: list[dict[str, Any]] = next((result[name] for name in ("lines", "fits", "cells") if name in result), [])
    nested = what in ("fig3", "auto")
    lines = pandas.json_normalize(found, sep="_") if nested else pandas.DataFrame(found)
    return Study(what, Path(out), markdown, result, lines)


def _study_request(what: str, quick: bool, options: dict[str, Any]) -> _core.StudyRequest:
    request = _core.StudyRequest(str(what))
    request.quick = bool(quick)
    for name, value in options.items():
        if value is None or value is False or (isinstance(value, (tuple, list)) and len(value) == 0):
            continue
        if isinstance(value, str) and name != "model":
            raise ConfigError(f"'{name}' is no list of names", f"{name} = {value!r:.80}", f"give [{value!r:.80}]")
        if what in _OF_STUDY and name not in _OF_STUDY[what]:
            known = ", ".join(("quick", *_OF_STUDY[what]))
            raise ConfigError(f"'{name}' is no option of this study", f"{name} = {value!r:.80} of {what}", f"use: {known}")
        try:
            setattr(request, name, value)
        except TypeError:
            raise ConfigError(f"'{name}' of a study has the wrong type", f"{name} = {value!r:.80}, {type_text(value)}",
                              "see help(driftless.reproduce)") from None
    return request


def _text_path(out: AnyPath | None) -> str:
    return "" if out is None else os.fspath(out)


def _point(at: Any, folder: str) -> str:
    if isinstance(at, (str, os.PathLike)):
        return os.fspath(at)
    point = np.asarray(at)
    if point.ndim != 1 or point.dtype.kind not in "fiu":
        raise ConfigError("'at' is no point", type_text(at), 'give "zero", "optimum", a .npy file, or a vector')
    file = os.path.join(folder, "point.npy")
    np.save(file, point.astype(np.float64))
    return file
