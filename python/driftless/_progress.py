"""Progress of runs, shown by tqdm where that is installed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from driftless._errors import ConfigError


class RoundShower:
    """One bar for each method of a run: rounds, exchanges, the function and the gradient norm."""

    def __init__(self, wanted: bool | None) -> None:
        self._make = _bar_maker(wanted)
        self._bar: Any = None
        self._label = ""

    @property
    def on_round(self) -> Callable[[str, int, int, float, float], None] | None:
        """What is called after rounds; None where nothing is shown."""
        return None if self._make is None else self._show

    def _show(self, label: str, round: int, exchanges: int, f: float, grad_norm: float) -> None:
        if self._make is None:
            return
        if self._bar is None or label != self._label:
            self._close()
            self._bar, self._label = self._make(desc=label, unit=" rounds"), label
        self._bar.set_postfix_str(f"{exchanges} exchanges, f = {f:.6g}, gradient norm = {grad_norm:.2e}", refresh=False)
        self._bar.update(round - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> RoundShower:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._close()


def _bar_maker(wanted: bool | None) -> Callable[..., Any] | None:
    if wanted is False or (wanted is None and not _someone_watches()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if wanted is None:
            return None
        raise ConfigError("progress needs tqdm, which is not installed", "progress=True",
                          "install tqdm, or leave out 'progress'") from None
    maker: Callable[..., Any] = tqdm
    return maker


def _someone_watches() -> bool:
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
