"""Export of models that linger has quantised: as ``linger.onnx.export`` does it, without the package ``onnx``."""

import os
import shutil
import tempfile
import warnings
from typing import Any, Iterator, Mapping

from . import _cameo
from .errors import Error
from .onnx_program import ONNXProgram

_PREPARE = "_linger_prepare_onnx_export"


def export(model: Any, args: Any, f: Any, *more: Any, is_update_dequant: bool = True, is_input_quant: bool = False,
           is_scoped_info: bool = False, debug_dump: bool = False, quantized_io: bool = False, functions: bool = False,
           **kwargs: Any) -> ONNXProgram:
    """Exports a model of linger 1 (after ``linger.init``) or linger 3 (after ``linger.init`` and calibration).

    >>> cameo.linger.export(model, torch.randn(1, 3, 32, 32), "model.onnx", opset_version=12, input_names=["input"])

    Takes what :func:`cameo.export` takes, and the parameters of linger 1: ``is_input_quant`` leaves quantised inputs and
    outputs integers, as ``quantized_io`` does; ``is_scoped_info`` puts the path of the module before the name of each
    node; ``functions`` adds functions with which ONNX Runtime runs the model; ``debug_dump`` writes the model before and after the quantisation to the current folder. The weights of the
    result are integers, with the scales that its nodes state, and Dequant nodes stand where operators need floats.
    """
    from .export import export as export_raw

    if not is_update_dequant:
        raise NotImplementedError("is_update_dequant=False is not supported: call cameo.export")
    if isinstance(args, tuple):
        args = tuple(_tensor(arg) for arg in args)
    _prepare(model, args)
    kwargs.setdefault("keep_initializers_as_inputs", False)
    if not more:
        kwargs.setdefault("opset_version", 12)
    with tempfile.TemporaryDirectory(prefix="cameo-") as folder:
        raw, made = os.path.join(folder, "raw.onnx"), os.path.join(folder, "model.onnx")
        with warnings.catch_warnings():
            # Operators of linger have types of their own afterwards.
            warnings.filterwarnings("ignore", r"(?s).*the type of the result of (linger|thinker)::")
            program = export_raw(model, args, raw, *more, **kwargs)
        to_path = isinstance(f, (str, os.PathLike))
        target = os.fspath(f) if to_path else made
        _quantize(raw, target, is_input_quant or quantized_io, functions, is_scoped_info)
        if debug_dump:
            shutil.copyfile(raw, "debug_onnx_torch_export.onnx")
            shutil.copyfile(target, "debug_onnx_update_dequant.onnx")
        if not to_path:
            with open(target, "rb") as file:
                f.write(file.read())
    program.path = target if to_path else None
    return program


def _quantize(raw: str, target: str, *options: bool) -> None:
    """A model without operators of linger stays as it is."""
    try:
        _cameo.linger_model(raw, target, *options)
    except Error as error:
        if [fault.code for fault in error.diagnostics] != ["nothing-to-quantize"]:
            raise
        _cameo.Model(raw).save(target)


def _tensor(arg: Any) -> Any:
    import torch

    return torch.tensor(arg) if isinstance(arg, float) else arg


def _prepare(model: Any, args: Any) -> None:
    """Runs the model twice: modules add what they make at their first call, and then fold what they store."""
    import torch

    before = set(model.state_dict())
    training = model.training
    model.eval()
    try:
        _run(model, args)
    finally:
        model.train(training)
    added = sorted(set(model.state_dict()) - before)
    if added:
        print(f"the first run of the model added to its state: {', '.join(added)}")
    for module in _modules(model):
        setattr(module, _PREPARE, True)
    try:
        with torch.no_grad():
            _run(model, args)
    finally:
        for module in _modules(model):
            setattr(module, _PREPARE, False)


def _modules(model: Any) -> Iterator[Any]:
    return model.modules() if hasattr(model, "modules") else iter(())


def _run(model: Any, args: Any) -> None:
    import torch

    with torch.no_grad():
        if isinstance(args, Mapping):
            model(**args)
        elif isinstance(args, (tuple, list)):
            model(*args)
        else:
            model(args)
