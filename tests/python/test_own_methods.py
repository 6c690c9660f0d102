"""Methods written in Python: counted, reproducible, and with the bits of the built-in ones."""

from __future__ import annotations

import numpy as np
import pytest

import driftless

COUNTS = ["round", "exchanges", "messages", "bytes_up", "bytes_down", "local_steps", "grad_evals"]


class GradientDescent:
    def __init__(self, step):
        self.step = step

    def round(self, fed, x):
        def body(client):
            client.count_step()
            return client.gradient(x)

        return x - self.step * fed.mean(body)


class HeavyBall:
    state = ("previous",)

    def __init__(self, step, beta):
        self.step, self.beta, self.previous = step, beta, None

    def start(self, fed, x):
        self.previous = x

    def round(self, fed, x):
        g = fed.mean(lambda client: client.gradient(x))
        after = x - self.step * g + self.beta * (x - self.previous)
        self.previous = x
        return after


class FedProx:
    """With the cohorts and local solves of the library."""

    def __init__(self, lambda_, cohort):
        self.lambda_, self.cohort = lambda_, cohort

    def round(self, fed, x):
        cohort = fed.sample(self.cohort)
        return fed.mean(lambda client: client.minimize(x, center=x, lambda_=self.lambda_, round=fed.round, solver="gd",
                                                       eta=3.0, local_steps=5), cohort)


def test_gradient_descent_in_python_is_the_built_in_one(clients):
    own = driftless.minimize(clients, GradientDescent(0.8), rounds=30)
    built_in = driftless.minimize(clients, "gd", step=0.8, rounds=30)
    assert own.x.tobytes() == built_in.x.tobytes()
    for name in COUNTS:
        np.testing.assert_array_equal(own.rows[name], built_in.rows[name], err_msg=name)


def test_fedprox_in_python_draws_and_solves_as_the_built_in_one(clients):
    own = driftless.minimize(clients, FedProx(2.0, 2), rounds=12, seed=9)
    built_in = driftless.minimize(clients, "fedprox", lambda_=2.0, cohort=2, solver="gd", eta=3.0, local_steps=5,
                                  rounds=12, seed=9)
    assert own.x.tobytes() == built_in.x.tobytes()
    for name in COUNTS:
        np.testing.assert_array_equal(own.rows[name], built_in.rows[name], err_msg=name)


@pytest.mark.parametrize("method", [lambda: HeavyBall(0.8, 0.7), lambda: FedProx(2.0, 2), lambda: GradientDescent(1.0)])
def test_any_number_of_threads_gives_the_same_bits(method, clients):
    one = driftless.minimize(clients, method(), rounds=15, threads=1)
    for threads in (2, 5):
        assert driftless.minimize(clients, method(), rounds=15, threads=threads).x.tobytes() == one.x.tobytes()


def test_a_method_may_be_used_again(clients):
    method = HeavyBall(0.8, 0.7)
    first = driftless.minimize(clients, method, rounds=8)
    assert driftless.minimize(clients, method, rounds=8).x.tobytes() == first.x.tobytes()


def test_chance_is_shared_and_follows_from_the_seed(clients):
    class Draws:
        def __init__(self):
            self.seen = []

        def round(self, fed, x):
            uniform = []
            fed.for_each_client(lambda client: uniform.append((client.id, client.uniform())))
            self.seen.append((fed.coin(0.5), fed.geometric(0.3), fed.sample(2).ids, fed.any_client().ids, fed.order(5),
                              sorted(uniform)))
            return x

    def draws(seed):
        method = Draws()
        driftless.minimize(clients, method, rounds=5, seed=seed)
        return method.seen

    assert draws(1) == draws(1)
    assert draws(1) != draws(2)
    for coin, geometric, sample, one, order, uniform in draws(3):
        assert coin in (True, False) and geometric >= 1
        assert len(set(sample)) == 2 and len(one) == 1 and sorted(order) == [0, 1, 2, 3, 4]
        assert [client for client, _ in uniform] == [0, 1, 2, 3] and all(0 <= u < 1 for _, u in uniform)


def test_a_federation_tells_what_it_is_and_what_it_has_cost(clients):
    facts = []

    class Look:
        def start(self, fed, x):
            facts.append((fed.n, fed.dim, fed.seed, len(fed.everyone), 3 in fed.everyone, 4 in fed.everyone))

        def round(self, fed, x):
            values = fed.mean_scalars(lambda client: [client.value(x), client.samples], count=2)
            pair = fed.mean(lambda client: client.value_gradient(x)[1], cohort=fed.sample(2), receivers=fed.everyone)
            facts.append((fed.round, values.shape, pair.shape, fed.ledger))
            return x

    driftless.minimize(clients, Look(), rounds=2, seed=6)
    assert facts[0] == (4, 12, 6, 4, True, False)
    assert facts[1] == (0, (2,), (12,), {"rounds": 1, "exchanges": 2, "vectors_up": 2, "vectors_down": 4,
                                        "bytes_up": 192, "bytes_down": 384, "scalars_up": 8, "scalars_down": 8})
    assert facts[2][0] == 1 and facts[2][3]["exchanges"] == 4


def test_products_with_hessians_are_those_of_the_client(clients):
    x = np.linspace(-1, 1, 12)
    found = []

    class Look:
        def round(self, fed, point):
            mean = fed.mean(lambda client: client.hessian_vector(x, np.ones(12)))
            found.append(mean)
            return point

    driftless.minimize(clients[:1], Look(), rounds=1)
    np.testing.assert_array_equal(found[0], clients[0].hessian_vector(x, np.ones(12)))


def test_a_run_is_resumed_with_the_same_bits(clients, tmp_path):
    whole = driftless.minimize(clients, HeavyBall(0.8, 0.7), rounds=20)
    file = tmp_path / "run.ckpt"
    part = driftless.minimize(clients, HeavyBall(0.8, 0.7), rounds=20, checkpoint=file, checkpoint_seconds=0,
                              callback=lambda info: info.round < 11)
    assert part.reason == "interrupted" and part.rounds == 11 and file.exists()
    resumed = driftless.minimize(clients, HeavyBall(0.8, 0.7), rounds=20, checkpoint=file)
    assert resumed.x.tobytes() == whole.x.tobytes() and resumed.rounds == 20
    assert not file.exists()


def test_a_checkpoint_of_another_method_is_rejected(clients, tmp_path):
    file = tmp_path / "run.ckpt"
    driftless.minimize(clients, HeavyBall(0.8, 0.7), rounds=20, checkpoint=file, checkpoint_seconds=0,
                       callback=lambda info: info.round < 5)
    with pytest.raises(driftless.DataError):
        driftless.minimize(clients, "gd", step=1.0, rounds=20, checkpoint=file)
