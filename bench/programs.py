"""usage: programs.py save MODEL FILE | quantized MODEL FILE | large ONNX | shrink FILE TINY | load FILE | export FILE ONNX

`save` writes a model of torchvision, traced, and `quantized` one of its quantised models, with activations and weights of 8 bits.
`large` writes an ONNX model of 1 GB, whose weights are 16 matrices. `shrink` writes the same program with one number in place of each weight.
`load` loads the file with PyTorch once for every line that it reads, and answers with the seconds by the clock and of
processor time. `export` has torch.onnx export it.
"""

import sys
import time
import warnings
from pathlib import Path

import torch


def save(name, file):
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "corpus"))
    import models

    with torch.no_grad():
        torch.jit.trace(models.build(name), (torch.rand(1, 3, 224, 224),), check_trace=False).save(file)


def quantized(name, file):
    import torchvision
    from torch.ao import quantization

    torch.backends.quantized.engine = "qnnpack"
    image = torch.rand(1, 3, 224, 224)
    model = getattr(torchvision.models.quantization, name)(weights=None, quantize=False).eval()
    model.fuse_model(is_qat=False)
    model.qconfig = quantization.QConfig(quantization.HistogramObserver.with_args(reduce_range=True),
                                         quantization.default_per_channel_weight_observer)
    quantization.prepare(model, inplace=True)
    with torch.no_grad():
        model(image)
        torch.jit.trace(quantization.convert(model, inplace=True), (image,), check_trace=False).save(file)


def large(file):
    """External data would be a second file; the limit of one file is 2 GB."""
    import numpy
    import onnx
    from onnx import TensorProto, helper

    size, layers = 4096, 16
    matrices = [helper.make_tensor(f"w{i}", TensorProto.FLOAT, [size, size],
                                   numpy.random.default_rng(i).standard_normal((size, size), numpy.float32).tobytes(), raw=True)
                for i in range(layers)]
    nodes = [helper.make_node("MatMul", [f"h{i}", f"w{i}"], [f"h{i + 1}"]) for i in range(layers)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", size]) for name in ("h0", f"h{layers}")]
    graph = helper.make_graph(nodes, "large", ends[:1], ends[1:], matrices)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), file)


def shrink(file, tiny):
    program = torch.jit.load(file)
    for module in program.modules():
        for name, _ in list(module.named_parameters(recurse=False)):
            setattr(module, name, torch.nn.Parameter(torch.rand(1)))
    program.save(tiny)


def load(file):
    for _ in sys.stdin:
        clock, processor = time.perf_counter(), time.process_time()
        program = torch.jit.load(file)
        print(time.perf_counter() - clock, time.process_time() - processor, flush=True)
        del program


def export(file, onnx):
    warnings.simplefilter("ignore")
    torch.onnx.export(torch.jit.load(file), (torch.rand(1, 3, 224, 224),), onnx, opset_version=17)


if __name__ == "__main__":
    {"save": save, "quantized": quantized, "large": large, "shrink": shrink, "load": load, "export": export}[sys.argv[1]](*sys.argv[2:])
