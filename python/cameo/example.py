"""A call of the model with tensors of the user, which can be repeated with others."""

from typing import Any, Callable, List, NamedTuple, Sequence

import torch
from torch.utils import _pytree as pytree

from .dynamic import Axis


class Example(NamedTuple):
    tensors: List[torch.Tensor]
    run: Callable[[Sequence[torch.Tensor]], List[torch.Tensor]]  # the results of the model for such tensors
    axes: List[Axis]  # whose sizes may be others
    names: Sequence[str] = ()  # of the inputs of a trace; a model may lack those that it does not use


def of_call(function: Callable, args: Sequence[Any], kwargs: Any, axes: List[Axis]) -> Example:
    """The tensors among all values that PyTorch finds in the arguments."""
    values, structure = pytree.tree_flatten((tuple(args), dict(kwargs)))
    places = [i for i, value in enumerate(values) if isinstance(value, torch.Tensor)]

    def run(tensors: Sequence[torch.Tensor]) -> List[torch.Tensor]:
        others = list(values)
        for place, tensor in zip(places, tensors):
            others[place] = tensor
        new_args, new_kwargs = pytree.tree_unflatten(others, structure)
        results, _ = pytree.tree_flatten(function(*new_args, **new_kwargs))
        return [result for result in results if isinstance(result, torch.Tensor)]

    return Example([values[place] for place in places], run, axes)
