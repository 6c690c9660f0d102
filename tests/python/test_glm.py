"""Generalised linear models over rows of NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse

import driftless

RNG = np.random.default_rng(11)
ROWS = RNG.standard_normal((300, 4))
WEIGHTS = RNG.integers(0, 4, 300).astype(float)
OFFSETS = 0.2 * RNG.standard_normal(300)
PREDICTIONS = ROWS @ np.array([0.5, -0.3, 0.2, 0.1]) + 0.1
LABELS = {
    "logistic": np.where(RNG.random(300) < 1 / (1 + np.exp(-PREDICTIONS)), 1.0, -1.0),
    "squared-hinge": np.where(PREDICTIONS > 0, 1.0, -1.0),
    "least-squares": PREDICTIONS + 0.1 * RNG.standard_normal(300),
    "poisson": RNG.poisson(np.exp(PREDICTIONS)).astype(float),
    "gamma": np.exp(PREDICTIONS) * RNG.gamma(3.0, 1 / 3.0, 300) + 1e-3,
    "huber": PREDICTIONS + RNG.standard_t(2, 300),
}


def loss(family, eta, y):
    r = eta - y
    return {"logistic": lambda: np.logaddexp(0, -y * eta), "squared-hinge": lambda: 0.5 * np.maximum(0, 1 - y * eta) ** 2,
            "least-squares": lambda: 0.5 * r * r, "poisson": lambda: np.exp(eta) - y * eta,
            "gamma": lambda: y * np.exp(-eta) + eta,
            "huber": lambda: np.where(np.abs(r) <= 1, 0.5 * r * r, np.abs(r) - 0.5)}[family]()


@pytest.mark.parametrize("family", LABELS)
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix])
def test_every_family_has_the_minimum_that_its_formula_has(family, form):
    y = LABELS[family]
    parts = [np.arange(0, 90), np.arange(90, 300)]
    clients = [driftless.glm(form(ROWS), y, family=family, l2=0.05, sample_weight=WEIGHTS, offset=OFFSETS, rows=part)
               for part in parts]
    summary = driftless.minimize(clients, "newton-cg", grad_norm=1e-9, rounds=100)

    def f(x):
        eta = ROWS @ x[:4] + x[4] + OFFSETS
        return WEIGHTS @ loss(family, eta, y) / WEIGHTS.sum() + 0.025 * x[:4] @ x[:4]

    assert summary.reason == "grad_norm"
    assert summary.f == pytest.approx(f(summary.x), rel=1e-10)
    assert scipy.optimize.minimize(f, summary.x).fun >= summary.f - 1e-9


def test_the_penalty_may_differ_by_column():
    clients = [driftless.glm(ROWS, LABELS["least-squares"], family="least-squares", l2=[0.0, 1e9, 0.0, 0.0])]
    x = driftless.minimize(clients, "newton-cg", grad_norm=1e-9).x
    expected = np.linalg.lstsq(np.column_stack([ROWS[:, [0, 2, 3]], np.ones(300)]), LABELS["least-squares"], rcond=None)[0]
    np.testing.assert_allclose(x[[0, 2, 3, 4]], expected, atol=1e-6)
    assert abs(x[1]) < 1e-6


def test_several_classes_have_a_block_of_coefficients_each():
    y = np.digitize(PREDICTIONS, [-0.2, 0.4]).astype(float)
    client = driftless.glm(ROWS, y, family="multinomial", classes=3, l2=0.1)
    assert client.dim == 10
    x = driftless.minimize(client, "newton-cg", grad_norm=1e-9).x.reshape(2, 5)
    eta = np.column_stack([np.zeros(300), ROWS @ x[:, :4].T + x[:, 4]])
    assert (eta.argmax(axis=1) == y).mean() > 0.7


@pytest.mark.parametrize(("case", "kind"), [
    (lambda: driftless.glm(ROWS, LABELS["gamma"], family="weibull"), driftless.ConfigError),
    (lambda: driftless.glm(ROWS, LABELS["gamma"], family=3), driftless.ConfigError),
    (lambda: driftless.glm(ROWS, LABELS["poisson"] - 9, family="poisson"), driftless.DataError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], family="multinomial", classes=1), driftless.ConfigError),
    (lambda: driftless.glm(ROWS, LABELS["huber"], family="huber", delta=0), driftless.ConfigError),
    (lambda: driftless.glm(ROWS, LABELS["huber"], family="quantile", tau=1.5), driftless.ConfigError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], sample_weight=-np.ones(300)), driftless.DataError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], sample_weight=np.ones(9)), driftless.DataError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], sample_weight=np.zeros(300)), driftless.DataError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], offset=np.full(300, np.nan)), driftless.DataError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], l2=[1.0, 2.0]), driftless.ConfigError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], l2=-1.0), driftless.ConfigError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], l2="much"), driftless.ConfigError),
    (lambda: driftless.glm(ROWS, LABELS["logistic"], power=2), driftless.ConfigError)])
def test_what_no_model_has_is_an_error(case, kind):
    with pytest.raises(kind) as caught:
        case()
    assert caught.value.what and caught.value.advice
