#!/usr/bin/env python3
"""Compares the accountant of driftless with those of dp-accounting and Opacus; scripts/compare-with-accountants runs it.

    tools/compare_accountants.py PROGRAM

All three use Rényi divergences of the Poisson-sampled Gaussian mechanism. They are compared at the order that driftless
found the best, where one of the peers must agree within the bar: dp-accounting leaves out an order whose series has not
converged after 1000 terms ("-" in the table), and Opacus loses digits where there is little to lose, down to an epsilon
below zero. With the orders that dp-accounting would choose itself its epsilon must not be the lower one. For a single
exchange its privacy loss distribution is exact up to its discretisation, and must not be above.
"""

import importlib.util
import itertools
import json
import math
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path

import absl.logging
import dp_accounting
from dp_accounting import pld, rdp

BAR = 1e-3
NOISES = (0.6, 1.0, 4.0, 20.0)
RATES = (1.0, 0.1, 0.01, 0.001)
EXCHANGES = (1, 100, 10000)
DELTAS = (1e-5, 1e-8)
BUDGETS = ((0.5, 1.0, 10), (2.0, 1.0, 100), (8.0, 0.1, 100), (1.0, 0.01, 1000), (3.0, 0.001, 10000))


def opacus_analysis():
    """The module of Opacus by its file, as the package would import PyTorch."""
    path = Path(sysconfig.get_paths()["purelib"], "opacus", "accountants", "analysis", "rdp.py")
    spec = importlib.util.spec_from_file_location("opacus_rdp", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def driftless(program, verb, **options):
    flags = [text for name, value in options.items() for text in (f"--{name}", repr(value))]
    done = subprocess.run([program, "privacy", verb, *flags, "--format", "json"], check=True, capture_output=True)
    return json.loads(done.stdout)


def event(noise, rate, exchanges):
    step = dp_accounting.GaussianDpEvent(noise)
    sampled = step if rate == 1.0 else dp_accounting.PoissonSampledDpEvent(rate, step)
    return dp_accounting.SelfComposedDpEvent(sampled, exchanges)


def of_google(orders, noise, rate, exchanges, delta):
    epsilon = rdp.RdpAccountant(orders).compose(event(noise, rate, exchanges)).get_epsilon(delta)
    return epsilon if math.isfinite(epsilon) else math.nan


def of_opacus(analysis, order, noise, rate, exchanges, delta):
    divergences = analysis.compute_rdp(q=rate, noise_multiplier=noise, steps=exchanges, orders=[order])
    return analysis.get_privacy_spent(orders=[order], rdp=divergences, delta=delta)[0]


def exact(noise, rate, delta):
    accountant = pld.PLDAccountant(value_discretization_interval=1e-4)
    return accountant.compose(event(noise, rate, 1)).get_epsilon(delta)


def apart(ours, peers):
    """From the nearest peer, relative; absolute where there is next to nothing to bound."""
    return min(abs(ours - peer) / max(peer, 1e-3) for peer in peers if not math.isnan(peer))


def shown(value):
    return "-" if math.isnan(value) else f"{value:.5g}"


class Comparison:
    def __init__(self, program):
        self.program = program
        self.analysis = opacus_analysis()
        self.difference = self.above_usual = self.below_exact = 0.0

    def peers(self, order, case):
        return of_google([order], *case), of_opacus(self.analysis, order, *case)

    def line(self, noise, rate, exchanges, delta):
        case = noise, rate, exchanges, delta
        found = driftless(self.program, "epsilon", noise=noise, rate=rate, exchanges=exchanges, delta=delta)
        ours, peers, usual = found["epsilon"], self.peers(found["order"], case), of_google(None, *case)
        tight = exact(noise, rate, delta) if exchanges == 1 else math.nan
        self.difference = max(self.difference, apart(ours, peers))
        self.above_usual = max(self.above_usual, (ours - usual) / max(usual, 1e-3))
        self.below_exact = max(self.below_exact, tight - ours if exchanges == 1 else 0.0)
        columns = [ours, *peers, usual, tight]
        print(f"| {noise:g} | {rate:g} | {exchanges} | {delta:g} | {' | '.join(map(shown, columns))} |")

    def budget(self, epsilon, rate, exchanges, delta=1e-6):
        found = driftless(self.program, "noise", epsilon=epsilon, rate=rate, exchanges=exchanges, delta=delta)
        peers = self.peers(found["order"], (found["noise"], rate, exchanges, delta))
        self.difference = max(self.difference, apart(epsilon, peers))
        print(f"| {epsilon:g} | {rate:g} | {exchanges} | {delta:g} | {found['noise']:.5g} | "
              f"{' | '.join(map(shown, peers))} |")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    absl.logging.set_verbosity(absl.logging.ERROR)
    warnings.simplefilter("ignore")
    comparison = Comparison(arguments[0])
    print("| noise | rate | exchanges | delta | driftless | dp-accounting | Opacus | its own orders | exact |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for case in itertools.product(NOISES, RATES, EXCHANGES, DELTAS):
        comparison.line(*case)
    print("\n| epsilon | rate | exchanges | delta | noise | its epsilon by dp-accounting | by Opacus |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for budget in BUDGETS:
        comparison.budget(*budget)
    print(f"\nlargest relative difference from the nearest peer: {comparison.difference:.2g}")
    print(f"largest relative excess over the orders of dp-accounting: {comparison.above_usual:.2g}")
    print(f"largest excess of the exact epsilon of one exchange: {comparison.below_exact:.2g}")
    return 0 if max(comparison.difference, comparison.above_usual, comparison.below_exact) <= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
