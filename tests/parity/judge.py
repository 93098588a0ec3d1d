"""What becomes of one sample: exported, run in ONNX Runtime, compared with PyTorch."""

import contextlib
import io
import os
import warnings

import numpy
import torch

import cameo

# Of the largest element for float32; what is computed in float64 here and there is held tighter.
_RELATIVE = {torch.float32: 1e-5, torch.float64: 1e-7}


def _array(tensor):
    """As sessions give it: NumPy lacks bfloat16, which comes as pairs of bytes. A complex number is a pair too."""
    if tensor.dtype == torch.bfloat16:
        return tensor.contiguous().view(torch.int16).unsqueeze(-1).numpy().view(numpy.uint8)
    tensor = tensor.detach().resolve_conj().resolve_neg()
    return (torch.view_as_real(tensor) if tensor.is_complex() else tensor).numpy()


def _difference(got, expected, meaningful, strictness):
    wanted = _array(expected)
    if got.dtype != wanted.dtype:
        return f"{got.dtype} instead of {wanted.dtype}"
    if got.shape != wanted.shape:
        return f"shape {list(got.shape)} instead of {list(wanted.shape)}"
    if not meaningful:
        return None
    dtype = torch.view_as_real(expected.resolve_conj()).dtype if expected.is_complex() else expected.dtype
    if dtype not in _RELATIVE:
        return None if numpy.array_equal(got, wanted) else "other numbers"
    finite = numpy.isfinite(wanted)
    if not numpy.array_equal(numpy.where(finite, 0, got), numpy.where(finite, 0, wanted), equal_nan=True):
        return "not finite elsewhere"
    relative = _RELATIVE[dtype] / strictness
    allowed = relative * (1 + numpy.abs(wanted[finite]).max(initial=0))
    error = numpy.abs(got[finite].astype(float) - wanted[finite]).max(initial=0)
    return None if error <= allowed else f"off by {error:.3g}"


@contextlib.contextmanager
def _silence():
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere), \
            warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _traceable(sample):
    try:
        with _silence():
            torch.jit.save(torch.jit.trace(sample.module, tuple(sample.tensors), check_trace=False), io.BytesIO())
        return True
    except Exception:
        return False


def judge(export, sample, expected, strictness=1):
    """None if all is well, else (stage, why); stage "trace" where PyTorch cannot make a program of it. What may differ is
    divided by the strictness."""
    model = io.BytesIO()  # a file would be written out to the disk each time
    try:
        with _silence():
            export(sample.module, tuple(sample.tensors), model)
    except Exception as error:
        return ("export" if _traceable(sample) else "trace"), str(error)
    try:
        session = cameo.Session(model.getvalue(), threads=1)
        names = [each.name for each in session.get_inputs()]
        given = {f"x{i}": _array(tensor) for i, tensor in enumerate(sample.tensors)}
        got = session.run(None, {name: given[name] for name in names})
    except Exception as error:
        return "run", str(error)
    if len(got) != len(expected):
        return "compare", f"{len(got)} results instead of {len(expected)}"
    for index, (result, (wanted, meaningful)) in enumerate(zip(got, expected)):
        why = _difference(numpy.asarray(result), wanted, meaningful, strictness)
        if why:
            return "compare", f"result {index}: {why}"
    return None
