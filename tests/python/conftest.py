"""What the tests of the Python package share."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import driftless


@pytest.fixture(scope="session")
def program() -> str:
    """The command line."""
    return os.environ["DRIFTLESS_PROGRAM"]


@pytest.fixture(scope="session")
def source() -> Path:
    """The checkout."""
    return Path(os.environ["DRIFTLESS_SOURCE"])


@pytest.fixture(scope="session")
def rows() -> tuple[scipy.sparse.csr_matrix, np.ndarray]:
    """A small problem of classification."""
    matrix = scipy.sparse.random(240, 12, 0.3, format="csr", random_state=3)
    noise = np.random.default_rng(4).standard_normal(240)
    return matrix, np.where(matrix @ np.arange(-6.0, 6.0) + 0.5 * noise >= 0, 1.0, -1.0)


@pytest.fixture(scope="session")
def clients(rows):
    """Four unlike clients with these rows."""
    return [driftless.logistic(A, y, l2=0.01)
            for A, y in driftless.split(*rows, clients=4, how="dirichlet", alpha=0.5)]


@pytest.fixture()
def run_program(program, tmp_path):
    """Runs `driftless run` on a configuration, and returns the folder of its results."""
    def run(config: str) -> Path:
        file = tmp_path / "run.toml"
        file.write_text(config, encoding="utf-8")
        out = tmp_path / f"out-{len(list(tmp_path.iterdir()))}"
        done = subprocess.run([program, "run", str(file), "--out", str(out)], capture_output=True, text=True,
                              cwd=tmp_path, check=False)
        assert done.returncode in (0, 1), done.stderr
        return out
    return run
