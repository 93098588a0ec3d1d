"""From a model to the engine, and from there to where it is to be written."""

import os
from typing import Any, Callable, Optional

from . import _cameo
from .errors import Error


def export_saved(path: Any, args: Any, f: Any, options: Any, dynamic_axes: Any, check_trace: Optional[bool]) -> Any:
    """A saved program: PyTorch is needed only to look at tensors in ``args``."""
    path = os.fspath(path)
    if args is not None:
        from . import arguments, spec

        options.inputs = spec.specs(arguments.split(args))
    return _write(f, options, lambda output: _cameo.export_file(path, output, options),
                  lambda: _cameo.export_file_to_memory(path, options))


def export_model(model: Any, args: Any, f: Any, options: Any, dynamic_axes: Any, check_trace: Optional[bool]) -> Any:
    from . import source
    from .archive import archive_of

    with archive_of(model, args, options, dynamic_axes, check_trace) as archive:
        given = (archive.data, archive.name, archive.borrowed)
        try:
            report = _write(f, options, lambda output: _cameo.export_archive(*given, output, options),
                            lambda: _cameo.export_archive_to_memory(*given, options))
        except Error as error:
            source.trim(error.diagnostics)
            raise Error("".join(map(str, error.diagnostics)), error.diagnostics) from None
        warnings = report.warnings
        source.trim(warnings)
        report.warnings = archive.diagnostics + [warning for warning in warnings if not archive.knows(warning)]
        return report


def _write(f: Any, options: Any, to_file: Callable, to_memory: Callable) -> Any:
    if f is None:
        raise TypeError("export() needs 'f': a path, or a file to write to")
    if isinstance(f, (str, os.PathLike)):
        return to_file(os.fspath(f))
    if options.external_data in (_cameo.ExternalData.always, _cameo.ExternalData.link):
        raise ValueError("external data stands in a file beside the model, so 'f' must be a path")
    model, report = to_memory()
    if hasattr(f, "write"):
        f.write(memoryview(model))
    else:
        with open(f.fileno(), "wb", closefd=False) as file:
            file.write(memoryview(model))
    return report
