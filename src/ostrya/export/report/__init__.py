"""Export an HTML report: the tree, its proof, scores, and a what-if section."""
