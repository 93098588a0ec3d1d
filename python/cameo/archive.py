"""A model of PyTorch as a TorchScript archive in memory."""

import contextlib
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

import torch
import torch.onnx

from . import _cameo, arguments, flag, spec, trace


class Archive(NamedTuple):
    data: Any
    name: str
    diagnostics: List["_cameo.Diagnostic"]
    silenced: Tuple[str, ...] = ()  # codes of what the engine would say of the archive, and the model does not deserve


@contextlib.contextmanager
def archive_of(model: Any, args: Any, options: Any, dynamic_axes: Any, check_trace: Optional[bool]) -> Iterator[Archive]:
    """The archive, for as long as it is needed. ``options`` are told of its inputs."""
    if isinstance(model, torch.nn.DataParallel):
        raise ValueError("torch.nn.DataParallel is not supported by ONNX exporter, please use 'attribute' module to "
                         "unwrap model from torch.nn.DataParallel. Try torch.onnx.export(model.module, ...)")
    name = getattr(model, "original_name", None) or getattr(model, "__name__", None) or type(model).__name__
    if isinstance(model, torch.jit.ScriptFunction):
        yield _scripted(model, args, options, name)
        return
    module = trace.as_module(model)
    training = {_cameo.TrainingMode.eval: False, _cameo.TrainingMode.training: True}.get(options.training)
    with trace.mode(module, training):
        if isinstance(model, torch.jit.ScriptModule):
            yield _scripted(model, args, options, name)
            return
        with flag.exporting(options.opset, module.training):
            yield _traced(module, args, options, name)


def _scripted(model: Any, args: Any, options: Any, name: str) -> Archive:
    options.inputs = spec.specs(arguments.split(args)) if args is not None else []
    function = isinstance(model, torch.jit.ScriptFunction)
    return Archive(model.save_to_buffer(), name, [], ("saved-in-training",) if function else ())


def _traced(module: torch.nn.Module, args: Any, options: Any, name: str) -> Archive:
    if args is None:
        raise ValueError("example inputs are required for tracing: args is missing")
    traced = trace.trace(module, args)
    options.inputs = [f"{name}={spec.spec(tensor)}" for name, tensor in zip(traced.names, traced.tensors)]
    return Archive(traced.module.save_to_buffer(), name, [_fixed(*item) for item in traced.fixed])


def _fixed(name: str, value: Any) -> "_cameo.Diagnostic":
    return _cameo.Diagnostic(
        severity=_cameo.Severity.note, stage=_cameo.Stage.trace, code="fixed-argument",
        message=f"argument '{name}' is a Python {type(value).__name__}: stored as constant {value}; pass a tensor to "
                "keep it as input")
