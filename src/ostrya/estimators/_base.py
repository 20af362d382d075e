"""What every estimator with one fitted tree shares: prediction and its words."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ostrya._tree_shape import BLOCK, RowRouter, TreeShape
from ostrya._whole_file import write_whole
from ostrya.estimators import model_read, model_write
from ostrya.export import export_report, export_text, roc_points
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


class TreeEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that predicts by ``tree_``, over tables read by ``encoder_``."""

    tree_: Tree
    encoder_: TableEncoder
    classes_: npt.NDArray[Any]

    def apply(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the leaf of ``tree_`` that each row reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows. Missing values, and categories
            that do not occur in training, satisfy no condition except "is missing".

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
            Labels of the type passed to `fit`. If several labels cost a leaf the same,
            the first one is predicted.
        """
        leaf = self.apply(X)
        return self.classes_[self.tree_.label][leaf]

    def get_depth(self) -> int:
        """Return the depth of ``tree_``; 0 for a single leaf."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves of ``tree_``."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Return the nodes on the path of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_samples, n_nodes)
            1 if a row passes a node, including the root and the leaf.
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

        The file contains the columns of the table, the labels, the tree, the result of
        the search and the parameters, except for reference models.

        Parameters
        ----------
        path : str or path
            The file to write; an existing file is replaced.

        Raises
        ------
        TypeError
            If labels, categories or parameters have a type that JSON does not support,
            such as dates or functions.
        """
        check_is_fitted(self)
        model_write.write(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the fitted model in a file that `save` wrote.

        Loading runs no code, unlike with pickles, so files from strangers are safe to
        load. Counts, labels, loss, objective, gap and importances are checked against
        the tree itself. What cannot be checked without the training rows are the counts
        themselves, ``lower_bound_`` and ``status_``; ``result_from_file_`` is therefore
        True. Files of all earlier versions can be loaded.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        estimator
            It makes the same predictions as the saved one.

        Raises
        ------
        ValueError
            If the file is not a model of this class and of a known version, or
            contradicts itself. The message says what is wrong.
        OSError
            If the file cannot be read.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from ostrya import OptimalTreeClassifier
        >>> clf = OptimalTreeClassifier(leaf_penalty=0.01)
        >>> clf = clf.fit([[1], [2], [3]], ["a", "a", "b"])
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
        """Write a self-contained HTML report about the model.

        It begins with one sentence that states how good the tree is and what was
        proved. See `ostrya.export.export_report` for the contents.

        Parameters
        ----------
        path : str or path
            The file to write; an existing file is replaced.
        X : array-like of shape (n_samples, n_features), or a dataframe, default=None
            Rows to score, such as held-out rows.
        y : array-like of shape (n_samples,), default=None
            Their labels.
        title : str, default=None
            Title of the page. None: the size of the tree.
        frontier : Frontier, default=None
            The best trees of other sizes, to compare this one with.
        """
        check_is_fitted(self)
        page = export_report(self, X, y, title=title, frontier=frontier)
        write_whole(path, page.encode())

    def to_sklearn(
        self, X: Any = None, *, probabilities: Literal["shares", "labels"] = "shares"
    ) -> DecisionTreeClassifier | Pipeline:
        """Return a fitted scikit-learn model with the same predictions.

        For tables of numbers without missing values the result is a tree, which SHAP,
        skl2onnx and dtreeviz can read. For other tables it is a pipeline that accepts
        the table itself; its last step is such a tree, and the names of the tree's
        columns are ``pipeline[:-1].get_feature_names_out()``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe, default=None
            Rows, such as the training rows, that must reach the same leaves although
            scikit-learn rounds them to float32.
        probabilities : {"shares", "labels"}, default="shares"
            See `ostrya.export.to_sklearn`; "labels" for a tree grown with a cost
            matrix.

        Returns
        -------
        sklearn.tree.DecisionTreeClassifier or sklearn.pipeline.Pipeline
            A model with the labels and the column names of this classifier.

        Examples
        --------
        >>> from ostrya import OptimalTreeClassifier
        >>> X = [[20, "red"], [35, "red"], [40, "blue"], [None, "blue"]]
        >>> clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, list("abbb"))
        >>> model = clf.to_sklearn()
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
        return f"{headline(self)}\n\n{export_text(self.tree_)}"

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

    def _keep_headline(self) -> None:
        """Have ``tree_`` print how good it is and what was proved of it."""
        self.tree_ = replace(self.tree_, headline=headline(self))

    def _has_result(self) -> bool:
        return hasattr(self, "tree_") and hasattr(self, "status_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True  # made dense
        return tags


class TreeClassifier(ClassifierMixin, TreeEstimator):  # type: ignore[misc]
    """An estimator of this kind that predicts classes and their probabilities."""

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
        """Return the logarithms of the class probabilities.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_classes)
            Natural logarithms of what `predict_proba` returns; -inf for 0.
        """
        with np.errstate(divide="ignore"):
            logarithms: npt.NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    @property
    def roc_points_(self) -> npt.NDArray[np.float64]:
        """The ROC curve of the tree on its training rows; for two classes."""
        check_is_fitted(self)
        if self.tree_.n_classes != 2:
            raise AttributeError("roc_points_ is only available for two classes")
        return roc_points(self.tree_)
