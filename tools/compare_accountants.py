#!/usr/bin/env python3
"""Compares the accountant of driftless with those of dp-accounting and Opacus; scripts/compare-with-accountants runs it.

    tools/compare_accountants.py PROGRAM

All use Rényi divergences of the Poisson-sampled Gaussian mechanism; dp-accounting has privacy loss distributions as well,
whose epsilon is exact up to discretisation and so must not be above. Both peers take the orders they are given: here a
grid so dense that it costs less than 1e-4. dp-accounting leaves out orders whose series it has not summed after 1000
terms, and is then above the others; so the bar is the lower one of both.
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
ORDERS = [1 + 2 ** (k / 32) for k in range(-6 * 32, 9 * 32)] + [2 ** (k / 16) // 1 for k in range(9 * 16, 14 * 16)]
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


def of_google(noise, rate, exchanges, delta):
    return rdp.RdpAccountant(ORDERS).compose(event(noise, rate, exchanges)).get_epsilon(delta)


def exact(noise, rate, exchanges, delta):
    return pld.PLDAccountant(value_discretization_interval=1e-3).compose(event(noise, rate, exchanges)).get_epsilon(delta)


def of_opacus(analysis, noise, rate, exchanges, delta):
    divergences = analysis.compute_rdp(q=rate, noise_multiplier=noise, steps=exchanges, orders=ORDERS)
    return analysis.get_privacy_spent(orders=ORDERS, rdp=divergences, delta=delta)[0]


def apart(ours, theirs):
    return abs(ours - theirs) / theirs if theirs > 1e-3 else abs(ours - theirs)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    absl.logging.set_verbosity(absl.logging.ERROR)
    warnings.simplefilter("ignore")  # that the best order is at the end of the grid
    program, analysis = arguments[0], opacus_analysis()
    worst, above = {"the lower peer": 0.0, "noise": 0.0}, 0.0
    print("| noise | rate | exchanges | delta | driftless | dp-accounting | Opacus | exact (PLD) |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for noise, rate, exchanges, delta in itertools.product(NOISES, RATES, EXCHANGES, DELTAS):
        ours = driftless(program, "epsilon", noise=noise, rate=rate, exchanges=exchanges, delta=delta)["epsilon"]
        google = of_google(noise, rate, exchanges, delta)
        opacus = of_opacus(analysis, noise, rate, exchanges, delta)
        if ours > 200:  # the distributions would be too long
            tight = math.nan
        else:
            tight = exact(noise, rate, exchanges, delta)
            above = max(above, tight - ours)
        worst["the lower peer"] = max(worst["the lower peer"], apart(ours, min(google, opacus)))
        print(f"| {noise:g} | {rate:g} | {exchanges} | {delta:g} | {ours:.5g} | {google:.5g} | {opacus:.5g} | {tight:.5g} |")
    print("\n| epsilon | rate | exchanges | delta | noise by driftless | its epsilon by dp-accounting | by Opacus |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for epsilon, rate, exchanges in BUDGETS:
        noise = driftless(program, "noise", epsilon=epsilon, rate=rate, exchanges=exchanges, delta=1e-6)["noise"]
        peers = of_google(noise, rate, exchanges, 1e-6), of_opacus(analysis, noise, rate, exchanges, 1e-6)
        worst["noise"] = max(worst["noise"], apart(epsilon, min(peers)))
        print(f"| {epsilon:g} | {rate:g} | {exchanges} | 1e-06 | {noise:.5g} | {peers[0]:.5g} | {peers[1]:.5g} |")
    print("\nlargest relative difference:", ", ".join(f"{name} {value:.2g}" for name, value in worst.items()))
    print(f"largest excess of the exact epsilon: {above:.2g}")
    return 0 if max(worst.values()) <= BAR and above <= 1e-2 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
