#!/usr/bin/python3
"""Writes seed corpora for the fuzzers, made from small archives that PyTorch itself saves and from small ONNX models.

usage: make_seeds.py DIRECTORY    (fills DIRECTORY/{zip,pickle,script,inspect,onnx,model,view,exported,export})
"""

import io
import json
import pathlib
import pickle
import sys
import typing
import warnings
import zipfile

import torch
from torch import nn


class Branching(nn.Module):
    """Control flow, containers, strings and a submodule, for scripting."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.names: typing.Dict[str, int] = {"a": 1, "b": 2}
        self.sizes: typing.List[int] = [1, 2]

    def forward(self, x: torch.Tensor, times: int = 2, name: typing.Optional[str] = None):
        total = x
        for i in range(times):
            if name is not None and name in self.names:
                total = total + self.names[name]
            else:
                total = total * float(i)
        while total.size(0) > 8:
            total = total[::2]
        assert total.dim() == 2, "two dimensions, not {}".format(total.dim())
        return self.linear(total), {"last": total[-1]}, (self.sizes, "d\u00e9j\u00e0 vu")


class ManyTensors(nn.Module):
    """Buffers of every kind that an archive can hold."""

    def __init__(self) -> None:
        super().__init__()
        base = torch.arange(12, dtype=torch.float32).reshape(3, 4)
        complex_numbers = torch.ones(2, dtype=torch.complex64)
        channels = torch.quantize_per_channel(base, torch.ones(3), torch.zeros(3), 0, torch.qint8)
        tensors = [base, base.t(), base[1:, ::2], base[0].expand(2, 4), torch.tensor(5), torch.zeros(0, 3)]
        tensors += [base.to(t) for t in (torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.bool)]
        tensors += [complex_numbers.conj(), torch.ones(2, dtype=torch.complex64).conj().imag, channels]
        tensors += [torch.quantize_per_tensor(base, 0.1, 3, torch.quint8), torch.eye(2).to_sparse()]
        for i, tensor in enumerate(tensors):
            self.register_buffer(f"t{i}", tensor)

    def forward(self, x):
        return x + self.t0


def quantized() -> nn.Module:
    torch.backends.quantized.engine = "qnnpack"
    model = nn.Sequential(torch.ao.quantization.QuantStub(), nn.Conv2d(1, 2, 3), nn.ReLU(),
                          nn.Flatten(), nn.Linear(8, 2), torch.ao.quantization.DeQuantStub()).eval()
    model.qconfig = torch.ao.quantization.get_default_qconfig("qnnpack")
    prepared = torch.ao.quantization.prepare(model)
    prepared(torch.randn(1, 1, 4, 4))
    return torch.ao.quantization.convert(prepared)


def program(module, **options) -> bytes:
    buffer = io.BytesIO()
    torch.jit.save(module, buffer, **options)
    return buffer.getvalue()


def saved(value, **options) -> bytes:
    buffer = io.BytesIO()
    torch.save(value, buffer, **options)
    return buffer.getvalue()


def deflated(archive: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return buffer.getvalue()


def archives() -> typing.Dict[str, bytes]:
    conv = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()).eval()
    many = ManyTensors()
    traced = program(torch.jit.trace(conv, torch.zeros(1, 1, 4, 4)))
    mobile = torch.jit.script(Branching())._save_to_buffer_for_lite_interpreter()
    return {
        "traced.pt": traced,
        "deflated.pt": deflated(traced),
        "truncated.pt": traced[: len(traced) // 2],
        "scripted.pt": program(torch.jit.script(Branching()), _extra_files={"note.txt": "hello"}),
        "lstm.pt": program(torch.jit.script(nn.LSTM(2, 2))),
        "tensors.pt": program(torch.jit.script(many)),
        "quantized.pt": program(torch.jit.script(quantized())),
        "mobile.ptl": mobile,
        "state_dict.pth": saved(conv.state_dict()),
        "protocol5.pth": saved(many.state_dict(), pickle_protocol=5),
        "checkpoint.pth": saved({"epoch": 3, "model": conv.state_dict(), "lr": [0.1, 0.01]}),
        "module.pth": saved(nn.Linear(2, 2)),
        "legacy.pth": saved(conv.state_dict(), _use_new_zipfile_serialization=False),
        "source.py": pathlib.Path(__file__).read_bytes(),
        "page.html": b"<!doctype html><title>404</title>",
        "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    }


def onnx_models() -> typing.Dict[str, bytes]:
    folder = pathlib.Path(__file__).resolve().parent.parent / "tests" / "check"
    sys.path.insert(0, str(folder))
    import bases
    import oracle
    models = {f"{base.__name__}.onnx": base().SerializeToString() for base in bases.ALL}
    for path in oracle.testdata():
        if path.stat().st_size < 600:
            models[f"{path.parent.name}.onnx"] = path.read_bytes()
    return models


def without_traces(text: bytes) -> bytes:
    """The program without the Python lines of its nodes, which are most of the text."""
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key not in ("stack_trace", "torch_fn")}
        return [strip(item) for item in value] if isinstance(value, list) else value

    return json.dumps(strip(json.loads(text)), separators=(",", ":")).encode()


def exported_programs() -> typing.Dict[str, bytes]:
    """Programs of torch.export as fuzz/records.h wants them; nested archives stay as they are."""
    folder = pathlib.Path(__file__).resolve().parent.parent / "tests" / "exported" / "programs"
    programs = {}
    for version in sorted(folder.glob("*.zip")):
        with zipfile.ZipFile(version) as tests:
            for name in filter(lambda name: name.endswith(".pt2"), tests.namelist()):
                records = b""
                with zipfile.ZipFile(io.BytesIO(tests.read(name))) as archive:
                    for record in archive.namelist():
                        data, inner = archive.read(record), record
                        if not record.startswith("serialized_") and "/" in record:
                            inner = record.split("/", 1)[1]
                        if inner.endswith("program.json") or inner.startswith("models/"):
                            data = without_traces(data)
                        if "sample_inputs" not in inner and not inner.startswith(".data"):
                            records += b"=== " + inner.encode() + b"\n" + data + b"\n"
                if len(records) < 12000:
                    programs[f"{version.stem}-{name}"] = records[:-1]
    return programs


def main(directory: pathlib.Path) -> None:
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    for folder in ("zip", "pickle", "script", "inspect", "onnx", "model", "view", "exported", "export"):
        (directory / folder).mkdir(parents=True, exist_ok=True)
    for name, contents in archives().items():
        (directory / "zip" / name).write_bytes(contents)
        (directory / "inspect" / name).write_bytes(contents)
        if not zipfile.is_zipfile(io.BytesIO(contents)):
            continue
        with zipfile.ZipFile(io.BytesIO(contents)) as archive:
            for record in archive.namelist():
                folder = "script" if record.endswith(".py") else "pickle" if record.endswith("pkl") else None
                if folder is not None:
                    seed = f"{name}.{record.replace('/', '.')}"
                    (directory / folder / seed).write_bytes(archive.read(record))
    for name, contents in onnx_models().items():
        (directory / "onnx" / name).write_bytes(contents)
        (directory / "model" / name).write_bytes(contents)
        (directory / "view" / name).write_bytes(contents)
    for name, contents in exported_programs().items():
        (directory / "exported" / name).write_bytes(contents)
        (directory / "export" / name).write_bytes(contents)
    plain = {"text": "a\nb", "numbers": [1, -2, 1 << 40, 1 << 80, 1.5, 2j], "set": {1}, "bytes": b"\0\1", "none": None}
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        (directory / "pickle" / f"plain{protocol}.pkl").write_bytes(pickle.dumps(plain, protocol))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
