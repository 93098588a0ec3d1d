"""Tools on any ONNX file and on saved programs.

A model is a path, its bytes, a file that is open for reading, an ``onnx.ModelProto`` or a :class:`cameo.ONNXProgram`. The
result is written to a path, or to a file that is open for writing, such as a ``BytesIO``.
"""

import json
import os
import tempfile
import warnings
from typing import List, Mapping, Optional, Sequence, Union

from . import _cameo
from .errors import Error, ExportWarning
from .models import Model, Program, Target, opened, save, source
from .reports import (Described, Differences, ModelIo, OnnxOperator, Operator, OperatorChanges, OperatorCounts, ProgramReport,
                      QuantizedWeights, Stats, Values, from_json)
from .tell import depth


def faults(model: Model, full: bool = False) -> List["_cameo.Diagnostic"]:
    """All faults of a model, errors and warnings; an empty list for a valid one. ``full`` infers shapes, too."""
    return opened(model).check(full)


def check(model: Model, full: bool = False) -> None:
    """Raises :class:`cameo.Error` with all faults of a model. ``full`` infers shapes, too.

    >>> cameo.check("model.onnx")
    """
    wrong = [fault for fault in faults(model, full) if fault.severity == _cameo.Severity.error]
    if wrong:
        raise Error("".join(str(fault) for fault in wrong), wrong)


def io(model: Model) -> ModelIo:
    """The inputs and outputs of a model, without the inputs that have an initialiser.

    >>> cameo.io("model.onnx").inputs[0].shape
    ['batch', 3, 224, 224]
    """
    return ModelIo.of(opened(model))


def stats(model: Model) -> Stats:
    """The numbers of operators and parameters, and the multiply-adds of one run.

    >>> cameo.stats("model.onnx").operators["Conv"]
    53
    """
    return Stats.of(opened(model).stats())


def diff(model: Model, other: Model, structure: bool = False) -> Differences:
    """The differences that matter to a run; an empty list for equal models. ``structure`` ignores the names of values and
    the values of constants.

    >>> for each in cameo.diff("a.onnx", "b.onnx"):
    ...     print(each.kind, each.what, each.name)
    """
    return Differences.of(opened(model).diff(opened(other), structure))


def printable_graph(model: Model, style: str = "onnx") -> str:
    """The graph as text: as ``onnx.helper.printable_graph`` writes it, or in another style (text, torch, torch_0_3,
    annotated).

    >>> print(cameo.printable_graph("model.onnx"))
    """
    return opened(model).print(getattr(_cameo.PrintStyle, style))


def inspect(program: Program) -> ProgramReport:
    """The contents of a saved program (``.pt``, ``.pt2``): entry points, modules, operators, weights.

    >>> cameo.inspect("model.pt").entry_points[0].arguments
    [Argument(name='image', type='Tensor', default=None)]
    """
    return ProgramReport.of(*_cameo.inspect(source(program)))


def extract(model: Model, to: Target, inputs: Sequence[str] = (), outputs: Sequence[str] = (),
            more_outputs: Sequence[str] = (), all_outputs: bool = False) -> List["_cameo.Diagnostic"]:
    """Writes the part of a model between values; the result are warnings.

    >>> cameo.extract("model.onnx", "with-features.onnx", more_outputs=["/layer4/Relu_output_0"])
    """
    part, found = opened(model).extract(list(inputs), list(outputs), list(more_outputs), all_outputs)
    save(part, to)
    return found


def infer(model: Model, to: Optional[Target] = None, strict: bool = False) -> Values:
    """Types and symbolic shapes of the results of all nodes, in their order; with ``to``, a model that declares them is
    written. A contradiction is a warning, with ``strict`` an :class:`cameo.Error`.

    >>> for value in cameo.infer("model.onnx"):
    ...     print(value.name, value.type, value.shape)
    """
    declared, values, wrong = opened(model).infer(strict)
    if to is not None:
        save(declared, to)
    _warn(wrong)
    return Values(values)


def split(model: Model, folder: Union[str, os.PathLike], cuts: Sequence[str] = (), assign: Optional[Mapping[str, str]] = None,
          parts: int = 0, max_size: int = 0) -> List[str]:
    """Writes the parts of a model, and the ``plan.json`` that ``cameo run`` takes, to a folder. The result are the names of the
    parts. ``assign`` has targets by pattern: ``{"backbone.*": "npu", "*": "cpu"}``.

    >>> cameo.split("model.onnx", "parts", cuts=["module:backbone", "value:feat"])
    ['part1', 'backbone', 'part3', 'part4']
    """
    targets = [(target, pattern) for pattern, target in (assign or {}).items()]
    if sum(map(bool, (cuts, targets, parts, max_size))) != 1:
        raise ValueError("say how to split: cuts, assign, parts or max_size")
    names, wrong = opened(model).split(os.fsdecode(folder), list(cuts), targets, parts, max_size)
    _warn(wrong)
    return names


def simplify(model: Model, to: Target, only: Sequence[str] = (), also: Sequence[str] = (), without: Sequence[str] = (),
             input_shapes: Optional[Mapping[str, Sequence[int]]] = None,
             rewrites: Sequence[Union[str, os.PathLike]] = ()) -> OperatorChanges:
    """Writes a model that computes the same with fewer nodes. The result has the number of nodes before and after by
    operator. A warning says what the new model assumes of its inputs. The names of rules are those of
    ``cameo simplify --list``. ``rewrites`` are rules files (docs/rewrites.md), which are applied first.

    >>> cameo.simplify("model.onnx", "small.onnx")["Gather"]
    (24, 0)
    """
    shapes = [(name, list(shape)) for name, shape in (input_shapes or {}).items()]
    small, operators, assumptions = opened(model).simplify(list(only), list(also), list(without), shapes,
                                                           [os.fspath(file) for file in rewrites])
    save(small, to)
    for assumption in assumptions:
        warnings.warn(f"assumed: {assumption}", ExportWarning, stacklevel=depth())
    return OperatorChanges({name: (before, after) for name, before, after in operators})


def cast(model: Model, to: Target, dtype: str = "f16", keep_io: bool = False, keep: Sequence[str] = ()) -> None:
    """Writes a model that computes in another floating-point type: f16, bf16 or f32. Constants beyond the range of the
    type stay as they are, with a warning.

    >>> cameo.cast("model.onnx", "half.onnx", keep_io=True, keep=["Softmax", "lm_head*"])
    """
    converted, found = opened(model).cast(dtype, keep_io, list(keep))
    save(converted, to)
    _warn(found)


_WEIGHTS = {"int8": ("i8", 0), "uint8": ("u8", 0), "int4": ("i4", 32), "uint4": ("u4", 32)}


def quantize(model: Model, to: Target, weights: str = "int8", symmetric: Optional[bool] = None, search: bool = False,
             form: str = "dequantize", min_elements: int = 1024, keep: Sequence[str] = (), opset: Optional[int] = None,
             partial_blocks: bool = False, calibrate: Union[str, os.PathLike, None] = None, method: str = "minmax",
             percentile: float = 99.99) -> QuantizedWeights:
    """Writes a model whose weights are integers; with ``calibrate``, a ``.npz`` or ``.pt`` file or a folder of samples,
    activations are integers, too. The result has the size and the errors of each weight. ``weights`` is int8, uint8, int4 or uint4,
    with a block size after a colon; with ``partial_blocks``, the last block of an axis may be shorter.

    >>> for weight in cameo.quantize("model.onnx", "small.onnx", weights="int4:32", opset=21):
    ...     print(weight.name, weight.relative)
    """
    kind, _, block = weights.partition(":")
    if kind not in _WEIGHTS:
        raise ValueError(f"weights are int8, uint8, int4 or uint4, not {kind!r}")
    element, usual = _WEIGHTS[kind]
    given = source(model)
    ranges = [] if calibrate is None else _ranges(given, os.fsdecode(calibrate), getattr(_cameo.CalibrationMethod, method),
                                                  percentile)
    small, changed = _cameo.Model(given).quantize(element, int(block) if block else usual, symmetric, search,
                                                  getattr(_cameo.QuantizedForm, form), min_elements, list(keep), opset, partial_blocks, ranges)
    save(small, to)
    return QuantizedWeights(changed)


def _ranges(given, samples: str, method: "_cameo.CalibrationMethod", percentile: float) -> List["_cameo.ValueRange"]:
    if isinstance(given, str):
        return _cameo.calibrate(given, samples, method, percentile)
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(given)
        file.flush()
        return _cameo.calibrate(file.name, samples, method, percentile)


def ops(*names: str, onnx: bool = False, opset: Optional[int] = None, dtype: str = "", arguments: Sequence[str] = (),
        explain: bool = False) -> Union[Described[Operator], Described[OnnxOperator], OperatorCounts]:
    """How operators of PyTorch are converted; the versions of ONNX operators with ``onnx=True``. Without names, how many
    operators there are.

    >>> cameo.ops("aten::asinh", opset=9)[0].overloads[0].nodes
    ['Log', 'Mul', …]
    >>> print(cameo.ops("Resize", onnx=True))
    """
    data, text = _cameo.ops(list(names), onnx, opset, dtype, list(arguments), explain)
    if not names:
        return from_json(OperatorCounts, json.loads(data))
    return Described(OnnxOperator if onnx else Operator, data, text)


def _warn(found: List["_cameo.Diagnostic"]) -> None:
    for each in found:
        warnings.warn(str(each), ExportWarning, stacklevel=depth())
