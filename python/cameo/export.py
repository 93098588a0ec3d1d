"""``cameo.export``: the face of ``torch.onnx.export``, and what it takes to be it."""

import os
from typing import Any, Mapping, Optional, Sequence

from . import _cameo, converters, options as option
from .tell import tell

_UNSET: Any = object()


def export(model: Any, args: Any = None, f: Any = None, export_params: bool = True, verbose: bool = False,
           training: Any = False, input_names: Optional[Sequence[str]] = None,
           output_names: Optional[Sequence[str]] = None, operator_export_type: Any = None,
           opset_version: Optional[int] = None, do_constant_folding: bool = True,
           dynamic_axes: Optional[Mapping[str, Any]] = None, keep_initializers_as_inputs: Optional[bool] = None,
           custom_opsets: Optional[Mapping[str, int]] = None, export_modules_as_functions: Any = False, *,
           check_trace: Optional[bool] = None, static_shapes: bool = False, unroll_loops: int = 0,
           external_data: str = "auto", doc_strings: Optional[bool] = None, check: bool = True,
           parameters_first: bool = False, metadata: str = "names", disabled_rules: Sequence[str] = (),
           aten: bool = _UNSET, export_raw_ir: bool = _UNSET, _retain_param_name: bool = _UNSET,
           example_outputs: Any = _UNSET, strip_doc_string: bool = _UNSET, enable_onnx_checker: bool = _UNSET,
           use_external_data_format: bool = _UNSET) -> "_cameo.ExportReport":
    """Exports a model to ONNX. Takes what ``torch.onnx.export`` takes, and returns a report.

    >>> model = torchvision.models.resnet18()
    >>> report = cameo.export(model, torch.randn(1, 3, 224, 224), "resnet18.onnx", input_names=["image"],
    ...                       dynamic_axes={"image": {0: "batch"}})
    >>> report.outputs
    [output: f32[batch, 1000]]

    model
        An ``nn.Module`` (or a function), which is run once to see what it does; a ``ScriptModule`` or
        ``ScriptFunction``, which is not run; or the path of a saved program, for which no PyTorch is needed.
    args
        A tensor; a tuple of arguments; one that ends in a dict of keyword arguments. Tensors, also those within
        tuples, lists and dicts, become inputs of the exported model; everything else is fixed. For a saved program
        or a script, a :class:`cameo.Input` says in place of a tensor which sizes are dynamic, and their ranges.
    f
        A path, or anything that bytes can be written to.
    training
        ``torch.onnx.TrainingMode``, or a bool. The model's own mode is as before afterwards.
    check_trace
        Runs the model once more with other sizes along the dynamic axes, and warns of numbers that the run baked in.
        By default where there are dynamic axes.
    static_shapes, unroll_loops, external_data, doc_strings, check, parameters_first, metadata, disabled_rules
        As the options of ``cameo export`` are: docs/export.md.

    The parameters that ``torch.onnx.export`` had until 1.10 still mean what they meant. Raises :class:`cameo.Error`
    with everything that cannot be converted; what was in ``f`` then stays. Warnings are Python's, and are in the
    report too.
    """
    removed = {name: value for name, value in [
        ("aten", aten), ("export_raw_ir", export_raw_ir), ("_retain_param_name", _retain_param_name),
        ("example_outputs", example_outputs), ("strip_doc_string", strip_doc_string),
        ("enable_onnx_checker", enable_onnx_checker), ("use_external_data_format", use_external_data_format),
    ] if value is not _UNSET}
    option.warn_of_removed(removed)
    if export_modules_as_functions:
        raise NotImplementedError("export_modules_as_functions is not supported: modules are inlined")

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
    options.unroll_loops = unroll_loops
    options.verbose = verbose
    options.metadata = getattr(_cameo.Metadata, metadata)
    options.disabled_rules = list(disabled_rules)
    options.check = check and removed.get("enable_onnx_checker", True)
    options.doc_strings = verbose if doc_strings is None else doc_strings
    if not removed.get("strip_doc_string", True):
        options.doc_strings = True
    if not removed.get("_retain_param_name", True):
        options.parameter_names = _cameo.ParameterNames.numbers
    always = removed.get("use_external_data_format", False)
    options.external_data = option.external_data("always" if always else external_data)

    options.converters = converters.registry(options.opset)
    if isinstance(model, (str, os.PathLike)):
        from .program import export_saved as run
    else:
        from .program import export_model as run
    report = run(model, args, f, options, dynamic_axes, check_trace)
    tell(report, example_outputs=removed.get("example_outputs"), verbose=verbose)
    return report
