"""Arguments and results: structures, keywords, constants, custom operators."""
import collections
import dataclasses

import torch
from torch import nn
from torch.export import Dim

from case import Program, case, function

randn = torch.randn
Pair = collections.namedtuple("Pair", ["left", "right"])


@dataclasses.dataclass
class Batch:
    values: torch.Tensor
    mask: torch.Tensor


@dataclasses.dataclass
class Answer:
    score: torch.Tensor
    label: torch.Tensor


torch.utils._pytree._register_namedtuple(Pair, serialized_type_name="Pair")
for kind in (Batch, Answer):
    torch.export.register_dataclass(kind, serialized_type_name=kind.__name__)


def rows():
    return Dim("rows", min=2, max=64)


@case
def dict_argument():
    def forward(batch):
        return {"sum": batch["x"] + batch["y"], "product": batch["x"] * batch["y"]}
    dim = rows()
    make = lambda n: [{"x": randn(n, 2), "y": randn(n, 2)}]
    return function(forward, make(3), more=[make(5)], dynamic=({"x": {0: dim}, "y": {0: dim}},))


@case
def nested_arguments():
    def forward(pair, items):
        (a, (b, c)), extra = pair, items[1]["z"]
        return [a + b, (c, extra * items[0])], {"inner": {"deep": (a,)}}
    make = lambda n: [(randn(n), (randn(n), randn(3))), [randn(1), {"z": randn(n, 1)}]]
    dim = rows()
    return function(forward, make(2), more=[make(4)], dynamic=(({0: dim}, ({0: dim}, None)), [None, {"z": {0: dim}}]))


@case
def namedtuple_argument():
    def forward(pair):
        return Pair(left=pair.right - pair.left, right=pair.left.sum())
    dim = rows()
    return function(forward, [Pair(randn(3), randn(3))], more=[[Pair(randn(4), randn(4))]], dynamic=(Pair({0: dim}, {0: dim}),))


@case(since=(2, 7))
def dataclass_argument():
    class Net(nn.Module):
        def forward(self, batch):
            score = torch.where(batch.mask, batch.values, 0.0).sum(1)
            return Answer(score=score, label=score > 0)
    make = lambda n: [Batch(randn(n, 3), randn(n, 3) > 0)]
    dim = rows()
    return Program(Net(), make(2), more=[make(5)], dynamic=([{0: dim}, {0: dim}],))


@case
def keyword_arguments():
    """Keyword arguments in another order than the parameters, and one that is absent."""
    class Net(nn.Module):
        def forward(self, x, *, scale, bias=None, mask=None):
            y = x * scale
            return y if mask is None else torch.where(mask, y, 0.0)
    dim = rows()
    make = lambda n: {"mask": randn(n, 2) > 0, "scale": randn(2)}
    return Program(Net(), [randn(3, 2)], more=[[randn(4, 2)]], kwargs=make(3), more_kwargs=[make(4)],
                   dynamic={"x": {0: dim}, "mask": {0: dim}, "scale": None})


@case
def variable_arguments():
    class Net(nn.Module):
        def forward(self, *xs, **named):
            return sum(xs) + named["w"], named["b"]
    dim = rows()
    make = lambda n: [randn(n), randn(n)]
    return Program(Net(), make(2), more=[make(3)], kwargs={"w": randn(1), "b": randn(2)},
                   dynamic={"xs": ({0: dim}, {0: dim}), "named": {"w": None, "b": None}})


@case
def constant_arguments():
    """None, an integer, a float, a bool and a string are part of the program."""
    def forward(x, nothing, count, factor, flag, mode):
        y = x * factor + count
        if nothing is not None:
            y = y + nothing
        return y.relu() if flag and mode == "relu" else y
    values = [None, 3, 0.5, True, "relu"]
    return function(forward, [randn(2, 3), *values], more=[[randn(4, 3), *values]], dynamic=({0: rows()}, None, None, None, None, None))


@case(since=(2, 7))
def runtime_number_argument():
    """An integer argument that is dynamic is a graph input."""
    def forward(x, n):
        return x * n, torch.zeros(n)
    return function(forward, [randn(3), 4], more=[[randn(3), 9]], dynamic=(None, Dim.DYNAMIC))


@case
def scalar_tensor_argument():
    def forward(x, scale):
        return x * scale, scale + 1
    return function(forward, [randn(3), torch.tensor(2.0)], more=[[randn(3), torch.tensor(-1.0)]])


@case
def results_of_all_kinds():
    """None, a number, an input, one value twice, an empty list."""
    def forward(x, y):
        z = x + y
        return z, None, x, z, (3, [z.sum(), {}]), []
    dim = rows()
    return function(forward, [randn(2), randn(2)], more=[[randn(5), randn(5)]], dynamic=({0: dim}, {0: dim}))


@case(since=(2, 7))
def result_is_a_constant():
    dim = rows()
    return function(lambda x: (True, x * 2, 1.5, False), [randn(2)], more=[[randn(5)]], dynamic=({0: dim},))


@case
def result_is_an_input():
    dim = rows()
    return function(lambda x: x, [randn(2)], more=[[randn(5)]], dynamic=({0: dim},))


@case
def result_is_a_weight():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(randn(2, 3))

        def forward(self, x):
            return self.weight, self.weight.t(), x @ self.weight
    return Program(Net(), [randn(4, 2)], more=[[randn(5, 2)]], dynamic=({0: rows()},))


@case
def no_arguments():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(randn(2, 3))

        def forward(self):
            return self.weight * 2, torch.arange(3)
    return Program(Net(), [], more=[[]])


@torch.library.custom_op("cameo_test::twice", mutates_args=())
def twice(x: torch.Tensor, factor: float = 1.0) -> torch.Tensor:
    return x * 2 * factor


@twice.register_fake
def twice_shape(x, factor=1.0):
    return torch.empty_like(x)


@torch.library.custom_op("cameo_test::bump", mutates_args=("x",))
def bump(x: torch.Tensor, amount: int) -> None:
    x.add_(amount)


@bump.register_fake
def bump_shape(x, amount):
    return None


@case(refused="cameo_test::twice")
def custom_operator():
    return function(lambda x: torch.ops.cameo_test.twice(torch.sin(x), 3.0) + 1, [randn(2)], more=[[randn(5)]], dynamic=({0: rows()},))


@case(refused="cameo_test::bump")
def custom_operator_that_writes():
    """run_decompositions() makes auto_functionalized_v2 of it."""
    def forward(x):
        y = x * 2
        torch.ops.cameo_test.bump(y, 3)
        return y
    return function(forward, [randn(3)], more=[[randn(5)]], dynamic=({0: rows()},))
