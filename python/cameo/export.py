"""``cameo.export``: the face of ``torch.onnx.export``, and what it takes to be it."""

import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _cameo, converters, options as option, report_file
from .errors import Error
from .models import is_saved
from .onnx_program import ONNXProgram
from .progress import Progress
from .request import Request
from .rewriting import Applied
from .signatures import takes_older_orders
from .tell import tell
from .wording import adapt

_UNSET: Any = object()


@takes_older_orders
def export(model: Any, args: Any = None, f: Any = None, export_params: bool = True, verbose: Optional[bool] = False,
           training: Any = False, input_names: Optional[Sequence[str]] = None,
           output_names: Optional[Sequence[str]] = None, operator_export_type: Any = None,
           opset_version: Optional[int] = None, do_constant_folding: bool = True,
           dynamic_axes: Optional[Mapping[str, Any]] = None, keep_initializers_as_inputs: Optional[bool] = None,
           custom_opsets: Optional[Mapping[str, int]] = None, export_modules_as_functions: Any = False, *,
           kwargs: Optional[Mapping[str, Any]] = None, dynamo: Optional[bool] = None, dynamic_shapes: Any = None,
           external_data: Union[bool, str] = "auto", optimize: bool = True, verify: bool = False,
           report: Union[bool, str, os.PathLike] = False, dump_exported_program: bool = False,
           artifacts_dir: Union[str, os.PathLike] = ".", fallback: bool = False, profile: bool = False,
           autograd_inlining: bool = True, custom_translation_table: Optional[Mapping[Any, Any]] = None,
           check_trace: Optional[bool] = None, static_shapes: bool = False, unroll_loops: int = 0,
           doc_strings: Optional[bool] = None, check: bool = True, parameters_first: bool = False,
           metadata: str = "names", disabled_rules: Sequence[str] = (), float64_as_float32: bool = False, target: str = "",
           fix_numbers: bool = False, state_as_io: bool = False,
           progress: Union[bool, Callable[[str, float], None], None] = None,
           aten: bool = _UNSET, export_raw_ir: bool = _UNSET, _retain_param_name: bool = _UNSET,
           example_outputs: Any = _UNSET, strip_doc_string: bool = _UNSET, enable_onnx_checker: bool = _UNSET,
           use_external_data_format: bool = _UNSET) -> ONNXProgram:
    """Exports a model to ONNX. Takes what ``torch.onnx.export`` takes, of PyTorch 1.13 and of PyTorch 2.

    >>> model = torchvision.models.resnet18()
    >>> program = cameo.export(model, torch.randn(1, 3, 224, 224), "resnet18.onnx", input_names=["image"],
    ...                        dynamic_shapes=({0: "batch"},))
    >>> program.outputs
    [output: f32[batch, 1000]]

    model
        An ``nn.Module`` (or a function), which is captured with ``torch.export`` or traced; an ``ExportedProgram``; a
        ``ScriptModule`` or ``ScriptFunction``; or a saved program (a path, bytes, a file that is open for reading), for which no
        PyTorch is needed.
    args, kwargs
        A tensor; a tuple of arguments; one that ends in a dict of keyword arguments. Tensors, also those within
        tuples, lists and dicts, become inputs of the exported model. So do Python's numbers in a trace, as tensors without
        axes (int64, float64), if the model takes such tensors. Everything else is fixed. For a saved program
        or a script, a :class:`cameo.Input` says in place of a tensor which sizes are dynamic, and their ranges.
    f
        A path, or anything that bytes can be written to. None: the model is in a temporary file that the result owns.
    dynamo
        True: the model is captured with ``torch.export``. False: it is traced. By default as ``torch.onnx.export`` of the
        same PyTorch does: since 2.9 it is captured.
    dynamic_shapes
        As ``torch.export.export`` takes them; a text is a size of that name.
    dynamic_axes
        The axes of inputs and outputs by their names, as ``torch.onnx.export`` of PyTorch 1.13 takes them.
    training
        ``torch.onnx.TrainingMode``, or a bool. The model's own mode is as before afterwards.
    external_data
        True: the weights are in a file beside the model. False, "auto": only those of a model of more than 2 GB are.
        "always", "never" and "link" as for ``cameo export``.
    optimize
        False: the graph is not simplified.
    verify
        Runs the model in PyTorch and in ONNX Runtime, and raises an error if the results differ.
    report
        True: writes a report to ``artifacts_dir``, after an error too. A path ends in .md, .json or .sarif.
    dump_exported_program
        Saves what ``torch.export`` made of the model to ``artifacts_dir``.
    fallback
        Traces a model that ``torch.export`` does not capture.
    fix_numbers
        Python's numbers among the arguments are constants of a trace, and not inputs.
    state_as_io
        Each tensor that the model keeps from one call to the next becomes an input and an output.
    progress
        A function that is called with each stage and the part of it that is done, from 0 to 1. True and False show and
        hide a bar; by default, a terminal shows one for long exports. Ctrl-C ends an export, and old files stay.
    check_trace
        Traces the model with other sizes along the dynamic axes, and warns of numbers and paths that hold only for the
        example, with the line and the module. If ONNX Runtime is found, also runs the exported model with other sizes and
        warns if it departs from PyTorch. By default where there are dynamic axes; False omits these runs.
    target
        The runtime that the model is for, as ``cameo export --target`` takes it. Rewriting rules read it.
    static_shapes, unroll_loops, doc_strings, check, parameters_first, metadata, disabled_rules, float64_as_float32
        As the options of ``cameo export`` are: docs/export.md.

    The parameters that ``torch.onnx.export`` had until 1.10 still mean what they meant. Raises :class:`cameo.Error`
    with everything that cannot be converted; what was in ``f`` then stays. Warnings are Python's, and are in the
    result too.
    """
    removed = {name: value for name, value in [
        ("aten", aten), ("export_raw_ir", export_raw_ir), ("_retain_param_name", _retain_param_name),
        ("example_outputs", example_outputs), ("strip_doc_string", strip_doc_string),
        ("enable_onnx_checker", enable_onnx_checker), ("use_external_data_format", use_external_data_format),
    ] if value is not _UNSET}
    option.warn_of_removed(removed)
    option.refuse(export_modules_as_functions, custom_translation_table)

    options = _cameo.ExportOptions()
    options.opset = option.opset(opset_version)
    options.training = option.training_mode(training)
    options.operators = option.operator_export(operator_export_type, removed.get("aten", False),
                                               removed.get("export_raw_ir", False))
    options.input_names = list(input_names or [])
    options.output_names = list(output_names or [])
    options.dynamic_axes = option.axes(dynamic_axes)
    options.custom_opsets = list((custom_opsets or {}).items())
    options.parameters = export_params
    options.parameters_first = parameters_first
    options.keep_initializers_as_inputs = keep_initializers_as_inputs
    options.fold_constants = do_constant_folding
    options.static_shapes = static_shapes
    options.state_as_io = state_as_io
    options.unroll_loops = unroll_loops
    options.float64_as_float32 = float64_as_float32
    options.verbose = bool(verbose)
    options.metadata = getattr(_cameo.Metadata, metadata)
    options.disabled_rules = list(disabled_rules)
    options.stop_rules_after = -1 if optimize else 0
    options.check = check and removed.get("enable_onnx_checker", True)
    options.doc_strings = bool(verbose) if doc_strings is None else doc_strings
    if not removed.get("strip_doc_string", True):
        options.doc_strings = True
    if not removed.get("_retain_param_name", True):
        options.parameter_names = _cameo.ParameterNames.numbers
    always = removed.get("use_external_data_format", False)
    options.external_data = option.external_data("always" if always else external_data, f)

    options.target = target
    bar = Progress(progress)
    options.progress, options.writing = bar.begin, bar.write

    files = report_file.Files(artifacts_dir)
    rules = Applied(options.opset, target)
    model = rules.modules(model)
    request = Request(model, args, kwargs, f, options, dynamic_axes, dynamic_shapes, check_trace, dynamo,
                      fallback, verify, files.exported_program() if dump_exported_program else None)
    registry = converters.registry(options.opset, request.operators)
    options.rewrites = rules.native(registry, request.operators)
    options.converters = registry
    request.fix_numbers, request.tell_stage = fix_numbers, bar.begin
    if is_saved(model):
        from .program import export_saved as run
    else:
        from .program import export_model as run
    converters.raised.clear()
    try:
        with rules.functions():
            program = run(request)
    except Error as error:
        files.write(report, request, None, error.diagnostics)
        if converters.raised:
            raise error from converters.raised[0]
        raise
    finally:
        bar.end()
    adapted = program.report.warnings
    adapt(adapted)
    program.report.warnings = adapted
    files.write(report, request, program.report, program.report.warnings)
    tell(program.report, example_outputs=removed.get("example_outputs"), verbose=bool(verbose))
    return program
