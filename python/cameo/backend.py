"""Running a model as the backends of ``onnx`` do.

>>> rep = cameo.backend.prepare("alexnet.onnx", device="CPU")
>>> rep.run(np.zeros((10, 3, 224, 224), np.float32))[0]
"""

import tempfile
from typing import Any, Dict, List, Sequence, Union

import numpy as np

from . import _cameo
from .models import source
from .session import find_library


class Representation:
    """A model that is ready to run. Inputs go by their order."""

    def __init__(self, prepared: "_cameo.Prepared", file: Any = None) -> None:
        self._prepared = prepared
        self._file = file  # is read again for what is inside
        self._inputs: List[Any] = []

    def run(self, inputs: Union[np.ndarray, Sequence[Any]]) -> List[Any]:
        """One array, or a tuple of as many as the model has inputs."""
        given = inputs if isinstance(inputs, (tuple, list)) else [inputs]
        self._inputs = [np.asarray(value) for value in given]
        return self._prepared.run(self._inputs)

    @property
    def workspace(self) -> Dict[str, Any]:
        """Every value of the last run by its name: inputs, initialisers, and what each node made."""
        return self._prepared.run_all(self._inputs)

    @property
    def predict_net(self) -> bytes:
        """The model that is run, as ONNX: what ONNX Runtime made of it."""
        return self._prepared.predict_net()


def supports_device(device: str) -> bool:
    return _cameo.supports_device(device)


def prepare(model: Any, device: str = "CPU") -> Representation:
    """Makes a model ready to run. It is given as to :class:`cameo.Session`."""
    given = source(model)
    if isinstance(given, str):
        return Representation(_cameo.prepare(given, device, find_library()))
    file = tempfile.NamedTemporaryFile(suffix=".onnx")
    file.write(given)
    file.flush()
    return Representation(_cameo.prepare(file.name, device, find_library()), file)


def run_model(model: Any, inputs: Any, device: str = "CPU") -> List[Any]:
    """Prepares and runs at once."""
    return prepare(model, device).run(inputs)
