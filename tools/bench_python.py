#!/usr/bin/env python3
"""Measures what Python costs beside C++; scripts/bench-python runs it.

    tools/bench_python.py BENCH_MINIMIZE_CALL FILE [--turns N]

1. Logistic regression over 142 clients by newton-cg to 1e-9: driftless.minimize in Python and minimize in C++, in turns,
   the same clients for all turns, on one thread and on two. Seconds, and those of the processors, which other programs
   on the machine disturb less.
2. An objective in Python, 300 variables, whose function returns what it has: seconds of a run of gradient descent less
   those of as many calls of the function alone, by call; one client on one thread, and eight on two.
3. The time and the memory of making the clients from the rows, and a run of one round on two variables.
"""

import argparse
import resource
import statistics
import subprocess
import time

import numpy as np

import driftless

CLIENTS = 142
GOAL = 1e-9
ROUNDS = 20000


def clients_of(path):
    matrix, labels = driftless.read_libsvm(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    parts = driftless.split_rows(labels, clients=CLIENTS)
    clients = [driftless.logistic(matrix, labels, l2=1e-3, intercept=True, rows=part) for part in parts]
    seconds = time.perf_counter() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    own = (matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes) / 2**20
    print(f"{matrix.shape[0]} rows, {matrix.nnz} entries, {CLIENTS} clients made in {1e3 * seconds:.1f} ms; "
          f"peak memory grew by {grown:.1f} MiB, the CSR arrays have {own:.1f} MiB")
    return clients


def solve(clients, threads):
    busy, start = time.process_time(), time.perf_counter()
    summary = driftless.minimize(clients, "newton-cg", gradient_goal=GOAL, grad_norm=GOAL, threads=threads)
    return time.perf_counter() - start, time.process_time() - busy, summary.rounds


def solve_there(other, threads):
    other.stdin.write(f"{threads}\n")
    other.stdin.flush()
    seconds, busy, rounds = other.stdout.readline().split()
    return float(seconds), float(busy), int(rounds)


def compare(other, clients, threads, turns):
    found = {"C++": [], "Python": []}
    for turn in range(turns + 3):
        order = ("C++", "Python") if turn % 2 == 0 else ("Python", "C++")
        one = {name: solve_there(other, threads) if name == "C++" else solve(clients, threads) for name in order}
        assert one["C++"][2] == one["Python"][2], "both make the same rounds"
        for name, result in one.items():
            if turn >= 3:  # the first ones warm up
                found[name].append(result)
    for index, what in enumerate(("seconds", "seconds of the processors")):
        mine, theirs = ([result[index] for result in found[name]] for name in ("Python", "C++"))
        for of, name in ((statistics.median, "median"), (min, "least")):
            print(f"newton-cg to {GOAL:g}, {threads} threads, {turns} turns, {name} of {what}: C++ {1e3 * of(theirs):.2f} ms, "
                  f"Python {1e3 * of(mine):.2f} ms, {100 * (of(mine) / of(theirs) - 1):+.1f} %")


def smallest_run():
    clients = [driftless.quadratic(np.eye(2), np.ones(2))]
    least = float("inf")
    for _ in range(300):
        start = time.perf_counter()
        driftless.minimize(clients, "gd", step=1.0, rounds=1, threads=1)
        least = min(least, time.perf_counter() - start)
    print(f"a run of one round on two variables: {1e6 * least:.0f} µs")


class Ready:
    """Returns what it has."""

    def __init__(self, dim):
        self.dim = dim
        self.gradient_of_all = np.zeros(dim)

    def value_gradient(self, x):
        return 0.0, self.gradient_of_all


def cost_of_calls(clients, threads):
    objectives = [Ready(300) for _ in range(clients)]
    rounds = ROUNDS // clients
    point = np.zeros(300)

    def run():
        start = time.perf_counter()
        driftless.minimize(objectives, "gd", step=0.1, rounds=rounds, every=rounds, threads=threads)
        return time.perf_counter() - start

    def alone():
        start = time.perf_counter()
        for _ in range(rounds):
            for objective in objectives:
                objective.value_gradient(point)
        return time.perf_counter() - start

    calls = clients * rounds
    cost = (min(run() for _ in range(5)) - min(alone() for _ in range(5))) / calls
    print(f"a call of an objective in Python, {clients} clients, {threads} threads: {1e6 * cost:.2f} µs beyond itself")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("file")
    parser.add_argument("--turns", type=int, default=40)
    arguments = parser.parse_args()
    clients = clients_of(arguments.file)
    with subprocess.Popen([arguments.program, arguments.file, str(CLIENTS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as other:
        for threads in (1, 2):
            compare(other, clients, threads, arguments.turns)
        other.stdin.close()
    smallest_run()
    cost_of_calls(1, 1)
    cost_of_calls(8, 2)


if __name__ == "__main__":
    main()
