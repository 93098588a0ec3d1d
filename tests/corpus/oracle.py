"""What PyTorch itself loads from an archive: every tensor by its path, as lines to be compared."""

import struct
import zlib

import torch

import graph_constants
import unpickle


class Oracle:
    """`lines` are those that archive_digest prints for the same file."""

    def __init__(self, file):
        self.lines = set()
        self.unlisted = set()  # constants of the compiled graphs that constants.pkl does not account for
        self.bytes = 0
        self.storages = {}  # path → address of the storage, for tensors that are loaded where they were stored
        self._kept = []  # what is made on the way, so that no address is given twice
        reader = torch._C.PyTorchFileReader(str(file))
        units = torch._C.CompilationUnit()
        module = torch._C.import_ir_module(units, str(file), torch.device("cpu"), {})
        self._walk(unpickle.structure(reader, "data"), module, "self")
        for index, constant in enumerate(unpickle.value(reader, "constants")):
            self._walk(constant, constant, f"CONSTANTS.c{index}")
        listed = {line.split("\t", 1)[1] for line in self.lines if line.startswith("CONSTANTS.")}
        compiled = {_describe(tensor) for tensor in graph_constants.tensors(module, units)}
        self.unlisted = compiled ^ listed

    def _walk(self, pickled, loaded, path):
        """`pickled` tells the structure, `loaded` has the values."""
        if isinstance(loaded, torch.Tensor):
            self._add(path, loaded)
        elif isinstance(pickled, unpickle.Object):
            self._walk_object(pickled, loaded, path)
        elif isinstance(pickled, (list, tuple)):
            for index, item in enumerate(pickled):
                self._walk(item, loaded[index], f"{path}[{index}]")
        elif isinstance(pickled, dict):
            for key, item in pickled.items():
                self._walk(item, loaded[key], f"{path}[{key}]")

    def _walk_object(self, pickled, loaded, path):
        if ".torch.classes." in pickled.qualified_name:
            weight, bias = _unpack(loaded)
            self._add(f"{path}.weight", weight, stored=False)
            if bias is not None:
                self._add(f"{path}.bias", bias, stored=False)
        elif isinstance(pickled.state, dict):
            for name, item in pickled.state.items():
                self._walk(item, _attribute(loaded, name), f"{path}.{name}")
        else:
            state = loaded._get_method("__getstate__")()
            self._kept.append(state)
            self._walk(pickled.state, state, f"{path}.__getstate__()")

    def _add(self, path, tensor, stored=True):
        if tensor.layout != torch.strided:
            for index, part in enumerate(_sparse_parts(tensor)):
                self._add(f"{path}.part{index}", part, stored=False)
            return
        self.lines.add(f"{path}\t{_describe(tensor)}")
        self.bytes += tensor.nelement() * tensor.element_size()
        if stored and not tensor.is_quantized and tensor.storage().nbytes():
            self.storages[path] = tensor.storage().data_ptr()


def _describe(tensor):
    dtype = str(tensor.dtype).removeprefix("torch.")
    shape = "x".join(map(str, tensor.shape))
    return f"{dtype}\t[{shape}]\t{_crc(tensor)}\t{_quantization(tensor)}"


def _quantization(tensor):
    if not tensor.is_quantized:
        return "-"
    if tensor.qscheme() == torch.per_tensor_affine:
        return f"{struct.pack('>d', tensor.q_scale()).hex()} {tensor.q_zero_point()}"
    scales, zeros = tensor.q_per_channel_scales(), tensor.q_per_channel_zero_points()
    return f"axis {tensor.q_per_channel_axis()} {_crc(scales)} {_crc(zeros)}"


def _crc(tensor):
    """Of the elements, contiguous and little-endian; of the integers behind a quantised tensor."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    tensor = tensor.int_repr() if tensor.is_quantized else tensor
    tensor = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    return f"{zlib.crc32(tensor.contiguous().reshape(-1).view(torch.uint8).numpy()):08x}"


def _attribute(loaded, name):
    """An object whose class Python knows comes back as an instance of that class."""
    return loaded.getattr(name) if hasattr(loaded, "getattr") else getattr(loaded, name)


def _sparse_parts(tensor):
    if tensor.layout == torch.sparse_coo:
        return tensor._indices(), tensor._values()
    return tensor.crow_indices(), tensor.col_indices(), tensor.values()


def _unpack(packed):
    """Weight and bias of a quantised module's packed parameters."""
    if not isinstance(packed, unpickle.Object):
        return packed._get_method("unpack")()
    tensors = [item for item in _flatten(packed.state) if isinstance(item, torch.Tensor)]
    weight = next(tensor for tensor in tensors if tensor.is_quantized)
    bias = next((tensor for tensor in tensors if tensor.dtype == torch.float32), None)
    return weight, bias


def _flatten(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flatten(item)
    else:
        yield value
