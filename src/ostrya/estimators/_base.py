"""What every estimator with one fitted tree shares: prediction and its words."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ostrya._tree_shape import BLOCK, RowRouter, TreeShape
from ostrya._whole_file import write_whole
from ostrya.estimators import model_read, model_write
from ostrya.export import export_report, roc_points
from ostrya.export.caption import headline
from ostrya.export.sklearn_tree import twin
from ostrya.export.svg import model_html
from ostrya.preprocessing import TableEncoder, TableTransformer
from ostrya.preprocessing.checks import check_new_rows, check_table, feature_names
from ostrya.tree import Tree

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline
    from sklearn.tree import DecisionTreeClassifier
    from typing_extensions import Self


class TreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that predicts by ``tree_``, over tables read by ``encoder_``."""

    tree_: Tree
    encoder_: TableEncoder
    classes_: npt.NDArray[Any]

    def apply(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the leaf of ``tree_`` that each row reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows. A missing value or a level
            not seen in training answers no to every question but "is missing".

        Returns
        -------
        ndarray of int32, shape (n_samples,)
            Node indices.
        """
        check_is_fitted(self)
        X = check_new_rows(self, X)
        asked = np.unique(self.tree_.feature[self.tree_.feature >= 0])
        router = RowRouter(TreeShape(**self.tree_.shape))
        if not isinstance(X, np.ndarray) or X.dtype.kind not in "biuf":
            return router.leaves(self.encoder_.encode(X, only=asked), is_checked=True)
        leaf = np.empty(len(X), dtype=np.int32)
        for start in range(0, len(X), BLOCK):
            rows = self.encoder_.encode(X[start : start + BLOCK], only=asked)
            leaf[start : start + BLOCK] = router.leaves(rows, is_checked=True)
        return leaf

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels, of the type `fit` was given. Of labels that cost a leaf the same
            the first of ``classes_`` is taken.
        """
        leaf = self.apply(X)
        return self.classes_[self.tree_.label][leaf]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the class probabilities of the leaf that each row reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_classes)
            Shares of the classes in the training weight of the leaf, in the order of
            ``classes_``, smoothed if `smoothing` is above 0. Rows have the weight that
            they have in the loss: `sample_weight` times the factors of `class_weight`
            and of the objective. ``tree_.intervals()`` returns confidence intervals.
        """
        leaf = self.apply(X)
        return self.tree_.shares()[leaf]

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the logarithms of the class shares; minus infinity for none.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_classes)
            Natural logarithms of what `predict_proba` returns.
        """
        with np.errstate(divide="ignore"):
            logarithms: npt.NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def get_depth(self) -> int:
        """Return the most questions that ``tree_`` asks of a row; 0 for a lone leaf."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves of ``tree_``."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def roc_points_(self) -> npt.NDArray[np.float64]:
        """The ROC curve of the tree on its training rows; for two classes."""
        check_is_fitted(self)
        if self.tree_.n_classes != 2:
            raise AttributeError("roc_points_ is for two classes")
        return roc_points(self.tree_)

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Return the nodes that each row passes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_samples, n_nodes)
            1 where a row passes a node, root and leaf included.
        """
        leaf = self.apply(X)
        shape = TreeShape(**self.tree_.shape)
        split = np.flatnonzero(~shape.is_leaf)
        parent = np.full(shape.n_nodes, -1, dtype=np.int32)
        parent[shape.yes[split]] = parent[shape.no[split]] = split
        ends = np.cumsum([0, *(shape.depths()[leaf] + 1)])
        nodes = np.empty(ends[-1], dtype=np.int32)
        # All rows climb at once, from their leaf, where their path ends, to the root.
        at, place = leaf, ends[1:] - 1
        while len(at):
            nodes[place] = at
            is_below = parent[at] >= 0
            at, place = parent[at[is_below]], place[is_below] - 1
        size = (len(leaf), shape.n_nodes)
        return sparse.csr_matrix((np.ones(len(nodes), np.int8), nodes, ends), size)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a JSON file that `load` reads.

        It holds the columns of the table, the labels, the tree, the result of the
        search and the parameters, except for callables such as `on_progress`.

        Parameters
        ----------
        path : str or path
            Where to; a file there is replaced.

        Raises
        ------
        TypeError
            When labels, levels or parameters are of a type that JSON has not, such
            as dates.
        """
        check_is_fitted(self)
        model_write.write(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the fitted model in a file that `save` wrote.

        Nothing in the file is run, unlike with pickles; so a file from a stranger is
        safe to load. What it says of its tree agrees with the tree itself: counts,
        labels, loss, objective, gap and importances. What only the training rows could
        prove stays a claim: that the counts are theirs, and with them ``loss_`` and
        ``objective_``; ``lower_bound_`` and ``status_``. ``result_is_claimed_`` is
        then True.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        estimator
            It predicts what the saved one did.

        Raises
        ------
        ValueError
            When the file holds no such model of a known version, is no regular file, or
            claims what contradicts its own tree; says what is wrong.
        OSError
            When the file cannot be read.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from ostrya import OptimalTreeClassifier
        >>> clf = OptimalTreeClassifier(0.01).fit([[1], [2], [3]], ["a", "a", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     clf.save(Path(folder) / "model.json")
        ...     again = OptimalTreeClassifier.load(Path(folder) / "model.json")
        >>> again.predict([[3]]), again.status_
        (array(['b'], dtype='<U1'), 'optimal')
        """
        try:
            model: Self = model_read.restore(cls, model_read.read(path))
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None
        return model

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        *,
        title: str | None = None,
        frontier: Any = None,
    ) -> None:
        """Write a report on the model, one page of HTML that needs nothing but itself.

        See `ostrya.export.export_report` for what it has.

        Parameters
        ----------
        path : str or path
            Where to; a file there is replaced.
        X : array-like of shape (n_samples, n_features), or a dataframe, default=None
            Rows to score the model by, such as held-out ones.
        y : array-like of shape (n_samples,), default=None
            Their labels.
        title : str, default=None
            What stands above.
        frontier : Frontier, default=None
            The scores of other sizes, to show where this one stands.
        """
        check_is_fitted(self)
        page = export_report(self, X, y, title=title, frontier=frontier)
        write_whole(path, page.encode())

    def to_sklearn(
        self, X: Any = None, *, probabilities: Literal["shares", "labels"] = "shares"
    ) -> DecisionTreeClassifier | Pipeline:
        """Return a fitted scikit-learn model with the same predictions.

        A table of numbers that misses none gives a tree, which SHAP, skl2onnx and
        dtreeviz read. Any other gives a pipeline that takes the table itself; such a
        tree is its last step, and the names of the columns that it reads are
        ``pipeline[:-1].get_feature_names_out()``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe, default=None
            Rows, such as the training rows, that must keep their leaves although
            scikit-learn rounds them to float32.
        probabilities : {"shares", "labels"}, default="shares"
            See `ostrya.export.to_sklearn`; "labels" for a tree grown with a cost
            matrix.

        Returns
        -------
        sklearn.tree.DecisionTreeClassifier or sklearn.pipeline.Pipeline
            With the labels of this classifier, and the names of its columns.

        Examples
        --------
        >>> from ostrya import OptimalTreeClassifier
        >>> X = [[20, "red"], [35, "red"], [40, "blue"], [None, "blue"]]
        >>> model = OptimalTreeClassifier(0.01).fit(X, list("abbb")).to_sklearn()
        >>> model.predict([[25, "red"], [None, "green"]])
        array(['a', 'b'], dtype='<U1')
        >>> model[:-1].get_feature_names_out().tolist()
        ['x0 is missing', 'x0', 'x1 = blue']
        """
        # Here, because only few come this way, and it takes a while.
        from sklearn.pipeline import Pipeline

        check_is_fitted(self)
        if X is not None:
            X = self.encoder_.encode(check_table(self, X, reset=False))
        is_bare = self.encoder_.keeps_numbers
        reader = TableTransformer.like(self)
        tree = twin(
            self.tree_,
            self.classes_,
            X=X,
            feature_names=feature_names(self) if is_bare else None,
            probabilities=probabilities,
            flipped=reader.holds_answers,
        )
        return tree if is_bare else Pipeline([("table", reader), ("tree", tree)])

    def __str__(self) -> str:
        # Pipelines, grids and logs use repr, so that stays the constructor call.
        if not self._has_result():
            return repr(self)
        return f"{headline(self)}\n\n{self.tree_}"

    @property
    def _repr_html_(self) -> Callable[[], str]:
        # An AttributeError if scikit-learn is configured to display text.
        diagram: Callable[[], str] = super()._repr_html_
        if not self._has_result():
            return diagram
        return lambda: model_html(self, diagram())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if self._has_result():
            bundle["text/plain"] = str(self)
            if "text/html" in bundle:
                bundle["text/html"] = model_html(self, bundle["text/html"])
        return bundle

    def _has_result(self) -> bool:
        return hasattr(self, "tree_") and hasattr(self, "status_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True  # made dense
        return tags
