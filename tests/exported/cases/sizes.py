"""Sizes: arithmetic, relations between inputs, and sizes that depend on the contents of a tensor."""
import torch
from torch.export import Dim
from torch.nn import functional as F

from case import case, function

randn = torch.randn


def axis(name="n", low=2, high=64):
    return Dim(name, min=low, max=high)


@case
def two_inputs_of_one_size():
    dim = axis()
    return function(lambda x, y: torch.cat([x, y * 2]) + x.sum(), [randn(3, 2), randn(3, 2)], more=[[randn(5, 2), randn(5, 2)]],
                    dynamic=({0: dim}, {0: dim}))


@case
def derived_size():
    """The second input is one longer than the first."""
    dim = axis()
    return function(lambda x, y: x + y[1:], [randn(3), randn(4)], more=[[randn(6), randn(7)]], dynamic=({0: dim}, {0: dim + 1}))


@case
def derived_size_multiple():
    """A size of 3*n - 1 beside n."""
    dim = axis()
    return function(lambda x, y: (torch.cat([y, x[:1]]).view(x.shape[0], 3) * x[:, None]), [randn(4), randn(11)], more=[[randn(2), randn(5)]],
                    dynamic=({0: dim}, {0: 3 * dim - 1}))


@case
def automatic_sizes():
    """Dim.AUTO: torch.export finds out which sizes are dynamic, and which are related."""
    return function(lambda x, w: F.linear(x, w), [randn(2, 3, 4), randn(5, 4)], more=[[randn(3, 6, 7), randn(2, 7)]],
                    dynamic=({0: Dim.AUTO, 1: Dim.AUTO, 2: Dim.AUTO}, {0: Dim.AUTO, 1: Dim.AUTO}))


@case
def sizes_divided():
    def forward(x):
        n = x.shape[0]
        half, rest = n // 2, n % 3
        return F.pad(x, (half, rest)), x.new_zeros(rest + 2), torch.arange(n // 2 + rest), x.new_full((2,), half), x * (n // 3) - rest
    return function(forward, [randn(7)], more=[[randn(12)]], dynamic=({0: axis(low=4)},))


@case(since=(2, 7))
def sizes_asserted():
    """The conditions that the slices need are assertions of the program."""
    def forward(x):
        half = x.shape[0] // 2
        return x[:half] * 2, x[half:], x[half - 1:half + 2]
    return function(forward, [randn(7)], more=[[randn(12)]], dynamic=({0: axis(low=4)},), deferred=True)


@case(since=(2, 7))
def sizes_largest_and_smallest():
    def forward(x, y):
        high = torch.sym_max(x.shape[0], y.shape[0])
        low = torch.sym_min(x.shape[0], y.shape[0])
        return F.pad(x, (0, high - x.shape[0])) + F.pad(y, (0, high - y.shape[0])), torch.ones(low)
    return function(forward, [randn(5), randn(3)], more=[[randn(4), randn(8)]], dynamic=({0: axis("n")}, {0: axis("m")}))


@case
def sizes_as_floats():
    def forward(x):
        n = x.shape[0]
        return x / n, x / torch._sym_sqrt(torch.sym_float(n)), x * (1.0 / (n + 1)), x + torch.sym_float(n), x - n / 2
    return function(forward, [randn(4, 2)], more=[[randn(9, 2)]], dynamic=({0: axis()},))


@case(since=(2, 7))
def sizes_rounded():
    def forward(x):
        n = x.shape[0]
        return torch.zeros(torch.sym_int(n * 0.5)), torch.zeros(torch.sym_int(n * 1.5) + 1), torch.zeros(-(-n // 4)), torch.zeros(n**2 - 1)
    return function(forward, [randn(8)], more=[[randn(11)]], dynamic=({0: axis(low=5)},))


@case(since=(2, 7))
def sizes_padded_to_a_multiple():
    def forward(x):
        n = x.shape[1]
        padded = F.pad(x, (0, (n + 3) // 4 * 4 - n))
        return padded.unflatten(1, (-1, 4)).sum(1), padded.shape[1]
    return function(forward, [randn(2, 7)], more=[[randn(2, 13)]], dynamic=({1: axis(low=5)},))


@case
def sizes_in_views():
    def forward(x):
        b, n, c = x.shape
        heads = x.view(b, n, 2, c // 2).transpose(1, 2)
        return heads.reshape(b * 2, n, -1), x.flatten(), x.expand(3, b, n, c), x.reshape(n * b, c).unflatten(0, (b, n)), x.numel()
    return function(forward, [randn(2, 3, 4)], more=[[randn(3, 5, 4)]], dynamic=({0: axis("b"), 1: axis("n")},))


@case
def sizes_in_positions():
    """arange, masks and tables of a dynamic length."""
    def forward(x):
        n = x.shape[1]
        positions = torch.arange(n, device=x.device)
        mask = positions[None] <= positions[:, None]
        angles = positions[:, None].float() * torch.pow(10.0, -torch.arange(0, 4, 2) / 4)
        table = torch.cat([angles.sin(), angles.cos()], -1)
        return x + table, torch.where(mask, 0.0, float("-inf")), torch.eye(n), torch.arange(n, 0, -1)
    return function(forward, [randn(2, 3, 4)], more=[[randn(4, 6, 4)]], dynamic=({0: axis("b"), 1: axis("n")},))


@case
def sizes_as_results():
    def forward(x):
        return x.shape[0], x.shape[0] * x.shape[1], x.sum(), 7, 2.5
    return function(forward, [randn(4, 3)], more=[[randn(9, 3)]], dynamic=({0: axis()},))


@case
def sizes_in_splits():
    def forward(x):
        a, b = torch.split(x, [x.shape[0] - 2, 2])
        c, d = x.chunk(2, dim=1)
        return a, b, c, d, torch.stack(x.unbind(1)), torch.tensor_split(x, 2, dim=1)[0]
    return function(forward, [randn(5, 4)], more=[[randn(8, 4)]], dynamic=({0: axis(low=4)},))


@case
def sizes_checked():
    """torch._check about sizes and torch._assert about values: neither is part of the model."""
    def forward(x, y):
        torch._check(x.shape[0] * 2 > y.shape[0])
        torch._assert(x.shape[1] == 3, "three columns")
        return x.sum() + y
    return function(forward, [randn(4, 3), randn(5)], more=[[randn(6, 3), randn(8)]], dynamic=({0: axis("n")}, {0: axis("m")}))


@case
def size_of_nonzero():
    def forward(x):
        places = torch.nonzero(x > 0)
        return places, places.shape[0], x[places[:, 0], places[:, 1]]
    return function(forward, [randn(3, 4)], more=[[randn(6, 4)]], dynamic=({0: axis()},))


@case
def size_of_masked_select():
    def forward(x):
        chosen = torch.masked_select(x, x > 0)
        return chosen * 2, x[x < 0], chosen.sum()
    return function(forward, [randn(3, 4)], more=[[randn(6, 4)]], dynamic=({0: axis()},))


@case
def size_from_item():
    def forward(x, count):
        n = count.item()
        torch._check(n >= 0)
        torch._check(n <= x.shape[0])
        return torch.zeros(n, 2), torch.arange(n), x[:n], x.new_ones(n + 1)
    return function(forward, [randn(6), torch.tensor(4)], more=[[randn(9), torch.tensor(7)]], dynamic=({0: axis()}, None))


@case
def value_from_item():
    """A float and a bool from a tensor."""
    def forward(x, scale, shift):
        return x * scale.item() + shift.item()
    return function(forward, [randn(3), torch.tensor(1.5), torch.tensor(2)], more=[[randn(5), torch.tensor(-0.5), torch.tensor(7)]],
                    dynamic=({0: axis()}, None, None))


@case
def size_from_list():
    """tolist gives several runtime sizes."""
    def forward(x, sizes):
        a, b = sizes.tolist()
        for n in (a, b):
            torch._check(n >= 0)
            torch._check(n <= 10)
        return x[0] + torch.zeros(a, b)
    return function(forward, [randn(1, 1), torch.tensor([2, 3])], more=[[randn(1, 1), torch.tensor([4, 1])]])


@case
def size_of_repeat_interleave():
    def forward(x, repeats):
        return torch.repeat_interleave(x, repeats, dim=0), torch.repeat_interleave(x, 2, dim=1)
    dim = axis()
    return function(forward, [randn(3, 2), torch.tensor([1, 0, 2])], more=[[randn(4, 2), torch.tensor([2, 1, 3, 0])]], dynamic=({0: dim}, {0: dim}))


@case
def size_of_unique():
    def forward(x):
        values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
        return values, inverse, counts
    return function(forward, [torch.randint(0, 4, (6,))], more=[[torch.randint(0, 9, (11,))]], dynamic=({0: axis()},))


@case
def sizes_in_constants():
    def forward(x):
        return torch.tensor([[1, 2], [3, x.shape[0]]]), torch.tensor([x.shape[0], 2.5])
    return function(forward, [randn(2, 3)], more=[[randn(4, 3)]], dynamic=({0: axis()},))


@case
def rank_of_squeeze():
    """Without a dimension, squeeze() drops those that have the size 1 at run time."""
    def forward(x):
        return x.squeeze() + 1
    return function(forward, [randn(4, 3)], more=[[randn(1, 3)]], dynamic=({0: Dim("rows", min=1, max=9)},))
