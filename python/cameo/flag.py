"""Is an export under way?"""

import contextlib
from typing import Iterator

from . import versions

_exporting = False


def is_in_onnx_export() -> bool:
    """True while :func:`cameo.export` runs the model, and only then.

    >>> def forward(self, x):
    ...     x = self.conv(x)
    ...     return x.clip(0, 1) if cameo.is_in_onnx_export() else x
    """
    return _exporting


@contextlib.contextmanager
def exporting(opset: int, training: bool) -> Iterator[None]:
    """Sets the flag here and in ``torch.onnx``, and what symbolic functions ask ``torch.onnx`` for."""
    global _exporting
    if _exporting:
        raise RuntimeError("an export is under way already: cameo.export cannot be called from within a model")
    settings = versions.onnx_settings()
    before = (settings.in_onnx_export, settings._export_onnx_opset_version, settings.export_training)
    _exporting = settings.in_onnx_export = True
    settings._export_onnx_opset_version = opset
    settings.export_training = training
    try:
        yield
    finally:
        _exporting = False
        settings.in_onnx_export, settings._export_onnx_opset_version, settings.export_training = before
