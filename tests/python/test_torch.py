"""Clients from modules of PyTorch: derivatives, bits, methods, and bad input."""

from __future__ import annotations

import doctest
import re

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")

from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset, TensorDataset

import driftless
import driftless.torch
from driftless.torch import client, load, vector


@pytest.fixture()
def rows():
    generator = torch.Generator().manual_seed(2)
    X = torch.randn(90, 5, generator=generator, dtype=torch.float64)
    return X, (X @ torch.linspace(-1, 1, 5, dtype=torch.float64) + 0.3 * torch.randn(90, generator=generator) > 0).long()


def net(seed=1, dtype=torch.float64):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 2)).to(dtype)


class Pairs(Dataset):
    def __init__(self, X, y):
        self.X, self.y = X, y

    def __len__(self):
        return len(self.y)

    def __getitem__(self, index):
        return self.X[index], self.y[index]


def test_derivatives_are_those_of_finite_differences(rows):
    f = client(net(), functional.cross_entropy, rows, batch_size=32, l2=0.1)
    rng = np.random.default_rng(1)
    x, v = rng.standard_normal(f.dim), rng.standard_normal(f.dim)
    step = 1e-6
    value, gradient = f.value_gradient(x)
    assert value == pytest.approx(f.value(x), rel=1e-14)
    assert (f.value(x + step * v) - f.value(x - step * v)) / (2 * step) == pytest.approx(gradient @ v, rel=1e-7)
    by_differences = (f.gradient(x + step * v) - f.gradient(x - step * v)) / (2 * step)
    np.testing.assert_allclose(f.hessian_vector(x, v), by_differences, rtol=1e-6, atol=1e-8)


def test_the_mean_over_batches_is_the_gradient(rows):
    f = client(net(), functional.cross_entropy, rows, l2=0.1, weight=2.0)
    x = vector(net(3))
    order = np.random.default_rng(1).permutation(90)
    parts = [f.gradient_batch(x, part) for part in order.reshape(9, 10)]
    np.testing.assert_allclose(np.mean(parts, axis=0), f.gradient(x), rtol=1e-12, atol=1e-14)


def test_pairs_data_sets_and_loaders_are_the_same_function(rows):
    x = vector(net())
    value, gradient = client(net(), functional.cross_entropy, rows, batch_size=32).value_gradient(x)
    for data in (TensorDataset(*rows), Pairs(*rows), DataLoader(Pairs(*rows), batch_size=32, shuffle=True)):
        f = client(net(), functional.cross_entropy, data, batch_size=32)
        assert f.samples == 90
        again, slopes = f.value_gradient(x)
        assert again == value and (slopes == gradient).all()


def test_a_linear_module_is_driftless_own_least_squares(rows):
    X, y = rows[0], rows[1].double()
    module = nn.Linear(5, 1, bias=False).double()
    ours = [driftless.least_squares(X[k::3].numpy(), y[k::3].numpy(), l2=0.1, weight=1 / 30) for k in range(3)]
    theirs = [client(module, lambda out, target: 0.5 * functional.mse_loss(out[:, 0], target), (X[k::3], y[k::3]), l2=0.1)
              for k in range(3)]
    x = np.linspace(-1, 1, 5)
    np.testing.assert_allclose(theirs[0].gradient(x), ours[0].gradient(x), rtol=1e-12)
    for method, options in (("newton-cg", {"grad_norm": 1e-10}), ("fedred-gd", {"eta": 4.0, "lambda_": 0.5, "p": 0.2})):
        summaries = [driftless.minimize(sites, method, rounds=30, seed=2, **options) for sites in (ours, theirs)]
        np.testing.assert_allclose(summaries[1].x, summaries[0].x, rtol=1e-8, atol=1e-10)
        assert summaries[1].exchanges == summaries[0].exchanges


METHODS = [("fedavg", {"step": 0.3, "batch": 10, "local_steps": 5}),
           ("scaffold", {"step": 0.3, "batch": 10, "local_steps": 5}),
           ("fedred-sgd", {"eta": 4.0, "lambda_": 0.5, "p": 0.2, "batch": 10}),
           ("newton-cg", {})]


@pytest.mark.parametrize(("method", "options"), METHODS, ids=[name for name, _ in METHODS])
def test_a_net_learns_and_a_run_repeats_its_bits(method, options, rows):
    module = net()
    sites = [client(module, functional.cross_entropy, (rows[0][k::3], rows[1][k::3]), l2=1e-3) for k in range(3)]
    start = vector(module)
    runs = [driftless.minimize(sites, method, start=start, rounds=20, seed=4, threads=threads, **options)
            for threads in (1, 2)]
    assert (runs[0].x == runs[1].x).all()
    assert runs[0].f < 0.7 * runs[0].rows["f"][0]
    load(module, runs[0].x)
    assert (module(rows[0]).argmax(dim=1) == rows[1]).double().mean() > 0.8


def test_a_client_does_not_touch_the_module(rows):
    module = net()
    before = vector(module)
    driftless.minimize([client(module, functional.cross_entropy, rows)], "gd", step=0.1, start=before, rounds=3)
    assert (vector(module) == before).all()


def test_a_vector_goes_into_a_module_and_back():
    module = net(dtype=torch.float32)
    x = np.arange(vector(module).size, dtype=float)
    assert load(module, x) is module and (vector(module) == x).all()
    assert module[0].weight.dtype == torch.float32


def test_frozen_parameters_are_no_variables(rows):
    module = net()
    module[0].weight.requires_grad_(False)
    f = client(module, functional.cross_entropy, rows)
    assert f.dim == vector(module).size == vector(net()).size - 20


def test_float32_is_the_arithmetic_of_the_module(rows):
    single = client(net(dtype=torch.float32), functional.cross_entropy, (rows[0].float(), rows[1]))
    double = client(net(), functional.cross_entropy, rows)
    x = vector(net())
    difference = np.abs(single.gradient(x) - double.gradient(x)).max()
    assert 0 < difference < 1e-6
    assert driftless.minimize([single], "gd", step=0.5, start=x, rounds=5).rows["f"].tolist() == sorted(
        driftless.minimize([single], "gd", step=0.5, start=x, rounds=5).rows["f"], reverse=True)


class ByBatches:
    """A client whose local steps are computed outside of it, one gradient after the other."""

    def __init__(self, f):
        self.f, self.dim, self.samples = f, f.dim, f.samples

    def value_gradient(self, x):
        return self.f.value_gradient(x)

    def gradient_batch(self, x, indices):
        return self.f.gradient_batch(x, indices)


STEPS = [("fedavg", {"step": 0.3}), ("scaffold", {"step": 0.3}), ("fedprox", {"eta": 3.0, "lambda_": 0.4, "solver": "sgd"}),
         ("dane+-sgd", {"eta": 3.0, "lambda_": 0.4})]


@pytest.mark.parametrize(("method", "options"), STEPS, ids=[name for name, _ in STEPS])
@pytest.mark.parametrize("as_pairs", [True, False])
def test_local_steps_in_one_call_have_the_bits_of_single_gradients(method, options, as_pairs, rows):
    sites = []
    for k in range(3):
        part = (rows[0][k::3], rows[1][k::3])
        sites.append(client(net(), functional.cross_entropy, part if as_pairs else Pairs(*part), l2=1e-3, weight=0.7))
    runs = [driftless.minimize(of, method, batch=7, local_steps=6, rounds=4, seed=3, start=vector(net()), **options)
            for of in (sites, [ByBatches(f) for f in sites])]
    assert (runs[0].x == runs[1].x).all() and runs[0].grad_evals == runs[1].grad_evals


def test_a_step_is_the_one_of_the_formula(rows):
    f = client(net(), functional.cross_entropy, rows, l2=0.1)
    y, h, c = vector(net()), vector(net(2)), vector(net(3))
    batches = [np.arange(10), np.arange(40, 47)]
    end = f.sgd_steps(y, batches, 0.2, h, c, 0.5)
    for batch in batches:
        y = y - 0.2 * (f.gradient_batch(y, batch) - h + 0.5 * (y - c))
    np.testing.assert_allclose(end, y, rtol=1e-14)


on_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")


@on_gpu
def test_a_gpu_gives_the_function_of_the_cpu(rows):
    x = vector(net())
    cpu = client(net(), functional.cross_entropy, rows, batch_size=32, l2=0.1)
    gpu = client(net(), functional.cross_entropy, rows, batch_size=32, l2=0.1, device="cuda")
    assert gpu.value(x) == pytest.approx(cpu.value(x), rel=1e-12)
    np.testing.assert_allclose(gpu.gradient(x), cpu.gradient(x), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(gpu.hessian_vector(x, x), cpu.hessian_vector(x, x), rtol=1e-10, atol=1e-12)
    batch = np.array([5, 3, 80])
    np.testing.assert_allclose(gpu.gradient_batch(x, batch), cpu.gradient_batch(x, batch), rtol=1e-10, atol=1e-12)


@on_gpu
@pytest.mark.parametrize(("method", "options"), METHODS, ids=[name for name, _ in METHODS])
@pytest.mark.parametrize("data", ["pair", "loader"])
def test_a_gpu_runs_the_methods_of_the_cpu(method, options, data, rows):
    runs = []
    for device in ("cpu", "cuda"):
        parts = [(rows[0][k::3], rows[1][k::3]) for k in range(3)]
        if data == "loader":
            parts = [DataLoader(Pairs(*part), batch_size=16) for part in parts]
        sites = [client(net(), functional.cross_entropy, part, l2=1e-3, device=device) for part in parts]
        runs.append(driftless.minimize(sites, method, start=vector(net()), rounds=8, seed=4, **options))
    np.testing.assert_allclose(runs[1].x, runs[0].x, rtol=1e-6, atol=1e-8)


@on_gpu
def test_a_module_on_the_gpu_stays_there_and_gets_the_result(rows):
    module = net(dtype=torch.float32).cuda()
    f = client(module, functional.cross_entropy, (rows[0].float(), rows[1]))
    assert "cuda" in repr(f)
    summary = driftless.minimize([f], "fedavg", step=0.3, batch=10, local_steps=5, start=vector(module), rounds=20)
    load(module, summary.x)
    assert module[0].weight.is_cuda and module[0].weight.dtype == torch.float32
    np.testing.assert_allclose(vector(module), summary.x, rtol=1e-6, atol=1e-8)
    assert summary.f < 0.7 * summary.rows["f"][0]


def test_the_example_of_the_guide_runs(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```py\n(.*?)^```", (source / "docs/python.md").read_text(encoding="utf-8"), re.M | re.S)
    assert len(examples) == 1
    namespace = {"__name__": "example", "driftless": driftless}
    exec((source / "tests/python/example_data.py").read_text(encoding="utf-8"), namespace)
    exec(compile(examples[0], "docs/python.md", "exec"), namespace)


def test_the_examples_of_docstrings_run():
    assert doctest.testmod(driftless.torch).failed == 0


def per_sample(out, target):
    return functional.cross_entropy(out, target, reduction="none")


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda X, y: client(nn.ReLU(), functional.mse_loss, (X, y)), driftless.ConfigError, "no trainable parameters"),
    (lambda X, y: client(lambda X: X, functional.mse_loss, (X, y)), driftless.ConfigError, "no torch.nn.Module"),
    (lambda X, y: client(net(), None, (X, y)), driftless.ConfigError, "'loss' cannot be called"),
    (lambda X, y: client(net(), per_sample, (X, y)), driftless.DataError, r"not one number\n.*shape \(2,\)"),
    (lambda X, y: client(net(), lambda out, target: 0.5, (X, y)), driftless.DataError, "not one number"),
    (lambda X, y: client(net(), functional.cross_entropy, (X, y[:3])), driftless.DataError, "one target for each input"),
    (lambda X, y: client(net(), functional.cross_entropy, (X[:0], y[:0])), driftless.DataError, "no data"),
    (lambda X, y: client(net(), functional.cross_entropy, iter([(X, y)])), driftless.ConfigError, "no samples by their index"),
    (lambda X, y: client(net(), functional.cross_entropy, [1.0, 2.0, 3.0]), driftless.DataError, "no pair"),
    (lambda X, y: client(net(), functional.cross_entropy, (X, y), batch_size=0), driftless.ConfigError, "'batch_size'"),
    (lambda X, y: client(net(), functional.cross_entropy, (X, y), l2=-1.0), driftless.ConfigError, "'l2'"),
    (lambda X, y: client(net(), functional.cross_entropy, (X, y), device="tpu9"), driftless.ConfigError, "tpu9"),
    (lambda X, y: client(nn.Sequential(nn.Dropout(), net()), functional.cross_entropy, (X, y)), driftless.ConfigError,
     "draws at random"),
    (lambda X, y: client(net(), functional.cross_entropy, (X[:, :4], y)), RuntimeError, "shapes cannot be multiplied"),
    (lambda X, y: client(net(), functional.cross_entropy, (X, y)).value(np.zeros(3)), driftless.DataError, "3 numbers"),
    (lambda X, y: client(net(), lambda out, target: out.detach().sum(), (X, y)).gradient(vector(net())), driftless.DataError,
     "does not depend on the parameters"),
    (lambda X, y: driftless.minimize([client(net(), functional.cross_entropy, (X, y))], "gd", step=1.0, rounds=1,
                                     start=np.zeros(2)), driftless.DataError, "start"),
    (lambda X, y: load(net(), np.zeros(5)), driftless.DataError, "5 numbers"),
    (lambda X, y: load(net(), "weights"), driftless.DataError, "'x'"),
    (lambda X, y: vector(nn.Flatten()), driftless.ConfigError, "no trainable parameters"),
])
def test_says_what_is_wrong(make, error, text, rows):
    with pytest.raises(error, match=text):
        make(*rows)
