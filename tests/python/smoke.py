"""What must work with NumPy alone: a run, a method and an objective of one's own, and an error."""

import importlib.util
import sys

import numpy as np

import driftless


class Ridge:
    dim = 3

    def value_gradient(self, x):
        return 0.5 * float((x - 1) @ (x - 1)), x - 1


class GradientDescent:
    def round(self, fed, x):
        return x - 0.5 * fed.mean(lambda client: client.gradient(x))


def main():
    rng = np.random.default_rng(1)
    rows, labels = rng.standard_normal((200, 5)), np.sign(rng.standard_normal(200))
    clients = [driftless.logistic(A, y, l2=0.01) for A, y in driftless.split(rows, labels, clients=4)]
    summary = driftless.minimize(clients, grad_norm=1e-9)
    assert summary.reason == "grad_norm" and summary.rows.dtype.names is not None
    own = driftless.minimize([Ridge(), Ridge()], GradientDescent(), grad_norm=1e-9)
    assert np.allclose(own.x, 1)
    try:
        driftless.minimize(clients, "gdd", rounds=1)
    except driftless.ConfigError as error:
        assert "did you mean" in str(error)
    else:
        raise AssertionError("an unknown method is an error")
    if importlib.util.find_spec("driftless._net") is None:
        try:
            driftless.join("127.0.0.1:1")
        except driftless.ConfigError as error:
            assert "wheels are made without it" in str(error)
        else:
            raise AssertionError("a build without network says so")
    print(f"driftless {driftless.__version__} works with Python {sys.version.split()[0]} and NumPy {np.__version__}")


main()
