"""Objectives written in Python."""

from __future__ import annotations

import numpy as np
import pytest

import driftless


class Logistic:
    """The logistic loss in NumPy, with everything that an objective can offer."""

    def __init__(self, A, y, l2, weight):
        self.rows, self.A, self.y, self.l2, self.weight = A, A.toarray(), y, l2, weight

    @property
    def dim(self):
        return self.A.shape[1]

    def samples(self):
        return self.A.shape[0]

    def value_gradient(self, x):
        t = self.y * (self.A @ x)
        value = self.weight * np.logaddexp(0, -t).sum() + 0.5 * self.l2 * x @ x
        return value, self.weight * self.A.T @ (-self.y / (1 + np.exp(t))) + self.l2 * x

    def hessian_vector(self, x, v):
        s = 1 / (1 + np.exp(-self.A @ x))
        return self.weight * self.A.T @ (s * (1 - s) * (self.A @ v)) + self.l2 * v

    def gradient_batch(self, x, indices):
        A, y = self.A[indices], self.y[indices]
        scale = self.weight * self.A.shape[0] / len(indices)
        return scale * A.T @ (-y / (1 + np.exp(y * (A @ x)))) + self.l2 * x


class GradientOnly:
    dim = 3

    def __init__(self, centre):
        self.centre = centre

    def value_gradient(self, x):
        d = x - self.centre
        return 0.5 * float(d @ d), d


@pytest.fixture(scope="module")
def own(rows):
    parts = driftless.split(*rows, clients=4, how="dirichlet", alpha=0.5)
    return [Logistic(A, y, 0.01, 4 / rows[1].size) for A, y in parts]


@pytest.mark.parametrize(("method", "options"), [
    ("gd", {"step": 1.0}), ("newton-cg", {}), ("fedred-gd", {"eta": 3.0, "lambda_": 0.5, "p": 0.2}),
    ("fedred-sgd", {"eta": 3.0, "lambda_": 0.5, "p": 0.2}), ("dane+-gd", {"eta": 3.0, "lambda_": 0.5, "mu": 0.01}),
    ("l-bfgs", {}), ("auto", {}), ("newton", {}), ("scaffold", {"step": 0.5})])
def test_the_same_function_in_python_gives_the_same_run(method, options, own, clients):
    mine = driftless.minimize(own, method, rounds=10, **options)
    theirs = driftless.minimize(clients, method, rounds=10, **options)
    np.testing.assert_allclose(mine.x, theirs.x, rtol=1e-6, atol=1e-9)
    assert mine.exchanges == theirs.exchanges
    np.testing.assert_allclose(mine.rows["f"], theirs.rows["f"], rtol=1e-9)


class AllSteps(Logistic):
    """As above, with local steps of its own."""

    def sgd_steps(self, y, batches, step, shift, center, pull):
        for batch in batches:
            gradient = self.gradient_batch(y, batch)
            if shift is not None:
                gradient = gradient - shift
            if center is not None:
                gradient = gradient + pull * (y - center)
            y = y - step * gradient
        return y


@pytest.mark.parametrize(("method", "options"), [
    ("fedavg", {"step": 0.5}), ("scaffold", {"step": 0.5}), ("fedprox", {"eta": 2.0, "lambda_": 0.5, "solver": "sgd"})])
def test_local_steps_of_its_own_are_used_and_counted(method, options, own, monkeypatch):
    options = {**options, "batch": 9, "local_steps": 5, "rounds": 3}
    single = driftless.minimize(own, method, **options)
    calls = []
    monkeypatch.setattr(Logistic, "gradient_batch", lambda f, x, rows, at=Logistic.gradient_batch: calls.append(1) or at(f, x, rows))
    whole = driftless.minimize([AllSteps(f.rows, f.y, f.l2, f.weight) for f in own], method, **options)
    assert len(calls) == 4 * 5 * 3
    assert (whole.x == single.x).all()
    assert (whole.grad_evals, whole.exchanges) == (single.grad_evals, single.exchanges)


def test_local_steps_that_return_something_else_are_an_error(own):
    f = AllSteps(own[0].rows, own[0].y, 0.01, 1.0)
    f.sgd_steps = lambda *_: np.zeros(3)
    with pytest.raises(driftless.DataError, match=r"sgd_steps\(\) of AllSteps"):
        driftless.minimize([f], "fedavg", step=0.5, batch=9, local_steps=5, rounds=3)


def test_any_number_of_threads_gives_the_same_bits(own):
    one = driftless.minimize(own, "fedred-sgd", eta=3.0, lambda_=0.5, p=0.2, rounds=10, threads=1)
    many = driftless.minimize(own, "fedred-sgd", eta=3.0, lambda_=0.5, p=0.2, rounds=10, threads=4)
    assert one.x.tobytes() == many.x.tobytes()


def test_values_and_gradients_alone_are_used_where_they_are_offered():
    calls = []

    class Own(GradientOnly):
        def value(self, x):
            calls.append("value")
            return self.value_gradient(x)[0]

        def gradient(self, x):
            calls.append("gradient")
            return x - self.centre

    class Look:
        def round(self, fed, x):
            fed.for_each_client(lambda client: (client.value(x), client.gradient(x)))
            return x

    driftless.minimize([Own(np.ones(3))], Look(), rounds=2)
    assert calls == ["value", "gradient"] * 2


def test_dim_may_be_a_method_and_a_single_objective_is_a_federation_of_one():
    class Own(GradientOnly):
        def dim(self):
            return 3

    summary = driftless.minimize(Own(np.arange(3.0)), "gd", step=1.0, rounds=2)
    np.testing.assert_allclose(summary.x, [0, 1, 2])


def test_objectives_of_python_and_of_the_library_go_together():
    quadratic = driftless.quadratic(np.eye(3), np.zeros(3))
    summary = driftless.minimize([quadratic, GradientOnly(np.ones(3))], "gd", step=0.5, grad_norm=1e-12, rounds=200)
    np.testing.assert_allclose(summary.x, 0.5 * np.ones(3), atol=1e-10)


def test_a_solver_that_needs_more_than_gradients_says_so():
    with pytest.raises(driftless.ConfigError, match="does not offer"):
        driftless.minimize([GradientOnly(np.ones(3))] * 2, "newton-cg", rounds=2)
    with pytest.raises(driftless.ConfigError, match="does not offer"):
        driftless.minimize([GradientOnly(np.ones(3))] * 2, "dane+-sgd", lambda_=1.0, eta=1.0, rounds=2)


def test_the_point_that_an_objective_gets_is_its_own():
    kept = []

    class Keeps(GradientOnly):
        def value_gradient(self, x):
            kept.append(x)
            result = super().value_gradient(x)
            x[:] = 1e9
            return result

    summary = driftless.minimize(Keeps(np.ones(3)), "gd", step=0.5, rounds=3)
    assert np.isfinite(summary.f) and summary.f < 1.0
    assert all((point == 1e9).all() for point in kept)


def test_built_in_objectives_can_be_called(rows):
    A, y = rows
    f = driftless.logistic(A, y, l2=0.01)
    own = Logistic(A, y, 0.01, 1 / y.size)
    x, v = np.linspace(-1, 1, 12), np.linspace(2, 1, 12)
    value, gradient = f.value_gradient(x)
    np.testing.assert_allclose(value, own.value_gradient(x)[0], rtol=1e-12)
    np.testing.assert_allclose(gradient, own.value_gradient(x)[1], rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(f.hessian_vector(x, v), own.hessian_vector(x, v), rtol=1e-10, atol=1e-14)
    assert f.value(x) == value and (f.gradient(x) == gradient).all()
    assert f.dim == 12 and f.rows == 240
