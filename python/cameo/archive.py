"""A model of PyTorch as an archive in memory: TorchScript, or a program of torch.export."""

import contextlib
import copy
import inspect
import warnings
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional

import torch
import torch.onnx

from . import (_cameo, arguments, capture, converters, example, flag, functions, options as option, shapes, spec, state, trace,
               versions, weights)
from .check_trace import Check
from .dynamic import Axis, find_axes, input_names
from .errors import ExportWarning
from .request import Request
from .tell import depth


class Archive(NamedTuple):
    data: bytes
    borrowed: weights.Borrowed
    name: str
    diagnostics: List["_cameo.Diagnostic"]
    example: Optional[example.Example]
    is_function: bool = False
    exported_program: Any = None
    check: Optional[Check] = None  # of a trace with dynamic axes

    def knows(self, warning: "_cameo.Diagnostic") -> bool:
        """Whether there is nothing new in what the engine says of the archive."""
        if warning.code == _cameo.codes.saved_in_training:
            return self.is_function
        return warning.code == _cameo.codes.baked_size and any(_same_line(warning, known) for known in self.diagnostics)


def _same_line(a: "_cameo.Diagnostic", b: "_cameo.Diagnostic") -> bool:
    lines = [{(place.file, place.line) for place in diagnostic.python[:1]} for diagnostic in (a, b)]
    return bool(lines[0] & lines[1])


@contextlib.contextmanager
def archive_of(request: Request) -> Iterator[Archive]:
    """The archive, for as long as it is needed. The options are told of its inputs."""
    model, options = request.model, request.options
    if isinstance(model, torch.nn.DataParallel):
        raise ValueError("torch.nn.DataParallel is not supported by ONNX exporter, please use 'attribute' module to "
                         "unwrap model from torch.nn.DataParallel. Try torch.onnx.export(model.module, ...)")
    _ask(model, request)
    name = getattr(model, "original_name", None) or getattr(model, "__name__", None) or type(model).__name__
    if isinstance(model, torch.jit.ScriptFunction):
        yield _scripted(request, name)
        return
    if versions.has_export() and isinstance(model, torch.export.ExportedProgram):
        yield _exported(request, name)
        return
    module = trace.as_module(model)
    training = {_cameo.TrainingMode.eval: False, _cameo.TrainingMode.training: True}.get(options.training)
    with trace.mode(module, training):
        if isinstance(model, torch.jit.ScriptModule):
            yield _scripted(request, name)
            return
        with flag.exporting(options.opset, module.training):
            yield _run(module, request, name)


def _ask(model: Any, request: Request) -> None:
    """A ``torch.onnx.ExportableModule`` knows its own arguments."""
    if request.has_arguments or not isinstance(model, getattr(torch.onnx, "ExportableModule", ())):
        return
    request.args, request.kwargs = model.example_arguments()
    request.options.input_names = request.options.input_names or list(model.input_names() or [])
    request.options.output_names = request.options.output_names or list(model.output_names() or [])
    if request.dynamic_shapes is None and request.dynamic_axes is None:
        request.dynamic_shapes = model.dynamic_shapes()


def _run(module: torch.nn.Module, request: Request, name: str) -> Archive:
    """The archive of a model that has to be run."""
    if not request.has_arguments:
        raise ValueError("example inputs are required for tracing: args is missing")
    if not (versions.exports_by_default() if request.dynamo is None else request.dynamo):
        return _traced(module, request, name)
    capture.require_export()
    try:
        return _captured(module, request, name)
    except Exception as error:
        if not request.fallback:
            raise
        reason = str(error).strip().partition("\n")[0]
        warnings.warn(f"torch.export does not capture the model, so it is traced: {reason}", ExportWarning, stacklevel=depth())
        return _traced(module, request, name)


def _scripted(request: Request, name: str) -> Archive:
    model, options = request.model, request.options
    is_function = isinstance(model, torch.jit.ScriptFunction)
    schema = model.schema if is_function else model.forward.schema
    parameters = [a.name for a in schema.arguments][0 if is_function else 1:]
    call = arguments.split(request.args, request.kwargs) if request.has_arguments else arguments.Call((), {})
    if not set(call.kwargs) <= set(parameters):
        call = arguments.Call((*call.args, call.kwargs), {})
    ran = example.of_call(model, call.args, call.kwargs, []) if request.has_arguments else None
    if is_function:
        call = call._replace(kwargs={**_defaults(schema, call), **call.kwargs})
    axes = shapes.of_call(call, parameters, request.dynamic_shapes)
    options.inputs = spec.specs(call, iter(axes))
    data, borrowed = (model.save_to_buffer(), []) if is_function else weights.save(model)
    return Archive(data, borrowed, name, [], ran, is_function)


def _traced(module: torch.nn.Module, request: Request, name: str) -> Archive:
    options = request.options
    bound = arguments.bind(module.forward, request.args, request.kwargs)
    arguments.refuse_texts(bound)
    sizes = shapes.of_arguments(bound, shapes.resolved(request.dynamic_shapes, module, bound))
    tracer = _tracer(module, bound, request.fix_numbers)
    names = input_names(options.input_names, tracer.names)
    of_tensors = [name for name, own in zip(names, tracer.names) if own not in tracer.numbers]
    dynamic_axes = {**(request.dynamic_axes or {}), **shapes.to_dynamic_axes(sizes, of_tensors)}
    options.dynamic_axes = option.axes(dynamic_axes)
    axes = find_axes(names, tracer.tensors, dynamic_axes)
    if not axes or request.check_trace is False:
        return _saved_trace(tracer, tracer.trace(tracer.tensors, keeps_buffers=True), request, name, axes)
    with state.without_function_caches(module):
        before, structure = state.State(module), state.structure(module)
        program = tracer.trace(tracer.tensors)
        if state.structure(module) != structure:
            before = state.State(module)
        check = Check(tracer, program, axes, before)
        checked = check.run()
    archive = _saved_trace(tracer, program, request, name, axes, checked.other)
    archive.diagnostics.extend(checked.warnings)
    return archive._replace(check=check)


def _tracer(module: torch.nn.Module, bound: inspect.BoundArguments, fix_numbers: bool) -> trace.Tracer:
    """Python's numbers become inputs, as in torch.onnx.export, if the model takes tensors in their place."""
    if not fix_numbers:
        tracer = trace.Tracer(module, inspect.BoundArguments(bound.signature, copy.copy(bound.arguments)), numbers=True)
        if not tracer.numbers or tracer.takes_numbers():
            return tracer
    return trace.Tracer(module, bound)


def _saved_trace(tracer: trace.Tracer, program: torch.jit.ScriptModule, request: Request, name: str, axes: List[Axis],
                 other: Optional[torch.jit.ScriptModule] = None) -> Archive:
    options = request.options
    options.inputs = [f"{name}={spec.spec(tensor)}" for name, tensor in zip(tracer.names, tracer.tensors)]
    request.operators.record(program, other, not axes, converters.only_of_user(options.opset))
    calls = functions.Calls(fixed_sizes=not axes)
    calls.take(program, other)
    calls.register(options.converters)
    if not options.output_names:
        options.output_names = tracer.output_names
    unused = {value.debugName() for value in program.graph.inputs() if not value.uses()}
    baked = [(name, value) for name, value in tracer.numbers.items() if name in unused]
    diagnostics = [_fixed(*item) for item in [*tracer.fixed, *baked]]
    names = input_names(options.input_names, tracer.names)
    return Archive(*weights.save(program), name, diagnostics, example.Example(tracer.tensors, tracer.call, axes, names))


def _captured(module: torch.nn.Module, request: Request, name: str) -> Archive:
    from . import exported

    bound = arguments.bind(module.forward, request.args, request.kwargs)
    arguments.refuse_texts(bound)
    values = [leaf for name, value in arguments.named(bound) for leaf in arguments.leaves(value, name)]
    given = shapes.resolved(request.dynamic_shapes, module, bound)
    if given is None and request.dynamic_axes:
        own = [name for name, value in values if isinstance(value, torch.Tensor)]
        names = input_names(request.options.input_names, own)
        sizes = shapes.from_dynamic_axes(request.dynamic_axes, names)
        request.options.dynamic_axes = option.axes({k: v for k, v in request.dynamic_axes.items() if k not in names})
        given = shapes.tree(bound, sizes)
    else:
        sizes = shapes.of_arguments(bound, given)
        given = shapes.for_export(bound, given)
    program = capture.capture(module, bound, given)
    inputs = exported.inputs_of(program)
    names = exported.names_of(inputs, sizes)
    ran = example.of_call(module, bound.args, bound.kwargs, [])
    ran = ran._replace(axes=exported.axes_of(inputs, ran.tensors, names))
    diagnostics = [_fixed(*leaf) for leaf in values if not isinstance(leaf[1], (torch.Tensor, type(None)))]
    return _packed(program, request, name, names, diagnostics, ran)


def _exported(request: Request, name: str) -> Archive:
    from . import exported

    program = request.model
    inputs = exported.inputs_of(program)
    names = exported.names_of(inputs, shapes.of_inputs(request.dynamic_shapes, [given.example for given in inputs]))
    call = arguments.split(request.args, request.kwargs) if request.has_arguments else program.example_inputs
    ran = None
    if request.verify and call is not None:
        ran = example.of_call(program.module(), call[0], call[1], [])
        ran = ran._replace(axes=exported.axes_of(inputs, ran.tensors, names))
    return _packed(program, request, name, names, [], ran)


def _packed(program: Any, request: Request, name: str, names: Mapping[str, str],
            diagnostics: List["_cameo.Diagnostic"], ran: Optional[example.Example]) -> Archive:
    from . import exported

    if request.dump is not None:
        torch.export.save(program, request.dump)
    return Archive(*exported.save(program, names), name, diagnostics, ran, exported_program=program)


def _defaults(schema: "torch._C.FunctionSchema", call: arguments.Call) -> Dict[str, Any]:
    """Of the arguments that are not given. A saved function has lost them."""
    return {a.name: a.default_value for a in schema.arguments[len(call.args):] if a.has_default_value()}


def _fixed(name: str, value: Any) -> "_cameo.Diagnostic":
    return _cameo.Diagnostic(
        severity=_cameo.Severity.note, code=_cameo.codes.fixed_argument,
        message=f"argument '{name}' is a Python {type(value).__name__}: stored as constant {value}; pass a tensor "
                "to keep it as input")
