"""A program saved without its weights: they stay where they are, and the archive says which stands where."""

import contextlib
import ctypes
import os
from typing import Any, Dict, Iterator, List, Tuple

import torch

from .versions import untyped_storage

LARGE = 4096  # bytes of a storage that is left out
_MARK = 64  # bytes, a multiple of every element's size

Borrowed = List[Tuple[bytes, Any]]  # mark, and the bytes that it stands for


class Marks:
    """The storages that are left out of an archive, each with the mark that its record holds instead."""

    def __init__(self) -> None:
        self._token = os.urandom(_MARK - 8)
        self.borrowed: Borrowed = []

    def add(self, storage: Any) -> bytes:
        mark = self._token + len(self.borrowed).to_bytes(8, "little")
        self.borrowed.append((mark, contents(storage)))
        return mark


def contents(storage: Any) -> Any:
    """The bytes of a storage, which they keep alive. Nothing is copied."""
    return torch.empty(0, dtype=torch.uint8).set_(storage).numpy()


def save(module: torch.jit.ScriptModule) -> Tuple[bytes, Borrowed]:
    """The archive, with marks in place of the large storages, and those storages. The module is unchanged."""
    slots = [(holder._c, name, tensor) for holder in module.modules() for name, tensor in _tensors(holder)]
    stand_ins, borrowed = _stand_ins([tensor for _, _, tensor in slots])
    with _replaced([slot for slot in slots if id(slot[2]) in stand_ins], stand_ins):
        return module.save_to_buffer(), borrowed


def _tensors(holder: Any) -> Iterator[Tuple[str, torch.Tensor]]:
    yield from torch._C.ParameterDict(holder._c).items()
    yield from torch._C.BufferDict(holder._c).items()


def _is_plain(tensor: torch.Tensor) -> bool:
    return (tensor.device.type == "cpu" and tensor.layout is torch.strided and not tensor.is_quantized
            and not tensor.is_conj() and not tensor.is_neg() and untyped_storage(tensor).nbytes() >= LARGE)


def _stand_ins(tensors: List[torch.Tensor]) -> Tuple[Dict[int, torch.Tensor], Borrowed]:
    """For each large tensor one of the same shape, over a storage that holds but a mark; tied ones stay tied.

    A storage may be made smaller than its tensors: what is saved are their shapes and strides, and its bytes.
    """
    marks = Marks()
    out: Dict[int, torch.Tensor] = {}
    bases: Dict[Tuple[int, torch.dtype], torch.Tensor] = {}
    for tensor in filter(_is_plain, tensors):
        storage = untyped_storage(tensor)
        key = (storage.data_ptr(), tensor.dtype)
        if key not in bases:
            bases[key] = torch.empty(storage.nbytes() // tensor.element_size(), dtype=tensor.dtype)
            marks.add(storage)
        out[id(tensor)] = bases[key].as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
    for base, (mark, _) in zip(bases.values(), marks.borrowed):
        storage = untyped_storage(base)
        storage.resize_(_MARK)
        ctypes.memmove(storage.data_ptr(), mark, _MARK)
    return out, marks.borrowed


@contextlib.contextmanager
def _replaced(slots: List[Tuple[Any, str, torch.Tensor]], stand_ins: Dict[int, torch.Tensor]) -> Iterator[None]:
    try:
        for module, name, tensor in slots:
            module.setattr(name, stand_ins[id(tensor)])
        yield
    finally:
        for module, name, tensor in slots:
            module.setattr(name, tensor)
