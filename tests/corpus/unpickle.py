"""An archive's pickles as Python's own unpickler and PyTorch's own record reader give them."""

import io
import pickle

import torch
import torch.jit._pickle
from torch import _utils
from torch.serialization import StorageType
from torch.storage import TypedStorage


class Object:
    """An instance of a class of the program, with the state that the pickle gives it."""

    qualified_name = ""
    state = None

    def __setstate__(self, state):
        self.state = state


def structure(reader, name):
    """The pickle's value with None in place of each tensor."""
    return _Unpickler(reader, name, tensors=False).load()


def value(reader, name):
    """The pickle's value with its tensors."""
    return _Unpickler(reader, name, tensors=True).load()


def _rebuild_sparse_tensor(layout, size, _requires_grad, *parts):
    if layout == 1:
        return torch.sparse_coo_tensor(*parts[:2], size)
    return torch.sparse_csr_tensor(*parts[:3], size)


class _Unpickler(pickle._Unpickler):
    dispatch = dict(pickle._Unpickler.dispatch)

    def __init__(self, reader, name, tensors):
        super().__init__(io.BytesIO(reader.get_record(f"{name}.pkl")))
        self._reader, self._folder, self._tensors = reader, name, tensors
        self._storages = {}

    def persistent_load(self, identity):
        _, kind, key, _, numel = identity[:5]
        if self._tensors and key not in self._storages:
            size = numel * _utils._element_size(kind.dtype)
            record = self._reader.get_storage_from_record(f"{self._folder}/{key}", size, torch.UntypedStorage)
            self._storages[key] = TypedStorage(wrap_storage=record.storage().untyped(), dtype=kind.dtype)
        return self._storages.get(key)

    def find_class(self, module, name):
        if module.startswith("__torch__"):
            return type(name, (Object,), {"qualified_name": f"{module}.{name}"})
        if module == "torch" and name.endswith("Storage"):
            return StorageType(name)
        if name.startswith("_rebuild_") and not self._tensors:
            return lambda *_: None
        if name == "_rebuild_sparse_tensor":
            return _rebuild_sparse_tensor
        return super().find_class(module, name)

    def load_reduce(self):
        """The argument of an enum's class is the bare value, not a tuple."""
        if isinstance(self.stack[-1], tuple):
            super().load_reduce()
        else:
            self.stack[-2:] = self.stack[-1:]

    dispatch[pickle.REDUCE[0]] = load_reduce


def storage_dtypes(reader, name):
    """The dtype of each storage that the pickle refers to, by its key."""
    unpickler = _Unpickler(reader, name, tensors=False)
    dtypes = {}
    unpickler.persistent_load = lambda identity: dtypes.__setitem__(identity[2], identity[1].dtype)
    unpickler.load()
    return dtypes
