"""A model to an ``ExportedProgram``, with ``torch.export``."""

import contextlib
import inspect
from typing import Any, Iterator, Optional

import torch

from . import marks, versions


def require_export() -> None:
    if not versions.has_export():
        raise NotImplementedError(f"dynamo=True needs torch.export, which PyTorch {torch.__version__} does not have: leave "
                                  "it out, or say dynamo=False, to trace the model")


def capture(module: torch.nn.Module, bound: inspect.BoundArguments, shapes: Any) -> Any:
    """The program of a call. ``shapes`` are as ``torch.export`` takes them.

    As ``torch.onnx.export`` does, it tries ``strict=False`` and then ``strict=True``. If both fail, the first error is
    raised.
    """
    first: Optional[Exception] = None
    for strict in False, True:
        marks.restart()
        try:
            with _any_sizes(), _any_length(bool(shapes)):
                return torch.export.export(module, bound.args, bound.kwargs, dynamic_shapes=shapes, strict=strict)
        except Exception as error:
            first = first or error
            if _is_about_sizes(error):
                break
    assert first is not None
    raise first


def _is_about_sizes(error: Exception) -> bool:
    """Whether the model takes no such sizes. Another way to capture it would find the same, and print much more of it."""
    return "Constraints violated" in str(error)


@contextlib.contextmanager
def _any_sizes() -> Iterator[None]:
    """An example whose dynamic size is 0 or 1 is as good as any other, where PyTorch can say so."""
    config = torch.fx.experimental._config
    with contextlib.ExitStack() as stack:
        if hasattr(config, "backed_size_oblivious"):
            stack.enter_context(config.patch(backed_size_oblivious=True))
        yield


@contextlib.contextmanager
def _any_length(dynamic: bool) -> Iterator[None]:
    """Without this, ``torch.export`` fixes the length of the sequences of recurrent layers, where PyTorch can do better."""
    patches = _patches() if dynamic else None
    if patches is None:
        yield
        return
    with patches.register_lstm_while_loop_decomposition(), patches.register_gru_while_loop_decomposition():
        _forget_kernels()
        try:
            yield
        finally:
            _forget_kernels()


def _patches() -> Any:
    try:
        from torch.export import _patches as patches
    except ImportError:
        return None
    return patches if hasattr(patches, "register_gru_while_loop_decomposition") else None


def _forget_kernels() -> None:
    """Operators remember how they were run before."""
    for operator in torch.ops.aten.lstm.input, torch.ops.aten.gru.input:
        operator._dispatch_cache.clear()
