"""What a run gives back."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import driftless


@pytest.fixture(scope="module")
def summary():
    problem = driftless.generate_quadratics(clients=3, dim=8, samples=2, seed=3)
    return driftless.minimize(problem.clients, "gd", step=0.01, start=problem.start, reference=problem.reference, rounds=7,
                              every=3)


def test_the_history_is_a_frame_with_the_columns_of_metrics_csv(summary):
    assert isinstance(summary.history, pandas.DataFrame)
    assert list(summary.history.columns) == list(summary.rows.dtype.names)
    assert list(summary.history["round"]) == [0, 3, 6, 7]
    assert summary.history["round"].dtype == np.int64 and summary.history["f"].dtype == np.float64


def test_the_totals_are_those_of_the_last_row(summary):
    last = summary.rows[-1]
    assert (summary.rounds, summary.exchanges, summary.messages) == (7, 7, 42)
    assert summary.bytes == summary.bytes_up + summary.bytes_down == 42 * 8 * 8
    assert (summary.local_steps, summary.grad_evals) == (last["local_steps"], last["grad_evals"]) == (7, 7)
    assert summary.f == last["f"] and summary.grad_norm == last["grad_norm"] and summary.gap == last["f_gap"]
    assert summary.seconds == last["wall_s"] > 0
    assert summary.decision is None


def test_the_gap_is_none_where_the_minimum_is_not_known(clients):
    summary = driftless.minimize(clients, "gd", step=1.0, rounds=2)
    assert summary.gap is None and summary.history["f_gap"].isna().all() and summary.history["dist"].isna().all()


def test_the_output_point_is_the_one_that_was_asked_for():
    clients = [driftless.quadratic(np.diag([1.0, 100.0]), np.array([1.0, 1e-6]))]
    summary = driftless.minimize(clients, "gd", step=0.021, rounds=300, output="best")
    assert summary.f > min(summary.rows["f"])
    assert clients[0].value(summary.output) == min(summary.rows["f"])


def test_people_can_read_it(summary):
    assert "gd" in repr(summary) and "7 rounds" in repr(summary)
    page = summary._repr_html_()
    assert page.startswith("<table>") and page.endswith("</table>") and "exchanges" in page and "gap" in page


def test_a_decision_is_shown(clients):
    summary = driftless.minimize(clients, grad_norm=1e-9)
    assert summary.decision.chosen in summary._repr_html_()
    assert summary.decision.reason and summary.decision.measured["clients"] == 4.0


def test_it_draws_its_history(summary):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    axes = summary.plot()
    assert axes.get_ylabel() == "f_gap" and axes.get_xlabel() == "exchanges"
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), summary.rows["f_gap"])
    assert summary.plot(y="grad_norm", x="round", ax=axes) is axes and len(axes.lines) == 2
    pyplot.close("all")


def test_names_of_methods_come_with_all_that_the_catalogue_knows():
    assert {"gd", "fedred-gd", "auto"} <= set(driftless.methods())
    assert driftless.methods("fedred") == ["fedred", "fedred-gd", "fedred-sgd", "fedred-gd-drift"]
    method = driftless.describe("fedred-gd")
    options = {option.name: option for option in method.options}
    assert options["lambda"].required and options["lambda"].default is None
    assert options["restart"].default is True and options["averaging"].choices == ("mean", "random")
    assert method.fixed == {"solver": "gd"} and "eta" in method.theory
    assert "doubly regularised" in repr(method) and str(options["p"]) in repr(method)


@pytest.mark.parametrize("name", driftless.methods())
def test_every_method_is_described_as_on_the_command_line(name, program):
    import json
    import subprocess

    shown = json.loads(subprocess.run([program, "describe", name, "--format", "json"], capture_output=True, text=True,
                                      check=True).stdout)
    method = driftless.describe(name)
    assert (method.family, method.summary, method.paper, method.rate) == tuple(
        shown[key] for key in ("family", "summary", "paper", "rate"))
    assert [option.name for option in method.options] == [option["name"] for option in shown["options"]]
    assert [option.required for option in method.options] == [option["required"] for option in shown["options"]]
    assert method.theory == shown["theory"]
