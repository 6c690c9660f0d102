"""One call of driftless.minimize."""

from __future__ import annotations

import numpy as np

import driftless


def test_finds_the_minimizer_without_any_option(clients):
    summary = driftless.minimize(clients, grad_norm=1e-10)
    assert summary.reason == "grad_norm"
    assert summary.grad_norm <= 1e-10
    gradient = np.mean([client.gradient(summary.x) for client in clients], axis=0)
    assert gradient.shape == (12,)
    assert summary.decision is not None and summary.decision.chosen
