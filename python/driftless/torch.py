"""Clients from modules of PyTorch.

    >>> import driftless, torch
    >>> from driftless.torch import client, load, vector
    >>> _ = torch.manual_seed(1)
    >>> module = torch.nn.Linear(3, 1).double()
    >>> X = torch.randn(60, 3, dtype=torch.float64)
    >>> y = X @ torch.tensor([[1.0], [2.0], [3.0]], dtype=torch.float64)
    >>> sites = [client(module, torch.nn.functional.mse_loss, (X[k::3], y[k::3])) for k in range(3)]
    >>> summary = driftless.minimize(sites, "newton-cg", start=vector(module), grad_norm=1e-9)
    >>> load(module, summary.x).weight.detach().numpy().round(6)
    array([[1., 2., 3.]])

The point of a run is one flat vector of float64: the trainable parameters of the module in the order of
`module.parameters()`. torch is imported when a client is made.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from driftless._arrays import FloatArray, as_floats, type_text
from driftless._errors import ConfigError, DataError

__all__ = ["TorchClient", "client", "load", "vector"]


def client(module: Any, loss: Callable[[Any, Any], Any], data: Any, *, batch_size: int = 1024, device: Any = None,
           l2: float = 0.0, weight: float = 1.0) -> TorchClient:
    """The function of a client: weight times the mean loss of the module over its data, plus (l2/2)‖x‖².

    Args:
        module: A `torch.nn.Module`. The client works with a copy, in the mode (train or eval) that the module has.
        loss: loss(output, target), the mean over a batch, such as `torch.nn.functional.cross_entropy`.
        data: A pair of tensors (inputs, targets), a map-style `Dataset` of such pairs, or a `DataLoader`, whose data set
            and batch size are taken: which samples make a batch is a matter of the method.
        batch_size: Whole gradients are computed in chunks of so many samples.
        device: Where the work is done, such as "cuda"; that of the module where it is not given. Pairs of tensors are
            moved there once, samples of a data set with every batch.
        l2: The weight of ½‖x‖².
        weight: Of the loss: n m_i/M makes f the mean over the M samples of n clients, of which this one has m_i.

    Example:
        >>> import torch
        >>> from driftless.torch import client, vector
        >>> module = torch.nn.Linear(2, 1, bias=False)
        >>> f = client(module, torch.nn.functional.mse_loss, (torch.eye(2), torch.ones(2, 1)))
        >>> f.dim, f.samples, f.value([1.0, 1.0])
        (2, 2, 0.0)
    """
    return TorchClient(module, loss, data, batch_size=batch_size, device=device, l2=l2, weight=weight)


def vector(module: Any) -> FloatArray:
    """The trainable parameters of a module as one vector of float64: the start of a run that continues from them.

    Example:
        >>> import torch
        >>> from driftless.torch import vector
        >>> vector(torch.nn.Linear(3, 2)).shape
        (8,)
    """
    parts = [parameter.detach().cpu().double().numpy().ravel() for parameter in _trainable(module)]
    return np.concatenate(parts)


def load(module: Any, x: Any) -> Any:
    """Puts a flat vector into the trainable parameters of the module, and returns the module.

    Example:
        >>> import torch
        >>> from driftless.torch import load
        >>> load(torch.nn.Linear(1, 1), [2.0, 0.5])(torch.tensor([3.0])).item()
        6.5
    """
    torch = _import_torch()
    parameters = _trainable(module)
    point = as_floats(x, "x", 1)
    count = sum(parameter.numel() for parameter in parameters)
    if point.size != count:
        raise DataError("the vector does not fit the module", f"{point.size} numbers, {count} trainable parameters",
                        "give the x of a run with clients of this module")
    with torch.no_grad():
        _copy_into(parameters, torch.from_numpy(np.array(point)))
    return module


class TorchClient:
    """A client of a module, as `client` makes it: for `driftless.minimize`, with every method.

    Batches and Hessian products come from automatic differentiation, the latter by differentiating twice. Where the
    module computes in float32 the arithmetic is that of float32, and the sum over chunks that of float64.
    """

    def __init__(self, module: Any, loss: Callable[[Any, Any], Any], data: Any, *, batch_size: int, device: Any, l2: float,
                 weight: float) -> None:
        torch = _import_torch()
        if not callable(loss):
            raise ConfigError("'loss' cannot be called", type_text(loss), "give loss(output, target)")
        self._torch = torch
        self._loss = loss
        self._l2 = _number("l2", l2)
        self._weight = _number("weight", weight)
        original = _trainable(module)
        _reject_chance(torch, module)
        self._device = original[0].device if device is None else _device(torch, device)
        self._module = copy.deepcopy(module).to(self._device)
        self._parameters = _trainable(self._module)
        self._data = _data_of(torch, data, self._device)
        self._chunk = _count("batch_size", getattr(data, "batch_size", None) or batch_size)
        self.dim = sum(parameter.numel() for parameter in self._parameters)  #: the number of trainable parameters
        self.samples = len(self._data)  #: of the data
        # The parameters are written before every evaluation, so one thread at a time.
        self._lock = threading.Lock()
        with self._lock, torch.no_grad():
            self._loss_of(*self._data.batch(np.arange(min(2, self.samples))))

    def value(self, x: Any) -> float:
        """f(x)."""
        with self._lock, self._torch.no_grad():
            self._move_to(self._on_device(x))
            total = sum(float(self._loss_of(*self._data.batch(rows))) * len(rows) for rows in self._chunks())
        return self._weight * total / self.samples + self._penalty(x)

    def gradient(self, x: Any) -> FloatArray:
        """∇f(x)."""
        return self.value_gradient(x)[1]

    def value_gradient(self, x: Any) -> tuple[float, FloatArray]:
        """f(x) and ∇f(x)."""
        total = 0.0
        scale = self._weight / self.samples
        with self._lock:
            point = self._on_device(x)
            self._move_to(point)
            sum_ = self._zeros()
            for rows in self._chunks():
                loss = self._loss_of(*self._data.batch(rows))
                total += float(loss.detach()) * len(rows)
                sum_ += len(rows) * self._flat(self._derivative(loss))
            gradient = _numpy(scale * sum_ + self._l2 * point)
        return scale * total + self._penalty(x), gradient

    def gradient_batch(self, x: Any, indices: Any) -> FloatArray:
        """The gradient over these samples, scaled so that its mean over batches is ∇f(x)."""
        with self._lock:
            return _numpy(self._batch_gradient(self._on_device(x), *self._data.batch(np.asarray(indices))))

    def sgd_steps(self, y: Any, batches: Sequence[Any], step: float, shift: Any = None, center: Any = None,
                  pull: float = 0.0) -> FloatArray:
        """y after one step y ← y − step (g − shift + pull (y − center)) for each batch, g its gradient at y: the local
        steps of a method, whose vectors stay on the device from the first to the last."""
        with self._lock:
            point = self._on_device(y)
            shift = None if shift is None else self._on_device(shift)
            center = None if center is None else self._on_device(center)
            for inputs, targets in self._data.batches(batches):
                gradient = self._batch_gradient(point, inputs, targets)
                if shift is not None:
                    gradient -= shift
                if center is not None:
                    gradient += pull * (point - center)
                point -= step * gradient
            return _numpy(point)

    def hessian_vector(self, x: Any, v: Any) -> FloatArray:
        """∇²f(x) v, by differentiating the product of gradient and v."""
        torch = self._torch
        with self._lock:
            self._move_to(self._on_device(x))
            flat = self._on_device(v)
            sum_ = self._zeros()
            for rows in self._chunks():
                slopes = self._derivative(self._loss_of(*self._data.batch(rows)), create_graph=True)
                product = sum((slope * part).sum() for slope, part in zip(slopes, _parts(flat, self._parameters), strict=True)
                              if slope is not None and slope.requires_grad)
                if torch.is_tensor(product):
                    sum_ += len(rows) * self._flat(self._derivative(product))
            return _numpy(self._weight / self.samples * sum_ + self._l2 * flat)

    def _on_device(self, x: Any) -> Any:
        """A vector as a tensor of float64 that the caller may change."""
        point = as_floats(x, "x", 1)
        if point.size != self.dim:
            raise DataError("the point does not fit the module", f"{point.size} numbers, {self.dim} trainable parameters",
                            "start at driftless.torch.vector(module)")
        return self._torch.tensor(point, device=self._device)

    def _move_to(self, point: Any) -> None:
        with self._torch.no_grad():
            _copy_into(self._parameters, point)

    def _batch_gradient(self, point: Any, inputs: Any, targets: Any) -> Any:
        self._move_to(point)
        return self._weight * self._flat(self._derivative(self._loss_of(inputs, targets))) + self._l2 * point

    def _loss_of(self, inputs: Any, targets: Any) -> Any:
        loss = self._loss(self._module(inputs), targets)
        if self._torch.is_tensor(loss) and loss.numel() == 1:
            return loss.reshape(())
        seen = f"shape {tuple(loss.shape)}" if self._torch.is_tensor(loss) else type_text(loss)
        raise DataError("the loss is not one number", seen, 'give the mean over a batch: reduction="mean"')

    def _derivative(self, of: Any, create_graph: bool = False) -> Any:
        if not of.requires_grad:
            raise DataError("the loss does not depend on the parameters", "no gradient", "return what the module computes")
        return self._torch.autograd.grad(of, self._parameters, create_graph=create_graph, allow_unused=True)

    def _flat(self, parts: Any) -> Any:
        torch = self._torch
        return torch.cat([(torch.zeros_like(parameter) if part is None else part.detach()).reshape(-1).double()
                          for part, parameter in zip(parts, self._parameters, strict=True)])

    def _zeros(self) -> Any:
        return self._torch.zeros(self.dim, dtype=self._torch.float64, device=self._device)

    def _chunks(self) -> Iterator[Any]:
        for first in range(0, self.samples, self._chunk):
            yield np.arange(first, min(first + self._chunk, self.samples))

    def _penalty(self, x: Any) -> float:
        point = as_floats(x, "x", 1)
        return 0.5 * self._l2 * float(point @ point)

    def __repr__(self) -> str:
        return (f"<driftless.torch.TorchClient {type(self._module).__name__}: {self.samples} samples, {self.dim} parameters "
                f"on {self._device}>")


class _Tensors:
    """Inputs and targets as two tensors on the device."""

    def __init__(self, torch: Any, inputs: Any, targets: Any, device: Any) -> None:
        if inputs.ndim == 0 or targets.ndim == 0 or inputs.shape[0] != targets.shape[0]:
            seen = f"inputs of shape {tuple(inputs.shape)}, targets of shape {tuple(targets.shape)}"
            raise DataError("there must be one target for each input", seen, "give both of the same data")
        self._torch = torch
        self._inputs = inputs.to(device)
        self._targets = targets.to(device)

    def __len__(self) -> int:
        return int(self._inputs.shape[0])

    def batch(self, rows: Any) -> tuple[Any, Any]:
        if rows.size == rows[-1] - rows[0] + 1 and (np.diff(rows) == 1).all():
            return self._inputs[rows[0]:rows[-1] + 1], self._targets[rows[0]:rows[-1] + 1]
        return self._inputs[rows], self._targets[rows]

    def batches(self, batches: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """All of these, whose indices go to the device together."""
        indices = self._torch.from_numpy(np.concatenate([np.asarray(rows, dtype=np.int64) for rows in batches]))
        for rows in indices.to(self._inputs.device).split([len(rows) for rows in batches]):
            yield self._inputs[rows], self._targets[rows]


class _Samples:
    """A data set whose samples are put together for every batch."""

    def __init__(self, dataset: Any, collate: Callable[[Any], Any], device: Any) -> None:
        self._dataset = dataset
        self._collate = collate
        self._device = device

    def __len__(self) -> int:
        return len(self._dataset)

    def batch(self, rows: Any) -> tuple[Any, Any]:
        pair = self._collate([self._dataset[int(row)] for row in rows])
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise DataError("a sample is no pair (input, target)", type_text(pair), "give a data set of pairs")
        return pair[0].to(self._device), pair[1].to(self._device)

    def batches(self, batches: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        return (self.batch(np.asarray(rows)) for rows in batches)


def _data_of(torch: Any, data: Any, device: Any) -> _Tensors | _Samples:
    found: _Tensors | _Samples
    collate = torch.utils.data.default_collate
    if isinstance(data, torch.utils.data.DataLoader):
        data, collate = data.dataset, data.collate_fn
    if isinstance(data, torch.utils.data.TensorDataset) and collate is torch.utils.data.default_collate:
        data = data.tensors
    if isinstance(data, (tuple, list)) and len(data) == 2 and all(torch.is_tensor(part) for part in data):
        found = _Tensors(torch, data[0], data[1], device)
    elif hasattr(data, "__getitem__") and hasattr(data, "__len__") and not torch.is_tensor(data):
        found = _Samples(data, collate, device)
    else:
        raise ConfigError("'data' has no samples by their index", type_text(data),
                          "give (inputs, targets), a map-style Dataset, or a DataLoader of one")
    if len(found) == 0:
        raise DataError("a client has no data", "0 samples", "leave out clients without samples")
    return found


def _trainable(module: Any) -> list[Any]:
    torch = _import_torch()
    if not isinstance(module, torch.nn.Module):
        raise ConfigError("'module' is no torch.nn.Module", type_text(module), "give a module")
    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
    if not parameters:
        raise ConfigError("the module has no trainable parameters", type(module).__name__, "set requires_grad of some")
    if not all(parameter.is_floating_point() for parameter in parameters):
        raise ConfigError("a parameter is not of real numbers", f"{parameters[0].dtype}", "use float32 or float64")
    if len({parameter.device for parameter in parameters}) > 1:
        raise ConfigError("the parameters are on several devices", type(module).__name__, "move the module to one")
    return parameters


def _reject_chance(torch: Any, module: Any) -> None:
    """A client is a function: the same point must give the same value."""
    for name, part in module.named_modules():
        if isinstance(part, torch.nn.modules.dropout._DropoutNd) and part.training and part.p > 0:
            raise ConfigError("the module draws at random", f"{name or type(part).__name__}: p = {part.p}",
                              "call module.eval() first, or leave dropout out")


def _device(torch: Any, device: Any) -> Any:
    try:
        found = torch.device(device)
        torch.empty(1, device=found)
    except (RuntimeError, TypeError, AssertionError) as error:
        raise ConfigError("the device cannot be used", f"device = {device!r:.80}: {str(error).splitlines()[0]:.100}",
                          'use "cpu", or "cuda" where torch.cuda.is_available()') from None
    return found


def _parts(flat: Any, parameters: list[Any]) -> list[Any]:
    """Views of a flat vector with the shapes and types of the parameters."""
    parts, first = [], 0
    for parameter in parameters:
        parts.append(flat[first:first + parameter.numel()].view_as(parameter).to(parameter.dtype))
        first += parameter.numel()
    return parts


def _copy_into(parameters: list[Any], flat: Any) -> None:
    for parameter, part in zip(parameters, _parts(flat, parameters), strict=True):
        parameter.copy_(part)


def _numpy(tensor: Any) -> FloatArray:
    array: FloatArray = tensor.detach().cpu().numpy()
    return array


def _number(name: str, value: Any) -> float:
    if isinstance(value, (int, float, np.number)) and np.isfinite(value) and value >= 0:
        return float(value)
    raise ConfigError(f"'{name}' is not a number of at least 0", f"{name} = {value!r:.80}", "give a number >= 0")


def _count(name: str, value: Any) -> int:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 1:
        return int(value)
    raise ConfigError(f"'{name}' is not a whole number of at least 1", f"{name} = {value!r:.80}", "give one")


def _import_torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise ImportError("driftless.torch needs PyTorch: install torch, or Debian's python3-torch") from error
    return torch
