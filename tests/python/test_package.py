"""The package as a whole: names, docstrings, types, pages."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import driftless


def public_members():
    for name in driftless.__all__:
        member = getattr(driftless, name)
        yield name, member
        if inspect.isclass(member):
            for inner, value in vars(member).items():
                if not inner.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield f"{name}.{inner}", value


@pytest.mark.parametrize(("name", "member"), list(public_members()), ids=lambda value: value if isinstance(value, str) else "")
def test_every_public_name_has_a_docstring(name, member):
    if name == "__version__":
        return
    text = inspect.getdoc(member) or ""
    if " -> " in text.partition("\n")[0]:  # of the compiled part: the first line is the signature
        text = text.partition("\n")[2]
    assert len(text.strip()) > 5, name


def test_every_module_has_a_docstring():
    for module in pkgutil.iter_modules(driftless.__path__):
        if module.name == "flower" and importlib.util.find_spec("flwr") is None:
            continue
        assert importlib.import_module(f"driftless.{module.name}").__doc__, module.name


def test_importing_takes_no_pandas_scipy_or_matplotlib():
    code = "import driftless, sys; print(sorted({'pandas', 'scipy', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_version_is_that_of_the_program(program):
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert driftless.__version__ in done.stdout


def test_what_a_wheel_must_do_works_here(source):
    subprocess.run([sys.executable, "-B", str(source / "tests/python/smoke.py")], check=True, capture_output=True)


def test_the_reference_is_that_of_the_docstrings(source):
    done = subprocess.run([sys.executable, "-B", str(source / "tools/python_api.py"), "--check"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr


TYPED = '''
import numpy as np
import driftless

A = np.ones((4, 2))
y = np.array([1.0, -1.0, 1.0, -1.0])


class GradientDescent:
    def round(self, fed: driftless.Federation, x: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
        result: np.typing.NDArray[np.float64] = x - 0.5 * fed.mean(lambda client: client.gradient(x))
        return result


clients: list[driftless.Objective] = [driftless.logistic(A, y, l2=0.1) for _ in range(2)]
summary: driftless.Summary = driftless.minimize(clients, GradientDescent(), stop=driftless.Stop(rounds=3))
rounds: int = summary.rounds
names: list[str] = driftless.methods()
default: object = driftless.describe("gd").options[0].default
'''


def run_mypy(*arguments: str, source: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(source / "pyproject.toml"), "--strict",
                           "--cache-dir", str(cwd / "cache"), *arguments],
                          capture_output=True, text=True, cwd=cwd, env={**os.environ, "MYPYPATH": str(source / "python")},
                          check=False)


def test_types_are_right_for_mypy(source, tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "typed.py").write_text(TYPED, encoding="utf-8")
    for checked in (["typed.py"], ["-p", "driftless"]):
        good = run_mypy(*checked, source=source, cwd=tmp_path)
        assert good.returncode == 0, good.stdout + good.stderr
    (tmp_path / "wrong.py").write_text(TYPED + "\nwrong: str = summary.rounds\n", encoding="utf-8")
    assert run_mypy("wrong.py", source=source, cwd=tmp_path).returncode == 1


def test_the_stubs_name_what_the_compiled_part_has(source):
    from driftless import _core

    text = (source / "python/driftless/_core.pyi").read_text(encoding="utf-8")
    functions = set(re.findall(r"^def (\w+)", text, re.M))
    classes = set(re.findall(r"^class (\w+)", text, re.M))
    assert functions | classes | {"__version__"} == {name for name in vars(_core) if not name.startswith("__")} | {"__version__"}
    for name in classes:
        body = re.search(rf"^class {name}:\n((?:    .*\n)+)", text, re.M)
        assert body is not None
        stubbed = set(re.findall(r"^    def (\w+)", body.group(1), re.M)) | set(re.findall(r"^    (\w+):", body.group(1), re.M))
        real = {member for member in vars(getattr(_core, name)) if not member.startswith("_")}
        assert {member for member in stubbed if not member.startswith("_")} == real, name


def examples_of(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_examples_of_a_page_run(page, source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = examples_of(source / page)
    assert examples
    namespace: dict[str, object] = {"__name__": "example"}
    exec((source / "tests/python/example_data.py").read_text(encoding="utf-8"), namespace)
    for example in examples:
        exec(compile(example, f"{page}: {example.splitlines()[0]}", "exec"), namespace)
