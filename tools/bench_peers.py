#!/usr/bin/env python3
"""Solves the same logistic regression with driftless, LIBLINEAR and scikit-learn, in turns, and prints the ratios.

    tools/bench_peers.py PROGRAM FILE... [--repeats N]

f(x) = (1/m) sum log(1 + exp(-b_i a_i'x)) + (lambda/2)|x|^2, lambda = 1e-3, with a regularised intercept, from 0 to
|grad f| <= 1e-9. driftless divides the rows among 142 clients and uses all cores; the others see all rows at once. Times
are the shortest of all repeats; "solve" leaves reading the file out. A peer that stops before 1e-9 does not count.
"In Python" is driftless.minimize in the process of scikit-learn, on the same CSR matrix: dividing the rows and making
the clients count, as whatever scikit-learn does with the matrix counts. It is left out where the package is not built.
"""

import argparse
import csv
import os
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy
import scipy.sparse
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

try:
    import driftless
except ImportError:
    driftless = None

LAMBDA = 1e-3
TOLERANCE = 1e-9
CLIENTS = 142
SOLVERS = ("liblinear", "newton-cg", "newton-cholesky", "lbfgs")
# The methods of driftless, the first of which is compared with the peers.
METHODS = {
    "newton-cg": f'name = "newton-cg"\ngradient_goal = {TOLERANCE}',
    "auto": 'name = "auto"',
    "auto, vectors alone": 'name = "auto"\nmatrices = false',
    "auto, save = local": 'name = "auto"\nsave = "local"',
}


class Problem:
    """The rows with a column of ones, and what both kinds of solvers are told."""

    def __init__(self, path):
        self.path = path
        features, labels = load_svmlight_file(str(path))
        ones = numpy.ones((features.shape[0], 1))
        self.rows = scipy.sparse.hstack([features, ones], format="csr")
        self.positive = labels.max()
        self.labels = numpy.where(labels == self.positive, 1.0, -1.0)
        self.count, self.dim = self.rows.shape
        self.cost = 1.0 / (LAMBDA * self.count)

    def gradient_norm(self, x):
        margins = self.labels * (self.rows @ x)
        slopes = -self.labels / (1.0 + numpy.exp(numpy.minimum(margins, 700.0))) / self.count
        return float(numpy.linalg.norm(self.rows.T @ slopes + LAMBDA * x))


def shortest(old, new):
    return new if old is None or new["seconds"] < old["seconds"] else old


def fit_sklearn(problem, solver, dense, accuracy):
    # Of liblinear it is LIBLINEAR's own accuracy; of the others the largest entry of the gradient of the sum.
    tolerance = accuracy if solver == "liblinear" else TOLERANCE / (LAMBDA * numpy.sqrt(problem.dim))
    model = LogisticRegression(C=problem.cost, solver=solver, fit_intercept=False, max_iter=1000, tol=tolerance)
    rows = problem.rows.toarray() if dense else problem.rows
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(rows, problem.labels)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "norm": problem.gradient_norm(model.coef_[0])}


def liblinear_model(path, positive):
    lines = path.read_text(encoding="utf-8").splitlines()
    first_label = float(next(line for line in lines if line.startswith("label ")).split()[1])
    weights = numpy.array([float(line) for line in lines[lines.index("w") + 1:] if line.strip()])
    return weights if first_label == positive else -weights


def run_liblinear(problem, folder, accuracy):
    model = folder / "liblinear.model"
    command = ["liblinear-train", "-s", "0", "-B", "1", "-c", repr(problem.cost), "-e", repr(accuracy), "-q",
               str(problem.path), str(model)]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "norm": problem.gradient_norm(liblinear_model(model, problem.positive))}


def accuracy_for(problem, folder):
    """The loosest of LIBLINEAR's accuracies, in steps of two, that reaches the tolerance."""
    accuracy = 1e-6
    while accuracy > 1e-12 and run_liblinear(problem, folder, accuracy)["norm"] > TOLERANCE:
        accuracy /= 2.0
    return accuracy


def run_driftless(program, problem, folder, method):
    config = folder / "solve.toml"
    config.write_text(f"""[problem]
kind = "logistic"
data = "{problem.path}"
l2 = {LAMBDA}
intercept = true
reference = "none"
[federation]
clients = {CLIENTS}
split = "iid"
[[method]]
{METHODS[method]}
[stop]
grad_norm = {TOLERANCE}
rounds = 200
""", encoding="utf-8")
    out = folder / f"run-{time.monotonic_ns()}"
    start = time.perf_counter()
    subprocess.run([program, "run", str(config), "--out", str(out)], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    with open(next(out.glob("*/metrics.csv")), newline="", encoding="utf-8") as file:
        last = list(csv.DictReader(file))[-1]
    return ({"seconds": seconds, "norm": float(last["grad_norm"])},
            {"seconds": float(last["wall_s"]), "norm": float(last["grad_norm"]), "exchanges": last["exchanges"]})


def run_in_python(problem):
    start = time.perf_counter()
    parts = driftless.split_rows(problem.labels, clients=CLIENTS)
    clients = [driftless.logistic(problem.rows, problem.labels, l2=LAMBDA, rows=part) for part in parts]
    summary = driftless.minimize(clients, "newton-cg", grad_norm=TOLERANCE, rounds=200)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "norm": problem.gradient_norm(summary.x), "exchanges": summary.exchanges}


def compare(program, path, repeats, folder):
    problem = Problem(path)
    accuracy = accuracy_for(problem, folder)
    kinds = [(solver, False) for solver in SOLVERS]
    if problem.count * problem.dim < 5e7:
        kinds.append(("newton-cholesky", True))
    peers = dict.fromkeys(kinds)
    solves = dict.fromkeys(METHODS)
    whole = liblinear = in_python = None
    for _ in range(repeats):
        for method in METHODS:
            process, result = run_driftless(program, problem, folder, method)
            solves[method] = shortest(solves[method], result)
            if method == "newton-cg":
                whole = shortest(whole, process)
        if driftless is not None:
            in_python = shortest(in_python, run_in_python(problem))
        liblinear = shortest(liblinear, run_liblinear(problem, folder, accuracy))
        for kind in kinds:
            peers[kind] = shortest(peers[kind], fit_sklearn(problem, *kind, accuracy))
    print(f"\n{path.name}: {problem.count} rows, {problem.dim} variables")
    line = "  {:<49}{:>9.1f} ms   |grad| {:.1e}{}"
    for method, result in solves.items():
        print(line.format(f"driftless {method}, {CLIENTS} clients: solve", 1e3 * result["seconds"], result["norm"],
                          f"   {result['exchanges']} exchanges"))
    if in_python is not None:
        print(line.format("driftless in Python, newton-cg: clients and solve", 1e3 * in_python["seconds"],
                          in_python["norm"], f"   {in_python['exchanges']} exchanges"))
    solve = solves["newton-cg"]
    for (solver, dense), result in peers.items():
        name = f"scikit-learn {solver}{' (dense)' if dense else ''}: solve"
        reached = result["norm"] <= TOLERANCE
        print(line.format(name, 1e3 * result["seconds"], result["norm"], "" if reached else "   not reached"))
    print(line.format("driftless: whole process", 1e3 * whole["seconds"], whole["norm"], ""))
    print(line.format("LIBLINEAR: whole process", 1e3 * liblinear["seconds"], liblinear["norm"], ""))
    able = [result["seconds"] for result in peers.values() if result["norm"] <= TOLERANCE]
    best = min(able + [liblinear["seconds"]])
    print(f"  best peer's solve / driftless {best / solve['seconds']:.2f};  "
          f"LIBLINEAR's process / driftless's {liblinear['seconds'] / whole['seconds']:.2f}")
    if in_python is not None and able:
        print(f"  in one Python process: best of scikit-learn / driftless {min(able) / in_python['seconds']:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--repeats", type=int, default=7)
    given = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", str(os.cpu_count()))
    with tempfile.TemporaryDirectory() as folder:
        for path in given.files:
            compare(given.program, path.resolve(), given.repeats, Path(folder))


if __name__ == "__main__":
    main()
