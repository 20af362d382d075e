"""Other packages read the scikit-learn twin; each test needs the extra `interop`."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

import ostrya
from ostrya.export import to_sklearn, to_sklearn_forest

# Other people's deprecation warnings are not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore")

X, y = load_iris(return_X_y=True)
X = X.astype(np.float32)


@pytest.fixture(scope="module")
def tree():
    return ostrya.solve(X, y, leaf_penalty=0.01, max_depth=3, time_limit=10).tree


@pytest.fixture(scope="module")
def model(tree):
    return to_sklearn(tree, X=X)


def test_shap_values_add_up_to_the_prediction(tree, model):
    shap = pytest.importorskip("shap")
    explainer = shap.TreeExplainer(model)
    values = explainer.shap_values(X[::10])
    total = np.asarray(values).sum(axis=1) + explainer.expected_value
    assert np.allclose(total, tree.predict_proba(X[::10]))


def test_onnx_predicts_the_same(tree, model):
    pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    from skl2onnx import to_onnx

    converted = to_onnx(model, X[:1], options={"zipmap": False})
    session = runtime.InferenceSession(converted.SerializeToString())
    labels, probabilities = session.run(None, {session.get_inputs()[0].name: X})
    assert np.array_equal(labels, tree.predict(X))
    assert np.allclose(probabilities, tree.predict_proba(X), atol=1e-6)


def test_treelite_predicts_the_same(tree):
    treelite = pytest.importorskip("treelite")
    imported = treelite.sklearn.import_model(to_sklearn_forest(tree, X=X))
    probabilities = treelite.gtil.predict(imported, X).reshape(len(X), -1)
    assert np.allclose(probabilities, tree.predict_proba(X), atol=1e-6)


def test_dtreeviz_reads_the_tree(tree, model):
    dtreeviz = pytest.importorskip("dtreeviz")
    pytest.importorskip("matplotlib").use("Agg")
    view = dtreeviz.model(
        model,
        X_train=X,
        y_train=y,
        feature_names=list("abcd"),
        target_name="iris",
        class_names=["x", "y", "z"],
    )
    leaf = view.shadow_tree.predict(X[0])
    assert (leaf if np.isscalar(leaf) else leaf[0]) == tree.predict(X[:1])[0]
    assert len(view.shadow_tree.leaves) == tree.n_leaves
    assert view.explain_prediction_path(X[0])
    view.leaf_sizes()
