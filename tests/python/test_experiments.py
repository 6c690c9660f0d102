"""Experiments from Python: runs and their directories, comparisons, inspections, searches, models of tables, figures."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import shutil
import subprocess
import sys
import threading

import numpy as np
import pandas
import pytest

import driftless
from driftless._config import to_toml

CONFIG = {"seed": 3, "problem": {"kind": "quadratic", "dim": 30}, "federation": {"clients": 3},
          "method": [{"name": "gd", "step": 0.01}, {"name": "fedred-gd", "eta": 100.0, "lambda": 2.0, "p": 0.2, "seed": 7}],
          "stop": {"rounds": 40}}
ENDLESS = {"problem": {"kind": "quadratic", "dim": 300}, "federation": {"clients": 3},
           "method": {"name": "gd", "step": 1e-9}, "stop": {"rounds": 10**9}, "output": {"every": 10**6}}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return driftless.run(CONFIG, tmp_path_factory.mktemp("runs") / "quadratic")


@pytest.fixture(scope="module")
def hospitals(tmp_path_factory, source):
    folder = source / "examples/hospitals"
    config = {"problem": {"kind": "glm", "schema": folder / "schema.toml", "test": 0.2, "l2": "cv", "folds": 3},
              "federation": {"files": [folder / f"{name}.csv" for name in ("north", "south", "west")]}}
    return driftless.run(config, tmp_path_factory.mktemp("runs") / "hospitals")


class Stopped:
    """A stop token that is set from the start."""

    def is_set(self):
        return True


def test_a_dict_a_text_and_a_file_give_the_bits_of_the_command_line(run, run_program, tmp_path):
    out = run_program(to_toml(CONFIG))
    file = tmp_path / "config.toml"
    file.write_text(to_toml(CONFIG), encoding="utf-8")
    for number, config in enumerate((to_toml(CONFIG), file, str(file))):
        again = driftless.run(config, tmp_path / f"again-{number}")
        for label in run.methods:
            bits = (out / label / "model.npy").read_bytes()
            assert (again.directory / label / "model.npy").read_bytes() == bits
            assert (run.directory / label / "model.npy").read_bytes() == bits


def test_the_configuration_of_a_run_repeats_it(run, tmp_path):
    again = driftless.run(run.directory / "config.toml", tmp_path / "again")
    assert (again.model("fedred-gd") == run.model("fedred-gd")).all()
    assert run.config["method"][1]["lambda"] == 2.0 and run.config["stop"]["rounds"] == 40


def test_keys_can_be_set_on_top_of_a_configuration(tmp_path):
    run = driftless.run(CONFIG, tmp_path / "out", stop__rounds=5, method__gd__step=0.02, problem__dim=4)
    assert list(run.history("gd")["round"]) == [0, 1, 2, 3, 4, 5]
    assert run.config["method"][0]["step"] == 0.02
    assert run.model("gd").shape == (4,)


def test_a_run_has_the_results_of_its_directory(run):
    assert run.methods == ["gd", "fedred-gd"]
    history = run.history("gd")
    text = (run.directory / "gd" / "metrics.csv").read_text(encoding="utf-8").splitlines()
    assert ",".join(history.columns) == text[0] and len(history) == len(text) - 1 == 41
    assert repr(float(history["f"].iloc[-1])) == text[-1].split(",")[8]
    assert run.summary("gd")["last"]["round"] == 40
    assert run.record["exit_code"] == 0 and "30 variables" in run.problem
    assert run.table.loc["gd", "exchanges"] == 40
    assert run.decision("gd") is None
    assert "fedred-gd" in run._repr_html_() and "fedred-gd" in repr(run)


def test_an_automatic_method_says_what_it_chose(tmp_path):
    run = driftless.run({**CONFIG, "method": {"name": "auto"}}, tmp_path / "out")
    decision = run.decision()
    assert decision is not None and decision.chosen and decision.measured


def test_an_interrupted_run_is_resumed_to_the_same_bits(tmp_path):
    config = {**CONFIG, "method": {"name": "agd", "step": 0.001}, "stop": {"rounds": 300000}, "output": {"every": 10000}}
    whole = driftless.run(config, tmp_path / "whole")
    part = driftless.run(config, tmp_path / "part", stop_token=Stopped())
    assert part.record["exit_code"] == 130
    assert part.history()["round"].iloc[-1] < 300000
    resumed = driftless.resume(part.directory)
    assert (resumed.model() == whole.model()).all()
    before = (part.directory / "run.json").read_bytes()
    driftless.resume(part.directory)
    assert (part.directory / "run.json").read_bytes() == before


INTERRUPTED = f"""
import os, signal, sys, threading, time
import driftless

def interrupt_once_it_runs():
    while not os.path.exists(sys.argv[1] + "/gd/metrics.csv"):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt_once_it_runs, daemon=True).start()
try:
    driftless.run({ENDLESS!r}, sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", driftless.read_run(sys.argv[1]).record["exit_code"])
"""


def test_ctrl_c_ends_a_run_that_can_be_resumed(tmp_path):
    done = subprocess.run([sys.executable, "-B", "-c", INTERRUPTED, str(tmp_path / "out")], capture_output=True, text=True,
                          check=True)
    assert done.stdout == "interrupted 130\n", done.stderr


def test_other_threads_work_during_a_run(tmp_path):
    event = threading.Event()
    worker = threading.Thread(target=lambda: event.set())
    starter = threading.Timer(0.1, worker.start)
    starter.start()
    driftless.run(ENDLESS, tmp_path / "out", stop_token=event)
    assert event.is_set()


def test_progress_is_shown_by_tqdm(tmp_path, capfd):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    driftless.run(CONFIG, tmp_path / "out", progress=True)
    shown = capfd.readouterr().err
    assert "gd" in shown and "exchanges" in shown
    driftless.run(CONFIG, tmp_path / "quiet", progress=False)
    assert "exchanges" not in capfd.readouterr().err


def test_progress_without_tqdm_is_an_error_only_where_it_was_asked_for(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(driftless.ConfigError, match="tqdm"):
        driftless.run(CONFIG, tmp_path / "out", progress=True)
    driftless.run(CONFIG, tmp_path / "out")


def as_json(program, *arguments):
    done = subprocess.run([program, *map(str, arguments), "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_a_comparison_is_that_of_the_command_line(program, tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(to_toml({**CONFIG, "method": []}), encoding="utf-8")
    found = driftless.compare(file, ["gd", "dane+-gd", "fedred-gd"], targets=[1e-1, 1e-2])
    theirs = as_json(program, "compare", file, "--methods", "gd,dane+-gd,fedred-gd", "--target", "1e-1,1e-2")
    methods = theirs["problems"][0]["methods"]
    assert list(found.methods["label"]) == [method["label"] for method in methods]
    for number, target in enumerate((1e-1, 1e-2)):
        costs = found.table[found.table["target"] == target].set_index("label")
        for method in methods:
            cost = method["at"][number]
            reached = costs.loc[method["label"], "exchanges"]
            assert np.isnan(reached) if cost is None else reached == cost["exchanges"]
    assert found.constants["L"] == theirs["problems"][0]["constants"]["L"]
    assert list(found.at(1e-1)["exchanges"]) == sorted(found.at(1e-1)["exchanges"])
    assert "dane+-gd" in found._repr_html_()


def test_an_inspection_is_that_of_the_command_line(program, tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(to_toml({**CONFIG, "inspect": {"seconds": 0.2}}), encoding="utf-8")
    found = driftless.inspect(file, at=np.ones(30))
    np.save(tmp_path / "point.npy", np.ones(30))
    theirs = as_json(program, "inspect", file, "--at", tmp_path / "point.npy", "--no-trials")
    assert found.constants["delta_A"] == theirs["constants"]["delta_A"]
    assert list(found.clients["L"]) == [client["L"] for client in theirs["constants"]["clients"]]
    assert list(found.predictions["method"]) == [line["method"] for line in theirs["predictions"]]
    assert found.bounds["L_upper"] == theirs["constants"]["bounds"]["L_upper"]
    assert "gd" in set(found.trials["method"])
    assert "L = " in repr(found)


def test_a_search_finds_the_best_step(tmp_path):
    config = {**CONFIG, "method": {"name": "gd", "search": {"step": [1e-4, 1e-3, 1e-2]}}}
    found = driftless.tune(config, tmp_path / "search")
    assert found.complete and len(found.trials) == 3
    assert driftless.run(found.best, tmp_path / "best").config["method"][0]["step"] == 0.01
    again = driftless.tune(config, tmp_path / "search")
    assert again.result == found.result
    unkept = driftless.tune(config)
    assert unkept.directory is None and unkept.result == found.result


def test_a_study_that_is_stopped_is_not_complete(tmp_path):
    study = driftless.reproduce("fig1", tmp_path / "fig1", stop_token=Stopped())
    assert study.result["complete"] is False and (tmp_path / "fig1").is_dir()


def test_the_study_of_auto_has_the_table_of_the_command_line_and_continues(program, tmp_path):
    (tmp_path / "small.svm").write_text("+1 1:1\n-1 1:2\n+1 1:3 2:1\n-1 2:2\n", encoding="utf-8")
    options = {"data": [str(tmp_path / "small.svm")], "clients": [2], "iid": True}
    first = driftless.reproduce("auto", tmp_path / "study", methods=["newton-cg"], **options)
    assert first.result["complete"] and first.lines.empty  # nothing is claimed without a run of `auto`
    study = driftless.reproduce("auto", tmp_path / "study", methods=["newton-cg", "auto"], **options)
    assert list(study.lines["l2"]) == ["1/M", "1e-3"] and (study.lines["auto_best_exchanges"] > 0).all()
    theirs = as_json(program, "reproduce", "auto", "--data", tmp_path / "small.svm", "--clients", "2", "--iid",
                     "--methods", "newton-cg,auto", "--out", tmp_path / "study")
    assert study.result == theirs


def test_the_study_of_networks_begins_nothing_without_time(program, tmp_path):
    study = driftless.reproduce("fig3", tmp_path / "study", seconds=0, rates=[0.1], local_steps=[10])
    assert study.result["complete"] is False and study.lines.empty
    assert "0 of the 144 settings" in study.markdown
    with pytest.raises(driftless.ConfigError, match="cifar10"):
        driftless.reproduce("fig3", tmp_path / "study", seconds=0, data=["cifar100"])


def test_coefficients_are_those_of_the_command_line(program, hospitals):
    theirs = as_json(program, "summary", hospitals.directory)
    table = hospitals.coefficients
    assert list(table.index) == [line["name"] for line in theirs["coefficients"]]
    assert list(table["p"]) == [line["p"] for line in theirs["coefficients"]]
    robust = as_json(program, "summary", hospitals.directory, "--errors", "site", "--level", "0.9")["coefficients"]
    assert list(hospitals.fit().summary(errors="site", level=0.9)["low"]) == [line["low"] for line in robust]
    assert hospitals.evaluation.loc["auc", "test"] > 0.7
    sites = hospitals.fit().sites
    assert len(sites) == 3 and set(sites.columns.get_level_values(0)) == {"together", "alone"}
    assert hospitals.fit().penalty_path["l2"].is_monotonic_decreasing
    assert "age" in hospitals.fit()._repr_html_()


def test_predictions_of_a_file_and_of_a_dataframe_are_those_of_the_command_line(program, hospitals, source, tmp_path):
    west = source / "examples/hospitals/west.csv"
    subprocess.run([program, "predict", str(hospitals.directory), str(west), "--keep", "patient", "--out",
                    str(tmp_path / "theirs.csv")], check=True, capture_output=True)
    theirs = pandas.read_csv(tmp_path / "theirs.csv")
    pandas.testing.assert_frame_equal(hospitals.predict(west, keep=["patient"]), theirs)
    frame = pandas.read_csv(west)
    some = frame.sample(frac=0.5, random_state=1)
    ours = hospitals.predict(some)
    assert list(ours.index) == list(some.index)
    assert list(ours["probability"]) == list(theirs.loc[some.index, "probability"])
    measures = as_json(program, "evaluate", hospitals.directory, west)["test"]
    assert hospitals.fit().evaluate(frame)["auc"] == measures["auc"]


@pytest.fixture()
def pyplot():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


def test_curves_have_the_colours_of_the_report(run, pyplot):
    axes = run.plot()
    assert [line.get_color() for line in axes.lines] == ["#0072b2", "#d55e00"]
    assert [line.get_linestyle() for line in axes.lines] == ["-", "--"]
    assert axes.get_yscale() == "log" and axes.get_xlabel() == "exchanges" and axes.get_ylabel() == "f(x) − f*"
    assert list(axes.lines[0].get_xdata()) == list(run.history("gd")["exchanges"])
    own = run.plot(x="bytes", y="f", methods=["gd"], ax=pyplot.subplots()[1])
    assert own.get_yscale() == "linear" and len(own.lines) == 1
    history = run.history("gd")
    assert list(own.lines[0].get_xdata()) == list(history["bytes_up"] + history["bytes_down"])


def test_seeds_of_a_method_are_one_curve_with_a_band(tmp_path, pyplot):
    fedred = CONFIG["method"][1]
    config = {**CONFIG, "method": [{**fedred, "label": f"fedred-{seed}", "seed": seed} for seed in (1, 2, 3)]}
    run = driftless.run(config, tmp_path / "out")
    axes = run.plot()
    assert [line.get_label() for line in axes.lines] == ["fedred (3 seeds)"]
    values = np.array([run.history(label)["f_gap"] for label in run.methods])
    np.testing.assert_allclose(axes.lines[0].get_ydata(), values.mean(axis=0))
    assert len(axes.collections) == 1
    assert list(run.plot(x="round").lines[0].get_xdata()) == list(range(41))


def test_figures_of_models_show_fitted_and_test_rows(hospitals, pyplot, tmp_path):
    fit = hospitals.fit()
    for draw in (fit.plot_roc, fit.plot_calibration):
        assert [line.get_label() for line in draw().lines][:2] == ["fitted rows", "test rows"]
    axes = fit.plot_coefficients()
    assert [text.get_text() for text in axes.get_yticklabels()] == list(hospitals.coefficients.index[1:])
    assert fit.plot_penalty_path().get_xscale() == "log"
    axes.figure.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 1000


def damaged(run, tmp_path, name, text):
    copy = tmp_path / "damaged"
    shutil.copytree(run.directory, copy)
    (copy / name).write_text(text, encoding="utf-8")
    return copy


def test_a_damaged_run_is_an_error_that_names_the_file(run, tmp_path):
    metrics = (run.directory / "gd/metrics.csv").read_text(encoding="utf-8").replace("40,40", "40,41")
    for name, text, seen in (("run.json", "{", "run.json"), ("config.toml", "[[", "config.toml"),
                             ("gd/metrics.csv", metrics, "metrics.csv"), ("gd/summary.json", "no", "summary.json")):
        copy = damaged(run, tmp_path, name, text)
        with pytest.raises(driftless.DataError, match=seen):
            driftless.read_run(copy)
        shutil.rmtree(copy)
    copy = damaged(run, tmp_path, "gd/model.npy", "no")
    with pytest.raises(driftless.DataError, match=r"model\.npy"):
        driftless.read_run(copy).model("gd")


BAD_CALLS = [
    (lambda run, tmp: driftless.read_run(tmp / "missing"), driftless.DataError, "no such directory"),
    (lambda run, tmp: driftless.read_run(tmp), driftless.DataError, "not the directory of a run"),
    (lambda run, tmp: driftless.read_run(None), TypeError, "NoneType"),
    (lambda run, tmp: driftless.run(tmp / "missing.toml"), driftless.ConfigError, "missing.toml"),
    (lambda run, tmp: driftless.run(3), driftless.ConfigError, "'config' is no configuration"),
    (lambda run, tmp: driftless.run({"problem": {"kind": object()}}), driftless.ConfigError, "'kind' has a value"),
    (lambda run, tmp: driftless.run({"problem": {"dim": float("nan")}}), driftless.ConfigError, "nan"),
    (lambda run, tmp: driftless.run({"a b": 1}), driftless.ConfigError, "'a b'"),
    (lambda run, tmp: driftless.run({**CONFIG, "stop": {"round": 3}}), driftless.ConfigError, "did you mean 'rounds'"),
    (lambda run, tmp: driftless.run(CONFIG, stop__rounds=-1), driftless.ConfigError, "rounds"),
    (lambda run, tmp: driftless.run(CONFIG, method__name="gdd"), driftless.ConfigError, "gdd"),
    (lambda run, tmp: driftless.run("seed = = 1"), driftless.ConfigError, r"config:1"),
    (lambda run, tmp: driftless.run(CONFIG, run.directory), driftless.ConfigError, "quadratic"),
    (lambda run, tmp: driftless.resume(tmp), driftless.ConfigError, "no run to resume"),
    (lambda run, tmp: driftless.compare(CONFIG, "gd"), driftless.ConfigError, "no list of names"),
    (lambda run, tmp: driftless.compare(CONFIG, ["gdd"]), driftless.ConfigError, "gdd"),
    (lambda run, tmp: driftless.compare(CONFIG, ["gd"], targets=[2.0]), driftless.ConfigError, "targets: 2"),
    (lambda run, tmp: driftless.compare(CONFIG, ["gd"]).at(0.5), driftless.ConfigError, "no such target"),
    (lambda run, tmp: driftless.inspect(CONFIG, at="nowhere"), driftless.Error, "nowhere"),
    (lambda run, tmp: driftless.inspect(CONFIG, at=np.ones((2, 2))), driftless.ConfigError, "'at' is no point"),
    (lambda run, tmp: driftless.inspect(CONFIG, at=np.ones(3), trials=False), driftless.DataError, "3"),
    (lambda run, tmp: driftless.inspect(CONFIG, stop_token=Stopped(), problem__dim=200000), driftless.RunError, "stop token"),
    (lambda run, tmp: driftless.tune({**CONFIG, "tune": {"strategy": "luck"}}), driftless.ConfigError, "luck"),
    (lambda run, tmp: driftless.reproduce("fig9", tmp / "out"), driftless.ConfigError, "fig9"),
    (lambda run, tmp: driftless.reproduce("fig1", run.directory), driftless.ConfigError, "not empty"),
    (lambda run, tmp: driftless.reproduce("fig2", tmp / "out", data="a9a"), driftless.ConfigError, "no list of names"),
    (lambda run, tmp: driftless.reproduce("fig2", tmp / "out", draws=1001), driftless.ConfigError, "draws = 1001"),
    (lambda run, tmp: driftless.reproduce("fig2", tmp / "out", alphas=[0.0]), driftless.ConfigError, "not positive"),
    (lambda run, tmp: driftless.reproduce("fig3", tmp / "out", rates=[0.3]), driftless.ConfigError, "learning rate"),
    (lambda run, tmp: driftless.reproduce("fig3", tmp / "out", seeds=-1), driftless.ConfigError, "wrong type"),
    (lambda run, tmp: driftless.reproduce("fig3", tmp / "out", seconds=-1.0), driftless.ConfigError, "at least 0"),
    (lambda run, tmp: driftless.reproduce("auto", tmp / "out", draws=3), driftless.ConfigError, "no option of this study"),
    (lambda run, tmp: run.history(), driftless.ConfigError, "several methods"),
    (lambda run, tmp: run.history("agd"), driftless.ConfigError, "gd, fedred-gd"),
    (lambda run, tmp: run.fit(), driftless.DataError, "no model of tables"),
    (lambda run, tmp: run.plot(y="gap"), driftless.ConfigError, "f_gap"),
    (lambda run, tmp: run.plot(methods="gd"), driftless.ConfigError, "no list of labels"),
]


@pytest.mark.parametrize(("call", "error", "text"), BAD_CALLS)
def test_says_what_is_wrong(call, error, text, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=text):
        call(run, tmp_path)
    assert os.listdir(tmp_path) in ([], ["runs"])


@pytest.mark.parametrize(("call", "error", "text"), [
    (lambda fit, table: fit.summary(errors="sites"), driftless.ConfigError, "sites"),
    (lambda fit, table: fit.summary(level=1.0), driftless.ConfigError, "level = 1"),
    (lambda fit, table: fit.predict(3), driftless.ConfigError, "no table"),
    (lambda fit, table: fit.predict(table.drop(columns="age")), driftless.DataError, "age"),
    (lambda fit, table: fit.predict(table, keep="patient"), driftless.ConfigError, "no list of columns"),
    (lambda fit, table: fit.predict("missing.csv"), driftless.DataError, "missing.csv"),
    (lambda fit, table: fit.predict(table.assign(age="old")), driftless.DataError, "old"),
    (lambda fit, table: fit.evaluate(table.drop(columns="readmitted")), driftless.DataError, "readmitted"),
    (lambda fit, table: fit.evaluate(table.assign(readmitted=None)), driftless.DataError, "no row can be judged"),
])
def test_a_table_that_does_not_fit_the_model_is_an_error(call, error, text, hospitals, source):
    table = pandas.read_csv(source / "examples/hospitals/west.csv")
    with pytest.raises(error, match=text):
        call(hospitals.fit(), table)


def test_a_model_whose_penalty_was_given_has_no_path(tmp_path, source):
    folder = source / "examples/hospitals"
    run = driftless.run({"problem": {"kind": "glm", "schema": folder / "schema.toml", "family": "multinomial"},
                         "federation": {"files": [folder / "north.csv"]}}, tmp_path / "out")
    with pytest.raises(driftless.DataError, match="was given, not searched"):
        _ = run.fit().penalty_path
    with pytest.raises(driftless.DataError, match="no roc curve"):
        run.fit().plot_roc()


@pytest.mark.parametrize("name", ["_config", "_experiments", "_figures", "_fit", "_run", "sklearn"])
def test_the_examples_of_docstrings_run(name):
    if name == "sklearn":
        pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    assert doctest.testmod(importlib.import_module(f"driftless.{name}")).failed == 0


def test_texts_and_names_survive_as_toml():
    import tomllib

    config = {"a": 'quote " and \\ and \n', "b": [1, 2.5, True], "t": {"u": {"v": -1e-300}}, "l": [{"x": 1}, {"y": "ü"}]}
    assert tomllib.loads(to_toml(config)) == config
