"""Runs ONNX models on ONNX Runtime, with the habits of its own Python package."""

import importlib.util
import os
import pathlib
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _cameo
from .models import Model, source
from .reports import sizes_of

_TYPES = {name: onnx.lower() for name, onnx, _ in _cameo.ELEMENT_TYPES}


class NodeArg(NamedTuple):
    """An input or output: ``name``, ``type`` as "tensor(float)", ``shape`` as [1, "batch", None]."""

    name: str
    type: str
    shape: Optional[List[Union[int, str, None]]]


class Session:
    """A model, ready to run.

    >>> session = cameo.Session("model.onnx")
    >>> session.get_inputs()[0].name
    'x'
    >>> y, = session.run(None, {"x": np.zeros((1, 3, 224, 224), np.float32)})

    ``model`` is a path, bytes, a file that is open for reading, an ``onnx.ModelProto`` or a ``cameo.ONNXProgram``. ``fetch`` names values inside the model that become outputs too,
    after its own. ``library`` is the path of ONNX Runtime's shared library, where it is not found by itself.
    """

    def __init__(self, model: Model, *, threads: int = 0, optimization: int = 99, log: int = 4,
                 library: str = "", fetch: Sequence[str] = ()) -> None:
        self._session = _cameo.Session(source(model), threads, optimization, log, library or find_library(), list(fetch))

    def get_inputs(self) -> List[NodeArg]:
        return [_node_arg(info) for info in self._session.inputs]

    def get_outputs(self) -> List[NodeArg]:
        return [_node_arg(info) for info in self._session.outputs]

    @property
    def runtime_version(self) -> str:
        """Of ONNX Runtime: "1.30.0"."""
        return self._session.runtime_version

    def run(self, output_names: Optional[Sequence[str]], input_feed: Dict[str, Any]) -> List[Any]:
        """The outputs that are named, in that order; all of them for None.

        Inputs are NumPy arrays, tensors or numbers, lists of them for sequences, None for an optional one.
        """
        missing = [info.name for info in self._session.inputs if info.name not in input_feed and not info.optional]
        if missing:
            raise ValueError(f"Required inputs ({missing}) are missing from input feed ({list(input_feed)}).")
        sequences = {info.name for info in self._session.inputs if info.kind == _cameo.Kind.sequence}
        feeds = {name: _datum(value, name in sequences) for name, value in input_feed.items()}
        return self._session.run(feeds, list(output_names or []))


def _datum(value: Any, sequence: bool) -> Any:
    if value is None:
        return None
    return [np.asarray(item) for item in value] if sequence else np.asarray(value)


def _node_arg(info: Any) -> NodeArg:
    kind = f"tensor({_TYPES.get(info.type, info.type)})"
    if info.kind == _cameo.Kind.sequence:
        kind = f"seq({kind})"
    if info.optional:
        kind = f"optional({kind})"
    return NodeArg(info.name, kind, sizes_of(info))


def find_library() -> str:
    """ONNX Runtime as this source tree keeps it, if the package is used from there, or as pip has installed it for this
    Python; empty otherwise."""
    if "CAMEO_ONNXRUNTIME" in os.environ:
        return ""
    for folder in pathlib.Path(__file__).parents[:6]:
        library = folder / ".cache" / "onnxruntime" / "libonnxruntime.so.1"
        if library.exists():
            return str(library)
    package = importlib.util.find_spec("onnxruntime")
    for place in (package.submodule_search_locations or []) if package else []:
        for library in sorted(pathlib.Path(place, "capi").glob("libonnxruntime.so*"), reverse=True):
            return str(library)
    return ""
