"""The notebooks of examples/notebooks run from their first to their last cell, and draw what they say."""

from __future__ import annotations

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")
pytest.importorskip("matplotlib", reason="matplotlib is not installed")

FIGURES = {"figure1.ipynb": 2, "three_silos.ipynb": 3}


def notebooks(source):
    return sorted(path.name for path in (source / "examples/notebooks").glob("*.ipynb"))


def test_every_notebook_is_run(source):
    assert notebooks(source) == sorted(FIGURES)


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_notebook_is_kept_without_outputs(name, source):
    notebook = nbformat.read(source / "examples/notebooks" / name, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and all(cell.outputs == [] and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_notebook_runs(name, source, tmp_path, monkeypatch):
    if name == "three_silos.ipynb":
        pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    folder = source / "examples/notebooks"
    notebook = nbformat.read(folder / name, as_version=4)
    where = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources=where).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    figures = [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert len(figures) == FIGURES[name]
    assert any("text/html" in output.get("data", {}) for output in outputs)
