"""Does the exported model compute what the model of PyTorch does? Both run, and the results are compared."""

from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import torch

from . import _cameo, dynamic
from .errors import Error, SessionError
from .example import Example
from .reports import Verification, VerifiedOutput, VerifiedRun
from .session import Session

_TOLERANCE = {torch.float16: 1e-3, torch.bfloat16: 1e-2}  # of the largest element; 1e-5 for other types


def verify(model: Any, example: Optional[Example]) -> None:
    """Compares on the example, and with other sizes along its dynamic axes. ``model`` is a path or the bytes.

    Raises :class:`cameo.Error` if a result differs.
    """
    for run in verified(Session(model), _needed(example)).runs:
        at = dynamic.text(run.sizes)
        where = f" at {at}" if at else ""
        if run.fault:
            _fail(f"it fails{where}: {run.fault}")
        for output in run.outputs:
            if not output.agrees:
                _fail(f"output '{output.name}'{where} {output.fault}")


def verified(session: Session, example: Example, tolerance: Optional[float] = None) -> Verification:
    """The results of all runs. With an error of ONNX Runtime for the sizes of the example, it raises the error."""
    runs = []
    for sizes, tensors, expected in _runs(example):
        try:
            results = session.run(None, feeds(session, example, tensors))
        except SessionError as error:
            if not runs:
                raise
            runs.append(VerifiedRun(dict(sizes), [], str(error).strip().splitlines()[0]))
            continue
        if len(results) != len(expected):
            runs.append(VerifiedRun(dict(sizes), [], f"it has {len(results)} outputs, and the program {len(expected)}"))
            continue
        runs.append(VerifiedRun(dict(sizes), [_output(info.name, wanted.detach().cpu(), torch.from_numpy(result), tolerance)
                                              for info, wanted, result in zip(session.get_outputs(), expected, results)]))
    return Verification(runs)


def _needed(example: Optional[Example]) -> Example:
    if example is None:
        raise ValueError("verify=True needs example inputs: say 'args'")
    return example


def feeds(session: Session, example: Example, tensors: Sequence[torch.Tensor]) -> Mapping[str, Any]:
    """The inputs of the session: by their names, if the example has names, and in their order otherwise."""
    infos = session._session.inputs
    if {info.name for info in infos if not info.optional} <= set(example.names):
        taken = {info.name for info in infos}
        return {name: array(tensor, name) for name, tensor in zip(example.names, tensors) if name in taken}
    if any(not info.optional for info in infos[len(tensors):]):
        raise ValueError("verify=True needs a tensor for each input: leave out export_params=False, and pass tensors")
    return {info.name: array(tensor, info.name) for info, tensor in zip(infos, tensors)}


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


def _output(name: str, wanted: torch.Tensor, result: torch.Tensor, tolerance: Optional[float] = None) -> VerifiedOutput:
    if wanted.is_complex():
        wanted = torch.view_as_real(wanted.resolve_conj())
    if wanted.dtype is torch.bfloat16 and result.dtype is torch.uint8:
        result = result.view(torch.bfloat16).reshape(result.shape[:-1])
    if (result.dtype, result.shape) != (wanted.dtype, wanted.shape):
        return VerifiedOutput(name, _type(wanted), float("inf"), float("inf"), False,
                              f"is {_type(result)}, and not {_type(wanted)}")
    error = _error(wanted, result)
    limit = _TOLERANCE.get(wanted.dtype, 1e-5) if tolerance is None else tolerance
    agrees = error.largest <= error.scale * limit
    relative = error.largest / (error.scale or 1)
    fault = "" if agrees else f"has an error of {error.largest:.3g}, relative {relative:.3g}"
    return VerifiedOutput(name, _type(wanted), error.largest, relative, agrees, fault)


def faults(session: Session, expected: Sequence[torch.Tensor], results: Sequence[Any]) -> Iterator[VerifiedOutput]:
    """The outputs that differ from those of PyTorch."""
    for info, wanted, result in zip(session.get_outputs(), expected, results):
        output = _output(info.name, wanted.detach().cpu(), torch.from_numpy(result))
        if not output.agrees:
            yield output


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
