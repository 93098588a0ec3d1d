"""Does a trace hold for other sizes? The model is traced once more, and the two are compared."""

import re
import warnings
from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Sequence

import torch

from . import _cameo, dynamic, source

_KEEP = ("a number that Python takes from a tensor is a constant of the trace: leave out int() and item(), say -1 or "
         "x.size(…) there, or script that part")
# Schemas of views that get their sizes as a list: view, reshape, expand.
_TAKES_SHAPE = re.compile(r"\(Tensor\(a\) self, (Sym)?[iI]nt\[\] (size|shape)\b")


class Checked(NamedTuple):
    warnings: List["_cameo.Diagnostic"]
    other: Optional[torch.jit.ScriptModule] = None  # the trace with other sizes; None if the model does not run with them


def check(tracer: Any, program: torch.jit.ScriptModule, axes: Sequence[dynamic.Axis]) -> Checked:
    """Warnings of what the trace baked in, at the user's lines."""
    failure: Optional[Exception] = None
    for sizes in dynamic.other_sizes(axes):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                other = tracer.trace(dynamic.resized(tracer.tensors, axes, sizes))
        except Exception as error:
            failure = failure or error
            first_sizes = sizes if failure is error else first_sizes
        else:
            return Checked(_compare(program, other, axes, sizes), other)
    assert failure is not None
    return Checked([_warning(_cameo.codes.trace_not_checked, f"the model does not run with {_text(first_sizes)}, so nothing tells whether "
                     f"the trace holds for other sizes: {type(failure).__name__}: {failure}", source.of_error(failure),
                     "if these axes have to have the sizes of the example, they are not dynamic")])


def _compare(first: torch.jit.ScriptModule, second: torch.jit.ScriptModule, axes: Sequence[dynamic.Axis],
             sizes: Mapping[str, int]) -> List["_cameo.Diagnostic"]:
    out: List["_cameo.Diagnostic"] = []
    seen = set()
    others = _nodes(second.inlined_graph)
    for node in _nodes(first.inlined_graph):
        other = next(others, None)
        if other is None or not _same_step(node, other):
            out.append(_warning(_cameo.codes.baked_path, f"with {_text(sizes)} the model takes another path from here on: the "
                                "trace holds only the one of the example", source.of_node(node),
                                "script the part that decides by sizes, or fix them"))
            break
        found = _baked(node, other, axes, sizes) or _stuck(node, other, axes, sizes)
        if found and (key := (found.message, *source.lines(node)[:1])) not in seen:
            seen.add(key)
            out.append(found)
    return out


def _same_step(a: "torch._C.Node", b: "torch._C.Node") -> bool:
    return a.kind() == b.kind() and a.inputsSize() == b.inputsSize() and source.lines(a) == source.lines(b)


def _baked(node: Any, other: Any, axes: Sequence[dynamic.Axis], sizes: Mapping[str, int]) -> \
        Optional["_cameo.Diagnostic"]:
    """A constant that the other trace has too, and not as the same."""
    if node.kind() != "prim::Constant" or _equal(value := _constant(node), other_value := _constant(other)):
        return None
    if meaning := dynamic.explain(value, other_value, axes, sizes):
        return _warning(_cameo.codes.baked_size, f"{value} is baked in here: it is {meaning}, and with {_text(sizes)} it would be "
                        f"{other_value}", source.of_node(node), _KEEP)
    return _warning(_cameo.codes.baked_number, f"{_short(value)} is baked in here: with {_text(sizes)} it would be "
                    f"{_short(other_value)}", source.of_node(node), _KEEP)


def _stuck(node: Any, other: Any, axes: Sequence[dynamic.Axis],
           sizes: Mapping[str, int]) -> Optional["_cameo.Diagnostic"]:
    """A shape in which a size of the example stands as a number: x.view(4, -1)."""
    if not _TAKES_SHAPE.search(node.schema()):
        return None
    first = zip(_shape(node.inputsAt(0)), _shape(node.output()))
    second = zip(_shape(other.inputsAt(0)), _shape(other.output()))
    for (size, result), (other_size, other_result) in zip(first, second):
        if (size, other_size) == (result, other_result):
            continue
        for axis in axes:
            followed = (size, other_size) == (axis.size, sizes[axis.symbol])
            if followed and result == other_result == axis.size:
                return _warning(_cameo.codes.baked_size, f"{size} is {axis.text()} in the example, and stays {size} here with "
                                f"{_text(sizes)}", source.of_node(node),
                                f"say -1 or {axis.name}.size({axis.axis}) instead of {size}")
        return None
    return None


def _shape(value: Any) -> List[int]:
    return value.type().sizes() or [] if value.type().kind() == "TensorType" else []


def _nodes(graph: Any) -> Iterator["torch._C.Node"]:
    for node in graph.nodes():
        yield node
        for block in node.blocks():
            yield from _nodes(block)


def _constant(node: "torch._C.Node") -> Any:
    return node.output().toIValue()


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.shape == b.shape and a.dtype == b.dtype and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
    return type(a) is type(b) and (a == b or a != a)


def _short(value: Any) -> str:
    if isinstance(value, torch.Tensor) and value.numel() > 1:
        return f"a tensor of shape {list(value.shape)}"
    return str(value.item() if isinstance(value, torch.Tensor) and value.numel() == 1 else value)


def _text(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{symbol} = {size}" for symbol, size in sizes.items())


def _warning(code: str, message: str, places: List["_cameo.Position"], hint: str) -> "_cameo.Diagnostic":
    return _cameo.Diagnostic(severity=_cameo.Severity.warning, code=code, message=message,
                             python=places, hint=hint)
