"""Messages of the engine name the options of the command; in Python these are parameters."""

import re
from typing import Iterable

from . import _cameo

# An option ends where its name does: --keep is not the start of --keep-io.
_PARAMETERS = [(re.compile(pattern + r"(?![\w-])"), parameter) for pattern, parameter in [
    (r"cameo export \S+ --input '(\w+)=([^']*)'", r"args = cameo.Input('\2')"),
    (r"--input '(\w+)=([^']*)'", r"cameo.Input('\2')"),
    (r"--input auto", r"args='auto'"),
    (r"--input", "args"),
    (r"--dynamic-axes", "dynamic_axes"),
    (r"--static", "static_shapes=True"),
    (r"--opset (\d+)", r"opset_version=\1"),
    (r"--training (\w+)", r"training='\1'"),
    (r"--float64-as-float32", "float64_as_float32=True"),
    (r"--state-as-io", "state_as_io=True"),
    (r"--param-order", "parameters_first"),
    (r"--no-params", "export_params=False"),
    (r"--no-check", "check=False"),
    (r"--external-data (\w+)", r"external_data='\1'"),
    (r"--weights (\w+)", r"weights='\1'"),
    (r"--keep", "keep"),
    (r"--from", "inputs"),
    (r"write a converter for it and load it with --plugin", "register a converter for it with cameo.converter"),
    (r"--operator-export-type (\w+)", r"operator_export_type='\1'"),
]]


def in_python(text: str) -> str:
    for pattern, parameter in _PARAMETERS:
        text = pattern.sub(parameter, text)
    return text


def adapt(diagnostics: Iterable["_cameo.Diagnostic"]) -> None:
    for diagnostic in diagnostics:
        diagnostic.message, diagnostic.hint = in_python(diagnostic.message), in_python(diagnostic.hint)
