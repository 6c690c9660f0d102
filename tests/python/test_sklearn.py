"""The estimators: scikit-learn's own checks, its own coefficients, sites, and bad input."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import GammaRegressor, LogisticRegression, PoissonRegressor, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import driftless
from driftless.sklearn import FederatedGLM, FederatedLogisticRegression, FederatedRidge

ESTIMATORS = [FederatedRidge(), FederatedLogisticRegression(), FederatedGLM("least-squares"), FederatedGLM("poisson"),
              FederatedGLM("gamma"), FederatedGLM("huber"), FederatedGLM("quantile")]
CHECKS = [pytest.param(estimator, check, id=f"{estimator}-{check.func.__name__}-{number}")
          for original in ESTIMATORS for number, (estimator, check) in enumerate(check_estimator(original, generate_only=True))]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((300, 6)) * [1.0, 2.0, 0.5, 1.0, 3.0, 0.1]
    eta = X @ rng.standard_normal(6) + 0.5
    return {"X": X, "y": eta + rng.standard_normal(300), "sites": rng.choice(["north", "south", "west"], 300),
            "weights": rng.uniform(0.1, 2.0, 300), "counts": rng.poisson(np.exp(0.3 * eta)).astype(float),
            "times": rng.gamma(2.0, np.exp(0.3 * eta)) + 1e-6, "classes": np.digitize(eta, [-1.5, 1.5])}


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_passes_every_check_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def agree(ours, theirs, tolerance):
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=0, atol=tolerance)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_ridge_is_that_of_scikit_learn(data, fit_intercept):
    ours = FederatedRidge(alpha=3.0, fit_intercept=fit_intercept)
    ours.fit(data["X"], data["y"], sites=data["sites"], sample_weight=data["weights"])
    theirs = Ridge(alpha=3.0, fit_intercept=fit_intercept).fit(data["X"], data["y"], sample_weight=data["weights"])
    agree(ours, theirs, 1e-12)
    assert ours.n_sites_ == 3
    assert ours.score(data["X"], data["y"]) == pytest.approx(theirs.score(data["X"], data["y"]), abs=1e-12)


def test_logistic_regression_is_that_of_scikit_learn(data):
    y = np.where(data["y"] > 0, "yes", "no")
    ours = FederatedLogisticRegression(C=0.5).fit(data["X"], y, sites=data["sites"], sample_weight=data["weights"])
    theirs = LogisticRegression(C=0.5, solver="newton-cholesky", tol=1e-12)
    theirs.fit(data["X"], y, sample_weight=data["weights"])
    agree(ours, theirs, 1e-8)
    np.testing.assert_allclose(ours.predict_proba(data["X"]), theirs.predict_proba(data["X"]), atol=1e-8)
    assert (ours.predict(data["X"]) == theirs.predict(data["X"])).all()
    assert ours.coef_.shape == (1, 6)


def test_several_classes_are_those_of_scikit_learn(data):
    X, y = data["X"], data["classes"]
    ours = FederatedLogisticRegression(C=0.5).fit(X, y, sites=data["sites"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = LogisticRegression(C=0.5, multi_class="multinomial", solver="newton-cg", tol=1e-10, max_iter=500).fit(X, y)
    agree(ours, theirs, 1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
    assert ours.predict_log_proba(X).shape == ours.decision_function(X).shape == (300, 3)


def test_balanced_classes_weigh_as_in_scikit_learn(data):
    y = data["y"] > 2.0
    ours = FederatedLogisticRegression(class_weight="balanced").fit(data["X"], y, sites=data["sites"])
    theirs = LogisticRegression(class_weight="balanced", solver="newton-cholesky", tol=1e-12).fit(data["X"], y)
    agree(ours, theirs, 1e-8)


@pytest.mark.parametrize(("family", "peer", "labels"), [("poisson", PoissonRegressor, "counts"),
                                                        ("gamma", GammaRegressor, "times")])
def test_counts_and_times_are_those_of_scikit_learn(data, family, peer, labels):
    X, y, weights = data["X"], data[labels], data["weights"]
    ours = FederatedGLM(family, alpha=0.1).fit(X, y, sites=data["sites"], sample_weight=weights)
    theirs = peer(alpha=0.1, solver="newton-cholesky", tol=1e-12).fit(X, y, sample_weight=weights)
    agree(ours, theirs, 1e-8)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-7)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-8)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_sparse_rows_give_the_model_of_dense_ones(data, estimator):
    y = {"FederatedLogisticRegression": data["classes"]}.get(type(estimator).__name__, data["times"])
    X = np.where(np.abs(data["X"]) > 1, data["X"], 0.0)
    dense = estimator.fit(X, y, sites=data["sites"]).coef_
    sparse = estimator.fit(scipy.sparse.csr_matrix(X), y, sites=data["sites"])
    np.testing.assert_allclose(sparse.coef_, dense, atol=1e-6)
    np.testing.assert_allclose(sparse.predict(scipy.sparse.csr_matrix(X)), sparse.predict(X))


def test_the_division_among_sites_does_not_change_the_model(data):
    one = FederatedRidge().fit(data["X"], data["y"])
    many = FederatedRidge().fit(data["X"], data["y"], sites=np.arange(300) % 17)
    np.testing.assert_allclose(many.coef_, one.coef_, atol=1e-12)
    assert (one.n_sites_, many.n_sites_) == (1, 17)


def test_data_that_is_divided_already_gives_the_same_bits(data):
    names = np.unique(data["sites"])
    order = np.concatenate([np.flatnonzero(data["sites"] == name) for name in names])
    parts = [(data["X"][data["sites"] == name], data["y"][data["sites"] == name]) for name in names]
    weights = [data["weights"][data["sites"] == name] for name in names]
    divided = FederatedRidge(alpha=2.0).fit_sites(parts, sample_weight=weights)
    labelled = FederatedRidge(alpha=2.0).fit(data["X"][order], data["y"][order], sites=data["sites"][order],
                                             sample_weight=data["weights"][order])
    assert (divided.coef_ == labelled.coef_).all()
    made = FederatedRidge.from_sites([(scipy.sparse.csr_matrix(X), y) for X, y in parts], alpha=2.0)
    assert made.n_sites_ == 3 and made.alpha == 2.0


def test_a_method_can_be_chosen_and_its_cost_is_known(data):
    X = StandardScaler().fit_transform(data["X"])
    model = FederatedRidge(method="gd", method_options={"step": 0.5}, tol=1e-6).fit(X, data["y"], sites=data["sites"])
    np.testing.assert_allclose(model.coef_, Ridge().fit(X, data["y"]).coef_, atol=1e-5)
    assert model.exchanges_ == model.n_iter_ == model.summary_.rounds > 5
    assert model.summary_.method == "gd"


def test_a_fit_that_is_cut_short_warns(data):
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        FederatedRidge(method="gd", method_options={"step": 0.01}, max_iter=2).fit(data["X"], data["y"])


def test_works_in_pipelines_and_searches(data):
    y = data["y"] > 0
    pipeline = make_pipeline(StandardScaler(), FederatedLogisticRegression())
    assert cross_val_score(pipeline, data["X"], y, cv=3).mean() > 0.7
    search = GridSearchCV(FederatedLogisticRegression(), {"C": [1e-4, 1.0]}, cv=3).fit(data["X"], y, sites=data["sites"])
    assert search.best_params_["C"] == 1.0


def test_fitted_estimators_are_pickled_with_their_history(data):
    model = FederatedLogisticRegression().fit(data["X"], data["y"] > 0, sites=data["sites"])
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(data["X"]) == model.predict_proba(data["X"])).all()
    assert again.summary_.exchanges == model.exchanges_


X3 = np.array([[0.0], [1.0], [2.0]])
Y3 = np.array([0.0, 1.0, 2.0])


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: FederatedRidge().fit(X3, Y3, sites=[1, 2]), driftless.DataError, "2 sites, 3 rows"),
    (lambda: FederatedRidge().fit(X3, Y3, sites=[0.0, np.nan, 1.0]), driftless.DataError, "site of a row is not known"),
    (lambda: FederatedRidge().fit(X3, Y3, sites=np.zeros((3, 2))), ValueError, "1d array"),
    (lambda: FederatedRidge().fit(np.array([[np.nan], [1.0], [2.0]]), Y3), ValueError, "NaN"),
    (lambda: FederatedRidge().fit(X3, [0.0, np.inf, 1.0]), ValueError, "infinity"),
    (lambda: FederatedRidge().fit(X3, Y3[:2]), ValueError, "inconsistent"),
    (lambda: FederatedRidge().fit(X3, Y3, sample_weight=[1.0, -1.0, 1.0]), driftless.DataError, "a weight is negative"),
    (lambda: FederatedRidge().fit(X3, Y3, sample_weight=[0.0, 0.0, 0.0]), driftless.DataError, "weights of all rows are zero"),
    (lambda: FederatedRidge(alpha=-1.0).fit(X3, Y3), driftless.ConfigError, "'alpha'"),
    (lambda: FederatedRidge(alpha="small").fit(X3, Y3), driftless.ConfigError, "'alpha'"),
    (lambda: FederatedRidge(tol=0.0).fit(X3, Y3), driftless.ConfigError, "'tol'"),
    (lambda: FederatedRidge(max_iter=0).fit(X3, Y3), driftless.ConfigError, "'max_iter'"),
    (lambda: FederatedRidge(method="gdd").fit(X3, Y3), driftless.ConfigError, "did you mean"),
    (lambda: FederatedRidge(method_options={"stepp": 1}).fit(X3, Y3), driftless.ConfigError, "stepp"),
    (lambda: FederatedRidge().predict(X3), NotFittedError, "not fitted"),
    (lambda: FederatedRidge().fit(X3, Y3).predict(np.zeros((2, 4))), ValueError, "4 features"),
    (lambda: FederatedRidge().fit_sites([]), driftless.DataError, "no sites"),
    (lambda: FederatedRidge().fit_sites([X3]), driftless.DataError, "no pair"),
    (lambda: FederatedRidge().fit_sites([(X3, Y3[:2])]), driftless.DataError, "one label for each row"),
    (lambda: FederatedRidge().fit_sites([(X3, Y3), (np.zeros((2, 2)), Y3[:2])]), driftless.DataError, r"\[1, 2\]"),
    (lambda: FederatedGLM("poison").fit(X3, Y3), driftless.ConfigError, "poison"),
    (lambda: FederatedGLM("poisson").fit(X3, [1.0, -1.0, 1.0]), driftless.DataError, "-1"),
    (lambda: FederatedGLM("gamma").fit(X3, [1.0, 0.0, 1.0]), driftless.DataError, "label"),
    (lambda: FederatedGLM("quantile", tau=1.5).fit(X3, Y3), driftless.ConfigError, "'tau'"),
    (lambda: FederatedGLM("huber", delta=0.0).fit(X3, Y3), driftless.ConfigError, "'delta'"),
    (lambda: FederatedLogisticRegression().fit(X3, ["a", "a", "a"]), driftless.DataError, "one class"),
    (lambda: FederatedLogisticRegression(C=0.0).fit(X3, [0, 1, 1]), driftless.ConfigError, "'C'"),
    (lambda: FederatedLogisticRegression().fit(X3, [0.5, 1.25, 2.0]), ValueError, "continuous"),
])
def test_says_what_is_wrong(make, error, text):
    with pytest.raises(error, match=text):
        make()
