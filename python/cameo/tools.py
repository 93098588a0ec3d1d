"""Tools on any ONNX file."""

import os
from typing import List, Optional, Sequence, Union

from . import _cameo
from .errors import Error

Path = Union[str, os.PathLike]


def faults(path: Path) -> List["_cameo.Diagnostic"]:
    """Everything that is wrong with a model, errors and warnings; an empty list if nothing is."""
    return _cameo.check_model(os.fspath(path))


def check(path: Path) -> None:
    """Raises :class:`cameo.Error` with everything that is wrong with a model.

    >>> cameo.check("model.onnx")
    """
    wrong = [fault for fault in faults(path) if fault.severity == _cameo.Severity.error]
    if wrong:
        raise Error("".join(str(fault) for fault in wrong), wrong)


def printable_graph(path: Path, style: str = "onnx") -> str:
    """The graph as text: as ``onnx.helper.printable_graph`` writes it, or in another style (text, torch, torch_0_3,
    annotated).

    >>> print(cameo.printable_graph("model.onnx"))
    """
    return _cameo.print_model(os.fspath(path), getattr(_cameo.PrintStyle, style))


def inspect(path: Path) -> str:
    """What is in a saved program (``.pt``): entry points, modules, operators, weights."""
    return _cameo.inspect(os.fspath(path))


def extract(path: Path, to: Path, inputs: Sequence[str] = (), outputs: Sequence[str] = (),
            more_outputs: Sequence[str] = (), all_outputs: bool = False) -> List["_cameo.Diagnostic"]:
    """Writes the part of a model between values to another file; the result are warnings.

    >>> cameo.extract("model.onnx", "with-features.onnx", more_outputs=["/layer4/Relu_output_0"])
    """
    return _cameo.extract_model(os.fspath(path), os.fspath(to), list(inputs), list(outputs), list(more_outputs),
                                all_outputs)


def ops(*names: str, onnx: bool = False, opset: Optional[int] = None, dtype: str = "", arguments: Sequence[str] = (),
        explain: bool = False) -> str:
    """What becomes of PyTorch's operators in ONNX, as text; of ONNX's own with ``onnx=True``.

    >>> print(cameo.ops("aten::asinh", opset=9))
    >>> print(cameo.ops("Resize", onnx=True))
    """
    return _cameo.ops(list(names), onnx, opset, dtype, list(arguments), explain)
