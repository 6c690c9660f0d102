"""Errors: what happened, what was seen, what to do about it."""

from __future__ import annotations


class Error(Exception):
    """An error that a user can cause or encounter.

    Attributes:
        what: What happened, one sentence.
        seen: The value seen and its location.
        advice: What to do about it.
    """

    what: str
    seen: str
    advice: str

    def __init__(self, what: str, seen: str = "", advice: str = "") -> None:
        super().__init__(what, seen, advice)
        self.what = what
        self.seen = seen
        self.advice = advice

    def __str__(self) -> str:
        text = self.what
        if self.seen:
            text += f"\n  seen: {self.seen}"
        if self.advice:
            text += f"\n  do:   {self.advice}"
        return text


class ConfigError(Error, ValueError):
    """What was asked for is incomplete, out of range, or does not fit."""


class DataError(Error, ValueError):
    """Data that cannot be used: arrays of the wrong shape or type, damaged files."""


class TransportError(Error, ConnectionError):
    """A peer cannot be reached or breaks the protocol."""


class RunError(Error, RuntimeError):
    """A run that cannot continue."""


class InternalError(Error, RuntimeError):
    """A broken invariant: a defect of a method or of the library."""


class RoundAbandoned(BaseException):
    """Leaves Python code of a round that ends early; never reaches a user."""
