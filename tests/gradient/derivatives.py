"""Cases that differentiate an expression inside of the program:

    suite = Derivatives()
    suite.of("tanh", "torch.tanh(x)", x=torch.randn(2, 3))
    suite.main()

Each is exported with the sizes of the example, and once more with dynamic ones, which also run at other sizes. The
gradient is that of all tensors of floating-point type, with weights that differ from element to element.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "aten"))
from expressions import Expressions  # noqa: E402

WEIGHTS = "weights: List[Optional[Tensor]] = [torch.cos(torch.arange(y.numel())).to(y.dtype).reshape(y.shape)]"


class Derivatives(Expressions):
    gradients = True

    def of(self, name, text, *, second=False, by=None, statements="", options=None, dynamic=True, **inputs):
        """`by`: the names of the inputs that are differentiated. `second`: the squared gradient is differentiated again."""
        by = by or [k for k, v in inputs.items() if v.is_floating_point()]
        lines = [f"{k} = {k}.detach().clone().requires_grad_(True)" for k in by]
        lines += [*statements.splitlines(), f"y = {text}", WEIGHTS]
        found = ", ".join(by)
        lines.append(f"first = torch.autograd.grad([y], [{found}], weights, create_graph={second}, allow_unused=False)")
        results = ["y"] + [f"torch.jit._unwrap_optional(first[{i}])" for i in range(len(by))]
        if second:
            lines.append("total = torch.zeros([], dtype=y.dtype)")
            lines += [f"g{i} = torch.jit._unwrap_optional(first[{i}])\ntotal = total + (g{i} * g{i} * (g{i} + 0.5)).sum()"
                      for i in range(len(by))]
            lines = "\n".join(lines).splitlines()
            lines.append(f"again = torch.autograd.grad([total], [{found}], allow_unused=False)")
            results += [f"torch.jit._unwrap_optional(again[{i}])" for i in range(len(by))]
        self.expr(name, "[" + ", ".join(results) + "]", statements="\n".join(lines), options=options, dynamic=dynamic, **inputs)
