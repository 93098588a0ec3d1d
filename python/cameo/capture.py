"""A model to an ``ExportedProgram``, with ``torch.export``."""

import contextlib
import inspect
from typing import Any, Callable, Iterator, List, Tuple

import torch

from . import versions


def require_export() -> None:
    if not versions.has_export():
        raise NotImplementedError(f"dynamo=True needs torch.export, which PyTorch {torch.__version__} does not have: leave "
                                  "it out, or say dynamo=False, to trace the model")


def capture(module: torch.nn.Module, bound: inspect.BoundArguments, shapes: Any) -> Any:
    """The program of a call. ``shapes`` are as ``torch.export`` takes them.

    The ways to capture a model are tried in the order in which ``torch.onnx.export`` does. If all fail, the first error
    is raised.
    """
    first = None
    for settings, strict in _ways(bool(shapes)):
        try:
            with settings():
                return torch.export.export(module, bound.args, bound.kwargs, dynamic_shapes=shapes, strict=strict)
        except Exception as error:
            first = first or error
    assert first is not None
    raise first


def _ways(dynamic: bool) -> List[Tuple[Callable, bool]]:
    loops = [(_recurrent_loops, False)] if dynamic and _has_recurrent_loops() else []
    return [(_any_sizes, False), *loops, (_any_sizes, True)]


@contextlib.contextmanager
def _any_sizes() -> Iterator[None]:
    """An example whose dynamic size is 0 or 1 is as good as any other, where PyTorch can say so."""
    config = torch.fx.experimental._config
    with contextlib.ExitStack() as stack:
        if hasattr(config, "backed_size_oblivious"):
            stack.enter_context(config.patch(backed_size_oblivious=True))
        yield


def _has_recurrent_loops() -> bool:
    try:
        import torch.export._patches as patches
    except ImportError:
        return False
    return hasattr(patches, "register_lstm_while_loop_decomposition")


@contextlib.contextmanager
def _recurrent_loops() -> Iterator[None]:
    """Recurrent layers over a sequence of dynamic length become loops; ``torch.export`` refuses them otherwise."""
    from torch.export import _patches as patches

    with _any_sizes(), patches.register_lstm_while_loop_decomposition(), patches.register_gru_while_loop_decomposition():
        yield
