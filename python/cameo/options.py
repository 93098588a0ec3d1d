"""The parameters of an export as the engine takes them."""

import json
import os
import warnings
from typing import Any, Mapping, Optional

from . import _cameo

_OPERATORS = {"ONNX": "onnx", "ONNX_ATEN": "aten", "ONNX_ATEN_FALLBACK": "aten_fallback", "RAW": "raw",
              "ONNX_FALLTHROUGH": "fallthrough"}
_TRAINING = {"EVAL": "eval", "PRESERVE": "preserve", "TRAINING": "training"}
_EXTERNAL = {"auto": "automatic", "always": "always", "never": "never", "link": "link"}


def _word(value: Any) -> str:
    """The name of a member of one of torch.onnx's enumerations, or of a text."""
    return str(getattr(value, "name", value)).upper()


def training_mode(value: Any) -> "_cameo.TrainingMode":
    """``torch.onnx.TrainingMode``; a bool, as PyTorch 0.3 had it; None for the model's own mode."""
    if value is None:
        return _cameo.TrainingMode.preserve
    if isinstance(value, bool):
        return _cameo.TrainingMode.training if value else _cameo.TrainingMode.eval
    if _word(value) not in _TRAINING:
        raise TypeError(f"'mode' should be a torch.onnx.TrainingMode enum, but got '{type(value)}'.")
    return getattr(_cameo.TrainingMode, _TRAINING[_word(value)])


def operator_export(value: Any, aten: bool, raw: bool) -> "_cameo.OperatorExport":
    if aten or raw:
        if aten and raw or value is not None:
            raise ValueError("aten, export_raw_ir and operator_export_type exclude one another")
        return _cameo.OperatorExport.aten if aten else _cameo.OperatorExport.raw
    if value is None:
        return _cameo.OperatorExport.onnx
    if _word(value) not in _OPERATORS:
        raise TypeError(f"operator_export_type should be a torch.onnx.OperatorExportTypes, but got '{value}'")
    return getattr(_cameo.OperatorExport, _OPERATORS[_word(value)])


def external_data(value: Any, f: Any) -> "_cameo.ExternalData":
    """One of our words, or a bool as PyTorch 2 has it: True for a file beside the model, if that has a path."""
    if value is True:
        value = "always" if f is None or isinstance(f, (str, os.PathLike)) else "auto"
    elif value is False:
        value = "auto"
    if value not in _EXTERNAL:
        raise ValueError(f"external_data is True, False, or one of {', '.join(_EXTERNAL)}, not {value!r}")
    return getattr(_cameo.ExternalData, _EXTERNAL[value])


def opset(value: Optional[int]) -> int:
    default = _cameo.ExportOptions().opset
    return default if value is None else value


def axes(value: Optional[Mapping[str, Any]]) -> str:
    """``dynamic_axes`` as text."""
    if not value:
        return ""
    for key, item in value.items():
        indices = list(item)
        if not all(isinstance(index, int) for index in indices):
            raise ValueError("The type of axis index is expected to be an integer")
    return json.dumps({key: dict(item) if isinstance(item, Mapping) else list(item) for key, item in value.items()})


def refuse(modules_as_functions: Any, translations: Any) -> None:
    """Parameters of torch.onnx.export that are not supported."""
    if modules_as_functions:
        raise NotImplementedError("export_modules_as_functions is not supported: modules are inlined")
    if translations:
        raise NotImplementedError("custom_translation_table holds functions of ONNX Script, which are not supported: register "
                                  "a conversion with cameo.converter")


_REPLACED = {
    "aten": "say operator_export_type=OperatorExportTypes.ONNX_ATEN",
    "export_raw_ir": "say operator_export_type='RAW'",
    "_retain_param_name": "parameters are named after the state dict",
    "example_outputs": "outputs are inferred",
    "strip_doc_string": "say doc_strings=True to keep them",
    "enable_onnx_checker": "say check=False to leave it out",
    "use_external_data_format": "say external_data='always'",
}


def warn_of_removed(given: Mapping[str, Any]) -> None:
    """Tells of parameters that torch.onnx.export no longer has. They still mean what they meant."""
    for name in given:
        warnings.warn(f"'{name}' is deprecated: {_REPLACED[name]}", DeprecationWarning, stacklevel=4)
