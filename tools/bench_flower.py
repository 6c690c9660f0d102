#!/usr/bin/env python3
"""FedAvg and FedProx on logistic regression in Flower's simulation engine and with driftless, in one run.

    PYTHONPATH=build/release/python:tools python tools/bench_flower.py [FILE] [--clients N] [--rounds N] [--local-steps N]

Both have the same rows, clients, start, rounds, local gradient steps over all rows of a client (no batches) and step. A
round of Flower is timed between two of its evaluations at the server, which here do nothing, so that starting its engine
does not count. driftless is timed by the whole call of minimize, which also measures f and its gradient after every round:
once with the function that Flower's clients call, in SciPy, once with its own. scripts/bench-peers --flower makes the
environment.
"""

import argparse
import functools
import json
import os
import sys
import time

import numpy as np

import driftless

L2 = 1e-3
STEP = 1.0
LAMBDA = 0.1  # of FedProx; its step is 1 / (ETA + LAMBDA)
ETA = 1.0


class Rows:
    """f_i(x) = mean of log(1 + exp(−y a'x)) over the rows of a client + (l2/2)‖x‖², by SciPy."""

    def __init__(self, A, y):
        self.A, self.y, self.dim = A.tocsr(), y, A.shape[1]

    def value_gradient(self, x):
        margin = self.y * (self.A @ x)
        slope = -self.y / (1.0 + np.exp(margin))
        value = np.logaddexp(0.0, -margin).mean() + 0.5 * L2 * x @ x
        return value, self.A.T @ slope / len(self.y) + L2 * x


def settings():
    """What the processes of Ray get from the one that started them."""
    return json.loads(os.environ["BENCH_FLOWER"])


@functools.cache
def parts():
    """Rows of each client; all have the same number, as Flower's mean weighs by rows and that of driftless by clients."""
    asked = settings()
    if asked["file"]:
        A, y = driftless.read_libsvm(asked["file"])
    else:
        rng = np.random.default_rng(1)
        import scipy.sparse
        A = scipy.sparse.random(20000, 100, 0.2, format="csr", random_state=1)
        y = np.where(A @ rng.standard_normal(100) + 0.3 * rng.standard_normal(20000) > 0, 1.0, -1.0)
    each = A.shape[0] // asked["clients"]
    order = np.random.default_rng(2).permutation(A.shape[0])
    return [(A[order[k * each:(k + 1) * each]], y[order[k * each:(k + 1) * each]]) for k in range(asked["clients"])]


@functools.cache
def rows_of(client):
    return Rows(*parts()[client])


def train(message, context):
    """Local gradient steps, with FedProx's pull where the server asks for it."""
    from flwr.app import ArrayRecord, Message, MetricRecord, RecordDict

    start = message.content["arrays"].to_numpy_ndarrays()[0]
    pull = float(message.content["config"].get("proximal-mu", 0.0))
    rows = rows_of(int(context.node_config["partition-id"]))
    step = 1.0 / (ETA + pull) if pull else STEP
    x = start.copy()
    for _ in range(settings()["local_steps"]):
        x -= step * (rows.value_gradient(x)[1] + pull * (x - start))
    metrics = MetricRecord({"num-examples": len(rows.y)})
    return Message(RecordDict({"arrays": ArrayRecord([x]), "metrics": metrics}), reply_to=message)


def run_flower(method):
    """(model, seconds of each round)"""
    from flwr.app import ArrayRecord, MetricRecord
    from flwr.clientapp import ClientApp
    from flwr.serverapp import ServerApp
    from flwr.serverapp.strategy import FedAvg, FedProx
    from flwr.simulation import run_simulation

    asked = settings()
    client, server, times, model = ClientApp(), ServerApp(), [], []
    client.train()(train)

    def evaluate(_, arrays):
        times.append(time.monotonic())
        model[:] = arrays.to_numpy_ndarrays()
        return MetricRecord({"none": 0.0})

    def main(grid, context):
        strategy = {"fraction_evaluate": 0.0, "min_available_nodes": asked["clients"],
                    "min_train_nodes": asked["clients"]}
        chosen = FedAvg(**strategy) if method == "fedavg" else FedProx(proximal_mu=LAMBDA, **strategy)
        chosen.start(grid=grid, initial_arrays=ArrayRecord([np.zeros(rows_of(0).dim)]), num_rounds=asked["rounds"],
                     evaluate_fn=evaluate)
    server.main()(main)
    run_simulation(server, client, num_supernodes=asked["clients"], backend_config={"client_resources": {"num_cpus": 1}})
    return model[0], np.diff(times)


def run_driftless(method, clients):
    """(model, seconds of a round)"""
    asked = settings()
    options = {"fedavg": {"step": STEP, "local_steps": asked["local_steps"]},
               "fedprox": {"lambda_": LAMBDA, "solver": "gd", "eta": ETA, "local_steps": asked["local_steps"]}}[method]
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        summary = driftless.minimize(clients, method, rounds=asked["rounds"], **options)
        times.append((time.perf_counter() - begin) / asked["rounds"])
    return summary.x, min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default="")
    for name, default in (("clients", 10), ("rounds", 20), ("local-steps", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    os.environ["BENCH_FLOWER"] = json.dumps(vars(parser.parse_args()))
    os.environ["FLWR_TELEMETRY_ENABLED"] = "0"
    sites = range(settings()["clients"])
    native = [driftless.logistic(A, y, l2=L2) for A, y in parts()]
    lines = []
    for method in ("fedavg", "fedprox"):
        flower, rounds = run_flower(method)
        scipy_model, scipy_seconds = run_driftless(method, [rows_of(k) for k in sites])
        native_model, native_seconds = run_driftless(method, native)
        size = np.abs(flower).max()
        later = rounds[1:]  # the first one starts Flower's processes
        lines.append(f"| {method} | {rounds[0]:.1f} | {1e3 * np.median(later):.0f} ({1e3 * later.min():.0f} to "
                     f"{1e3 * later.max():.0f}) | "
                     f"{1e3 * scipy_seconds:.2f} | {1e3 * native_seconds:.2f} | {np.median(later) / scipy_seconds:.1f} | "
                     f"{np.abs(flower - scipy_model).max() / size:.1e} | "
                     f"{np.abs(flower - native_model).max() / size:.1e} |")
        if max(np.abs(flower - model).max() for model in (scipy_model, native_model)) > 1e-6 * size:
            sys.exit(f"{method}: the models of Flower and driftless differ")
    rows, dim = sum(len(y) for _, y in parts()), rows_of(0).dim
    print(f"{rows} rows, {dim} variables, {settings()}")
    print("| method | Flower, first round, s | later rounds, ms: median (least to most) | driftless, same function, ms | "
          "driftless, its own, ms | Flower/driftless, same function | difference of models, same function | own |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    print("\n".join(lines))


if __name__ == "__main__":
    # By its name, so that Ray's processes import it rather than get a copy of each function.
    import bench_flower

    bench_flower.main()
