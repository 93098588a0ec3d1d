"""Cases that run at several sizes:

    suite = Sizes()
    suite.sizes("conv", torch.nn.Conv2d(3, 4, 3), [torch.randn(2, 3, 8, 8)], [{0: "batch", 2: "h", 3: "w"}])
    suite.main()

A case is exported as it is, and once more with the named axes dynamic; then it also runs with each of them longer by
the numbers of `by`. An input without axes of its own keeps its elements. A program is a module or the text of a
function `forward`.
"""

import math
import os
import re
import zipfile

from expressions import Expressions


def lengthened(tensor, axes, by):
    if not axes:
        return tensor
    shape = [n + by if i in axes else n for i, n in enumerate(tensor.shape)]
    count, flat = math.prod(shape), tensor.flatten()
    return flat.repeat(-(-count // max(flat.numel(), 1)))[:count].reshape(shape)


def with_body(path, body):
    """A copy of the archive in which `forward`, its last function, has another body."""
    made = os.path.join(os.path.dirname(path), "newer.pt")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename.endswith("__torch__.py"):
                head = re.match(r"(?s).*def forward\(.*?->[^:]*:\n", data.decode()).group(0)
                data = (head + f"    {body}\n").encode()
            if not entry.filename.endswith(".debug_pkl"):
                new.writestr(entry.filename, data)
    return made


class Sizes(Expressions):
    def __init__(self):
        super().__init__()
        self.bodies = {}

    def sizes(self, name, program, inputs, axes, *, by=(1, 3), static=True, **options):
        axes = axes + [{}] * (len(inputs) - len(axes))
        if static:
            self.add(name, program, inputs, **options)
        more = [[lengthened(t, a, n) for t, a in zip(inputs, axes)] for n in by]
        self.add(f"{name}-dynamic", program, inputs, dynamic=axes, more=more, **options)

    def call(self, name, text, axes=(), options=None, by=(1, 3), **inputs):
        """A function of one expression."""
        program = f"def forward({', '.join(inputs)}):\n    return {text}\n"
        if axes:
            self.sizes(name, program, list(inputs.values()), list(axes), by=by, **(options or {}))
        else:
            self.add(name, program, list(inputs.values()), **(options or {}))

    def newer(self, name, text, same, axes=(), options=None, **inputs):
        """An operator that the PyTorch at hand may lack: `text` is exported, `same` gives the expected results."""
        self.bodies[name] = self.bodies[f"{name}-dynamic"] = f"return {text}"
        self.call(name, same, axes, options, **inputs)

    def _prepare(self, case, folder):
        entry = super()._prepare(case, folder)
        if case["name"] in self.bodies:
            entry["model"] = with_body(entry["model"], self.bodies[case["name"]])
        return entry
