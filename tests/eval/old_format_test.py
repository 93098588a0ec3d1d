"""Programs in the format of PyTorch 1.0 to 1.2: model.json, a table of tensors, and the methods of each module in a file.

Debian's PyTorch cannot load this format, so that each program has a function in Python, which gives the expected results.
"""

import json
import os
import pickle
import sys
import zipfile

import torch
from torch.jit import _pickle

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from suite import Suite  # noqa: E402

TYPES = {torch.float32: "FLOAT", torch.float64: "DOUBLE", torch.int64: "INT64", torch.uint8: "UINT8", torch.bool: "BOOL"}


class Called:
    """A call of a function of the format, in attributes.pkl."""

    def __init__(self, function, argument):
        self._call = (function, (argument,))

    def __reduce__(self):
        return self._call


def record(tensor, key):
    return {"dims": [str(n) for n in tensor.shape], "offset": str(tensor.storage_offset()), "strides": [str(n) for n in tensor.stride()],
            "requiresGrad": False, "dataType": TYPES[tensor.dtype], "data": {"key": key}, "device": "cpu"}


def contents_of(tensor):
    return torch.tensor([], dtype=tensor.dtype).set_(tensor.storage()).numpy().tobytes()


def save(path, main, tensors, attributes, code, version=5):
    """`tensors` are pairs of a tensor and the number of its storage."""
    root = os.path.splitext(os.path.basename(path))[0]
    model = {"protoVersion": str(version), "mainModule": main, "producerName": "pytorch", "producerVersion": "1.0",
             "tensors": [record(tensor, f"tensors/{storage}") for tensor, storage in tensors]}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{root}/version", "1\n")
        for storage, tensor in {storage: tensor for tensor, storage in tensors}.items():
            archive.writestr(f"{root}/tensors/{storage}", contents_of(tensor))
        for name, text in code.items():
            archive.writestr(f"{root}/code/{name}.py", f"op_version_set = {0 if version == 1 else 1}\n{text}")
        if version > 1:
            archive.writestr(f"{root}/attributes.pkl", pickle.dumps(tuple(attributes), 2))
        archive.writestr(f"{root}/model.json", json.dumps(model))
    return path


def module(name, parameters=(), attributes=(), submodules=()):
    return {"name": name, "optimize": True, "torchscriptArena": {"key": f"code/{name}.py"}, "submodules": list(submodules),
            "parameters": [{"name": n, "tensorId": str(i), "isBuffer": b} for n, i, b in parameters],
            "attributes": [{"name": n, "type": t, "id": i} for n, t, i in attributes]}


LINEAR = """def forward(self,
    input: Tensor) -> Tensor:
  _0 = torch.addmm(self.bias, input, torch.t(self.weight), beta=1, alpha=1)
  return _0
"""
SHIFT = """def forward(self,
    input: Tensor) -> Tensor:
  return torch.add(torch.mul(input, self.scale), CONSTANTS.c4, alpha=1)
"""
MAIN = """def forward(self,
    input: Tensor) -> Tuple[Tensor, Tensor]:
  _0 = getattr(self, "0")
  y = (_0).forward(input, )
  total = torch.zeros([1], dtype=6, layout=0, device=torch.device("cpu"))
  for i in range(3):
    total = torch.add(total, (self.factors)[i], alpha=1)
  if self.training:
    z = y
  else:
    z = self.scaled(y, )
  return (torch.mul((self.linear).forward(z, ), total), torch.mul(self.table, torch.sum(input, dtype=None)))
def scaled(self,
    y: Tensor) -> Tensor:
  return torch.mul(y, 2)
"""
TRACED = """def forward(self,
    input: Tensor) -> Tensor:
  _0 = torch.addmm(self.linear.bias, input, torch.t(self.linear.weight), beta=1, alpha=1)
  return _0
"""


def nested():
    weight, bias, scale = torch.randn(4, 3).t(), torch.randn(3), torch.rand(1)
    table, constant = torch.arange(12.0).reshape(3, 4)[:, 1:3], torch.tensor(0.5)
    tensors = [(weight, 0), (bias, 1), (scale, 2), (table, 3), (constant, 4)]
    attributes = [False, Called(_pickle.build_intlist, [2, 3, 5]), Called(_pickle.build_tensor_from_id, 3)]
    main = module("nested", attributes=[("training", "bool", 0), ("factors", "List[int]", 1), ("table", "Tensor", 2)],
                  submodules=[module("0", [("scale", 2, True)], [("training", "bool", 0)]),
                              module("linear", [("weight", 0, False), ("bias", 1, False)], [("training", "bool", 0)])])
    code = {"nested": MAIN, "0": SHIFT, "linear": LINEAR}
    return lambda path: save(path, main, tensors, attributes, code), lambda x: (((x * scale + constant) * 2 @ weight.t() + bias) * 10, table * x.sum())


def traced():
    weights = torch.randn(3, 4)
    main = module("traced", submodules=[module("linear", [("weight", 0, False), ("bias", 1, False)])])
    del main["submodules"][0]["torchscriptArena"]  # a traced module calls no methods of its parts
    tensors = [(weights[:2], 0), (weights[2, :2], 0)]
    return lambda path: save(path, main, tensors, [], {"traced": TRACED}, version=1), lambda x: x @ weights[:2].t() + weights[2, :2]


class OldFormat(Suite):
    """Programs are pairs of what writes the file and the same in Python."""

    def _prepare(self, case, folder):
        write, case["program"] = case["program"]
        return {**super()._prepare(case, folder), "model": write(os.path.join(folder, f"{case['name']}.pt"))}


def main():
    suite = OldFormat()
    for name, program in (("nested", nested()), ("traced", traced())):
        suite.add(name, program, [torch.randn(5, 4)], how="trace", specs=["f32[n,4]"], more=[[torch.randn(2, 4)]])
    suite.main()


if __name__ == "__main__":
    main()
