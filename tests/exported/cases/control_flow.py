"""Higher-order operators: branches, loops, scans, and wrappers."""
import torch
import torch.utils.checkpoint
from torch import nn
from torch._higher_order_ops.associative_scan import associative_scan
from torch._higher_order_ops.map import map as hop_map
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.export import Dim

from case import Program, case, function

randn = torch.randn


def rows():
    return Dim("rows", min=2, max=64)


@case
def cond_of_a_tensor():
    """The branches read weights of the module."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.left, self.right = nn.Linear(3, 2), nn.Linear(3, 2)

        def forward(self, x, flag):
            return torch.cond(flag, lambda x: self.left(x).relu(), lambda x: self.right(x) - 1, (x,))
    return Program(Net(), [randn(2, 3), torch.tensor(True)], more=[[randn(5, 3), torch.tensor(False)]], dynamic=({0: rows()}, None))


@case
def cond_of_values():
    def forward(x):
        a, b = torch.cond(x.sum() > 0, lambda x: (x * 2, x.sum(0)), lambda x: (x - 1, x.amax(0)), (x,))
        return a + b
    return function(forward, [torch.rand(2, 3)], more=[[-torch.rand(4, 3)]], dynamic=({0: rows()},))


@case
def cond_of_a_size():
    def forward(x):
        return torch.cond(x.shape[0] > 4, lambda x: x.sin(), lambda x: x.cos(), (x,))
    return function(forward, [randn(3)], more=[[randn(6)]], dynamic=({0: rows()},))


@case
def cond_nested():
    def forward(x, y):
        def inner(x, y):
            return torch.cond(y.sum() > 1, lambda x, y: x + y, lambda x, y: x * y, (x, y))
        return torch.cond(x.sum() > 0, inner, lambda x, y: x - y, (x, y))
    dim = rows()
    return function(forward, [torch.rand(3), torch.ones(3)], more=[[torch.rand(4), -torch.ones(4)], [-torch.rand(5), torch.rand(5)]],
                    dynamic=({0: dim}, {0: dim}))


@case
def cond_with_branches_that_write():
    """Each branch writes to a copy of its own."""
    def forward(x, flag):
        def yes(x):
            y = x.clone()
            y[0].mul_(7.0)
            return y.add_(1)

        def no(x):
            y = x * 2
            y.view(-1)[:2].zero_()
            return y
        return torch.cond(flag, yes, no, (x,))
    return function(forward, [randn(2, 3), torch.tensor(True)], more=[[randn(5, 3), torch.tensor(False)]], dynamic=({0: rows()}, None))


@case(since=(2, 7))
def loop():
    def forward(x, limit):
        def more(i, limit, x):
            return i < limit

        def body(i, limit, x):
            return i + 1, limit.clone(), x * 1.5 + i
        return while_loop(more, body, (torch.tensor(0), limit, x))
    return function(forward, [randn(3), torch.tensor(4)], more=[[randn(5), torch.tensor(0)]], dynamic=({0: rows()}, None))


@case(since=(2, 7))
def loop_with_captured_values():
    """The condition and the body read values from outside."""
    def forward(x, limit):
        scale = x.sum()

        def more(i, x):
            return i < limit

        def body(i, x):
            return i + 1, x * 1.5 + scale
        return while_loop(more, body, (torch.tensor(0), x))
    return function(forward, [randn(3), torch.tensor(4)], more=[[randn(5), torch.tensor(0)]], dynamic=({0: rows()}, None))


@case(since=(2, 7))
def loop_with_weights():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x):
            def more(x, n):
                return torch.logical_and(x.norm() < 50, n < 6)

            def body(x, n):
                return self.layer(x) * 2 + 1, n + 1
            return while_loop(more, body, (x, torch.zeros((), dtype=torch.int64)))
    return Program(Net(), [randn(2, 3)], more=[[randn(5, 3)]], dynamic=({0: rows()},))


@case(since=(2, 7))
def map_over_rows():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(randn(3, 2))

        def forward(self, xs, bias):
            return hop_map(lambda x, b: (x @ self.weight + b).relu(), xs, bias)
    return Program(Net(), [randn(4, 2, 3), randn(2)], more=[[randn(6, 2, 3), randn(2)]], dynamic=({0: rows()}, None))


@case
def scan_forward():
    """A recurrence: the carried value, and its values after each step."""
    def forward(init, xs):
        def step(carry, x):
            new = torch.tanh(carry + x)
            return new, new * 2
        return scan(step, init, xs)
    return function(forward, [randn(3), randn(5, 3)], more=[[randn(3), randn(7, 3)]], dynamic=(None, {0: rows()}))


@case
def scan_reversed():
    def forward(init, xs):
        def step(carry, x):
            return {"sum": carry["sum"] + x["a"]}, carry["sum"] * x["b"]
        return scan(step, init, xs, reverse=True)
    make = lambda n: [{"sum": randn(2)}, {"a": randn(n, 2), "b": randn(n, 2)}]
    dim = rows()
    return function(forward, make(4), more=[make(6)], dynamic=({"sum": None}, {"a": {0: dim}, "b": {0: dim}}))


@case
def scan_along_another_axis():
    def forward(init, xs):
        return scan(lambda carry, x: (carry + x, carry * x), init, xs, dim=1)
    return function(forward, [randn(3), randn(3, 5)], more=[[randn(3), randn(3, 7)]], dynamic=(None, {1: rows()}))


@case(since=(2, 7))
def associative_scan_of_sums():
    def forward(xs):
        return associative_scan(lambda a, b: a + b, xs, dim=0, combine_mode="generic")
    return function(forward, [randn(4, 3)], more=[[randn(4, 3)]])


@case(since=(2, 7))
def associative_scan_of_pairs():
    """A linear recurrence, in reverse."""
    def forward(a, b):
        def combine(left, right):
            return left[0] * right[0], left[1] * right[0] + right[1]
        return associative_scan(combine, (a, b), dim=1, reverse=True, combine_mode="generic")
    return function(forward, [randn(2, 5), randn(2, 5)], more=[[randn(2, 5), randn(2, 5)]])


@case
def gradients_switched_off():
    """Inlined by run_decompositions(); a subgraph before."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x):
            with torch.no_grad():
                scale = self.layer(x).abs().amax()
            with torch.enable_grad():
                y = x / scale
            return y + 1
    return Program(Net(), [randn(2, 3)], more=[[randn(4, 3)]], dynamic=({0: rows()},))


@case(tolerance=2e-2, reason="the linear layers compute with bfloat16, which has 8 bits of precision")
def automatic_precision():
    """autocast: the casts are implied by the region."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 4)

        def forward(self, x):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = self.layer(x)
            with torch.autocast("cpu", enabled=False):
                z = y.float() @ y.float().t()
            return y, z
    return Program(Net(), [randn(2, 3)], more=[[randn(4, 3)]], dynamic=({0: rows()},))


@case
def checkpointed():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x):
            return torch.utils.checkpoint.checkpoint(lambda x: self.layer(x).relu(), x, use_reentrant=False) + x
    return Program(Net(), [randn(2, 3)], more=[[randn(4, 3)]], dynamic=({0: rows()},))


@case(since=(2, 7))
def subgraph_invoked():
    """A region that is compiled once and called twice becomes invoke_subgraph."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x):
            return self.region(self.region(x))

        @torch.compiler.nested_compile_region
        def region(self, x):
            return self.layer(x).sin()
    return Program(Net(), [randn(2, 3)], more=[[randn(2, 3)]], strict=True)


@case(since=(2, 7))
def mapped_function():
    """torch.vmap leaves plain operators."""
    def forward(x, y):
        return torch.vmap(lambda a, b: torch.dot(a, b))(x, y)
    return function(forward, [randn(3, 4), randn(3, 4)], more=[[randn(3, 4), randn(3, 4)]])

