"""The samples of PyTorch's operator database (OpInfo), each as a module and the tensors to call it with."""

import random
import sys
import types
import unittest
import warnings

import numpy
import torch

DTYPES = {"float32": torch.float32, "float64": torch.float64, "int64": torch.int64, "bool": torch.bool}
# Memory that nobody has written to: only shape and dtype mean something.
_UNINITIALIZED = ("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided")


def _import_database():
    if "expecttest" not in sys.modules:  # the database's module wants it for PyTorch's own tests only
        stand_in = types.ModuleType("expecttest")
        stand_in.TestCase, stand_in.ACCEPT = unittest.TestCase, False
        sys.modules["expecttest"] = stand_in
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    return op_db


def operators():
    """Name → OpInfo; variants are told apart by a dot."""
    return {info.name + ("." + info.variant_test_name if info.variant_test_name else ""): info for info in _import_database()}


class Call(torch.nn.Module):
    """One call of an operator, whose tensors come in as arguments and whose other arguments are fixed."""

    def __init__(self, function, arguments):
        super().__init__()
        self.function = function
        self.arguments = arguments

    def forward(self, *tensors):
        rest = iter(tensors)
        args, kwargs = _replace(self.arguments, lambda _: next(rest))
        return self.function(*args, **kwargs)


def _replace(value, by):
    """The same nest of tuples, lists and dicts with each tensor replaced."""
    if isinstance(value, torch.Tensor):
        return by(value)
    if isinstance(value, (tuple, list)):
        parts = [_replace(each, by) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {key: _replace(each, by) for key, each in value.items()}
    return value


def tensors_in(value):
    found = []
    _replace(value, found.append)
    return found


def _draws_after_a_seed(function):
    """Whether the database itself sets a seed before the call, and takes it back."""
    return "wrapper_set_seed" in getattr(getattr(function, "__code__", None), "co_names", ())


class Sample:
    def __init__(self, name, info, sample):
        arguments = ((sample.input, *sample.args), sample.kwargs)
        self.tensors = [tensor.detach().clone() for tensor in tensors_in(arguments)]
        self.module = Call(info.op, arguments).eval()
        self._arbitrary = name.split(".")[0] in _UNINITIALIZED or _draws_after_a_seed(info.op)

    def expected(self):
        """PyTorch's results; each with whether its numbers mean something."""
        before = torch.get_rng_state()
        with torch.no_grad():
            results = tensors_in(self.module(*(tensor.clone() for tensor in self.tensors)))
        drawn = not torch.equal(before, torch.get_rng_state())
        return [(result, not drawn and not self._arbitrary) for result in results]


def samples(name, info, dtype):
    """Those that PyTorch itself runs, with strided tensors in and out; each with its results."""
    for seed in (torch.manual_seed, numpy.random.seed, random.seed):
        seed(0)
    for sample in info.sample_inputs("cpu", DTYPES[dtype], requires_grad=False):
        try:
            made = Sample(name, info, sample)
            results = made.expected()
        except Exception:
            continue
        strided = all(t.layout == torch.strided for t in [*made.tensors, *(r for r, _ in results)])
        if strided and results:
            yield made, results
