"""Configurations as Python gives them: a file, TOML as text, or nested dicts."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from driftless import _core
from driftless._arrays import type_text
from driftless._errors import ConfigError, Error

Config = str | os.PathLike[str] | Mapping[str, Any]

_TEMPORARY = "run.toml"


@contextmanager
def config_source(config: Config, overrides: Mapping[str, Any]) -> Iterator[_core.ConfigSource]:
    """The configuration as a file that the compiled part reads; a text becomes a temporary one meanwhile."""
    assignments = [f"{name.replace('__', '.')}={_value(name, value)}" for name, value in overrides.items()]
    text = _text_of(config)
    if text is None:
        yield _core.ConfigSource(os.fspath(config), assignments)  # type: ignore[arg-type]
        return
    with tempfile.TemporaryDirectory(prefix="driftless-") as folder:
        file = Path(folder) / _TEMPORARY
        file.write_text(text, encoding="utf-8")
        try:
            yield _core.ConfigSource(file, assignments)
        except Error as error:
            seen = error.seen.replace(os.fspath(file), "config")
            raise type(error)(error.what, seen, error.advice) from None


def to_toml(config: Mapping[str, Any]) -> str:
    """A nested dict as TOML: tables are dicts, lists of tables are lists of dicts.

    Example:
        >>> from driftless._config import to_toml
        >>> print(to_toml({"seed": 2, "stop": {"rounds": 10}, "method": [{"name": "gd", "step": 0.5}]}))
        seed = 2
        <BLANKLINE>
        [stop]
        rounds = 10
        <BLANKLINE>
        [[method]]
        name = "gd"
        step = 0.5
        <BLANKLINE>
    """
    if isinstance(config.get("method"), Mapping):
        config = {**config, "method": [config["method"]]}
    if config.get("method") == []:
        config = {name: value for name, value in config.items() if name != "method"}
    return "\n".join(_tables(config, ""))


def _tables(table: Mapping[str, Any], prefix: str) -> list[str]:
    lines = [f"{_key(name)} = {_value(name, value)}" for name, value in table.items() if not _is_table(value)]
    lines.append("")
    for name, value in table.items():
        path = f"{prefix}{_key(name)}"
        if isinstance(value, Mapping):
            lines += [f"[{path}]", *_tables(value, path + ".")]
        elif _is_table(value):
            for entry in value:
                lines += [f"[[{path}]]", *_tables(entry, path + ".")]
    return lines


def _is_table(value: Any) -> bool:
    tables = isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(entry, Mapping) for entry in value)
    return isinstance(value, Mapping) or tables


def _key(name: Any) -> str:
    if isinstance(name, str) and name and all(c.isalnum() and c.isascii() or c in "_-" for c in name):
        return name
    raise ConfigError("a key of the configuration is no name", f"{name!r:.80}", "use letters, digits, _ and -")


def _value(name: Any, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)) and math.isfinite(value):
        return repr(float(value))
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        return '"' + "".join(_escaped(c) for c in text) + '"'
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_value(name, entry) for entry in value) + "]"
    raise ConfigError(f"'{name}' has a value that a configuration cannot have", f"{value!r:.80}, {type_text(value)}",
                      "use numbers, texts, booleans, and lists and dicts of them")


def _escaped(character: str) -> str:
    if character in '\\"':
        return "\\" + character
    return character if ord(character) >= 32 and ord(character) != 127 else f"\\u{ord(character):04x}"


def _text_of(config: Config) -> str | None:
    """The configuration as text; None where it is a file."""
    if isinstance(config, Mapping):
        return to_toml(config)
    if isinstance(config, str) and ("\n" in config or "=" in config and not os.path.exists(config)):
        return config
    if isinstance(config, (str, os.PathLike)):
        return None
    raise ConfigError("'config' is no configuration", type_text(config), "give a TOML file, its text, or a dict")
