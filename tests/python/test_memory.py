"""Rows are read where they are. A child process builds an objective and reports how much its peak memory grows beyond the
form in which the library stores rows.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

MEASURE = """
import json, re, resource, sys
import numpy as np, scipy.sparse
import driftless

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

rng = np.random.default_rng(1)
rows, per_row, columns = 200000, 40, 4000
if sys.argv[1] == "dense":
    rows, columns = 200000, 40
    matrix = rng.standard_normal((rows, columns))
    own = matrix.nbytes
else:
    indices = np.sort(rng.integers(0, columns // per_row, (rows, per_row), dtype=np.int32)
                      + (np.arange(per_row, dtype=np.int32) * (columns // per_row))[None, :], axis=1).ravel()
    data = rng.standard_normal(rows * per_row)
    matrix = scipy.sparse.csr_matrix((data, indices, np.arange(rows + 1, dtype=np.int32) * per_row), shape=(rows, columns))
    own = data.nbytes + indices.nbytes
labels = np.sign(rng.standard_normal(rows))
driftless.logistic(matrix[:100], labels[:100])
# The peak so far must be what is in use now: fill what was freed.
filler = np.ones(max(0, peak() - int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read()).group(1)) * 1024) // 8)
before = peak()
objective = driftless.logistic(matrix, labels)
grown = peak() - before
stored = int(re.search(r"(\\d+) bytes", repr(objective)).group(1))
print(json.dumps({"grown": grown, "stored": stored, "own": own}))
"""


@pytest.mark.parametrize("form", ["csr", "dense"])
def test_rows_are_not_copied_on_their_way(form):
    done = subprocess.run([sys.executable, "-B", "-c", MEASURE, form], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    # Beside what is stored: labels, indices of rows, and one block of rows at a time.
    assert found["grown"] - found["stored"] < 0.5 * found["own"], found


def test_arrays_of_the_right_form_are_passed_on_as_they_are():
    import numpy as np
    import scipy.sparse

    from driftless._arrays import as_csr, as_floats

    matrix = scipy.sparse.random(50, 20, 0.2, format="csr", random_state=1)
    for width in (np.int32, np.int64):
        matrix.indices, matrix.indptr = matrix.indices.astype(width), matrix.indptr.astype(width)
        csr = as_csr(matrix)
        assert np.shares_memory(csr.value, matrix.data) and np.shares_memory(csr.column, matrix.indices)
        assert np.shares_memory(csr.start, matrix.indptr)
    dense = np.ones((6, 8))[::2, ::3]
    assert np.shares_memory(as_floats(dense, "A", 2), dense)


def test_files_are_read_into_arrays_without_a_copy(tmp_path):
    import driftless

    (tmp_path / "rows.svm").write_text("1 1:0.5 3:2\n-1 2:1\n", encoding="utf-8")
    matrix, labels = driftless.read_libsvm(tmp_path / "rows.svm")
    assert matrix.toarray().tolist() == [[0.5, 0.0, 2.0], [0.0, 1.0, 0.0]]
    assert labels.tolist() == [1.0, -1.0]
    assert not matrix.data.flags.owndata
    del labels
    assert matrix.sum() == 3.5
