"""Does the exported model compute what the model of PyTorch does? Both run, and the results are compared."""

from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import torch

from . import _cameo, dynamic
from .errors import Error
from .example import Example
from .session import Session

_TOLERANCE = {torch.float16: 1e-3, torch.bfloat16: 1e-2}  # of the largest element; 1e-5 for other types


def verify(model: Any, example: Optional[Example]) -> None:
    """Compares on the example, and with other sizes along its dynamic axes. ``model`` is a path or the bytes.

    Raises :class:`cameo.Error` if a result differs.
    """
    if example is None:
        raise ValueError("verify=True needs example inputs: say 'args'")
    session = Session(model)
    names = [info.name for info in session.get_inputs()][:len(example.tensors)]
    if any(not info.optional for info in session._session.inputs[len(names):]):
        raise ValueError("verify=True needs a tensor for each input: leave out export_params=False, and pass tensors")
    for sizes, tensors, expected in _runs(example):
        results = session.run(None, {name: array(tensor, name) for name, tensor in zip(names, tensors)})
        _compare(session, expected, results, sizes)


def _runs(example: Example) -> Iterator[Tuple[Mapping[str, int], Sequence[torch.Tensor], List[torch.Tensor]]]:
    with torch.no_grad():
        yield {axis.symbol: axis.size for axis in example.axes}, example.tensors, example.run(example.tensors)
        for sizes in dynamic.other_sizes(example.axes) if example.axes else ():
            if not dynamic.affordable(example.tensors, example.axes, sizes):
                continue
            tensors = dynamic.resized(example.tensors, example.axes, sizes)
            try:
                expected = example.run(tensors)
            except Exception:  # the model takes no such sizes
                continue
            yield sizes, tensors, expected
            return


def array(tensor: torch.Tensor, name: str) -> Any:
    tensor = tensor.detach().cpu()
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor.resolve_conj())
    try:
        return tensor.resolve_neg().numpy()
    except TypeError:
        raise ValueError(f"verify=True cannot pass a tensor of {tensor.dtype} to ONNX Runtime: input '{name}'") from None


def _compare(session: Session, expected: List[torch.Tensor], results: List[Any], sizes: Mapping[str, int]) -> None:
    for fault in faults(session, expected, results):
        at = dynamic.text(sizes)
        _fail(fault.text(f" at {at}" if at else ""))


class Fault(NamedTuple):
    output: Optional[str]  # None: the number of outputs differs
    what: str
    error: float  # of the largest element; infinite if the types differ

    def text(self, at: str = "") -> str:
        return f"output '{self.output}'{at} {self.what}" if self.output is not None else self.what


def faults(session: Session, expected: Sequence[torch.Tensor], results: Sequence[Any]) -> Iterator[Fault]:
    """What differs between results of ONNX Runtime and those of PyTorch."""
    if len(expected) != len(results):
        yield Fault(None, f"it has {len(results)} outputs, and the program {len(expected)}", float("inf"))
        return
    for info, wanted, result in zip(session.get_outputs(), expected, results):
        fault = _fault(wanted.detach().cpu(), torch.from_numpy(result))
        if fault:
            yield Fault(info.name, *fault)


def _fault(wanted: torch.Tensor, result: torch.Tensor) -> Optional[Tuple[str, float]]:
    if wanted.is_complex():
        wanted = torch.view_as_real(wanted.resolve_conj())
    if wanted.dtype is torch.bfloat16 and result.dtype is torch.uint8:
        result = result.view(torch.bfloat16).reshape(result.shape[:-1])
    if (result.dtype, result.shape) != (wanted.dtype, wanted.shape):
        return f"is {_type(result)}, and not {_type(wanted)}", float("inf")
    error = _error(wanted, result)
    if error.largest > error.scale * _TOLERANCE.get(wanted.dtype, 1e-5):
        relative = error.largest / (error.scale or 1)
        return f"has an error of {error.largest:.3g}, relative {relative:.3g}", relative
    return None


class _Error(NamedTuple):
    largest: float
    scale: float  # the largest element; 0 for types whose elements have to be equal


def _error(wanted: torch.Tensor, result: torch.Tensor) -> _Error:
    """NaN agrees with NaN, and an infinity with itself."""
    if not wanted.is_floating_point():
        return _Error((wanted != result).sum().item(), 0)
    a, b = wanted.double(), result.double()
    differ = (a != b) & ~(a.isnan() & b.isnan())
    errors = (a - b).abs()[differ].nan_to_num(float("inf"), float("inf"))
    finite = a[a.isfinite()].abs()
    return _Error(errors.max().item() if errors.numel() else 0.0, finite.max().item() if finite.numel() else 0.0)


def _type(tensor: torch.Tensor) -> str:
    return f"{str(tensor.dtype).rpartition('.')[2]}{list(tensor.shape)}"


def _fail(what: str) -> None:
    found = _cameo.Diagnostic(severity=_cameo.Severity.error, code=_cameo.codes.departs,
                              message=f"the ONNX model does not compute what the PyTorch program does: {what}")
    raise Error(str(found), [found])
