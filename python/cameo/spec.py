"""Arguments as the engine is told of them: ``x=float32[1,3,224,224]``."""

from typing import Any, Iterator, List, Mapping, Optional

import torch

from .arguments import Call
from .input import Input
from .shapes import Axes


def spec(value: Any, axes: Optional[Iterator[Axes]] = None) -> str:
    """One value; a tensor becomes an input like it, everything else is fixed. ``axes`` has the dynamic ones of each
    tensor."""
    if isinstance(value, Input):
        return str(value)
    if isinstance(value, torch.Tensor):
        return tensor_spec(value, next(axes) if axes else {})
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        quote = "'" if '"' in value else '"'
        if quote in value:
            raise ValueError(f"a text with both kinds of quotes cannot be an argument: {value!r}")
        return f"{quote}{value}{quote}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f'"{key}": {spec(item, axes)}' for key, item in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        items = ", ".join(spec(item, axes) for item in value)
        return f"[{items}]" if isinstance(value, list) else f"({items})"
    raise TypeError(f"a {type(value).__name__} cannot be an argument of a program")


def tensor_spec(tensor: torch.Tensor, axes: Axes) -> str:
    sizes = [(axes[i] or "?") if i in axes else str(size) for i, size in enumerate(tensor.shape)]
    kind = str(tensor.dtype).split('.')[-1]
    if tensor.is_quantized and tensor.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
        kind += f"({tensor.q_scale()!r},{tensor.q_zero_point()})"
    return f"{kind}[{','.join(sizes)}]"


def specs(call: Call, axes: Optional[Iterator[Axes]] = None) -> List[str]:
    return [spec(value, axes) for value in call.args] + \
        [f"{name}={spec(value, axes)}" for name, value in call.kwargs.items()]
