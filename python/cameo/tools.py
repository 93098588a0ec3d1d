"""Tools on any ONNX file."""

import os
import warnings
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _cameo
from .errors import Error, ExportWarning

Path = Union[str, os.PathLike]


def faults(path: Path, full: bool = False) -> List["_cameo.Diagnostic"]:
    """All faults of a model, errors and warnings; an empty list for a valid one. `full` infers shapes too."""
    return _cameo.check_model(os.fspath(path), full)


def check(path: Path, full: bool = False) -> None:
    """Raises :class:`cameo.Error` with all faults of a model. `full` infers shapes too.

    >>> cameo.check("model.onnx")
    """
    wrong = [fault for fault in faults(path, full) if fault.severity == _cameo.Severity.error]
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


def split(path: Path, folder: Path, cuts: Sequence[str] = (), assign: Optional[Mapping[str, str]] = None, parts: int = 0,
          max_size: int = 0) -> List[str]:
    """Writes the parts of a model, and the ``plan.json`` that ``cameo run`` takes, to a folder. The result are the names of the
    parts. ``assign`` has targets by pattern: ``{"backbone.*": "npu", "*": "cpu"}``.

    >>> cameo.split("model.onnx", "parts", cuts=["module:backbone", "value:feat"])
    ['part1', 'backbone', 'part3', 'part4']
    """
    targets = [(target, pattern) for pattern, target in (assign or {}).items()]
    if sum(map(bool, (cuts, targets, parts, max_size))) != 1:
        raise ValueError("say how to split: cuts, assign, parts or max_size")
    names, wrong = _cameo.split_model(os.fspath(path), os.fspath(folder), list(cuts), targets, parts, max_size)
    for fault in wrong:
        warnings.warn(str(fault), ExportWarning, stacklevel=2)
    return names


def infer(path: Path, to: Optional[Path] = None, strict: bool = False) -> List["_cameo.InferredValue"]:
    """Types and symbolic shapes of all values that nodes make, in their order; with ``to``, a model that says them is
    written there. What contradicts itself is a warning, with ``strict`` an :class:`cameo.Error`.

    >>> for value in cameo.infer("model.onnx"):
    ...     print(value.name, value.type, value.shape)
    """
    values, wrong = _cameo.infer_model(os.fspath(path), os.fspath(to or ""), strict)
    for fault in wrong:
        warnings.warn(str(fault), ExportWarning, stacklevel=2)
    return values


def simplify(path: Path, to: Path, only: Sequence[str] = (), also: Sequence[str] = (), without: Sequence[str] = (),
             input_shapes: Optional[Mapping[str, Sequence[int]]] = None) -> Dict[str, Tuple[int, int]]:
    """Writes a model that computes the same with fewer nodes. The result tells for each operator how many nodes there
    were before and how many there are now. A warning tells what the new model assumes of its inputs. Rules are named as
    ``cameo simplify --list`` does.

    >>> cameo.simplify("model.onnx", "small.onnx")["Gather"]
    (24, 0)
    """
    shapes = [(name, list(shape)) for name, shape in (input_shapes or {}).items()]
    operators, assumptions = _cameo.simplify_model(os.fspath(path), os.fspath(to), list(only), list(also), list(without), shapes)
    for assumption in assumptions:
        warnings.warn(f"assumed: {assumption}", ExportWarning, stacklevel=2)
    return operators


def cast(path: Path, to: Path, dtype: str = "f16", keep_io: bool = False, keep: Sequence[str] = ()) -> None:
    """Writes a model that computes in another floating-point type: f16, bf16 or f32. Constants beyond the range of the
    type stay as they are, with a warning.

    >>> cameo.cast("model.onnx", "half.onnx", keep_io=True, keep=["Softmax", "lm_head*"])
    """
    for warning in _cameo.cast_model(os.fspath(path), os.fspath(to), dtype, keep_io, list(keep)):
        warnings.warn(str(warning), ExportWarning, stacklevel=2)


_WEIGHTS = {"int8": ("i8", 0), "uint8": ("u8", 0), "int4": ("i4", 32), "uint4": ("u4", 32)}


def quantize(path: Path, to: Path, weights: str = "int8", symmetric: Optional[bool] = None, search: bool = False,
             form: str = "dequantize", min_elements: int = 1024, keep: Sequence[str] = (), opset: Optional[int] = None,
             partial_blocks: bool = False,
             calibrate: Optional[Path] = None, method: str = "minmax",
             percentile: float = 99.99) -> List["_cameo.QuantizedWeight"]:
    """Writes a model whose weights are integers; with ``calibrate``, a ``.npz`` or ``.pt`` file or a folder of samples, activations
    are integers, too. The result tells size and errors of each weight. ``weights`` is int8, uint8, int4 or uint4, with
    a block size after a colon; with ``partial_blocks``, the last block of an axis may be shorter.

    >>> for weight in cameo.quantize("model.onnx", "small.onnx", weights="int4:32", opset=21):
    ...     print(weight.name, weight.relative)
    """
    kind, _, block = weights.partition(":")
    if kind not in _WEIGHTS:
        raise ValueError(f"weights are int8, uint8, int4 or uint4, not {kind!r}")
    element, usual = _WEIGHTS[kind]
    return _cameo.quantize_model(os.fspath(path), os.fspath(to), element, int(block) if block else usual, symmetric, search,
                                 getattr(_cameo.QuantizedForm, form), min_elements, list(keep), opset, partial_blocks,
                                 os.fspath(calibrate) if calibrate is not None else "",
                                 getattr(_cameo.CalibrationMethod, method), percentile)


def ops(*names: str, onnx: bool = False, opset: Optional[int] = None, dtype: str = "", arguments: Sequence[str] = (),
        explain: bool = False) -> str:
    """What becomes of PyTorch's operators in ONNX, as text; of ONNX's own with ``onnx=True``.

    >>> print(cameo.ops("aten::asinh", opset=9))
    >>> print(cameo.ops("Resize", onnx=True))
    """
    return _cameo.ops(list(names), onnx, opset, dtype, list(arguments), explain)
