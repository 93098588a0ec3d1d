"""What goes wrong, as exceptions."""

from typing import Iterable, List


class Error(RuntimeError):
    """The model, the arguments or the environment are at fault.

    ``diagnostics`` holds everything that was found, each with its code, its places and a hint.
    """

    def __init__(self, message: str, diagnostics: Iterable = ()):
        super().__init__(message.rstrip("\n"))
        self.diagnostics: List = list(diagnostics)


class InternalError(RuntimeError):
    """Cameo itself is at fault."""


class ExportWarning(UserWarning):
    """What an export has to say that is no error."""


class SessionError(Error):
    """ONNX Runtime refused; the message is its own, ``code`` its number."""

    code = 1


def engine_error(diagnostics: List) -> Error:
    """The exception for an error of the engine."""
    from .wording import adapt

    adapt(diagnostics)
    return Error("".join(map(str, diagnostics)), diagnostics)


_NAMES = {1: "Fail", 2: "InvalidArgument", 3: "NoSuchFile", 4: "NoModel", 5: "EngineError", 6: "RuntimeException",
          7: "InvalidProtobuf", 8: "ModelLoaded", 9: "NotImplemented", 10: "InvalidGraph", 11: "EPFail"}
_CLASSES = {code: type(name, (SessionError,), {"code": code, "__module__": __name__}) for code, name in _NAMES.items()}
InvalidArgument = _CLASSES[2]
NoSuchFile = _CLASSES[3]
InvalidGraph = _CLASSES[10]


def session_error(code: int, message: str, diagnostics: Iterable) -> SessionError:
    """The exception for one of ONNX Runtime's codes, named as its own Python package names it."""
    return _CLASSES.get(code, SessionError)(message, diagnostics)
