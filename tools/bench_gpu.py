#!/usr/bin/env python3
"""Rounds of FedAvg with a network: a plain PyTorch loop against driftless from Python, on one device, in turns.

    tools/bench_gpu.py [--clients 10] [--images 5120] [--batch 512] [--steps 20] [--rounds 6] [--turns 2] [...]

Every contender trains the same ResNet-18 for 32 x 32 images (11,173,962 parameters) on the same synthetic images in the
format of CIFAR-10: ten patterns with noise. A round: each client takes `--steps` steps of SGD from the mean of the
round before, and the results are averaged. Contenders, each in a process of its own:

  driftless          driftless.run of a configuration with kind = "torch"; needs a module that is built with LibTorch
  driftless-fixed    the same with deterministic = true, its default, whose bits repeat
  driftless-module   driftless.minimize over clients of driftless.torch, with the network of the PyTorch loop
  eager              the PyTorch loop: bf16 autocast, channels_last, cudnn.benchmark, everything on the device
  graph              the same, every step a replay of one CUDA graph
  compiled           the same graph of the network that torch.compile made (--compile-mode)

Seconds per round are the least and the median over all measured rounds of all turns, after `--warm` rounds in which
algorithms are chosen and graphs recorded. Those of driftless are the column wall_s, which leaves measuring f out;
those of PyTorch the clock around a round, with synchronisation. f is the
training loss of the last mean, each batch with its own statistics; of driftless it is computed a second time, by the
PyTorch network from the model that driftless left, which shows that both compute the same function.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

CONTENDERS = ("driftless", "driftless-fixed", "driftless-module", "eager", "graph", "compiled")
MEAN, DEVIATION = (0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)
CHANNELS, SIDE, CLASSES = 3, 32, 10
TEST_IMAGES = 1000


def write_images(folder, count):
    """Ten patterns with noise, as files of CIFAR-10."""
    rng = numpy.random.default_rng(1)
    patterns = rng.integers(64, 192, (CLASSES, CHANNELS, SIDE // 4, SIDE // 4)).repeat(4, axis=2).repeat(4, axis=3)

    def records(number):
        label = rng.integers(0, CLASSES, number, dtype=numpy.uint8)
        noise = rng.integers(-60, 61, (number, CHANNELS, SIDE, SIDE), dtype=numpy.int16)
        pixels = (patterns[label] + noise).clip(0, 255).astype(numpy.uint8)
        return numpy.concatenate([label[:, None], pixels.reshape(number, -1)], axis=1)

    for k, part in enumerate(numpy.array_split(records(count), 5), start=1):
        part.tofile(folder / f"data_batch_{k}.bin")
    records(TEST_IMAGES).tofile(folder / "test_batch.bin")


def read_images(folder, device):
    """All training images as bytes, the channel as the fastest index, and their labels, on the device."""
    import torch

    files = [numpy.fromfile(folder / f"data_batch_{k}.bin", numpy.uint8) for k in range(1, 6)]
    table = numpy.concatenate(files).reshape(-1, 1 + CHANNELS * SIDE * SIDE)
    pixels = torch.from_numpy(table[:, 1:].reshape(-1, CHANNELS, SIDE, SIDE).transpose(0, 2, 3, 1).copy())
    return pixels.to(device), torch.from_numpy(table[:, 0].astype(numpy.int64)).to(device)


def make_net(width):
    """ResNet-18 with a 3 x 3 stem and nothing pooled before the blocks; parameters in the order of driftless."""
    import torch
    from torch import nn
    from torch.nn import functional

    def conv(inputs, outputs, kernel, stride):
        return nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)

    def norm(channels):
        return nn.BatchNorm2d(channels, track_running_stats=False)

    class Block(nn.Module):
        def __init__(self, inputs, outputs, stride):
            super().__init__()
            self.first = nn.Sequential(conv(inputs, outputs, 3, stride), norm(outputs), nn.ReLU())
            self.second = nn.Sequential(conv(outputs, outputs, 3, 1), norm(outputs))
            straight = stride == 1 and inputs == outputs
            self.side = nn.Identity() if straight else nn.Sequential(conv(inputs, outputs, 1, stride), norm(outputs))

        def forward(self, v):
            return functional.relu(self.second(self.first(v)) + self.side(v))

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = nn.Sequential(conv(CHANNELS, width, 3, 1), norm(width), nn.ReLU())
            sizes = [width << stage for stage in range(4)]
            blocks = []
            for stage, outputs in enumerate(sizes):
                blocks.append(Block(sizes[max(stage - 1, 0)], outputs, 1 if stage == 0 else 2))
                blocks.append(Block(outputs, outputs, 1))
            self.blocks = nn.Sequential(*blocks)
            self.out = nn.Linear(sizes[-1], CLASSES)

        def forward(self, v):
            return self.out(self.blocks(self.stem(v)).mean(dim=(2, 3)))

    torch.manual_seed(1)
    return Net()


class Trainer:
    """The network on the device, its parameters views of one vector in the order of driftless."""

    def __init__(self, given):
        import torch

        self.torch, self.given = torch, given
        self.device = torch.device(given.device)
        torch.backends.cudnn.benchmark = True
        tf32 = given.precision != "float32"
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = tf32
        self.net = make_net(given.width).to(self.device)
        self.parameters = list(self.net.parameters())
        self.x = torch.cat([self._as_stored(p).reshape(-1) for p in self.parameters]).detach().clone()
        first = 0
        for p in self.parameters:
            stored = self.x[first:first + p.numel()].view(self._as_stored(p).shape)
            p.data = stored.permute(0, 3, 1, 2) if p.ndim == 4 else stored
            first += p.numel()
        self.pixels, self.labels = read_images(given.data, self.device)
        self.mean, self.deviation = (torch.tensor(c, device=self.device).view(1, -1, 1, 1) for c in (MEAN, DEVIATION))
        self.forward = self.net

    @staticmethod
    def _as_stored(p):
        return p.permute(0, 2, 3, 1) if p.ndim == 4 else p

    def loss(self, rows):
        torch = self.torch
        images = self.pixels[rows].permute(0, 3, 1, 2).float().div(255).sub(self.mean).div(self.deviation)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.given.precision == "bf16",
                            cache_enabled=False):
            scores = self.forward(images)
        return torch.nn.functional.cross_entropy(scores.float(), self.labels[rows])

    def step(self, rows):
        gradients = self.torch.autograd.grad(self.loss(rows), self.parameters)
        with self.torch.no_grad():
            self.torch._foreach_add_(self.parameters, gradients, alpha=-self.given.rate)

    def record(self):
        """The step as a CUDA graph of a batch in a fixed tensor."""
        torch, rows = self.torch, self.torch.arange(self.given.batch, device=self.device)
        start, stream = self.x.clone(), torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(4):
                self.step(rows)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.step(rows)
        self.x.copy_(start)

        def replay(batch):
            rows.copy_(batch)
            graph.replay()

        return replay

    def batches(self, client):
        """The batches of a client's steps: a new order of its images in every epoch."""
        each, wanted = self.given.images, self.given.steps * self.given.batch
        orders = [self.torch.randperm(each, device=self.device) for _ in range(-(-wanted // each))]
        return (client * each + self.torch.cat(orders)[:wanted]).split(self.given.batch)

    def round(self, step):
        start, mean = self.x.clone(), self.torch.zeros_like(self.x)
        for client in range(self.given.clients):
            self.x.copy_(start)
            for rows in self.batches(client):
                step(rows)
            mean.add_(self.x, alpha=1.0 / self.given.clients)
        self.x.copy_(mean)

    def synchronize(self):
        if self.device.type == "cuda":
            self.torch.cuda.synchronize()

    def training_loss(self):
        with self.torch.no_grad():
            rows = self.torch.arange(len(self.labels), device=self.device)
            return sum(float(self.loss(part)) * len(part) for part in rows.split(self.given.batch)) / len(rows)


def run_pytorch(given, kind):
    trainer = Trainer(given)
    if kind == "compiled":
        trainer.forward = trainer.torch.compile(trainer.net, mode=given.compile_mode)
    step = trainer.step if kind == "eager" else trainer.record()
    seconds = []
    for _ in range(given.warm + given.rounds):
        trainer.synchronize()
        start = time.perf_counter()
        trainer.round(step)
        trainer.synchronize()
        seconds.append(time.perf_counter() - start)
    trainer.forward = trainer.net
    return {"seconds": seconds[given.warm:], "f": trainer.training_loss(), "version": trainer.torch.__version__}


def loss_by_pytorch(given, x):
    trainer = Trainer(given)
    trainer.x.copy_(trainer.torch.from_numpy(numpy.array(x)))
    return trainer.training_loss()


def run_driftless(given, fixed):
    import driftless

    config = {
        "problem": {"kind": "torch", "model": "resnet18", "data": str(given.data), "width": given.width,
                    "precision": given.precision, "device": given.device, "deterministic": fixed, "chunk": given.batch},
        "federation": {"clients": given.clients, "split": "iid"},
        "method": [{"name": "fedavg", "step": given.rate, "batch": given.batch, "local_steps": given.steps}],
        "stop": {"rounds": given.warm + given.rounds},
    }
    with tempfile.TemporaryDirectory() as folder:
        run = driftless.run(config, Path(folder) / "run", progress=False)
        history, x = run.history("fedavg"), run.model("fedavg")
    seconds = numpy.diff(history["wall_s"].to_numpy())
    return {"seconds": list(seconds[given.warm:]), "f": float(history["f"].iloc[-1]), "again": loss_by_pytorch(given, x),
            "accuracy": float(history["test_accuracy"].iloc[-1])}


def run_module(given):
    import torch

    import driftless
    from driftless.torch import client, vector

    trainer = Trainer(given)
    images = trainer.pixels.permute(0, 3, 1, 2).float().div(255).sub(trainer.mean).div(trainer.deviation)

    class Short(torch.nn.Module):
        """The network in the arithmetic of the others."""

        def __init__(self):
            super().__init__()
            self.net = make_net(given.width).to(trainer.device, memory_format=torch.channels_last)

        def forward(self, v):
            with torch.autocast(v.device.type, dtype=torch.bfloat16, enabled=given.precision == "bf16"):
                return self.net(v).float()

    module = Short()
    parts = [slice(k * given.images, (k + 1) * given.images) for k in range(given.clients)]
    clients = [client(module, torch.nn.functional.cross_entropy, (images[part], trainer.labels[part]),
                      batch_size=given.batch) for part in parts]
    summary = driftless.minimize(clients, "fedavg", step=given.rate, batch=given.batch, local_steps=given.steps,
                                 start=vector(module), rounds=given.warm + given.rounds)
    return {"seconds": list(numpy.diff(summary.rows["wall_s"])[given.warm:]), "f": float(summary.f)}


def contend(given):
    name = given.contender
    if name == "driftless-module":
        result = run_module(given)
    elif name.startswith("driftless"):
        result = run_driftless(given, name == "driftless-fixed")
    else:
        result = run_pytorch(given, name)
    print("\n" + json.dumps(result))


def start(given, name):
    """A contender in a process of its own; None where it fails, with the end of its messages."""
    command = [sys.executable, __file__, *given.passed_on, "--contender", name, "--data", str(given.data)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return json.loads(done.stdout.strip().splitlines()[-1])
    print(f"{name} failed with exit code {done.returncode}:\n{done.stderr[-2000:]}", file=sys.stderr)
    return None


def show(given, found):
    steps = given.clients * given.steps
    print(f"\nResNet-18, batches of {given.batch}, {given.clients} clients with {given.steps} steps each, "
          f"{given.precision} on {given.device}, {given.rounds} rounds in each of {given.turns} turns")
    print(f"{'':<18}{'s a round':>11}{'median':>9}{'ms a step':>11}{'f':>9}   ratio to driftless")
    ours = min((min(result["seconds"]) for result in found.get("driftless", [])), default=None)
    for name, results in found.items():
        seconds = [value for result in results for value in result["seconds"]]
        least, last = min(seconds), results[-1]
        again = f"   f by PyTorch {last['again']:.4f}, test accuracy {last['accuracy']:.3f}" if "again" in last else ""
        ratio = f"{least / ours:10.2f}" if ours else ""
        print(f"{name:<18}{least:>11.4f}{statistics.median(seconds):>9.4f}{1e3 * least / steps:>11.3f}"
              f"{last['f']:>9.4f}{ratio}{again}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--images", type=int, default=5120, help="of each client")
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--steps", type=int, default=20, help="local steps of a round")
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--rounds", type=int, default=6, help="that are measured")
    parser.add_argument("--warm", type=int, default=2, help="rounds before them")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--width", type=int, default=64, help="channels of the first layer")
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--precision", default="bf16", choices=("bf16", "tf32", "float32"))
    parser.add_argument("--compile-mode", default="max-autotune-no-cudagraphs")
    parser.add_argument("--contenders", nargs="+", default=CONTENDERS, choices=CONTENDERS)
    parser.add_argument("--contender", choices=CONTENDERS, help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.passed_on = sys.argv[1:]
    if given.contender:
        contend(given)
        return 0
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    with tempfile.TemporaryDirectory() as folder:
        given.data = Path(folder)
        write_images(given.data, given.clients * given.images)
        found, failed = {}, set()
        for turn in range(given.turns):
            for name in given.contenders:
                # What is slow is not repeated.
                if name in failed or (turn > 0 and name in ("compiled", "driftless-module")):
                    continue
                began = time.perf_counter()
                result = start(given, name)
                if result is None:
                    failed.add(name)
                    continue
                found.setdefault(name, []).append(result)
                print(f"turn {turn + 1}, {name}: {min(result['seconds']):.4f} s a round, "
                      f"{time.perf_counter() - began:.0f} s in all", file=sys.stderr, flush=True)
        show(given, found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
