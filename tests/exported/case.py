"""What a test program is: a module, its example inputs, inputs of a second size, and how it is exported."""
import dataclasses
import functools
import typing

import torch

CASES = {}
NEVER = (99,)  # no release of PyTorch


@dataclasses.dataclass
class Program:
    """`inputs` and each of `more` are lists of positional arguments. `kwargs` are the keyword arguments of `inputs`, and
    `more_kwargs` those of each of `more`. `dynamic` is the argument dynamic_shapes of torch.export.export.
    With `deferred`, conditions about sizes become assertions of the program."""
    module: torch.nn.Module
    inputs: list
    more: list = dataclasses.field(default_factory=list)
    dynamic: typing.Any = None
    kwargs: dict = dataclasses.field(default_factory=dict)
    more_kwargs: list = dataclasses.field(default_factory=list)
    train: bool = False
    strict: bool = False
    deferred: bool = False

    def runs(self):
        """[(args, kwargs)] of the example and of the other sizes."""
        others = self.more_kwargs or [self.kwargs] * len(self.more)
        return [(self.inputs, self.kwargs), *zip(self.more, others)]


@dataclasses.dataclass
class Case:
    """A function that makes a Program. `since` and `decomposed` are the first releases of PyTorch that can export it and that
    can apply run_decompositions() to it. `refused` is a text of the diagnostic, if Cameo must refuse the program.
    `tolerance` is for results that are not as exact as their element type; `reason` says why."""
    make: typing.Callable
    since: tuple
    refused: typing.Optional[str]
    decomposed: tuple
    tolerance: typing.Optional[float]
    reason: typing.Optional[str]

    @property
    def name(self):
        return self.make.__name__


def case(function=None, *, since=(2, 6), refused=None, decomposed=(2, 6), tolerance=None, reason=None):
    """Adds a function to CASES, under its name."""
    if function is None:
        return functools.partial(case, since=since, refused=refused, decomposed=decomposed, tolerance=tolerance, reason=reason)
    assert function.__name__ not in CASES, f"two cases are called {function.__name__}"
    assert (tolerance is None) == (reason is None), "a tolerance needs a reason"
    CASES[function.__name__] = Case(function, since, refused, decomposed, tolerance, reason)
    return function


class Function(torch.nn.Module):
    """A module of a function, whose argument names it keeps."""

    def __init__(self, function):
        super().__init__()
        names = function.__code__.co_varnames[:function.__code__.co_argcount]
        scope = {"function": function}
        exec(f"def forward(self, {', '.join(names)}):\n    return function({', '.join(names)})", scope)
        self.forward = scope["forward"].__get__(self)


def function(f, inputs, **options):
    return Program(Function(f), inputs, **options)
