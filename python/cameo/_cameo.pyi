import types
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

__version__: str

codes: types.SimpleNamespace  # the text of each code: codes.baked_size == "baked-size"


class Severity:
    note: Severity
    warning: Severity
    error: Severity

class Stage:
    read: Stage
    trace: Stage
    evaluate: Stage
    convert: Stage
    check: Stage
    write: Stage
    run: Stage

class Position:
    file: str
    line: int
    column: int
    text: str
    function: str
    def __init__(self, *, file: str, line: int, text: str = ...) -> None: ...

class Diagnostic:
    severity: Severity
    stage: Stage
    code: str
    message: str
    file: str
    script: Optional[Position]
    python: List[Position]
    module_path: str
    notes: List[str]
    hint: str
    def __init__(self, *, severity: Severity, code: str, message: str, python: List[Position] = ...,
                 notes: List[str] = ..., hint: str = ...) -> None: ...

class ExternalData:
    automatic: ExternalData
    always: ExternalData
    never: ExternalData
    link: ExternalData

class TrainingMode:
    eval: TrainingMode
    preserve: TrainingMode
    training: TrainingMode

class OperatorExport:
    onnx: OperatorExport
    aten: OperatorExport
    aten_fallback: OperatorExport
    fallthrough: OperatorExport
    raw: OperatorExport

class ParameterNames:
    state_dict: ParameterNames
    numbers: ParameterNames

class QuantizedWeights:
    int8: QuantizedWeights
    qdq: QuantizedWeights

class Metadata:
    none: Metadata
    names: Metadata
    full: Metadata

class ExportOptions:
    inputs: List[str]
    method: str
    input_names: List[str]
    output_names: List[str]
    unroll_loops: int
    opset: int
    dynamic_axes: str
    state_as_io: bool
    static_shapes: bool
    training: TrainingMode
    operators: OperatorExport
    custom_opsets: List[Tuple[str, int]]
    converters: Optional[Registry]
    rewrites: Optional[Rewrites]
    target: str
    parameters: bool
    parameters_first: bool
    keep_initializers_as_inputs: Optional[bool]
    parameter_names: ParameterNames
    fold_constants: bool
    quantized_weights: QuantizedWeights
    float64_as_float32: bool
    disabled_rules: List[str]
    stop_rules_after: int
    external_data: ExternalData
    sync: bool
    check: bool
    doc_strings: bool
    metadata: Metadata
    verbose: bool
    progress: Optional[Callable[[str], None]]
    writing: Optional[Callable[[int, int], None]]

class ExportedValue:
    name: str
    type: str

class ExportReport:
    inputs: List[ExportedValue]
    outputs: List[ExportedValue]
    operators: List[Tuple[str, int]]
    nodes: int
    parameters: int
    bytes: int
    seconds: float
    opset: int
    rules: List[Tuple[str, int]]
    rewrites: List[RewriteUse]
    timings: List[Tuple[str, float]]
    warnings: List[Diagnostic]
    assumptions: List[str]
    changed_buffers: List[str]
    graph: str

class ModelBytes: ...

def write_report(path: str, model: str, output: str, report: Optional[ExportReport], all: List[Diagnostic]) -> None: ...

def export_file(model: str, output: str, options: ExportOptions) -> ExportReport: ...
def export_file_to_memory(model: str, options: ExportOptions) -> Tuple[ModelBytes, ExportReport]: ...
def export_archive(archive: Any, name: str, weights: List[Tuple[bytes, Any]], output: str,
                   options: ExportOptions) -> ExportReport: ...
def export_archive_to_memory(archive: Any, name: str, weights: List[Tuple[bytes, Any]],
                             options: ExportOptions) -> Tuple[ModelBytes, ExportReport]: ...

class Size:
    def __add__(self, other: Any) -> Size: ...
    def __sub__(self, other: Any) -> Size: ...
    def __mul__(self, other: Any) -> Size: ...
    def __floordiv__(self, other: Any) -> Size: ...

class Tensor:
    dtype: str
    shape: Optional[List[Any]]
    contents: Optional[np.ndarray]

class Conversion:
    name: str
    opset: int
    training: bool
    def arguments(self) -> List[Any]: ...
    def node(self, type: str, inputs: Sequence[Optional[Tensor]], attributes: List[tuple], outputs: int) -> List[Tensor]: ...
    def set_type(self, tensor: Tensor, dtype: str, shape: Optional[List[Any]]) -> None: ...
    def constant(self, array: np.ndarray) -> Tensor: ...
    def sizes(self, sizes: List[Any]) -> Tensor: ...
    def warn(self, message: str) -> None: ...

class Rewrites:
    def read(self, path: str) -> None: ...
    def parse(self, name: str, text: str) -> None: ...

class RewriteUse:
    rule: str
    file: str
    line: int
    places: List[str]

class Registry:
    def add(self, schema: str, function: Callable[[Conversion], List[Tensor]]) -> None: ...

ELEMENT_TYPES: List[Tuple[str, str, str]]  # name, ONNX's name, PyTorch's name

class Kind:
    tensor: Kind
    sequence: Kind
    other: Kind

class Dim:
    size: int
    name: str

class ValueInfo:
    name: str
    kind: Kind
    optional: bool
    type: str
    shape: Optional[List[Dim]]

class Session:
    inputs: List[ValueInfo]
    outputs: List[ValueInfo]
    runtime_version: str
    def __init__(self, model: Any, threads: int, optimization: int, log: int, library: str, fetch: List[str]) -> None: ...
    def run(self, feeds: dict, outputs: List[str]) -> List[Any]: ...

class PrintStyle:
    onnx: PrintStyle
    text: PrintStyle
    torch: PrintStyle
    torch_0_3: PrintStyle
    annotated: PrintStyle

class Prepared:
    def run(self, inputs: List[Any]) -> List[Any]: ...
    def run_all(self, inputs: List[Any]) -> Dict[str, Any]: ...
    def predict_net(self) -> bytes: ...

def supports_device(device: str) -> bool: ...
def prepare(path: str, device: str, library: str) -> Prepared: ...
class InferredValue:
    name: str
    type: str
    shape: Optional[List[str]]
    op: str
    graph: str

class QuantizedWeight:
    name: str
    node: str
    op: str
    shape: List[int]
    bytes_before: int
    bytes_after: int
    largest: float
    mean: float
    relative: float

class ValueRange:
    value: str
    least: float
    most: float

class QuantizedForm:
    dequantize: QuantizedForm
    matmulnbits: QuantizedForm

class CalibrationMethod:
    minmax: CalibrationMethod
    entropy: CalibrationMethod
    percentile: CalibrationMethod

class MultiplyAddTerm:
    factor: int
    sizes: List[str]

class UncountedOperator:
    op: str
    nodes: int
    why: str

class ModelStats:
    nodes: int
    operators: List[Tuple[str, int]]
    parameters: int
    bytes: int
    external_bytes: int
    weights: List[Tuple[str, int, int]]
    multiply_adds: List[MultiplyAddTerm]
    uncounted: List[UncountedOperator]

class DifferenceKind:
    removed: DifferenceKind
    added: DifferenceKind
    changed: DifferenceKind
    renamed: DifferenceKind
    name: str

class ModelDifference:
    kind: DifferenceKind
    what: str
    name: str
    detail: str
    where: str
    absolute: Optional[float]
    relative: Optional[float]

class Model:
    def __init__(self, model: Any) -> None: ...  # a path, or an object with the bytes
    def check(self, full: bool) -> List[Diagnostic]: ...
    def io(self) -> Tuple[List[ValueInfo], List[ValueInfo]]: ...
    def stats(self) -> ModelStats: ...
    def diff(self, other: Model, structure: bool) -> List[ModelDifference]: ...
    def print(self, style: PrintStyle) -> str: ...
    def extract(self, inputs: List[str], outputs: List[str], more: List[str], all: bool) -> Tuple[Model, List[Diagnostic]]: ...
    def infer(self, strict: bool) -> Tuple[Model, List[InferredValue], List[Diagnostic]]: ...
    def simplify(self, only: List[str], also: List[str], without: List[str],
                 input_shapes: List[Tuple[str, List[int]]],
                 rewrites: List[str]) -> Tuple[Model, List[Tuple[str, int, int]], List[str]]: ...
    def cast(self, dtype: str, keep_io: bool, keep: List[str]) -> Tuple[Model, List[Diagnostic]]: ...
    def quantize(self, weights: str, block: int, symmetric: Optional[bool], search: bool, form: QuantizedForm, smallest: int,
                 keep: List[str], opset: Optional[int], partial_blocks: bool, ranges: List[ValueRange]) -> Tuple[Model, List[QuantizedWeight]]: ...
    def split(self, folder: str, cuts: List[str], assign: List[Tuple[str, str]], parts: int,
              max_size: int) -> Tuple[List[str], List[Diagnostic]]: ...
    def save(self, path: str) -> None: ...
    def to_bytes(self) -> bytes: ...

def calibrate(path: str, data: str, method: CalibrationMethod, percentile: float) -> List[ValueRange]: ...
def linger_model(path: str, to: str, quantized_io: bool, functions: bool, scoped_names: bool) -> None: ...
def inspect(program: Any) -> Tuple[str, str]: ...  # JSON and text
def ops(names: List[str], onnx: bool, opset: Optional[int], dtype: str, arguments: List[str],
        explain: bool) -> Tuple[str, str]: ...  # JSON and text
def converts(name: str) -> bool: ...  # whether Cameo itself converts an operator of PyTorch
