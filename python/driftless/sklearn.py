"""Estimators with the interface of scikit-learn, whose rows are divided among sites.

    >>> import numpy as np
    >>> from driftless.sklearn import FederatedRidge
    >>> X = np.arange(12.0).reshape(6, 2) ** 1.5
    >>> y = X @ [1.0, -2.0] + 3.0
    >>> model = FederatedRidge(alpha=1e-9).fit(X, y, sites=["north", "north", "south", "south", "west", "west"])
    >>> model.coef_.round(3)
    array([ 1., -2.])
    >>> model.n_sites_
    3

The models are those of scikit-learn with the same parameters, whatever the division: the coefficients are those of one
machine that has all rows. What differs is the cost, in `exchanges_`. All sites are in this process here; federations
whose sites are apart are run by configurations, see `driftless.run`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import d2_tweedie_score
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from driftless import _core
from driftless._core import Objective
from driftless._errors import ConfigError, DataError
from driftless._minimize import minimize
from driftless._objectives import glm
from driftless._summary import Summary

__all__ = ["FederatedGLM", "FederatedLogisticRegression", "FederatedRidge"]

Array = npt.NDArray[Any]
Self = TypeVar("Self", bound="_FederatedModel")

_FAMILIES = ("least-squares", "poisson", "gamma", "huber", "quantile")


class _FederatedModel(BaseEstimator):  # type: ignore[misc]
    """What the estimators share: rows to sites, sites to clients, one call of `minimize`."""

    summary_: Summary

    def fit(self: Self, X: Any, y: Any, sites: Any = None, sample_weight: Any = None) -> Self:
        """Fits the model.

        Args:
            X: The rows, dense or CSR.
            y: The labels.
            sites: The site of each row, numbers or texts: rows with the same one belong to one client. None: all rows
                are at one site.
            sample_weight: How often each row counts.
        """
        X, y = _validated(self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=self._numeric_labels())
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        if weights is not None and (weights < 0).any():
            raise DataError("a weight is negative", f"sample_weight[{int(weights.argmin())}] = {weights.min():g}",
                            "give weights of at least 0")
        return self._fit(X, y, _rows_of_sites(sites, X.shape[0]), weights)

    def fit_sites(self: Self, parts: Iterable[tuple[Any, Any]], sample_weight: Iterable[Any] | None = None) -> Self:
        """Fits the model to data that is divided already: one pair (X, y) for each site.

        Args:
            parts: The pairs.
            sample_weight: For each site how often its rows count.

        Example:
            >>> import numpy as np
            >>> from driftless.sklearn import FederatedRidge
            >>> north = np.array([[0.0], [1.0]]), np.array([1.0, 3.0])
            >>> south = np.array([[2.0]]), np.array([5.0])
            >>> FederatedRidge(alpha=0.0).fit_sites([north, south]).coef_.round(6)
            array([2.])
        """
        pairs = _pairs(parts)
        sizes = [np.shape(y)[0] for _, y in pairs]
        widths = sorted({X.shape[1] for X, _ in pairs})
        if len(widths) > 1:
            raise DataError("the sites have different numbers of columns", f"{widths}", "give all sites the same columns")
        stack = sparse.vstack if any(sparse.issparse(X) for X, _ in pairs) else np.vstack
        weights = None if sample_weight is None else np.concatenate([np.asarray(part) for part in sample_weight])
        return self.fit(stack([X for X, _ in pairs]), np.concatenate([np.asarray(y) for _, y in pairs]),
                        sites=np.repeat(np.arange(len(pairs)), sizes), sample_weight=weights)

    @classmethod
    def from_sites(cls: type[Self], parts: Iterable[tuple[Any, Any]], **parameters: Any) -> Self:
        """A fitted estimator with these parameters, from data that is divided already: see `fit_sites`.

        Example:
            >>> import numpy as np
            >>> from driftless.sklearn import FederatedRidge
            >>> sites = [(np.array([[0.0], [1.0]]), [1.0, 3.0]), (np.array([[2.0]]), [5.0])]
            >>> float(FederatedRidge.from_sites(sites, alpha=0.0).intercept_.round(6))
            1.0
        """
        return cls(**parameters).fit_sites(parts)

    def _numeric_labels(self) -> bool:
        return True

    def _fit(self: Self, X: Any, y: Array, rows: list[Array], weights: Array | None) -> Self:
        raise NotImplementedError

    def _solve(self, X: Any, labels: Array, rows: list[Array], weights: Array | None, l2: float,
               options: Mapping[str, Any]) -> Array:
        """The coefficients: f is the weighted mean of the losses of rows and the penalty. One row for each prediction."""
        _positive("tol", self.tol)
        _positive("max_iter", self.max_iter)
        total = _total(X, weights)
        masses = [float(len(part) if weights is None else weights[part].sum()) for part in rows]
        clients, shares = [], []
        for part, mass in zip(rows, masses, strict=True):
            if mass > 0:
                clients.append(_client(X, labels, part, weights, l2, self.fit_intercept, options))
                shares.append(mass / total)
        start = np.zeros(clients[0].dim)
        gradients = [share * client.gradient(start) for share, client in zip(shares, clients, strict=True)]
        first = float(np.linalg.norm(np.sum(gradients, axis=0)))
        goal = self.tol * first if first > 0 else self.tol
        self.summary_ = minimize(clients, self.method, grad_norm=goal, rounds=self.max_iter, seed=self.seed,
                                 threads=self.threads, **dict(self.method_options or {}))
        if self.summary_.reason != "grad_norm":
            warnings.warn(f"the fit ended before the gradient was small enough: {self.summary_.brief}. Raise max_iter, "
                          "scale the columns, or choose another method.", ConvergenceWarning, stacklevel=4)
        self.n_iter_ = max(1, self.summary_.rounds)
        self.exchanges_ = self.summary_.exchanges
        self.n_sites_ = len(rows)
        width = X.shape[1] + bool(self.fit_intercept)
        found = self.summary_.x.reshape(-1, width)
        return found if self.fit_intercept else np.hstack([found, np.zeros((found.shape[0], 1))])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _predictions(self, X: Any) -> Array:
        check_is_fitted(self)
        X = _validated(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        coefficients = np.atleast_2d(self.coef_)
        eta: Array = np.asarray(X @ coefficients.T) + self.intercept_
        return eta[:, 0] if eta.shape[1] == 1 else eta


class FederatedRidge(RegressorMixin, _FederatedModel):  # type: ignore[misc]
    """Linear regression with a penalty, over the rows of all sites: ‖y - Xw - b‖² + alpha ‖w‖².

    It is `sklearn.linear_model.Ridge`.

    Args:
        alpha: The weight of the penalty. The intercept is not penalised.
        fit_intercept: Whether there is an intercept.
        tol: The fit ends at this part of the first gradient norm.
        max_iter: Most rounds.
        method: A method that `driftless.methods` lists.
        method_options: Its options.
        seed: Of methods that draw at random.
        threads: The number of threads; 0: one for each core.

    Attributes:
        coef_: The coefficients.
        intercept_: The intercept.
        n_iter_: Rounds.
        exchanges_: Exchanges with the sites.
        n_sites_: The number of sites.
        summary_: The `driftless.Summary` of the fit, with its history.

    Example:
        >>> import numpy as np
        >>> from driftless.sklearn import FederatedRidge
        >>> model = FederatedRidge(alpha=1.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0], sites=[0, 0, 1, 1])
        >>> model.predict([[4.0]]).round(4)
        array([3.5833])
    """

    def __init__(self, alpha: float = 1.0, *, fit_intercept: bool = True, tol: float = 1e-9, max_iter: int = 1000,
                 method: str = "auto", method_options: Mapping[str, Any] | None = None, seed: int = 1,
                 threads: int = 1) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.method_options = method_options
        self.seed = seed
        self.threads = threads

    def _fit(self, X: Any, y: Array, rows: list[Array], weights: Array | None) -> FederatedRidge:
        l2 = _penalty("alpha", self.alpha) / _total(X, weights)
        found = self._solve(X, np.asarray(y, dtype=np.float64), rows, weights, l2, {"family": "least-squares"})
        self.coef_ = found[0, :-1]
        self.intercept_ = found[0, -1]
        return self

    def predict(self, X: Any) -> Array:
        """The predicted number of each row."""
        return self._predictions(X)


class FederatedGLM(RegressorMixin, _FederatedModel):  # type: ignore[misc]
    """A generalised linear model over the rows of all sites: the mean loss plus (alpha/2)‖w‖².

    With the families "poisson" and "gamma" it is `sklearn.linear_model.PoissonRegressor` and `GammaRegressor`.

    Args:
        family: "least-squares", "poisson", "gamma", "huber" or "quantile". Logarithmic link for "poisson" and "gamma".
        alpha: The weight of the penalty. The intercept is not penalised.
        delta: Where "huber" becomes linear, and half the width of the smoothing of "quantile".
        tau: The level of "quantile".
        fit_intercept: Whether there is an intercept.
        tol: The fit ends at this part of the first gradient norm.
        max_iter: Most rounds.
        method: A method that `driftless.methods` lists.
        method_options: Its options.
        seed: Of methods that draw at random.
        threads: The number of threads; 0: one for each core.

    The attributes are those of `FederatedRidge`.

    Example:
        >>> import numpy as np
        >>> from driftless.sklearn import FederatedGLM
        >>> model = FederatedGLM("poisson", alpha=0.0).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 7.0], sites=["a", "b", "b"])
        >>> model.predict([[1.0]]).round(1)
        array([2.8])
    """

    def __init__(self, family: str = "poisson", alpha: float = 1.0, *, delta: float = 1.0, tau: float = 0.5,
                 fit_intercept: bool = True, tol: float = 1e-9, max_iter: int = 1000, method: str = "auto",
                 method_options: Mapping[str, Any] | None = None, seed: int = 1, threads: int = 1) -> None:
        self.family = family
        self.alpha = alpha
        self.delta = delta
        self.tau = tau
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.method_options = method_options
        self.seed = seed
        self.threads = threads

    def _fit(self, X: Any, y: Array, rows: list[Array], weights: Array | None) -> FederatedGLM:
        if self.family not in _FAMILIES:
            advice = f"use one of: {', '.join(_FAMILIES)}; FederatedLogisticRegression for classes"
            raise ConfigError("there is no such family of regressions", f"family = {self.family!r:.80}", advice)
        options = {"family": self.family, "delta": self.delta, "tau": self.tau}
        found = self._solve(X, np.asarray(y, dtype=np.float64), rows, weights, _penalty("alpha", self.alpha), options)
        self.coef_ = found[0, :-1]
        self.intercept_ = found[0, -1]
        return self

    def predict(self, X: Any) -> Array:
        """The predicted mean of each row; of "quantile" its quantile."""
        eta = self._predictions(X)
        return np.exp(eta) if self.family in ("poisson", "gamma") else eta

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The part of the deviance that is explained for "poisson" and "gamma", R² for the others."""
        powers = {"poisson": 1, "gamma": 2}
        if self.family not in powers:
            return float(super().score(X, y, sample_weight))
        return float(d2_tweedie_score(y, self.predict(X), sample_weight=sample_weight, power=powers[self.family]))

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_positive_y": self.family in ("poisson", "gamma")}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = self.family in ("poisson", "gamma")
        return tags


class FederatedLogisticRegression(ClassifierMixin, _FederatedModel):  # type: ignore[misc]
    """Logistic regression over the rows of all sites: ½‖w‖² + C Σ loss; with more than two classes multinomial.

    It is `sklearn.linear_model.LogisticRegression`.

    Args:
        C: The inverse of the weight of the penalty; infinite: none. The intercept is not penalised.
        fit_intercept: Whether there is an intercept.
        class_weight: Weights of classes as a dict, or "balanced".
        tol: The fit ends at this part of the first gradient norm.
        max_iter: Most rounds.
        method: A method that `driftless.methods` lists.
        method_options: Its options.
        seed: Of methods that draw at random.
        threads: The number of threads; 0: one for each core.

    Attributes:
        classes_: The classes.
        coef_: The coefficients, of shape (1, columns) for two classes and (classes, columns) for more.
        intercept_: The intercepts.

    and those of `FederatedRidge`.

    Example:
        >>> import numpy as np
        >>> from driftless.sklearn import FederatedLogisticRegression
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"]
        >>> model = FederatedLogisticRegression().fit(X, y, sites=["north", "south", "north", "south"])
        >>> model.predict_proba([[1.5]]).round(3)
        array([[0.5, 0.5]])
    """

    def __init__(self, C: float = 1.0, *, fit_intercept: bool = True, class_weight: Any = None, tol: float = 1e-9,
                 max_iter: int = 1000, method: str = "auto", method_options: Mapping[str, Any] | None = None,
                 seed: int = 1, threads: int = 1) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.method_options = method_options
        self.seed = seed
        self.threads = threads

    def _numeric_labels(self) -> bool:
        return False

    def _fit(self, X: Any, y: Array, rows: list[Array], weights: Array | None) -> FederatedLogisticRegression:
        check_classification_targets(y)
        encoder = LabelEncoder().fit(y)
        self.classes_ = encoder.classes_
        count = len(self.classes_)
        if count < 2:
            raise DataError("the rows are of one class", f"{self.classes_[0]!r:.80}", "give rows of two classes or more")
        if self.class_weight is not None:
            of_class = compute_sample_weight(self.class_weight, y)
            weights = of_class if weights is None else weights * of_class
        l2 = 1.0 / (_positive("C", self.C) * _total(X, weights))
        index = encoder.transform(y).astype(np.float64)
        if count == 2:
            found = self._solve(X, 2.0 * index - 1.0, rows, weights, l2, {"family": "logistic"})
        else:
            options = {"family": "multinomial", "classes": count}
            found = self._solve(X, index, rows, weights, l2, options)
            found = np.vstack([np.zeros(found.shape[1]), found])
            found -= found.mean(axis=0)
        self.coef_ = found[:, :-1]
        self.intercept_ = found[:, -1]
        return self

    def decision_function(self, X: Any) -> Array:
        """The linear predictions: of the second class of two, of every class of more."""
        return self._predictions(X)

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`."""
        eta = self._predictions(X)
        if eta.ndim == 2:
            return np.asarray(softmax(eta, axis=1))
        second = expit(eta)
        return np.column_stack([1.0 - second, second])

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the probability of each class."""
        return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        eta = self._predictions(X)
        index = eta.argmax(axis=1) if eta.ndim == 2 else (eta > 0).astype(np.intp)
        return np.asarray(self.classes_[index])


def _validated(estimator: Any, *data: Any, **how: Any) -> Any:
    """scikit-learn 1.6 made a function of what was a method of estimators."""
    if hasattr(estimator, "_validate_data"):
        return estimator._validate_data(*data, **how)
    from sklearn.utils.validation import validate_data

    return validate_data(estimator, *data, **how)


def _client(X: Any, labels: Array, rows: Array, weights: Array | None, l2: float, intercept: bool,
            options: Mapping[str, Any]) -> Objective:
    """The function of a site. The penalty of several classes is that of the coefficients of all of them."""
    several = options["family"] == "multinomial"
    f = glm(X, labels, l2=0.0 if several else l2, intercept=intercept, sample_weight=weights, rows=rows, **options)
    return _core.symmetric_multinomial(f, options["classes"], X.shape[1], l2) if several else f


def _total(X: Any, weights: Array | None) -> float:
    total = float(X.shape[0] if weights is None else weights.sum())
    if total > 0:
        return total
    raise DataError("the weights of all rows are zero", f"{X.shape[0]} rows", "give positive weights")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _penalty(name: str, value: Any) -> float:
    if _is_number(value) and 0 <= value < np.inf:
        return float(value)
    raise ConfigError(f"'{name}' is not a number of at least 0", f"{name} = {value!r:.80}", "give a number >= 0")


def _positive(name: str, value: Any) -> float:
    if _is_number(value) and value > 0:
        return float(value)
    raise ConfigError(f"'{name}' is not a positive number", f"{name} = {value!r:.80}", "give a number > 0")


def _rows_of_sites(sites: Any, rows: int) -> list[Array]:
    if sites is None:
        return [np.arange(rows)]
    labels = column_or_1d(sites)
    if labels.shape[0] != rows:
        raise DataError("'sites' must name the site of each row", f"{labels.shape[0]} sites, {rows} rows",
                        "give one number or text for each row of X")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise DataError("the site of a row is not known", "NaN in 'sites'", "name a site for each row")
    _, index = np.unique(labels, return_inverse=True)
    return [np.flatnonzero(index == site) for site in range(index.max() + 1)]


def _pairs(parts: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    pairs = []
    for number, part in enumerate(parts):
        if not isinstance(part, (tuple, list)) or len(part) != 2:
            raise DataError("a site is no pair (X, y)", f"site {number}: {type(part).__name__}", "give a list of pairs (X, y)")
        X, y = part
        pairs.append((X.tocsr() if sparse.issparse(X) else check_array(X, dtype=np.float64), np.ravel(y)))
        if pairs[-1][0].shape[0] != pairs[-1][1].shape[0]:
            seen = f"site {number}: X of shape {pairs[-1][0].shape}, y of shape {pairs[-1][1].shape}"
            raise DataError("there must be one label for each row", seen, "give both of the same data")
    if not pairs:
        raise DataError("there are no sites", "[]", "give a list of pairs (X, y)")
    return pairs
