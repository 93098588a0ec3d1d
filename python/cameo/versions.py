"""The differences between PyTorch 1.13 and 2.x, each in one place. Does not import PyTorch."""

import inspect
import sys
from typing import Any

_GLOBALS = ("torch.onnx._globals", "torch.onnx._internal.torchscript_exporter._globals")
_REGISTRATION = ("torch.onnx._internal.registration", "torch.onnx._internal.torchscript_exporter.registration")


def _loaded(names: tuple) -> Any:
    return next((sys.modules[name] for name in names if name in sys.modules), None)


def onnx_settings() -> Any:
    """The settings that models and symbolic functions read from ``torch.onnx``."""
    return _loaded(_GLOBALS).GLOBALS


def symbolic_registry() -> Any:
    """The symbolic functions that ``torch.onnx`` knows. None if ``torch.onnx`` is not imported."""
    module = _loaded(_REGISTRATION)
    return module and module.registry


def has_export() -> bool:
    import torch

    return hasattr(torch, "export") and hasattr(torch.export, "export")


def exports_by_default() -> bool:
    """Whether ``torch.onnx.export`` of this version captures models with ``torch.export`` unless it is told otherwise."""
    import torch.onnx

    dynamo = inspect.signature(torch.onnx.export).parameters.get("dynamo")
    return has_export() and dynamo is not None and dynamo.default is True


def untyped_storage(tensor: Any) -> Any:
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage().untyped()


def without_inputs() -> tuple:
    """The last arguments of PyTorch's tracer: since 2.1 it keeps the example inputs unless it is told not to."""
    import torch

    return (False,) if "store_inputs" in (torch._C.ScriptModule._create_method_from_trace.__doc__ or "") else ()
