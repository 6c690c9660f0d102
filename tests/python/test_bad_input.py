"""Bad input from Python: every case is an error that says what happened, what was seen and what to do."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse

import driftless

A = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]])
Y = np.array([1.0, -1.0, 1.0])
CSR = scipy.sparse.csr_matrix(A)
F = driftless.logistic(A, Y, l2=0.1)


def broken(**changes):
    matrix = CSR.copy()
    for name, value in changes.items():
        setattr(matrix, name, value)
    return matrix


class Own:
    """An objective that can be made wrong in one way."""

    dim = 2

    def __init__(self, result=None, **attributes):
        self.result = result
        for name, value in attributes.items():
            setattr(self, name, value)

    def value_gradient(self, x):
        return (0.5 * x @ x, x) if self.result is None else self.result


class NoGradient:
    dim = 2


class NoDim:
    def value_gradient(self, x):
        return 0.0, x


class OwnMethod:
    def __init__(self, body):
        self.body = body

    def round(self, fed, x):
        return self.body(fed, x)


class WithState:
    count = -1

    def __init__(self, state):
        self.state = state

    def round(self, fed, x):
        return x


LARGE_COHORT = []


def run(clients=F, method="gd", rounds=3, **options):
    if method == "gd":
        options.setdefault("step", 1.0)
    return driftless.minimize(clients, method, rounds=rounds, **options)


def own(result):
    return lambda: run(Own(result))


def method(body):
    return lambda: run([F, F], OwnMethod(body))


run([F] * 4, OwnMethod(lambda fed, x: LARGE_COHORT.append(fed.everyone) or x), rounds=1)

DATA = {
    "labels of another length": lambda: driftless.logistic(A, Y[:2]),
    "labels that are a matrix": lambda: driftless.logistic(A, Y.reshape(-1, 1)),
    "labels that are texts": lambda: driftless.logistic(A, ["a", "b", "c"]),
    "labels that are no classes": lambda: driftless.logistic(A, [0.0, 1.0, 1.0]),
    "a label that is missing": lambda: driftless.logistic(A, [1.0, np.nan, 1.0]),
    "no labels": lambda: driftless.logistic(A, None),
    "rows that are a vector": lambda: driftless.logistic(A[0], Y),
    "rows of three dimensions": lambda: driftless.logistic(A.reshape(3, 2, 1), Y),
    "rows of texts": lambda: driftless.logistic([["a", "b"]] * 3, Y),
    "rows of complex numbers": lambda: driftless.logistic(A.astype(complex), Y),
    "rows of objects": lambda: driftless.logistic(np.array([[1, None], [2, 3], [4, 5]]), Y),
    "rows of unequal lengths": lambda: driftless.logistic([[1.0], [1.0, 2.0], [3.0]], Y),
    "no rows": lambda: driftless.logistic(np.empty((0, 2)), []),
    "no columns": lambda: driftless.logistic(np.empty((3, 0)), Y),
    "an entry that is missing": lambda: driftless.logistic([[1.0, np.nan], [2.0, 3.0], [4.0, 5.0]], Y),
    "an infinite entry": lambda: driftless.logistic([[1.0, np.inf], [2.0, 3.0], [4.0, 5.0]], Y),
    "a missing entry of a sparse matrix": lambda: driftless.logistic(broken(data=CSR.data * np.nan), Y),
    "a sparse matrix of complex numbers": lambda: driftless.logistic(CSR.astype(complex), Y),
    "a column index that is too large": lambda: driftless.logistic(broken(indices=CSR.indices + 5), Y),
    "a column index below zero": lambda: driftless.logistic(broken(indices=CSR.indices - 1), Y),
    "row offsets that fall": lambda: driftless.logistic(broken(indptr=CSR.indptr[::-1].copy()), Y),
    "row offsets beyond the entries": lambda: driftless.logistic(broken(indptr=CSR.indptr * 7), Y),
    "too few row offsets": lambda: driftless.logistic(broken(indptr=CSR.indptr[:2].copy()), Y),
    "fewer values than indices": lambda: driftless.logistic(broken(data=CSR.data[:2].copy()), Y),
    "rows that do not exist": lambda: driftless.logistic(A, Y, rows=[0, 3]),
    "rows below zero": lambda: driftless.logistic(A, Y, rows=[-1]),
    "rows that are no whole numbers": lambda: driftless.logistic(A, Y, rows=[0.5]),
    "rows as a mask": lambda: driftless.logistic(A, Y, rows=[True, False, True]),
    "an empty list of rows": lambda: driftless.logistic(A, Y, rows=[]),
    "a quadratic that is not square": lambda: driftless.quadratic(np.ones((2, 3)), np.ones(2)),
    "a quadratic that is not symmetric": lambda: driftless.quadratic([[1.0, 2.0], [0.0, 1.0]], [0.0, 0.0]),
    "a quadratic with NaN": lambda: driftless.quadratic([[np.nan, 0.0], [0.0, 1.0]], [0.0, 0.0]),
    "a quadratic of no size": lambda: driftless.quadratic(np.empty((0, 0)), []),
    "a start of another size": lambda: run(start=np.zeros(5)),
    "a start of texts": lambda: run(start=["a", "b"]),
    "a reference of another size": lambda: run(reference=(np.zeros(9), 0.0)),
    "an objective that returns nothing": own(0),
    "an objective that returns one value": own((1.0,)),
    "an objective that returns three values": own((1.0, np.zeros(2), 3)),
    "an objective whose value is a text": own(("a", np.zeros(2))),
    "an objective whose gradient is too long": own((1.0, np.zeros(3))),
    "an objective whose gradient is a matrix": own((1.0, np.zeros((2, 1)))),
    "an objective whose gradient is None": own((1.0, None)),
    "an objective whose gradient is complex": own((1.0, np.zeros(2, complex))),
    "a method that returns nothing": method(lambda fed, x: None),
    "a method that returns a shorter point": method(lambda fed, x: x[:1]),
    "a body that returns nothing": method(lambda fed, x: fed.mean(lambda client: None)),
    "a body that returns a longer vector": method(lambda fed, x: fed.mean(lambda client: np.zeros(9))),
    "a body that asks for a gradient elsewhere": method(lambda fed, x: fed.mean(lambda c: c.gradient(np.zeros(9)))),
    "evaluation at a point of another size": lambda: F.gradient(np.zeros(7)),
    "evaluation at a text": lambda: F.value("x"),
    "a file that does not exist": lambda: driftless.read_libsvm("/nowhere/rows.svm"),
    "a split of labels that are missing": lambda: driftless.split_rows([1.0, np.nan], clients=2),
    "a split of rows without labels": lambda: driftless.split(A, Y[:2], clients=2),
}

CONFIG = {
    "no clients": lambda: run([]),
    "clients that are a number": lambda: run(3),
    "clients that are an array": lambda: run(A),
    "clients that are a text": lambda: run("gd"),
    "a client that is none": lambda: run([F, None]),
    "a client without gradient": lambda: run([NoGradient()]),
    "a client without dim": lambda: run([NoDim()]),
    "a client whose dim is a text": lambda: run(Own(dim="2")),
    "a client of no size": lambda: run(Own(dim=0)),
    "a client whose gradient cannot be called": lambda: run(Own(gradient=3)),
    "batches without samples": lambda: run(Own(gradient_batch=lambda x, i: x)),
    "clients of unlike sizes": lambda: run([F, driftless.quadratic(np.eye(3), np.zeros(3))]),
    "rows without weights beside other clients": lambda: run([F, Own()]),
    "no method of this name": lambda: run(method="gdd"),
    "a method that is a number": lambda: run(method=7),
    "a method without round": lambda: run(method=object()),
    "an option that does not exist": lambda: run(stepp=1.0),
    "an option out of range": lambda: run(step=-1.0),
    "an option that is not a number": lambda: run(step=np.nan),
    "an option of the wrong type": lambda: run(step="long"),
    "an option that is None": lambda: run(step=None),
    "an option that is a function": lambda: run(step=len),
    "an option that is too large": lambda: run(step=2**80),
    "an option that is missing": lambda: driftless.minimize(F, "gd", rounds=3),
    "an option that is settled by the name": lambda: run(method="dane+-gd", eta=1.0, lambda_=1.0, solver="exact"),
    "an option given twice": lambda: run(method="fedprox", lambda_=1.0, **{"lambda": 1.0}),
    "options of a method in Python": lambda: run(method=OwnMethod(lambda fed, x: x), step=1.0),
    "theory that has no value": lambda: run(method="gd", compressor="theory"),
    "no stop condition": lambda: driftless.minimize(F, "gd", step=1.0),
    "a stop condition that does not exist": lambda: driftless.minimize(F, "gd", stop={"round": 3}, step=1.0),
    "a stop condition below zero": lambda: run(rounds=-1),
    "a stop condition that is a text": lambda: run(grad_norm="small"),
    "stop conditions that are a number": lambda: driftless.minimize(F, "gd", stop=3, step=1.0),
    "a stop condition given twice": lambda: driftless.minimize(F, "gd", stop={"rounds": 3}, rounds=4, step=1.0),
    "a gap without a reference": lambda: run(gap=1e-9),
    "a reference that is a number": lambda: run(reference=3.0),
    "threads below zero": lambda: run(threads=-1),
    "threads that are no whole number": lambda: run(threads=1.5),
    "a seed below zero": lambda: run(seed=-3),
    "every that is zero": lambda: run(every=0),
    "an output that does not exist": lambda: run(output="first"),
    "an output that the method does not have": lambda: run(output="weighted"),
    "a callback that cannot be called": lambda: run(callback=3),
    "a stop token without is_set": lambda: run(stop_token=True),
    "a checkpoint with negative seconds": lambda: run(checkpoint="x", checkpoint_seconds=-1),
    "l2 below zero": lambda: driftless.logistic(A, Y, l2=-1.0),
    "l2 that is a text": lambda: driftless.logistic(A, Y, l2="1/M"),
    "a weight that is NaN": lambda: driftless.logistic(A, Y, weight=np.nan),
    "a storage that does not exist": lambda: driftless.logistic(A, Y, storage="sparser"),
    "a loss that does not exist": lambda: driftless.linear("hinge", A, Y),
    "a split that does not exist": lambda: driftless.split_rows(Y, clients=2, how="even"),
    "more clients than rows": lambda: driftless.split_rows(Y, clients=9),
    "no clients to divide among": lambda: driftless.split_rows(Y, clients=0),
    "an alpha that is zero": lambda: driftless.split_rows(Y, clients=2, how="dirichlet", alpha=0.0),
    "a probability of two": method(lambda fed, x: x if fed.coin(2.0) else x),
    "a probability of zero": method(lambda fed, x: x * fed.geometric(0.0)),
    "a local problem with a negative weight": method(lambda fed, x: fed.mean(lambda c: c.minimize(x, lambda_=-1.0))),
    "a state that is a text": lambda: run(F, WithState("previous")),
    "a state that is a number": lambda: run(F, WithState(3)),
    "a state of numbers": lambda: run(F, WithState((1, 2))),
    "a state with a number below zero": lambda: run(F, WithState(("count",))),
    "a cohort of another federation": lambda: run([F], OwnMethod(lambda fed, x: fed.mean(lambda c: x, LARGE_COHORT[0]))),
    "a local solver that does not exist": method(lambda fed, x: fed.mean(lambda c: c.minimize(x, solver="best"))),
    "a family that does not exist": lambda: driftless.methods("gradient"),
    "a description of nothing": lambda: driftless.describe(None),
    "a generated problem with an unknown option": lambda: driftless.generate_quadratics(size=3),
    "labels of an unknown kind": lambda: driftless.read_libsvm("a9a", labels="three"),
}


def expect(case, kind):
    with pytest.raises(kind) as caught:
        case()
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.what and error.advice, "an error says what happened and what to do"
    assert str(error).startswith(error.what) and error.advice in str(error)
    assert "Traceback" not in str(error)
    restored = pickle.loads(pickle.dumps(error))
    assert type(restored) is type(error) and str(restored) == str(error)


@pytest.mark.parametrize("case", DATA.values(), ids=DATA.keys())
def test_data_that_cannot_be_used(case):
    expect(case, driftless.DataError)


@pytest.mark.parametrize("case", CONFIG.values(), ids=CONFIG.keys())
def test_what_cannot_be_asked_for(case):
    expect(case, driftless.ConfigError)


def test_unknown_names_come_with_the_nearest_one():
    with pytest.raises(driftless.ConfigError, match="did you mean 'fedred-gd'"):
        run(method="fedred-dg")
    with pytest.raises(driftless.ConfigError, match="did you mean 'step'"):
        run(stepp=1.0)


def test_numbers_of_numpy_are_numbers():
    summary = run(step=np.float32(1.0), rounds=np.int64(3), threads=np.int32(1))
    assert summary.rounds == 3
    assert run(step=np.array(1.0)).x.tobytes() == run(step=1.0).x.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8, np.bool_, ">f8"])
def test_other_types_of_numbers_are_converted(dtype):
    matrix = (A > 0).astype(dtype)
    expected = driftless.logistic((A > 0).astype(float), Y).gradient(np.ones(2))
    np.testing.assert_array_equal(driftless.logistic(matrix, Y).gradient(np.ones(2)), expected)
    np.testing.assert_array_equal(driftless.logistic(scipy.sparse.csr_matrix(matrix.astype(matrix.dtype.newbyteorder("="))),
                                                     Y).gradient(np.ones(2)), expected)


def test_arrays_need_not_be_contiguous():
    wide = np.zeros((6, 8))
    wide[::2, 1:8:4] = A
    expected = driftless.logistic(A, Y).gradient(np.ones(2))
    np.testing.assert_array_equal(driftless.logistic(wide[::2, 1:8:4], Y).gradient(np.ones(2)), expected)
    np.testing.assert_array_equal(driftless.logistic(A[::-1], Y[::-1]).gradient(np.ones(2)),
                                  driftless.logistic(A[::-1].copy(), Y[::-1].copy()).gradient(np.ones(2)))
    record = np.zeros(3, dtype=[("flag", "i1"), ("a", "f8"), ("b", "f8")])
    record["a"], record["b"] = A[:, 0], A[:, 1]
    unaligned = np.lib.stride_tricks.as_strided(record["a"], (3, 2), (record.itemsize, 8))
    np.testing.assert_array_equal(driftless.logistic(unaligned, Y).gradient(np.ones(2)), expected)


def test_clients_are_not_pickled_or_copied_and_say_so():
    for attempt in (lambda: pickle.dumps(F), lambda: copy.copy(F), lambda: copy.deepcopy([F])):
        with pytest.raises(driftless.ConfigError, match="pickle"):
            attempt()


def test_summaries_are_pickled():
    summary = run(rounds=4)
    restored = pickle.loads(pickle.dumps(summary))
    assert restored.x.tobytes() == summary.x.tobytes() and restored.reason == summary.reason
    assert restored.rows.tobytes() == summary.rows.tobytes() and restored.rows.dtype == summary.rows.dtype


def test_a_kept_client_or_federation_is_an_error_and_no_crash():
    kept = []

    def body(fed, x):
        fed.for_each_client(kept.append)
        kept.append(fed)
        return x

    run([F, F], OwnMethod(body), rounds=1)
    for use in (lambda: kept[0].gradient(np.zeros(2)), lambda: kept[0].id, lambda: kept[-1].n,
                lambda: kept[-1].mean(lambda client: np.zeros(2))):
        with pytest.raises(driftless.ConfigError, match="after the call"):
            use()


def test_an_exchange_inside_of_a_body_is_an_error():
    with pytest.raises(driftless.InternalError, match="inside a client body"):
        run([F, F], OwnMethod(lambda fed, x: fed.mean(lambda c: fed.mean(lambda d: x))), threads=1)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("error", [ZeroDivisionError("zero"), SystemExit(3), KeyError("k"), StopIteration()])
def test_errors_of_objectives_pass_unchanged(error, threads):
    class Fails(Own):
        def value_gradient(self, x):
            if x[0] != 0:
                raise error
            return 1.0, np.ones(2)

    with pytest.raises(type(error)) as caught:
        run([Fails() for _ in range(4)], threads=threads)
    assert caught.value is error
    frames = [frame.name for frame in caught.traceback]
    assert "value_gradient" in frames


@pytest.mark.parametrize("threads", [1, 3])
def test_errors_of_methods_and_bodies_and_callbacks_pass_unchanged(threads):
    error = ZeroDivisionError("mine")

    def fail(*_):
        raise error

    for case in (lambda: run([F] * 3, OwnMethod(fail), threads=threads),
                 lambda: run([F] * 3, OwnMethod(lambda fed, x: fed.mean(fail)), threads=threads),
                 lambda: run([F] * 3, OwnMethod(lambda fed, x: fed.for_each_client(fail)), threads=threads),
                 lambda: run([F] * 3, callback=fail, threads=threads)):
        with pytest.raises(ZeroDivisionError) as caught:
            case()
        assert caught.value is error and "fail" in [frame.name for frame in caught.traceback]


def test_a_method_may_catch_the_errors_of_bodies():
    def body(fed, x):
        try:
            fed.mean(lambda client: 1 / 0)
        except ZeroDivisionError:
            return x + 1
        return x

    np.testing.assert_array_equal(run([F, F], OwnMethod(body), rounds=3).x, [3.0, 3.0])


def test_a_function_that_is_no_number_is_a_run_that_diverged():
    class Grows(Own):
        def value_gradient(self, x):
            return (0.0, np.ones(2)) if x[0] == 0 else (np.nan, np.ones(2))

    assert run(Grows(), rounds=9).reason == "diverged"
