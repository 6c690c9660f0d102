"""Python, the command line and any number of threads give the same bits, with every method of the catalogue."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse

import driftless

LOSSES = {"logistic": driftless.logistic, "least-squares": driftless.least_squares}
INTEGRAL = ("round", "exchanges", "messages", "bytes_up", "bytes_down", "local_steps", "grad_evals")


def toml_value(value) -> str:
    return json.dumps(value)


def quadratic_config(names: list[str], rounds: int) -> str:
    text = ('seed = 5\n[problem]\nkind = "quadratic"\nstructure = "rotated"\ndim = 20\nsamples = 6\n'
            "[federation]\nclients = 7\n")
    for name in names:
        text += f'[[method]]\nname = "{name}"\n'
        text += "".join(f"{key} = {toml_value(value)}\n" for key, value in driftless.describe(name).demo.items())
    return text + f"[stop]\nrounds = {rounds}\n"


@pytest.fixture(scope="module")
def quadratic_runs(program, tmp_path_factory):
    """The results of `driftless run` with every method."""
    import subprocess

    folder = tmp_path_factory.mktemp("quadratic")
    (folder / "run.toml").write_text(quadratic_config(driftless.methods(), 6), encoding="utf-8")
    done = subprocess.run([program, "run", "run.toml", "--out", "out"], cwd=folder, capture_output=True, text=True,
                          check=False)
    assert done.returncode in (0, 1), done.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def quadratics():
    return driftless.generate_quadratics(structure="rotated", dim=20, samples=6, clients=7, seed=5)


def expect_same(summary, folder) -> None:
    """The bytes of the point, and of every column but the seconds."""
    assert summary.x.tobytes() == np.load(folder / "model.npy").tobytes()
    table = np.genfromtxt(folder / "metrics.csv", delimiter=",", names=True)
    assert list(summary.rows.dtype.names) == (folder / "metrics.csv").read_text().splitlines()[0].split(",")
    for name in INTEGRAL + ("f", "f_gap", "grad_norm", "dist"):
        np.testing.assert_array_equal(summary.rows[name].astype(float), np.atleast_1d(table[name]), err_msg=name)


@pytest.mark.parametrize("method", driftless.methods())
def test_every_method_gives_the_bits_of_the_command_line(method, quadratic_runs, quadratics):
    options = driftless.describe(method).demo
    for threads in (1, 3):
        summary = driftless.minimize(quadratics.clients, method, rounds=6, seed=5, start=quadratics.start,
                                     reference=quadratics.reference, threads=threads, **options)
        expect_same(summary, quadratic_runs / method)


def libsvm_file(folder, matrix, labels):
    lines = []
    for row in range(matrix.shape[0]):
        entries = " ".join(f"{k + 1}:{v!r}" for k, v in
                           zip(matrix[row].indices.tolist(), matrix[row].data.tolist(), strict=True))
        lines.append(f"{labels[row]!r} {entries}\n")
    path = folder / "rows.svm"
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("form", ["csr", "csr64", "dense", "fortran", "file"])
def test_every_form_of_rows_gives_the_bits_of_the_command_line(loss, form, rows, run_program, tmp_path):
    matrix, labels = rows
    path = libsvm_file(tmp_path, matrix, labels)
    out = run_program(f'seed = 2\n[problem]\nkind = "{loss}"\ndata = "{path}"\nl2 = 0.01\nintercept = true\n'
                      '[federation]\nclients = 4\nsplit = "dirichlet"\nalpha = 0.5\n'
                      '[[method]]\nname = "newton-cg"\n[[method]]\nname = "fedred-sgd"\neta = 3.0\nlambda = 0.5\np = 0.2\n'
                      "[stop]\nrounds = 5\n")
    given = {"csr": matrix, "csr64": wide(matrix), "dense": matrix.toarray(), "fortran": np.asfortranarray(matrix.toarray()),
             "file": None}[form]
    if given is None:
        given, labels = driftless.read_libsvm(path, labels="real")
    parts = driftless.split_rows(labels, clients=4, how="dirichlet", alpha=0.5, seed=2)
    clients = [LOSSES[loss](given, labels, l2=0.01, intercept=True, rows=part) for part in parts]
    copies = [LOSSES[loss](A, y, l2=0.01, intercept=True) for A, y in
              driftless.split(given, labels, clients=4, how="dirichlet", alpha=0.5, seed=2)]
    for method, options in {"newton-cg": {}, "fedred-sgd": {"eta": 3.0, "lambda_": 0.5, "p": 0.2}}.items():
        for own in (clients, copies):
            summary = driftless.minimize(own, method, rounds=5, seed=2, **options)
            assert summary.x.tobytes() == np.load(out / method / "model.npy").tobytes()


def wide(matrix):
    result = matrix.copy()
    result.indices = result.indices.astype(np.int64)
    result.indptr = result.indptr.astype(np.int64)
    return result


@pytest.mark.parametrize("how", ["iid", "dirichlet", "dirichlet-lin", "label", "contiguous"])
def test_every_split_is_that_of_the_command_line(how, rows, program, tmp_path):
    import subprocess

    path = libsvm_file(tmp_path, *rows)
    alpha = "alpha = 0.7\n" if "dirichlet" in how else ""
    n = 10  # dirichlet-lin needs so many
    (tmp_path / "run.toml").write_text(
        f'seed = 4\n[problem]\nkind = "logistic"\ndata = "{path}"\nl2 = 0.1\nreference = "none"\n'
        f'[federation]\nclients = {n}\nsplit = "{how}"\n{alpha}[[method]]\nname = "gd"\nstep = 1.0\n[stop]\nrounds = 4\n')
    subprocess.run([program, "run", "run.toml", "--out", "out"], cwd=tmp_path, check=True, capture_output=True)
    parts = driftless.split_rows(rows[1], clients=n, how=how, alpha=0.7, seed=4)
    assert sorted(np.concatenate(parts).tolist()) == list(range(rows[1].size))
    summary = driftless.minimize([driftless.logistic(*rows, l2=0.1, rows=part) for part in parts], "gd", step=1.0, seed=4,
                                 rounds=4)
    assert summary.x.tobytes() == np.load(tmp_path / "out" / "gd" / "model.npy").tobytes()


def test_values_of_theory_are_those_of_the_command_line(rows, run_program, tmp_path):
    path = libsvm_file(tmp_path, *rows)
    out = run_program(f'[problem]\nkind = "logistic"\ndata = "{path}"\nl2 = 0.05\nreference = "none"\n'
                      '[federation]\nclients = 4\nsplit = "iid"\n'
                      '[[method]]\nname = "fedred-gd"\neta = "theory"\nlambda = "theory"\np = "theory"\n[stop]\nrounds = 6\n')
    clients = [driftless.logistic(*rows, l2=0.05, rows=part) for part in driftless.split_rows(rows[1], clients=4)]
    summary = driftless.minimize(clients, "fedred-gd", eta="theory", lambda_="theory", p="theory", rounds=6)
    assert summary.x.tobytes() == np.load(out / "fedred-gd" / "model.npy").tobytes()


def test_auto_takes_its_goal_from_the_stop_condition_as_the_command_line_does(rows, run_program, tmp_path):
    path = libsvm_file(tmp_path, *rows)
    out = run_program(f'[problem]\nkind = "logistic"\ndata = "{path}"\nl2 = 0.001\nreference = "none"\n'
                      '[federation]\nclients = 4\n[stop]\ngrad_norm = 1e-9\n')
    clients = [driftless.logistic(*rows, l2=0.001, rows=part) for part in driftless.split_rows(rows[1], clients=4)]
    summary = driftless.minimize(clients, grad_norm=1e-9)
    assert summary.x.tobytes() == np.load(out / "auto" / "model.npy").tobytes()


def test_explicit_zeros_and_unordered_columns_change_nothing(rows):
    matrix, labels = rows
    plain = driftless.minimize(driftless.logistic(matrix, labels, l2=0.01), "newton-cg", rounds=4)
    zeros = matrix.copy()
    zeros.data = zeros.data.copy()
    extra = scipy.sparse.csr_matrix((np.concatenate([zeros.data, [0.0]]),
                                     np.concatenate([zeros.indices, [11]]).astype(np.int32),
                                     zeros.indptr + (np.arange(zeros.indptr.size) == zeros.indptr.size - 1).astype(np.int32)),
                                    shape=zeros.shape)
    backwards = matrix.copy()
    for row in range(matrix.shape[0]):
        part = slice(matrix.indptr[row], matrix.indptr[row + 1])
        backwards.indices[part] = matrix.indices[part][::-1]
        backwards.data[part] = matrix.data[part][::-1]
    before = backwards.indices.copy()
    for given in (extra, backwards, scipy.sparse.csc_matrix(matrix), scipy.sparse.csr_array(matrix)):
        same = driftless.minimize(driftless.logistic(given, labels, l2=0.01), "newton-cg", rounds=4)
        assert same.x.tobytes() == plain.x.tobytes()
    np.testing.assert_array_equal(backwards.indices, before, err_msg="the user's matrix was changed")
