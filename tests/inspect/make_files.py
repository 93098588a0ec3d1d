"""Makes the files that the tests of `cameo inspect` look into: programs, and every other kind that is met.

Each function writes the file that it is named after; all() writes all of them into the current folder, programs first,
since other files are made from these.
"""
import collections
import io
import os
import pathlib
import random
import tarfile
import zipfile

import torch
from torch import nn
from torch.package import PackageExporter
from torch.utils.bundled_inputs import augment_model_with_bundled_inputs


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(8, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)) + x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)
        self.blocks = nn.Sequential(*[Block() for _ in range(4)])
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.head(x.mean([2, 3]))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 16)
        self.cell = nn.GRUCell(16, 16)
        self.out = nn.Linear(16, 100, bias=False)
        self.out.weight = self.embed.weight
        self.again = self.cell

    def forward(self, token, steps: int = 3, state=None):
        # type: (torch.Tensor, int, Optional[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor]
        if state is None:
            state = torch.zeros(token.size(0), 16)
        for _ in range(steps):
            state = self.again(self.embed(token), state)
            token = self.out(state).argmax(1)
        return token, state

    @torch.jit.export
    def greet(self, name: str) -> str:
        return "hello " + name


def seeded(model):
    torch.manual_seed(0)
    return model().eval()


def records(source):
    """The records of a zip, without the folder that they all stand in."""
    with zipfile.ZipFile(source) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


def write_zip(name, contents, root="model"):
    with zipfile.ZipFile(name, "w") as archive:
        for record, data in contents.items():
            archive.writestr(f"{root}/{record}" if root else record, data)


def traced(name="traced.pt"):
    torch.jit.trace(seeded(Net), torch.zeros(1, 3, 8, 8)).save(name)


def scripted(name="scripted.pt"):
    model = torch.jit.script(Decoder())
    model.save(name, _extra_files={"vocabulary.txt": b"a b c"})


def traced_newer(name="traced_newer.pt"):
    """What a release since 2.1 writes: example inputs without their bytes, the byte order."""
    contents = records("traced.pt")
    buffer = io.BytesIO()
    torch.save({"forward": [torch.zeros(1, 3, 8, 8)]}, buffer)
    contents["traced_inputs.pkl"] = records(buffer)["data.pkl"]
    contents["traced_inputs/0"] = b""
    contents["byteorder"] = b"little"
    contents[".data/serialization_id"] = b"0" * 40
    write_zip(name, contents)


def frozen(name="frozen.pt"):
    torch.jit.freeze(torch.jit.script(seeded(Net))).save(name)


def mobile(name="mobile.ptl"):
    model = torch.jit.script(seeded(Net))
    augment_model_with_bundled_inputs(model, inputs=[(torch.zeros(1, 3, 8, 8),)])
    model._save_for_lite_interpreter(name)


def quantized(name="quantized.pt"):
    torch.backends.quantized.engine = "qnnpack"
    model = torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 4)))
    torch.jit.script(model.eval()).save(name)


HANDMADE_CLASS = """class {name}(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.{name},
    x: Tensor) -> Tensor:
    return x
"""


def handmade(name, classes, data):
    """A program with the given classes and data.pkl, for what PyTorch itself cannot save."""
    code = "".join(HANDMADE_CLASS.format(name=c) for c in classes)
    write_zip(name, {"data.pkl": b"\x80\x02" + data + b".", "constants.pkl": b"\x80\x02).", "code/__torch__.py": code, "version": b"3\n"})


def text(word):
    return b"X" + len(word).to_bytes(4, "little") + word.encode()


def deep(name="deep.pt"):
    """3,000 modules, one within the other."""
    begin = b"c__torch__\nM\n)\x81}(" + text("inner")
    handmade(name, ["M"], begin * 2999 + b"c__torch__\nM\n)\x81}(ub" + b"ub" * 2999)


def shared(name="shared.pt"):
    """40 levels of modules that hold the next one twice, and the root inside itself: 2^40 paths."""
    data = b"c__torch__\nNet\n)\x81q\x00}(" + text("me") + b"h\x00"
    for level in range(1, 41):
        data += text("a") + b"c__torch__\nM\n)\x81q" + bytes([level]) + b"}("
    for level in range(40, 0, -1):
        data += b"ub" + text("b") + b"h" + bytes([level])
    handmade(name, ["Net", "M"], data + b"ub")


def state_dict(name="state_dict.pt"):
    torch.save(nn.Linear(2, 2).state_dict(), name)


def nested_checkpoint(name="nested_checkpoint.pt"):
    torch.save({"epoch": 3, "model": nn.Linear(2, 2).state_dict()}, name)


def pickled_module(name="pickled_module.pt"):
    torch.save(Net(), name)


def tensor(name="tensor.pt"):
    torch.save(torch.zeros(3), name)


def legacy(name="legacy.pt"):
    torch.save(nn.Linear(2, 2).state_dict(), name, _use_new_zipfile_serialization=False)


def tar(name="tar.pt"):
    with tarfile.open(name, "w", format=tarfile.USTAR_FORMAT) as archive:
        for member in ("sys_info", "pickle", "tensors", "storages"):
            archive.addfile(tarfile.TarInfo(member), io.BytesIO())


def mobile_stripped(name="mobile_stripped.ptl"):
    write_zip(name, {k: v for k, v in records("mobile.ptl").items() if not k.startswith("code/")})


def flatbuffer(name="flatbuffer.ptl"):
    pathlib.Path(name).write_bytes(b"\x18\x00\x00\x00PTMF" + bytes(64))


def executorch(name="executorch.pte"):
    pathlib.Path(name).write_bytes(b"\x18\x00\x00\x00ET12" + bytes(64))


def torch_package(name="torch_package.pt"):
    with PackageExporter(name) as exporter:
        exporter.save_text("notes", "readme.txt", "a package")
        exporter.save_pickle("model", "model.pkl", {"x": 1})


def aot_inductor(name="aot_inductor.pt2"):
    write_zip(name, {"archive_format": "pt2", "archive_version": "0", "data/aotinductor/model/model.wrapper.so": b"\x7fELF", ".data/version": "6"})


def exported_program(name="exported_program.pt2"):
    write_zip(name, {"serialized_exported_program.json": "{}", "serialized_state_dict.pt": b"", "version": "8.8"}, root="")


def torchscript_old(name="torchscript_old.pt"):
    """Of PyTorch 1.2, with a module that restores its state."""
    model = '{"protoVersion": "5", "mainModule": {"name": "quantized", "getStateAttributeId": "0"}}'
    write_zip(name, {"model.json": model, "attributes.pkl": b"\x80\x02(t.", "version": b"1\n"})


def onnx(name="model.onnx"):
    import onnx as onnx_library
    from onnx import TensorProto, helper

    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [1]) for n in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    onnx_library.save(helper.make_model(graph), name)


def git_lfs(name="git_lfs.pt"):
    pathlib.Path(name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 46830571\n")


def html(name="html.pt"):
    pathlib.Path(name).write_text("<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>\n")


def python_text(name="python_text.pt"):
    pathlib.Path(name).write_text("import torch\n\nclass Net(torch.nn.Module):\n    pass\n")


def plain_text(name="plain_text.pt"):
    pathlib.Path(name).write_text("the model is on the other disk\n")


def truncated(name="truncated.pt"):
    pathlib.Path(name).write_bytes(pathlib.Path("traced.pt").read_bytes()[:9000])


def gzip(name="model.pt.gz"):
    import gzip as gzip_library

    with gzip_library.GzipFile(name, "wb", mtime=0) as file:
        file.write(pathlib.Path("traced.pt").read_bytes())


def random_bytes(name="random_bytes.pt"):
    pathlib.Path(name).write_bytes(random.Random(0).randbytes(4096))


def other_pickle(name="other_pickle.pt"):
    import pickle

    pathlib.Path(name).write_bytes(pickle.dumps(collections.Counter("abc"), protocol=2))


def other_zip(name="other_zip.pt"):
    write_zip(name, {"readme.txt": "nothing of PyTorch"})


def broken_code(name="broken_code.pt"):
    contents = records("traced.pt")
    record = next(r for r in contents if r.endswith("make_files.py"))
    contents[record] = contents[record].replace(b"return", b"retrun ((", 1)
    write_zip(name, contents)


def empty(name="empty.pt"):
    pathlib.Path(name).write_bytes(b"")


def folder(name="folder"):
    os.mkdir(name)


def no_permission(name="no_permission.pt"):
    state_dict(name)
    os.chmod(name, 0)


def all():
    for make in (traced, scripted, traced_newer, frozen, mobile, quantized, deep, shared, state_dict, nested_checkpoint, pickled_module, tensor,
                 legacy, tar, mobile_stripped, flatbuffer, executorch, torch_package, aot_inductor, exported_program, torchscript_old,
                 onnx, git_lfs, html, python_text, plain_text, truncated, gzip, random_bytes, other_pickle, other_zip, broken_code, empty, folder,
                 no_permission):
        make()

