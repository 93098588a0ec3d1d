"""What an export has to say, in Python's ways."""

import os
import sys
import warnings
from typing import Any, Optional

from . import _cameo
from .errors import ExportWarning

_PACKAGE = os.path.dirname(__file__)


def tell(report: "_cameo.ExportReport", example_outputs: Any, verbose: bool) -> None:
    for diagnostic in report.warnings:
        if diagnostic.severity == _cameo.Severity.warning:
            warn(diagnostic)
    if example_outputs is not None:
        _compare(report, example_outputs)
    if verbose:
        print(report.graph)


def warn(diagnostic: "_cameo.Diagnostic") -> None:
    """A warning at the user's line, where that is known, or at the call of the export."""
    text = diagnostic.message + (f"\n  hint: {diagnostic.hint}" if diagnostic.hint else "")
    for place in diagnostic.python:
        if place.file and place.line > 0:
            warnings.warn_explicit(text, ExportWarning, place.file, place.line)
            return
    warnings.warn(text, ExportWarning, stacklevel=depth())


def depth() -> int:
    """How far up the caller of this package stands, for ``stacklevel``."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _PACKAGE:
        depth, frame = depth + 1, frame.f_back
    return depth


def _compare(report: "_cameo.ExportReport", example_outputs: Any) -> None:
    from .outputs import flatten

    for output, example in zip(report.outputs, flatten(example_outputs)):
        shape: Optional[list] = [part.strip() for part in output.type.partition("[")[2].rstrip("]").split(",") if part]
        sizes = [str(size) for size in example.shape]
        if len(shape) != len(sizes) or any(a.isdigit() and a != b for a, b in zip(shape, sizes)):
            warnings.warn(f"example_outputs shape [{', '.join(sizes)}] differs from inferred [{', '.join(shape)}] of "
                          f"output '{output.name}'", ExportWarning, stacklevel=depth())
