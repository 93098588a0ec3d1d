"""Writes to tensors, through views too, to buffers and to inputs."""
import torch
from torch import nn
from torch.export import Dim

from case import Program, case, function

randn = torch.randn


def rows():
    return ({0: Dim("rows", min=2, max=64)},)


@case
def arithmetic_in_place():
    def forward(x):
        y = x * 2
        z = y
        y.add_(1).mul_(3)
        z -= 0.5
        y.relu_()
        return y, z, x
    return function(forward, [randn(2, 3)], more=[[randn(4, 3)]], dynamic=rows())


@case
def copy_through_views():
    """A write through select, slice and a slice with a step is seen by the base, and its result is unused."""
    def forward(x):
        y = torch.zeros(3, x.shape[0], 8)
        y[1, :, 0::2].copy_(torch.sin(x))
        y.select(0, 2)[:, 1:3].copy_(torch.cos(x[:, :2]))
        return y
    return function(forward, [randn(2, 4)], more=[[randn(5, 4)]], dynamic=rows())


@case
def view_sees_write_to_base():
    def forward(x):
        y = x + 1
        row, column, turned, flat = y[0], y[:, 1], y.t(), y.view(-1)
        y.mul_(2)
        row.zero_()
        turned[2] = 7.0
        flat[-1] = -3.0
        return y, row, column, turned, flat
    return function(forward, [randn(3, 4)], more=[[randn(3, 4)]])


@case
def write_through_many_views():
    def forward(x):
        y = x.clone()
        first, second = y.split(2, dim=1)
        first.add_(1)
        a, b, c, d = second.transpose(0, 1).unbind(0) if second.shape[1] == 4 else (*y.unbind(1)[:4],)
        b.copy_(a)
        y.diagonal().fill_(9.0)
        y.unsqueeze(0)[:, 1].neg_()
        y.view(-1)[1:3].sub_(4)
        y.permute(1, 0).narrow(0, 0, 1).exp_()
        y.expand(1, 4, 4)[0, 3] *= 2
        return y
    return function(forward, [randn(4, 4)], more=[[randn(4, 4)]])


@case
def assignment_to_slices():
    def forward(x):
        y = x.clone()
        y[:, 1:3] = 0
        y[0] = x[1]
        y[..., -1] = y[..., 0] + 1
        y[1, 2] = 5.0
        return y
    return function(forward, [randn(3, 4)], more=[[randn(5, 4)]], dynamic=rows())


@case
def assignment_by_index():
    """index_put_ with indices, with a mask and with accumulation."""
    def forward(x, index, mask):
        y, z, w = x.clone(), x.clone(), x.clone()
        y[index] = 1.5
        y[:, index] += 1
        z[mask] = 0.0
        w.index_put_((index, torch.tensor([0, 1])), torch.tensor([1.0, 2.0]), accumulate=True)
        return y, z, w
    make = lambda n: [randn(n, 4), torch.tensor([1, 0]), randn(n, 4) > 0]
    dim = Dim("rows", min=2, max=64)
    return function(forward, make(3), more=[make(5)], dynamic=({0: dim}, None, {0: dim}))


@case
def fill_in_place():
    def forward(x, mask):
        y = x.clone()
        y.masked_fill_(mask, float("-inf"))
        z = torch.empty_like(x).fill_(2.5)
        z[0].zero_()
        w = torch.ones_like(x)
        w.fill_(x.sum()).clamp_(max=3.0)
        return y, z, w
    make = lambda n: [randn(n, 4), randn(n, 4) > 0]
    dim = Dim("rows", min=2, max=64)
    return function(forward, make(3), more=[make(5)], dynamic=({0: dim}, {0: dim}))


@case
def scatter_in_place():
    def forward(x, index):
        a, b, c, d, e = (x.clone() for _ in range(5))
        a.scatter_(1, index, 1.0)
        b.scatter_add_(1, index, x)
        c.index_add_(1, index[0], x, alpha=2.0)
        d.index_copy_(1, torch.tensor([2, 0, 1, 3]), x)
        e.index_fill_(1, torch.tensor([0, 2]), -1.0)
        return a, b, c, d, e
    make = lambda n: [randn(n, 4), torch.stack([torch.randperm(4) for _ in range(n)])]
    dim = Dim("rows", min=2, max=64)
    return function(forward, make(2), more=[make(4)], dynamic=({0: dim}, {0: dim}))


@case
def write_in_a_loop():
    """Each pass writes a row that the next pass reads."""
    def forward(x):
        y = torch.zeros_like(x)
        y[0] = x[0]
        for i in range(1, 4):
            y[i] = y[i - 1] * 0.5 + x[i]
        return y
    return function(forward, [randn(4, 3)], more=[[randn(4, 5)]], dynamic=({1: Dim("columns", min=2, max=64)},))


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x):
        self.count += 1
        self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return x * self.count + self.mean


@case
def buffers_updated():
    """The results use the updated buffers. The update itself is not a result."""
    return Program(Counter(), [randn(2, 3)], more=[[randn(4, 3)]], dynamic=rows())


@case
def buffer_as_cache():
    """A part of a buffer is overwritten, and the whole buffer is read."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("cache", randn(6, 4))

        def forward(self, x, position):
            self.cache[position] = x
            self.cache[4:].copy_(x[:2])
            return self.cache.sum(1), self.cache
    return Program(Net(), [randn(2, 4), torch.tensor([1, 3])], more=[[randn(2, 4), torch.tensor([0, 2])]])


@case
def input_mutated():
    """An input is overwritten. The results see the new value."""
    def forward(x, y):
        x.add_(y)
        y[0].fill_(3.0)
        return x * y, y
    dim = Dim("rows", min=2, max=64)
    return function(forward, [randn(2, 3), randn(2, 3)], more=[[randn(4, 3), randn(4, 3)]], dynamic=({0: dim}, {0: dim}))


@case
def constant_mutated():
    """torch.tensor in forward, written afterwards."""
    def forward(x):
        table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        table[0, 1] = 10.0
        table[1].mul_(x[0])
        return table, x + table.sum()
    return function(forward, [randn(3)], more=[[randn(3)]])


@case
def out_argument():
    def forward(x, y):
        z = torch.empty_like(x)
        torch.add(x, y, out=z)
        torch.mul(z, 2, out=z)
        return z
    dim = Dim("rows", min=2, max=64)
    return function(forward, [randn(2, 3), randn(2, 3)], more=[[randn(4, 3), randn(4, 3)]], dynamic=({0: dim}, {0: dim}))


@case
def lists_in_place():
    def forward(x, y):
        a, b = x.clone(), y.clone()
        torch._foreach_add_([a, b], 1.0)
        torch._foreach_mul_([a, b], [2.0, 3.0])
        return a, b
    dim = Dim("rows", min=2, max=64)
    return function(forward, [randn(2, 3), randn(2)], more=[[randn(4, 3), randn(4)]], dynamic=({0: dim}, {0: dim}))


@case(since=(2, 7))
def layout_in_place():
    """Operators that change the shape of their argument."""
    def forward(x):
        y = x.clone()
        y.unsqueeze_(0).transpose_(1, 2)
        z = x.clone()
        z.t_().squeeze_()
        return y, z
    return function(forward, [randn(2, 3)], more=[[randn(4, 3)]], dynamic=rows())


@case
def write_to_a_copy():
    """reshape and contiguous copy if they must. A write to a copy does not change the base."""
    def forward(x):
        y = x + 0
        turned = y.t().reshape(-1)
        turned.zero_()
        other = y.t().contiguous()
        other.fill_(4.0)
        return y, turned, other
    return function(forward, [randn(2, 3)], more=[[randn(2, 3)]])


@case
def copies_by_to():
    """to() returns its argument where it changes nothing, unless it is told to copy."""
    def forward(x):
        y = x + 1
        same = y.to(torch.float32)
        same.mul_(2)
        wide, copy, other = y.to(torch.float64), y.to(torch.float32, copy=True), y.to("cpu", copy=True)
        wide.zero_()
        copy.zero_()
        other.neg_()
        return y, same, wide, copy, other
    return function(forward, [randn(2, 3)], more=[[randn(4, 3)]], dynamic=rows())


@case
def copies_in_another_memory_format():
    def forward(x):
        y = x + 1
        z = y.contiguous(memory_format=torch.channels_last)
        z.add_(1)
        w = z.contiguous(memory_format=torch.channels_last)
        w.mul_(2)
        return y, z, w
    return function(forward, [randn(2, 3, 4, 5)], more=[[randn(2, 3, 4, 5)]])


class Exchange(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("first", torch.tensor([1.0]))
        self.register_buffer("second", torch.tensor([2.0]))

    def forward(self, x):
        kept = self.first.clone()
        self.first.copy_(self.second)
        self.second.copy_(kept)
        return x + self.first, x * self.second, self.first, kept


@case
def buffers_exchanged():
    """A result that is a buffer before it changes."""
    return Program(Exchange(), [randn(2)], more=[[randn(2)]])
