"""Arguments as the engine is told of them: ``x=float32[1,3,224,224]``."""

from typing import Any, List, Mapping

import torch

from .arguments import Call
from .input import Input


def spec(value: Any) -> str:
    """One value; a tensor becomes an input like it, everything else is fixed."""
    if isinstance(value, Input):
        return str(value)
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).split('.')[-1]}[{','.join(str(size) for size in value.shape)}]"
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        quote = "'" if '"' in value else '"'
        if quote in value:
            raise ValueError(f"a text with both kinds of quotes cannot be an argument: {value!r}")
        return f"{quote}{value}{quote}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f'"{key}": {spec(item)}' for key, item in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        items = ", ".join(spec(item) for item in value)
        return f"[{items}]" if isinstance(value, list) else f"({items})"
    raise TypeError(f"a {type(value).__name__} cannot be an argument of a program")


def specs(call: Call) -> List[str]:
    return [spec(value) for value in call.args] + [f"{name}={spec(value)}" for name, value in call.kwargs.items()]
