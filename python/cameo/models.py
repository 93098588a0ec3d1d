"""Models and programs as users have them: paths, bytes, files in memory, messages of ``onnx``."""

import os
from typing import Any, BinaryIO, Union

from . import _cameo

Bytes = Union[bytes, bytearray, memoryview]
Program = Union[str, os.PathLike, Bytes, BinaryIO]
# Also an ``onnx.ModelProto`` and a :class:`cameo.ONNXProgram`.
Model = Any
Target = Union[str, os.PathLike, BinaryIO]


def source(given: Model) -> Union[str, Bytes]:
    """The path of a model or a program, or its bytes."""
    if isinstance(given, (bytes, bytearray, memoryview)):
        return given
    if isinstance(given, (str, os.PathLike)):
        return os.fsdecode(given)
    if hasattr(given, "SerializeToString"):
        return given.SerializeToString()
    if hasattr(given, "getvalue"):
        return given.getvalue()
    if hasattr(given, "model_source"):
        return given.model_source()
    if hasattr(given, "read"):
        return given.read()
    raise TypeError("a model is a path, bytes, a file that is open for reading, an onnx.ModelProto or a cameo.ONNXProgram, "
                    f"not {type(given).__name__}")


def opened(given: Model) -> "_cameo.Model":
    return _cameo.Model(source(given))


def save(model: "_cameo.Model", to: Target) -> None:
    """Writes a model to a path, or to a file that is open for writing."""
    if hasattr(to, "write"):
        to.write(model.to_bytes())
    else:
        model.save(os.fsdecode(to))


def is_saved(given: Any) -> bool:
    """Whether this is a saved program, and not a model of PyTorch."""
    return isinstance(given, (str, os.PathLike, bytes, bytearray, memoryview)) or hasattr(given, "read")
