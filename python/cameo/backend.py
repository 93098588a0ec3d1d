"""Running a model as the backends of ``onnx`` do.

>>> rep = cameo.backend.prepare("alexnet.onnx", device="CPU")
>>> rep.run(np.zeros((10, 3, 224, 224), np.float32))[0]
"""

from typing import Any, List, Sequence, Union

import numpy as np

from .session import Session


class Representation:
    """A model that is ready to run. Inputs go by their order."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def run(self, inputs: Union[np.ndarray, Sequence[Any]]) -> List[Any]:
        """One array, or a tuple of as many as the model has inputs."""
        given = list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]
        names = [value.name for value in self._session.get_inputs()]
        if len(given) != len(names):
            raise ValueError(f"the model has {len(names)} inputs ({', '.join(names)}), and {len(given)} are given")
        return self._session.run(None, dict(zip(names, given)))


def supports_device(device: str) -> bool:
    return device.partition(":")[0].upper() == "CPU"


def prepare(model: Any, device: str = "CPU") -> Representation:
    """Makes a model ready to run: a path, its bytes, or an ``onnx.ModelProto``."""
    if not supports_device(device):
        raise RuntimeError(f"the device '{device}' is not available: models run on the CPU")
    return Representation(Session(model.SerializeToString() if hasattr(model, "SerializeToString") else model))


def run_model(model: Any, inputs: Any, device: str = "CPU") -> List[Any]:
    """Prepares and runs at once."""
    return prepare(model, device).run(inputs)
