"""The files that an export writes beside the model, if they are asked for."""

import datetime
import os
from typing import Any, List, Optional

from . import _cameo
from .request import Request


class Files:
    """Files of one export. Their names have its time."""

    def __init__(self, folder: Any) -> None:
        self._folder = os.fspath(folder)
        self._time = datetime.datetime.now().strftime("%Y-%m-%d_%H-%M-%S-%f")

    def exported_program(self) -> str:
        return self._path(".pt2")

    def write(self, wanted: Any, request: Request, report: Optional["_cameo.ExportReport"],
              diagnostics: List["_cameo.Diagnostic"]) -> None:
        """The report; ``wanted`` is True or its path. ``report`` is None for an export that failed."""
        if wanted is False or wanted is None:
            return
        path = self._path("_failure.md" if report is None else "_success.md") if wanted is True else os.fspath(wanted)
        _cameo.write_report(path, _model(request.model), _output(request.f), report, diagnostics)

    def _path(self, end: str) -> str:
        os.makedirs(self._folder, exist_ok=True)
        return os.path.join(self._folder, f"onnx_export_{self._time}{end}")


def _model(model: Any) -> str:
    return os.fspath(model) if isinstance(model, (str, os.PathLike)) else type(model).__name__


def _output(f: Any) -> str:
    return os.fspath(f) if isinstance(f, (str, os.PathLike)) else "ONNX model"
