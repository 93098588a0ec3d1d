"""The exporters that are held side by side: each writes a module, whose inputs are called x0, x1, …, as ONNX to a
file object."""

import torch

import cameo

_OPSET = 17


def _with_cameo(module, tensors, file):
    cameo.export(module, tensors, file, input_names=_names(tensors), opset_version=_OPSET, check_trace=False)


def _with_torch(module, tensors, file):
    torch.onnx.export(module, tensors, file, input_names=_names(tensors), opset_version=_OPSET)


def _names(tensors):
    return [f"x{i}" for i in range(len(tensors))]


EXPORTERS = {"cameo": _with_cameo, "torch": _with_torch}
