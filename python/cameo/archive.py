"""A model of PyTorch as a TorchScript archive in memory."""

import contextlib
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

import torch
import torch.onnx

from . import _cameo, arguments, flag, functions, spec, trace, weights
from .check_trace import check
from .dynamic import find_axes


class Archive(NamedTuple):
    data: bytes
    borrowed: weights.Borrowed
    name: str
    diagnostics: List["_cameo.Diagnostic"]
    is_function: bool = False

    def knows(self, warning: "_cameo.Diagnostic") -> bool:
        """Whether there is nothing new in what the engine says of the archive."""
        if warning.code == _cameo.codes.saved_in_training:
            return self.is_function
        return warning.code == _cameo.codes.baked_size and any(_same_line(warning, known) for known in self.diagnostics)


def _same_line(a: "_cameo.Diagnostic", b: "_cameo.Diagnostic") -> bool:
    lines = [{(place.file, place.line) for place in diagnostic.python[:1]} for diagnostic in (a, b)]
    return bool(lines[0] & lines[1])


@contextlib.contextmanager
def archive_of(model: Any, args: Any, options: Any, dynamic_axes: Any,
               check_trace: Optional[bool]) -> Iterator[Archive]:
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
            yield _traced(module, args, options, name, dynamic_axes, check_trace)


def _scripted(model: Any, args: Any, options: Any, name: str) -> Archive:
    is_function = isinstance(model, torch.jit.ScriptFunction)
    schema = model.schema if is_function else model.forward.schema
    call = arguments.split(args) if args is not None else arguments.Call((), {})
    if not set(call.kwargs) <= {argument.name for argument in schema.arguments}:
        call = arguments.Call((*call.args, call.kwargs), {})
    if is_function:
        call = call._replace(kwargs={**_defaults(schema, call), **call.kwargs})
    options.inputs = spec.specs(call)
    data, borrowed = (model.save_to_buffer(), []) if is_function else weights.save(model)
    return Archive(data, borrowed, name, [], is_function)


def _traced(module: torch.nn.Module, args: Any, options: Any, name: str,
            dynamic_axes: Any, check_trace: Optional[bool]) -> Archive:
    if args is None:
        raise ValueError("example inputs are required for tracing: args is missing")
    tracer = trace.Tracer(module, args)
    program = tracer.trace(tracer.tensors)
    options.inputs = [f"{name}={spec.spec(tensor)}" for name, tensor in zip(tracer.names, tracer.tensors)]
    diagnostics = [_fixed(*item) for item in tracer.fixed]
    axes = find_axes(options.input_names, tracer, dynamic_axes)
    if axes and check_trace is not False:
        diagnostics += check(tracer, program, axes)
    calls = functions.Calls(fixed_sizes=not axes)
    calls.take(program)
    calls.register(options.converters)
    return Archive(*weights.save(program), name, diagnostics)


def _defaults(schema: "torch._C.FunctionSchema", call: arguments.Call) -> Dict[str, Any]:
    """Of the arguments that are not given. A saved function has lost them."""
    return {a.name: a.default_value for a in schema.arguments[len(call.args):] if a.has_default_value()}


def _fixed(name: str, value: Any) -> "_cameo.Diagnostic":
    return _cameo.Diagnostic(
        severity=_cameo.Severity.note, code=_cameo.codes.fixed_argument,
        message=f"argument '{name}' is a Python {type(value).__name__}: stored as constant {value}; pass a tensor "
                "to keep it as input")
