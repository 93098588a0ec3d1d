"""What a model returns, as a flat tuple of tensors."""

import dataclasses
from typing import Any, List, Mapping

import torch


def flatten(value: Any) -> List[torch.Tensor]:
    """The tensors in the order in which they stand; None is left out, and a number is a constant."""
    if isinstance(value, torch.Tensor):
        return [value]
    if value is None:
        return []
    if isinstance(value, (bool, int)):
        return [torch.tensor(value)]
    if isinstance(value, float):
        return [torch.tensor(value, dtype=torch.float64)]
    if isinstance(value, Mapping):
        return [tensor for item in value.values() for tensor in flatten(item)]
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in flatten(item)]
    if dataclasses.is_dataclass(value):
        return [tensor for field in dataclasses.fields(value) for tensor in flatten(getattr(value, field.name))]
    raise RuntimeError("Only tuples, lists and Variables are supported as JIT inputs/outputs. Dictionaries and strings "
                       "are also accepted, but their usage is not recommended. Here, received an output of "
                       f"unsupported type: {type(value).__name__}")
