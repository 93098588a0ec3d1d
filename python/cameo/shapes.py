"""Dynamic sizes: ``dynamic_shapes`` as ``torch.export`` takes them, and ``dynamic_axes`` as ``torch.onnx`` does."""

import inspect
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import torch

from . import arguments

Axes = Dict[int, Optional[str]]  # the dynamic axes of a tensor and the names of their sizes; None: without a name


class Formula(str):
    """A size that is computed from another one: ``2*Dim("half")``."""


def of_arguments(bound: inspect.BoundArguments, shapes: Any) -> List[Axes]:
    """The axes of each tensor of a call, in the order of the arguments."""
    given = _by_name(bound, shapes)
    out: List[Axes] = []
    for name, value in arguments.named(bound):
        out += of_value(value, given.pop(name, None), name)
    if given:
        raise ValueError(f"dynamic_shapes names arguments that the model is not called with: {', '.join(given)}")
    return out


def _by_name(bound: inspect.BoundArguments, shapes: Any) -> Dict[str, Any]:
    if shapes is None:
        return {}
    if isinstance(shapes, Mapping):
        given = dict(shapes)
    elif len(shapes) == len(bound.arguments):
        given = dict(zip(bound.arguments, shapes))
    else:
        raise ValueError(f"dynamic_shapes has {len(shapes)} entries, but the model is called with "
                         f"{len(bound.arguments)} arguments")
    keywords = arguments.keywords_of(bound)
    if keywords in given:
        given.update(given.pop(keywords) or {})
    return given


def of_value(value: Any, shape: Any, where: str) -> Iterator[Axes]:
    """The axes of each tensor in a value; ``shape`` has the structure of the value."""
    if isinstance(value, torch.Tensor):
        yield _axes(shape, value.shape, where)
        return
    parts = arguments.parts(value)
    if parts is None:
        if shape is not None:
            raise ValueError(f"dynamic_shapes gives '{where}' a shape, but it is a {type(value).__name__}")
        return
    if isinstance(shape, Mapping) and not isinstance(value, (tuple, list)):
        unknown = set(shape) - {key for key, _ in parts}
        if unknown:
            raise ValueError(f"dynamic_shapes: '{where}' has no {', '.join(map(repr, sorted(unknown, key=str)))}")
        shape = [shape.get(key) for key, _ in parts]
    if shape is not None and (isinstance(shape, Mapping) or len(shape) != len(parts)):
        raise ValueError(f"dynamic_shapes: '{where}' is a {type(value).__name__} of {len(parts)}; give one shape for each")
    for i, (key, part) in enumerate(parts):
        yield from of_value(part, None if shape is None else shape[i], f"{where}[{key!r}]")


def _axes(shape: Any, sizes: Sequence[int], where: str) -> Axes:
    if shape is None:
        return {}
    if isinstance(shape, (tuple, list)):
        if len(shape) != len(sizes):
            raise ValueError(f"dynamic_shapes gives '{where}' {len(shape)} axes, but it has {len(sizes)}")
        shape = dict(enumerate(shape))
    out: Axes = {}
    for axis, dim in shape.items():
        if not isinstance(axis, int) or not -len(sizes) <= axis < len(sizes):
            raise ValueError(f"dynamic_shapes: '{where}' has no axis {axis!r}; it has {len(sizes)}")
        if isinstance(dim, int) and dim != sizes[axis]:
            raise ValueError(f"dynamic_shapes: axis {axis} of '{where}' is {sizes[axis]}, not {dim}")
        if not _is_static(dim):
            out[axis % len(sizes)] = _name(dim)
    return out


def _is_static(dim: Any) -> bool:
    return dim is None or isinstance(dim, int) or getattr(_hint(dim), "name", "") == "STATIC"


def _hint(dim: Any) -> Any:
    """``Dim.AUTO`` and its like: an object that has a type, in older versions of PyTorch the type itself."""
    return getattr(dim, "type", dim)


def _name(dim: Any) -> Optional[str]:
    if isinstance(dim, str):
        return dim
    name = getattr(dim, "__name__", None)
    return Formula(name) if name and not name.isidentifier() else name


def to_dynamic_axes(axes: Sequence[Axes], names: Sequence[str]) -> Dict[str, Dict[int, str]]:
    """The same as ``dynamic_axes``, by the names of the inputs."""
    return {name: {axis: _symbol(size, name, axis) for axis, size in of.items()} for name, of in zip(names, axes) if of}


def _symbol(size: Optional[str], input: str, axis: int) -> str:
    return f"{input}_dim_{axis}" if size is None or isinstance(size, Formula) else size


def from_dynamic_axes(dynamic_axes: Mapping[str, Any], names: Sequence[str]) -> List[Axes]:
    """``dynamic_axes`` for each of the inputs of these names."""
    def axes(of: Any) -> Axes:
        return dict(of) if isinstance(of, Mapping) else dict.fromkeys(of or ())

    return [axes(dynamic_axes.get(name)) for name in names]


def for_export(bound: inspect.BoundArguments, shapes: Any) -> Optional[Dict[str, Any]]:
    """``dynamic_shapes`` as ``torch.export`` takes them: an entry for each argument, containers like those of the
    arguments, and no names of sizes that are texts."""
    if shapes is None:
        return None
    given = _by_name(bound, shapes)
    keywords = arguments.keywords_of(bound)
    return {name: _like(value, {key: given.get(key) for key in value} if name == keywords else given.get(name))
            for name, value in bound.arguments.items()}


def _like(value: Any, shape: Any) -> Any:
    parts = arguments.parts(value)
    if shape is None or parts is None:
        return _without_texts(shape)
    items = [shape.get(key) for key, _ in parts] if isinstance(shape, Mapping) else shape
    return _container(value, [_like(part, item) for (_, part), item in zip(parts, items)])


def _without_texts(shape: Any) -> Any:
    if isinstance(shape, Mapping):
        return {axis: _any_size() if isinstance(dim, str) else dim for axis, dim in shape.items()}
    return shape and [_any_size() if isinstance(dim, str) else dim for dim in shape]


def tree(bound: inspect.BoundArguments, axes: Sequence[Axes]) -> Dict[str, Any]:
    """``dynamic_shapes`` for ``torch.export``, of the axes of each tensor."""
    remaining = iter(axes)
    return {name: _tree(value, remaining) for name, value in bound.arguments.items()}


def _tree(value: Any, axes: Iterator[Axes]) -> Any:
    if isinstance(value, torch.Tensor):
        return {axis: _any_size() for axis in next(axes)} or None
    parts = arguments.parts(value)
    return None if parts is None else _container(value, [_tree(part, axes) for _, part in parts])


def _container(value: Any, items: List[Any]) -> Any:
    """The shapes of the parts of a value. ``torch.export`` wants a list for a class of its own."""
    if isinstance(value, Mapping):
        return dict(zip(value, items))
    return arguments.like_sequence(value, items) if isinstance(value, (tuple, list)) else items


def _any_size() -> Any:
    hints = torch.export.Dim
    return hints.DYNAMIC if hasattr(hints, "DYNAMIC") else hints.AUTO


def resolved(shapes: Any, model: Any, bound: inspect.BoundArguments) -> Any:
    """``dynamic_shapes`` as such; ``ShapesCollection`` and ``AdditionalInputs`` make them of the arguments."""
    return shapes.dynamic_shapes(model, bound.args, bound.kwargs) if hasattr(shapes, "dynamic_shapes") else shapes


def of_call(call: arguments.Call, parameters: Sequence[str], shapes: Any) -> List[Axes]:
    """The axes of each tensor of a call of a program, whose parameters have these names."""
    names = [*parameters[:len(call.args)], *call.kwargs]
    values = [*call.args, *call.kwargs.values()]
    if isinstance(shapes, Mapping):
        unknown = [name for name in shapes if name not in names]
        if unknown:
            raise ValueError(f"dynamic_shapes names arguments that the program is not called with: {', '.join(unknown)}")
        shapes = [shapes.get(name) for name in names]
    elif shapes is not None:
        shapes = [*shapes, *[None] * (len(values) - len(shapes))]
    return list(of_value(values, shapes, "args"))


def of_inputs(shapes: Any, tensors: Sequence[torch.Tensor]) -> List[Axes]:
    """The axes of the inputs of a program. The structure of its arguments is not needed: shapes stand in their order."""
    leaves = list(_leaves(shapes)) if shapes else []
    if leaves and len(leaves) != len(tensors):
        raise ValueError(f"dynamic_shapes has {len(leaves)} shapes, but the program has {len(tensors)} inputs")
    return [_axes(leaf, tensor.shape, f"input {i}") for i, (leaf, tensor) in enumerate(zip(leaves, tensors))]


def _leaves(shapes: Any) -> Iterator[Any]:
    items = list(shapes.values()) if isinstance(shapes, Mapping) else shapes
    if shapes is None or not any(isinstance(item, (Mapping, tuple, list)) for item in items) and not _holds_shapes(shapes):
        yield shapes
        return
    for item in items:
        yield from _leaves(item)


def _holds_shapes(shapes: Any) -> bool:
    """Whether these are shapes of arguments that are all None, and not the axes of a tensor."""
    return isinstance(shapes, Mapping) and any(isinstance(key, str) for key in shapes)


def axes_by_name(shapes: Mapping[str, Any]) -> Dict[str, Dict[int, str]]:
    """``dynamic_axes`` for inputs that are known by their names only."""
    out = {}
    for name, shape in shapes.items():
        items = shape.items() if isinstance(shape, Mapping) else enumerate(shape or ())
        out[name] = {axis: _symbol(_name(dim), name, axis) for axis, dim in items if not _is_static(dim)}
    return {name: axes for name, axes in out.items() if axes}
