"""What a model returns, as a flat tuple of tensors."""

import dataclasses
import re
from typing import Any, List, Mapping, Sequence

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


def names(value: Any, taken: Sequence[str] = ()) -> List[str]:
    """The names of the tensors: the keys of a dict, the fields of a named tuple or a data class. Empty for other results,
    which have no names. No name is twice, or one of ``taken``."""
    if not (isinstance(value, Mapping) or hasattr(value, "_fields") or dataclasses.is_dataclass(value)):
        return []
    out: List[str] = []
    for name in _paths(value, ""):
        name = re.sub(r"\W", "_", name)
        while name in out or name in taken:
            name += "_out"
        out.append(name)
    return out


def _paths(value: Any, path: str) -> List[str]:
    """Where each tensor stands, in the order of flatten()."""
    if value is None:
        return []
    if isinstance(value, (torch.Tensor, bool, int, float)):
        return [path]
    if isinstance(value, Mapping):
        parts = [(str(key), part) for key, part in value.items()]
    elif hasattr(value, "_fields"):
        parts = list(zip(value._fields, value))
    elif dataclasses.is_dataclass(value):
        parts = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    else:
        parts = [(str(i), part) for i, part in enumerate(value)]
    return [name for key, part in parts for name in _paths(part, f"{path}_{key}" if path else key)]
