"""The operators that the plug-ins of these tests convert, as PyTorch knows them."""
import os
import sys

import torch

PLUGINS = os.path.abspath(sys.argv[2])
EXAMPLE = os.path.abspath(sys.argv[3])
MANY = os.path.join(PLUGINS, "many.so")


def pool(x, size, mode="mean"):
    return x.unfold(-1, size, size).mean(-1)


def quant(x, bits, *, mode="round", scale=None, ranges=(0.5, 1)):
    return x.to(torch.int8)


def twice_(x):
    return x.add_(x.clone())


def wrong(x, what):
    return x.clone()


OPERATORS = {
    "mylib": {
        "scaled_relu(Tensor x, float a=1.0) -> Tensor": lambda x, a=1.0: torch.relu(x) * a,
        "pool(Tensor x, int size, str mode='mean') -> Tensor": pool,
    },
    "many": {
        "extremes(Tensor x, int[] dims) -> (Tensor, Tensor)": lambda x, dims: (x.amin(dims), x.amax(dims)),
        "pieces(Tensor x, int n) -> Tensor[]": lambda x, n: [piece.clone() for piece in x.chunk(n)],
        "count(Tensor x) -> int": lambda x: x.numel(),
        "mean(Tensor x) -> float": lambda x: float(x.mean()),
        "quant(Tensor x, int bits, *, str mode='round', float? scale=None, float[] ranges=[0.5, 1]) -> Tensor": quant,
        "untold(Tensor x) -> Tensor": lambda x: x.clone(),
        "scaled_by(Tensor x, Tensor w) -> Tensor": lambda x, w: x * w.sum(),
        "flattened(Tensor x) -> Tensor": lambda x: x.reshape(x.shape[0] * x.shape[1], x.shape[2]).clone(),
        "joined(Tensor[] xs, int dim=0) -> Tensor": lambda xs, dim=0: torch.cat(xs, dim),
        "as_type(Tensor x, ScalarType type) -> Tensor": lambda x, type: x.to(type),
        "shifted(Tensor x, float[] by) -> Tensor": lambda x, by: x + torch.tensor(by),
        "twice_(Tensor(a!) x) -> Tensor(a!)": twice_,
        "broken(Tensor x) -> Tensor": lambda x: x.clone(),
        "wrong(Tensor x, str what) -> Tensor": wrong,
    },
}

libraries = []
for namespace, operators in OPERATORS.items():
    library = torch.library.Library(namespace, "DEF")
    libraries.append(library)
    for schema, function in operators.items():
        library.define(schema)
        library.impl(schema.split("(")[0], function, "CompositeImplicitAutograd")
