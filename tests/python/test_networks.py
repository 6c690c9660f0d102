"""Runs with kind = "torch" from Python: the bits of the command line, PyTorch in the same process, CUDA."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import driftless

CLASSES, SIDE = 3, 6


def write_images(folder, name, count, seed):
    """Three patterns with noise, in the idx format."""
    label = np.arange(count, dtype=np.uint8) % CLASSES
    noise = np.random.default_rng(seed).integers(0, 40, (count, SIDE, SIDE), dtype=np.uint8)
    patterns = np.random.default_rng(1).integers(0, 200, (CLASSES, SIDE, SIDE), dtype=np.uint8)
    pixels = (patterns[label] + noise).astype(np.uint8)
    (folder / f"{name}-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 2051, count, SIDE, SIDE) + pixels.tobytes())
    (folder / f"{name}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, count) + label.tobytes())


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    folder = tmp_path_factory.mktemp("images")
    write_images(folder, "train", 120, 2)
    write_images(folder, "t10k", 30, 3)
    return folder


def configuration(images, **problem):
    return {"problem": {"kind": "torch", "model": "mlp", "width": 8, "data": str(images), "device": "cpu", **problem},
            "federation": {"clients": 3},
            "method": [{"name": "fedavg", "step": 0.1, "batch": 10, "local_steps": 4}], "stop": {"rounds": 12}}


@pytest.fixture()
def networks(images, tmp_path):
    """Whether this module was built with LibTorch; tests of networks are left out where it was not."""
    try:
        driftless.run(configuration(images), tmp_path / "probe", stop__rounds=1)
    except driftless.ConfigError as error:
        assert "without" in str(error) and "scripts/build torch" in str(error)
        pytest.skip("this build has no LibTorch (scripts/build torch)")


def cuda():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device here")


@pytest.mark.usefixtures("networks")
def test_a_network_has_the_bits_of_the_command_line(images, run_program, tmp_path):
    run = driftless.run(configuration(images), tmp_path / "run")
    text = (tmp_path / "run" / "config.toml").read_text(encoding="utf-8")
    other = driftless.read_run(run_program(text))
    assert (run.model("fedavg") == other.model("fedavg")).all()
    history = run.history("fedavg")
    assert history["f"].iloc[-1] < 0.5 * history["f"].iloc[0]
    assert history["test_accuracy"].iloc[-1] > 0.9


@pytest.mark.usefixtures("networks")
def test_pytorch_and_the_module_share_one_libtorch(images, tmp_path):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    run = driftless.run(configuration(images), tmp_path / "run")
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    assert len({Path(line.split()[-1]).resolve() for line in lines if "libtorch_cpu" in line}) == 1
    x = torch.tensor(run.model("fedavg"), requires_grad=True)
    (x @ x).backward()
    assert (x.grad == 2 * x).all()


@pytest.mark.usefixtures("networks")
@pytest.mark.parametrize("model", ["mlp", "cnn"])
def test_a_gpu_trains_the_network_of_the_processor(model, images, tmp_path):
    cuda()
    runs = [driftless.run(configuration(images, model=model, precision="float64", device=device), tmp_path / device)
            for device in ("cpu", "cuda")]
    assert runs[1].history("fedavg")["f"].to_numpy() == pytest.approx(runs[0].history("fedavg")["f"].to_numpy(), rel=1e-7)
    again = driftless.run(configuration(images, model=model, precision="float64", device="cuda"), tmp_path / "again")
    assert (again.model("fedavg") == runs[1].model("fedavg")).all()
