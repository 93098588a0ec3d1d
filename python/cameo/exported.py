"""An ``ExportedProgram`` as a ``.pt2`` archive in memory. The weights stay where they are."""

import contextlib
import dataclasses
import inspect
import io
import json
import re
import zipfile
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import torch
from torch._export.serde import serialize as serde

from . import weights
from .dynamic import Axis
from .shapes import Axes, Formula
from .versions import untyped_storage

_ROOT = "model"


def save(program: Any, names: Mapping[str, str]) -> Tuple[bytes, weights.Borrowed]:
    """The archive, with marks in place of the large storages, and those storages. ``names`` are names of symbols."""
    buffer, marks = io.BytesIO(), weights.Marks()
    with zipfile.ZipFile(buffer, "w") as archive:
        def write(name: str, data: Any) -> None:
            archive.writestr(f"{_ROOT}/{name}", data)

        write("archive_format", "pt2")
        write("archive_version", "0")
        write(".data/version", "6\n")
        write("byteorder", "little")
        write("models/model.json", _renamed(_graph(program), names))
        write("data/sample_inputs/model.pt", b"")
        for folder, prefix, tensors in (("weights", "weight_", program.state_dict),
                                        ("constants", "tensor_", program.constants)):
            store = _Store(lambda name, data: write(f"data/{folder}/{name}", data), prefix, marks)
            config = {name: store.add(value) for name, value in tensors.items()}
            write(f"data/{folder}/model_{folder}_config.json", json.dumps({"config": config}, cls=serde.EnumEncoder))
    return buffer.getvalue(), marks.borrowed


def _graph(program: Any) -> bytes:
    """The graph as JSON. Older versions of PyTorch cannot leave the weights out of what they write beside it."""
    known = inspect.signature(serde.serialize).parameters
    names = [name for name in ("serialize_state_dict", "serialize_constants", "serialize_example_inputs") if name in known]
    without = dict.fromkeys(names, False)
    try:
        return serde.serialize(program, **without).exported_program
    except NotImplementedError:  # a class in the arguments or results cannot be written, and need not be
        with _without_structure(program):
            return serde.serialize(program, **without).exported_program


@contextlib.contextmanager
def _without_structure(program: Any) -> Iterator[None]:
    """The program without the structure of its arguments and results. The graph has names of its own for them."""
    before = program._module_call_graph
    program._module_call_graph = [dataclasses.replace(entry, signature=None) for entry in before if not entry.fqn]
    try:
        yield
    finally:
        program._module_call_graph = before


def _renamed(graph: bytes, names: Mapping[str, str]) -> bytes:
    """The graph with other names of symbols, in the formulas of sizes and in their ranges."""
    def rename(found: Any) -> bytes:
        before, symbol, after = filter(None, found.groups())
        return before + names.get(symbol.decode(), symbol.decode()).encode() + after

    return re.sub(rb"""(Symbol\(')(\w+)(')|(")(\w+)(": \{"min_val")""", rename, graph) if names else graph


class _Store:
    """One folder of tensors: a record for each storage, however many tensors share it."""

    def __init__(self, write: Any, prefix: str, marks: weights.Marks) -> None:
        self._write, self._prefix, self._marks = write, prefix, marks
        self._records: Dict[int, str] = {}  # by the address of the storage
        self._count = 0
        self._kept: List[Any] = []  # storages whose addresses are in use

    def add(self, value: Any) -> Dict[str, Any]:
        """Writes a tensor and returns its description."""
        if not isinstance(value, torch.Tensor):
            return self._described(self._record(b""), value, None, True)
        meta = serde._dataclass_to_dict(serde.serialize_tensor_meta(value))
        if _has_no_data(value):
            return self._described(self._record(b""), value, meta, False)
        if type(value.data) is not torch.Tensor:
            saved = io.BytesIO()
            torch.save(value, saved)
            return self._described(self._record(saved.getvalue()), value, meta, True)
        plain = value.detach().resolve_conj().resolve_neg()
        meta = serde._dataclass_to_dict(serde.serialize_tensor_meta(plain))
        return self._described(self._storage(plain), value, meta, False)

    def _storage(self, tensor: torch.Tensor) -> str:
        storage = untyped_storage(tensor)
        address = storage.data_ptr()
        if address not in self._records:
            self._kept.append(storage)
            storage = storage.cpu()
            large = storage.nbytes() >= weights.LARGE
            data = self._marks.add(storage) if large else weights.contents(storage).tobytes()
            self._records[address] = self._record(data)
        return self._records[address]

    def _record(self, data: bytes) -> str:
        name = f"{self._prefix}{self._count}"
        self._count += 1
        self._write(name, data)
        return name

    @staticmethod
    def _described(record: str, value: Any, meta: Any, pickled: bool) -> Dict[str, Any]:
        return {"path_name": record, "is_param": isinstance(value, torch.nn.Parameter), "use_pickle": pickled,
                "tensor_meta": meta}


def _has_no_data(tensor: torch.Tensor) -> bool:
    from torch._subclasses import FakeTensor

    return isinstance(tensor, FakeTensor) or tensor.device.type == "meta"


class Input(NamedTuple):
    name: str
    example: torch.Tensor  # fake, with symbolic sizes


def inputs_of(program: Any) -> List[Input]:
    """The tensors among the arguments of a program, in their order."""
    values = {node.name: node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"}
    return [Input(name, values[name]) for name in program.graph_signature.user_inputs
            if isinstance(name, str) and isinstance(values.get(name), torch.Tensor)]


def names_of(inputs: Sequence[Input], axes: Sequence[Axes]) -> Dict[str, str]:
    """The names that the user gave to sizes, by the symbols of the program. Sizes that it takes to be equal have the first
    name."""
    symbols = {str(size) for given in inputs for size in given.example.shape if not isinstance(size, int)}
    out: Dict[str, str] = {}
    for given, of in zip(inputs, axes):
        for axis, name in of.items():
            symbol, name = _named(str(given.example.shape[axis]), name)
            if symbol and name not in symbols:
                out.setdefault(symbol, name)
    return out


def _named(size: str, name: Optional[str]) -> Tuple[str, str]:
    """A symbol and its name: of the size s77 and the name n, and of 2*s77 and 2*n. The symbol is empty if there is none."""
    if isinstance(name, Formula):
        symbols, names = ({*re.findall(r"[^\W\d]\w*", text)} for text in (size, name))
        return (symbols.pop(), names.pop()) if len(symbols) == len(names) == 1 else ("", "")
    return (size, re.sub(r"\W", "_", name)) if name and size.isidentifier() else ("", "")


def axes_of(inputs: Sequence[Input], tensors: Sequence[torch.Tensor], names: Mapping[str, str]) -> List[Axis]:
    """The axes whose sizes are symbols of the program."""
    return [Axis(i, given.name, axis, names.get(str(size), str(size)), tensors[i].shape[axis])
            for i, given in enumerate(inputs[:len(tensors)])
            for axis, size in enumerate(given.example.shape) if str(size).isidentifier()]
