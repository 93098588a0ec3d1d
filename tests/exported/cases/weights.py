"""Weights, buffers and constants: shared, transposed, expanded, views of each other."""
import torch
from torch import nn
from torch.export import Dim

from case import Program, case

randn = torch.randn


def rows():
    return ({0: Dim("rows", min=1, max=64)},)


@case
def tied_weights():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(7, 4)
            self.head = nn.Linear(4, 7, bias=False)
            self.head.weight = self.table.weight

        def forward(self, tokens):
            return self.head(torch.tanh(self.table(tokens)))

    make = lambda n: [torch.randint(0, 7, (n, 3))]
    return Program(Net(), make(2), more=[make(4)], dynamic=rows())


@case
def transposed_weight():
    """The parameter is a transposed view: its strides are not those of a contiguous tensor."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(randn(5, 6).t())
            self.permuted = nn.Parameter(randn(2, 3, 5).permute(2, 0, 1))

        def forward(self, x):
            return (x @ self.weight) @ self.permuted.flatten(1)

    return Program(Net(), [randn(2, 6)], more=[[randn(3, 6)]], dynamic=rows())


@case
def channels_last_weight():
    net = nn.Conv2d(3, 4, 3, bias=False).to(memory_format=torch.channels_last)
    return Program(net, [randn(2, 3, 5, 5)], more=[[randn(1, 3, 5, 5)]], dynamic=rows())


@case
def views_of_a_buffer():
    """Three buffers in one storage, two of them with an offset or a step."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            whole = randn(4, 6)
            self.register_buffer("whole", whole)
            self.register_buffer("rows", whole[1:3])
            self.register_buffer("steps", whole[:, 1::2])

        def forward(self, x):
            return x @ self.whole, x @ self.steps, x[:, :2] @ self.rows

    return Program(Net(), [randn(2, 4)], more=[[randn(5, 4)]], dynamic=rows())


@case
def expanded_buffer():
    """A buffer with a stride of 0, and one without axes."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("bias", randn(1, 4).expand(3, 4))
            self.register_buffer("scale", torch.tensor(0.25))

        def forward(self, x):
            return (x + self.bias) * self.scale

    return Program(Net(), [randn(2, 3, 4)], more=[[randn(5, 3, 4)]], dynamic=rows())


@case
def empty_buffer():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("none", torch.zeros(0, 4))

        def forward(self, x):
            return torch.cat([self.none, x]), self.none

    return Program(Net(), [randn(2, 4)], more=[[randn(3, 4)]], dynamic=rows())


@case
def buffers_not_saved_with_the_state():
    """A non-persistent buffer is stored among the constants."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("table", torch.arange(12.0).reshape(4, 3), persistent=False)
            self.register_buffer("mask", torch.tensor([True, False, True]), persistent=False)
            self.plain = torch.tensor([1, 0, 3])

        def forward(self, x):
            return torch.where(self.mask, x @ self.table, 0.5) + self.plain

    return Program(Net(), [randn(2, 4)], more=[[randn(3, 4)]], dynamic=rows())


@case
def constants_in_forward():
    class Net(nn.Module):
        def forward(self, x):
            return x * torch.tensor([1.0, 2.0, 3.0]) + torch.tensor(2) + torch.tensor([[True], [False]])

    return Program(Net(), [randn(2, 3)], more=[[randn(2, 3)]])


@case
def shared_submodule():
    """One submodule under two names, called three times."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(4, 4)
            self.blocks = nn.ModuleList([self.first, nn.Linear(4, 4)])

        def forward(self, x):
            for block in self.blocks:
                x = torch.relu(block(x))
            return self.first(x)

    return Program(Net(), [randn(2, 4)], more=[[randn(6, 4)]], dynamic=rows())


@case
def unused_weights():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.unused = nn.Linear(4, 2), nn.Linear(100, 3)

        def forward(self, x, ignored):
            return self.used(x)

    dim = Dim("rows", min=1, max=64)
    return Program(Net(), [randn(2, 4), randn(3)], more=[[randn(6, 4), randn(3)]], dynamic=({0: dim}, None))


@case
def frozen_parameters():
    """Parameters that need no gradient, of several element types."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Parameter(randn(4, 3).half(), requires_grad=False)
            self.b = nn.Parameter(randn(3).double(), requires_grad=False)
            self.c = nn.Parameter(randn(3).bfloat16(), requires_grad=False)

        def forward(self, x):
            return (x @ self.a.float()) * self.c.float() + self.b

    return Program(Net(), [randn(2, 4)], more=[[randn(3, 4)]], dynamic=rows())
