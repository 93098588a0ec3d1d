"""Cases that are expressions of TorchScript:

    suite = Expressions()
    suite.expr("add", "torch.add(x, y, alpha=2)", x=torch.randn(2, 3), y=torch.randn(3))
    suite.main()

Each is exported twice: as it is, and with every axis dynamic, which then also runs at other sizes. Equal sizes above 1
are one symbol.
"""

import math
import os
import sys

import torch
import torch.nn.functional as F  # noqa: F401: for expressions

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from suite import Suite  # noqa: E402


def resized(tensor, change):
    """The same elements again and again, in a shape where each size above 1 is changed."""
    shape = [change(n) if n > 1 else n for n in tensor.shape]
    count, flat = math.prod(shape), tensor.flatten()
    return flat.repeat(-(-count // max(flat.numel(), 1)))[:count].reshape(shape)


class Expressions(Suite):
    def expr(self, name, text, *, dynamic=True, change=lambda n: n + 1, options=None, statements="", **inputs):
        lines = [*statements.splitlines(), f"return {text}"]
        program = "def forward({}):\n{}\n".format(", ".join(inputs), "\n".join("    " + line for line in lines))
        options = options or {}
        self.add(name, program, list(inputs.values()), **options)
        axes = [{i: f"s{n}" for i, n in enumerate(t.shape) if n > 1} for t in inputs.values()]
        if dynamic and any(axes):
            more = [resized(t, change) for t in inputs.values()]
            self.add(name + "-dynamic", program, list(inputs.values()), dynamic=axes, more=[more], **options)

    def fails(self, name, text, error, **inputs):
        """The diagnostics must contain `error`."""
        self.expr(name, text, dynamic=False, options=dict(error=error), **inputs)

    def _save(self, case, folder):
        if isinstance(case["program"], str):
            case["program"] = torch.jit.CompilationUnit(case["program"]).forward
        return super()._save(case, folder)
