"""The result of an export: the model and the report."""

import os
import shutil
import sys
import tempfile
import weakref
from typing import Any, Iterable, List, Optional, Tuple

from . import _cameo
from .models import opened, save
from .session import Session
from .table import Report, Table


class ONNXProgram(Report):
    """An exported model. It has all that :class:`cameo.ExportReport` has, and can be called and saved.

    >>> program = cameo.export(model, x)
    >>> program.outputs
    [output: f32[batch, 1000]]
    >>> scores, = program(x)
    >>> program.save("model.onnx")

    print() shows the report as tables. ``report`` is the report, ``path`` the file of the model, None if it was written to a file object.
    ``exported_program`` is what ``torch.export`` made of the model, None if it was not asked.
    """

    def __init__(self, report: "_cameo.ExportReport", path: Optional[str], exported_program: Any = None) -> None:
        self.report = report
        self.path = path
        self.exported_program = exported_program
        self._session: Optional[Session] = None

    def __getattr__(self, name: str) -> Any:
        if name == "report":
            raise AttributeError(name)
        return getattr(self.report, name)

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *dir(self.report)})

    def __repr__(self) -> str:
        return f"<ONNXProgram {self.report.inputs} -> {self.report.outputs}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Tuple[Any, ...]:
        """Runs the model on ONNX Runtime. Inputs are tensors or arrays in their order, as they stand in the arguments of
        the model; the rest go by name. The results are tensors if an input is one."""
        session = self._session = self._session or Session(self._file())
        names = [info.name for info in session.get_inputs()]
        feeds = {name: value for name, value in kwargs.items() if name in names}
        ordered = _values((args, {name: value for name, value in kwargs.items() if name not in names}))
        feeds.update(zip([name for name in names if name not in feeds], ordered))
        results = session.run(None, {name: _array(value) for name, value in feeds.items()})
        torch = sys.modules.get("torch")
        if torch is None or not any(isinstance(value, torch.Tensor) for value in feeds.values()):
            return tuple(results)
        return tuple(torch.from_numpy(result) for result in results)

    @property
    def model_proto(self) -> Any:
        """The model as an ``onnx.ModelProto``. Needs the package ``onnx``."""
        import onnx

        return onnx.load(self._file())

    def save(self, destination: Any, *, include_initializers: bool = True, keep_initializers_as_inputs: bool = False,
             external_data: Optional[bool] = None) -> None:
        """Writes the model to a path, or to a file that is open for writing. ``external_data`` moves the weights into a file beside it, or into the model; by
        default they stay as the export wrote them."""
        if not include_initializers or keep_initializers_as_inputs:
            raise NotImplementedError("a model that is exported keeps its parameters: export it again with "
                                      "export_params=False or keep_initializers_as_inputs=True")
        if external_data is None:
            save(opened(self), destination)
            return
        import onnx

        with tempfile.TemporaryDirectory(prefix="cameo-") as folder:
            copy = os.path.join(folder, "model.onnx")
            onnx.save_model(self.model_proto, copy, save_as_external_data=external_data, location="data",
                            size_threshold=0)
            save(opened(copy), destination)

    def release(self) -> None:
        """Ends the session that calls have opened."""
        self._session = None

    def model_source(self) -> str:
        """The path of the model, for all functions that take a model."""
        return self._file()

    def tables(self) -> Iterable[Table]:
        report = self.report
        yield Table(f"ONNX model, opset {report.opset}", (), [
            ("file", self.path), ("bytes", report.bytes), ("parameters", report.parameters), ("nodes", report.nodes),
            ("seconds", report.seconds)])
        for title, values in (("Inputs", report.inputs), ("Outputs", report.outputs)):
            yield Table(title, ("name", "type"), [(value.name, value.type) for value in values])
        yield Table("Operators", ("operator", "nodes"), report.operators)
        if report.warnings:
            yield Table("Warnings", ("code", "message"), [(each.code, each.message) for each in report.warnings])

    def _file(self) -> str:
        if self.path is None:
            raise ValueError("the model was written to a file object: leave out 'f', or give a path, to call it or save it")
        return self.path


def temporary_file(owner: Any) -> str:
    """The path of a model that is removed with its owner."""
    folder = tempfile.mkdtemp(prefix="cameo-")
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    return os.path.join(folder, "model.onnx")


def _values(value: Any) -> List[Any]:
    if isinstance(value, dict):
        return [item for part in value.values() for item in _values(part)]
    if isinstance(value, (tuple, list)):
        return [item for part in value for item in _values(part)]
    return [] if value is None else [value]


def _array(value: Any) -> Any:
    return value.detach().cpu().numpy() if hasattr(value, "detach") else value
