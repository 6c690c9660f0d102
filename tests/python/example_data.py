"""What the examples of the pages take as given: rows A with labels y, and the same in a file."""

import numpy as np

rng = np.random.default_rng(7)
A = np.round(rng.standard_normal((400, 10)), 3)
y = np.where(A @ np.linspace(-1, 1, 10) + 0.3 * rng.standard_normal(400) >= 0, 1.0, -1.0)

with open("rows.svm", "w", encoding="utf-8") as file:
    for row, label in zip(A, y, strict=True):
        file.write(f"{label:+.0f} " + " ".join(f"{k + 1}:{v}" for k, v in enumerate(row) if v) + "\n")
