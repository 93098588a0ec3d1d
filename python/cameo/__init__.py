"""PyTorch models to ONNX, and tools for ONNX models.

>>> import cameo, torch
>>> cameo.export(torch.nn.Linear(10, 2), torch.randn(32, 10), "linear.onnx")
>>> cameo.Session("linear.onnx").run(None, {"input": np.zeros((32, 10), np.float32)})
"""

from . import backend, linger
from ._cameo import Diagnostic, ExportReport, __version__
from .converters import converter
from .errors import Error, ExportWarning, InternalError, SessionError
from .export import export
from .flag import is_in_onnx_export
from .input import Input
from .marks import mark
from .onnx_program import ONNXProgram
from .rewriting import rewrites
from .session import Session
from .tools import cast, check, diff, extract, faults, infer, inspect, io, ops, printable_graph, quantize, simplify, split, stats
from .agreement import verify

__all__ = ["Diagnostic", "Error", "ExportReport", "ExportWarning", "Input", "InternalError", "ONNXProgram", "Session",
           "SessionError", "__version__", "backend", "cast", "check", "converter", "diff", "export", "extract", "faults", "infer",
           "inspect", "io", "is_in_onnx_export", "linger", "mark", "ops", "printable_graph", "quantize", "rewrites",
           "simplify", "split", "stats", "verify"]
