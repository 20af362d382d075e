"""One page about a model: the tree, its proof, its scores, and cases to try."""
