"""Export trees as programs that need neither Ostrya nor the training rows."""
