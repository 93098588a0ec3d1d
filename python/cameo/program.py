"""From a model to the engine, and from there to where it is to be written."""

import os
from typing import Any, Callable, List, Optional

from . import _cameo
from .errors import Error
from .models import source
from .onnx_program import ONNXProgram, temporary_file
from .request import Request


def export_saved(request: Request) -> ONNXProgram:
    """A saved program: PyTorch is needed only to look at tensors in ``args``, and to verify."""
    given, options = source(request.model), request.options
    if request.has_arguments or request.dynamic_shapes:
        from . import saved

        saved.set_inputs(request)
    if isinstance(given, str):
        return _write(request, lambda output: _cameo.export_file(given, output, options),
                      lambda: _cameo.export_file_to_memory(given, options), _verify_saved)
    archive = (given, "model", [])
    return _write(request, lambda output: _cameo.export_archive(*archive, output, options),
                  lambda: _cameo.export_archive_to_memory(*archive, options), _verify_saved)


def _verify_saved(request: Request, model: Any) -> None:
    from . import saved
    from .compare import verify

    verify(model, saved.example(request))


def export_model(request: Request) -> ONNXProgram:
    from .archive import archive_of
    from .size_check import departures
    from .source import trim
    from .compare import verify

    request.tell_stage("capturing the model")
    with archive_of(request) as archive:
        options = request.options
        given = (archive.data, archive.name, archive.borrowed)
        written = []
        try:
            program = _write(request, lambda output: _cameo.export_archive(*given, output, options),
                             lambda: _cameo.export_archive_to_memory(*given, options),
                             lambda request, model: verify(model, archive.example), written)
        except Error as error:
            trim(error.diagnostics)
            raise Error("".join(map(str, error.diagnostics)), error.diagnostics) from None
        warnings = program.report.warnings
        trim(warnings)
        departed = departures(archive, written[0], program.report)
        program.report.warnings = [*archive.diagnostics, *departed,
                                   *(warning for warning in warnings if not archive.knows(warning))]
        program.exported_program = archive.exported_program
        return program


def _write(request: Request, to_file: Callable, to_memory: Callable, verify: Callable,
           written: Optional[List[Any]] = None) -> ONNXProgram:
    """``written`` gets the path of the model, or its bytes."""
    f, options = request.f, request.options
    if f is None or isinstance(f, (str, os.PathLike)):
        program = ONNXProgram(None, None)
        options.sync = f is not None
        program.path = temporary_file(program) if f is None else os.fspath(f)
        program.report = to_file(program.path)
        model: Any = program.path
    else:
        if options.external_data in (_cameo.ExternalData.always, _cameo.ExternalData.link):
            raise ValueError("external data stands in a file beside the model, so 'f' must be a path")
        data, report = to_memory()
        program, model = ONNXProgram(report, None), memoryview(data)
        if hasattr(f, "write"):
            f.write(model)
        else:
            with open(f.fileno(), "wb", closefd=False) as file:
                file.write(model)
    if written is not None:
        written.append(model)
    if request.verify:
        verify(request, model)
    return program
