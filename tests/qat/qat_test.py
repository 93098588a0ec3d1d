"""Networks of quantisation-aware training, as PyTorch prepares them: exported, run and compared with PyTorch.

Each runs without ONNX Runtime's optimisations, where it computes what PyTorch computes, and with them, where it uses integer
kernels. PyTorch multiplies by the inverse of a scale where ONNX divides by it, so a number between two quantised values may be
rounded to either: at most 2 % of the elements differ, by one step of the output. Integer kernels round once more per layer.
"""
import os
import sys
import tempfile

import onnx
import torch
import torch.ao.quantization as quant
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from suite import Suite  # noqa: E402


class Convolutions(nn.Module):
    """Convolutions with batch normalisation, a sum, pooling and a linear layer."""

    def __init__(self):
        super().__init__()
        self.quant, self.dequant = quant.QuantStub(), quant.DeQuantStub()
        self.conv1, self.bn1, self.relu1 = nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU()
        self.conv2, self.bn2 = nn.Conv2d(8, 8, 3, padding=1, groups=2), nn.BatchNorm2d(8)
        self.conv3, self.relu3 = nn.Conv2d(8, 4, 1), nn.ReLU()
        self.linear = nn.Linear(4, 5)
        self.sum = torch.nn.quantized.FloatFunctional()

    def forward(self, x):
        x = self.relu1(self.bn1(self.conv1(self.quant(x))))
        x = self.sum.add(x, self.bn2(self.conv2(x)))
        x = self.relu3(self.conv3(x))
        x = torch.nn.functional.adaptive_avg_pool2d(x, 1)
        return self.dequant(self.linear(torch.flatten(x, 1)))


class Layers(nn.Module):
    """Linear layers on rows of tokens: their weights are read transposed."""

    def __init__(self, width=16):
        super().__init__()
        self.quant, self.dequant = quant.QuantStub(), quant.DeQuantStub()
        self.first, self.relu, self.last = nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width)

    def forward(self, x):
        return self.dequant(self.last(self.relu(self.first(self.quant(x)))))


class Scripted(nn.Module):
    """Layers that TorchScript compiles, unlike PyTorch's own of quantisation-aware training."""

    def __init__(self, qconfig):
        super().__init__()
        self.first, self.last = nn.Conv2d(3, 6, 3), nn.Linear(6, 4)
        self.input, self.hidden, self.output = (qconfig.activation() for _ in range(3))
        self.first_weight, self.last_weight = qconfig.weight(), qconfig.weight()

    def forward(self, x):
        x = torch.relu(torch.conv2d(self.input(x), self.first_weight(self.first.weight), self.first.bias))
        x = self.hidden(torch.flatten(torch.nn.functional.adaptive_avg_pool2d(x, 1), 1))
        return self.output(torch.nn.functional.linear(x, self.last_weight(self.last.weight), self.last.bias))


def own_qconfig(bits, symmetric, channels):
    """FakeQuantize with its own limits: 8 bits symmetric is -127..127."""
    top = 2 ** (bits - 1) - 1
    scheme = {(True, True): torch.per_channel_symmetric, (True, False): torch.per_tensor_symmetric, (False, True): torch.per_channel_affine,
              (False, False): torch.per_tensor_affine}
    observer = quant.MovingAveragePerChannelMinMaxObserver if channels else quant.MovingAverageMinMaxObserver
    weight = quant.FakeQuantize.with_args(observer=observer, quant_min=-top if symmetric else -top - 1, quant_max=top, dtype=torch.qint8,
                                          qscheme=scheme[symmetric, channels], reduce_range=False)
    activation = quant.FakeQuantize.with_args(observer=quant.MovingAverageMinMaxObserver, quant_min=0, quant_max=2 ** bits - 1,
                                              dtype=torch.quint8, reduce_range=False)
    return quant.QConfig(activation=activation, weight=weight)


def trained(model, example):
    """Ranges and statistics from a few batches; then the observers are off."""
    with torch.no_grad():
        for bn in model.modules():
            if isinstance(bn, nn.BatchNorm2d):
                bn.weight.uniform_(-1.5, 1.5)
                bn.bias.normal_()
        for _ in range(3):
            model(torch.randn_like(example))
    model.apply(quant.disable_observer)
    return model.eval()


def eager(make, qconfig, example, fuse=()):
    torch.manual_seed(0)
    model = make().train()
    if fuse:
        model = quant.fuse_modules_qat(model, [list(names) for names in fuse])
    model.qconfig = qconfig
    return trained(quant.prepare_qat(model), example)


def by_fx(make, backend, example):
    from torch.ao.quantization.quantize_fx import prepare_qat_fx
    torch.manual_seed(0)
    model = make().train()
    return trained(prepare_qat_fx(model, quant.get_default_qat_qconfig_mapping(backend), (example,)), example)


IMAGE, TOKENS = torch.randn(2, 3, 8, 8), torch.randn(2, 5, 16)
FUSED = (("conv1", "bn1", "relu1"), ("conv2", "bn2"), ("conv3", "relu3"))
MODELS = {
    "fbgemm": (lambda: eager(Convolutions, quant.get_default_qat_qconfig("fbgemm"), IMAGE, FUSED), IMAGE),
    "qnnpack": (lambda: eager(Convolutions, quant.get_default_qat_qconfig("qnnpack"), IMAGE, FUSED), IMAGE),
    "unfused": (lambda: eager(Convolutions, quant.get_default_qat_qconfig("fbgemm"), IMAGE), IMAGE),
    "fx-fbgemm": (lambda: by_fx(Convolutions, "fbgemm", IMAGE), IMAGE),
    "fx-qnnpack": (lambda: by_fx(Convolutions, "qnnpack", IMAGE), IMAGE),
    "tokens-fbgemm": (lambda: eager(Layers, quant.get_default_qat_qconfig("fbgemm"), TOKENS), TOKENS),
    "tokens-fx": (lambda: by_fx(Layers, "qnnpack", TOKENS), TOKENS),
}
for backend in ("fbgemm", "qnnpack"):
    qconfig = quant.get_default_qat_qconfig(backend)
    MODELS[f"scripted-{backend}"] = (lambda q=qconfig: trained(Scripted(q).train(), IMAGE), IMAGE)
for bits in (8, 7, 4):
    for symmetric in (True, False):
        for channels in (True, False):
            label = f"{bits}-bits-{'symmetric' if symmetric else 'affine'}-{'channels' if channels else 'tensor'}"
            MODELS[label] = (lambda q=own_qconfig(bits, symmetric, channels): eager(Convolutions, q, IMAGE, FUSED), IMAGE)

suite = Suite()
FOLDER = tempfile.TemporaryDirectory()
INTEGER = {"QLinearConv", "QLinearMatMul", "QGemm", "ConvInteger", "MatMulInteger", "MatMulIntegerToFloat", "DynamicQuantizeMatMul"}


def uses_integers(path):
    def check(_):
        operators = [node.op_type for node in onnx.load(path).graph.node]
        found = INTEGER & set(operators)
        return None if found else f"ONNX Runtime uses no integer kernel: {operators}"
    return check


def step_of(model, example):
    """The largest difference of neighbouring values of the outputs."""
    values = torch.unique(model(example).detach())
    return float((values[1:] - values[:-1]).max()) if len(values) > 1 else 1.0


for name, (make, example) in MODELS.items():
    model = make()
    step = step_of(model, torch.cat([example] * 1))
    larger = torch.randn(40, *example.shape[1:])
    options = dict(dynamic=[{0: "batch"}], more=[[larger]], absent=["BatchNormalization", "Div"] if name != "unfused" else [])
    for opset in (13, 21):
        how = "script" if name.startswith("scripted") else "trace"
        suite.add(f"{name}-{opset}", model, [example], how=how, opset=opset, unoptimized=True, rtol=1e-4, atol=1e-4, step=1.01 * step, share=0.02,
                  **options)
        path = os.path.join(FOLDER.name, f"{name}-{opset}.onnx")
        if "fbgemm" in name or "7-bits" in name:  # kernels saturate with more bits, on machines without products of bytes
            suite.add(f"{name}-{opset}-integers", model, [example], how="trace", opset=opset, optimized_model=path, rtol=1e-4, atol=1e-4,
                      step=2.02 * step, share=0.5, check=uses_integers(path), **options)


def small_file(limit, **counts):
    def check(result):
        for op, count in counts.items():
            if result["operators"].get(op, 0) != count:
                return f"has {result['operators'].get(op, 0)} {op} instead of {count}"
        return None if result["bytes"] <= limit else f"has {result['bytes']} bytes, more than {limit}"
    return check


# Weights make up the file: integers need a quarter of its bytes.
wide = eager(lambda: Layers(256), quant.get_default_qat_qconfig("fbgemm"), torch.randn(2, 256))
floats = sum(p.numel() * 4 for p in wide.parameters())
suite.add("small-file", wide, [torch.randn(2, 256)], how="trace", opset=13, unoptimized=True, rtol=1e-4, atol=1e-4, step=0.1, share=0.01,
          check=small_file(0.3 * floats, Transpose=0))
suite.add("float-weights", wide, [torch.randn(2, 256)], how="trace", opset=13, unoptimized=True, rtol=1e-4, atol=1e-4, step=0.1, share=0.01,
          quantized_weights="qdq", check=small_file(1.1 * floats, QuantizeLinear=5, DequantizeLinear=5))
four = eager(lambda: Layers(256), own_qconfig(4, True, True), torch.randn(2, 256))
suite.add("four-bits", four, [torch.randn(2, 256)], how="trace", opset=21, unoptimized=True, rtol=1e-4, atol=1e-4, step=1.0, share=0.02,
          check=small_file(0.15 * floats))


def observed():
    torch.manual_seed(0)
    model = Layers().train()
    model.qconfig = quant.get_default_qat_qconfig("fbgemm")
    model = quant.prepare_qat(model)
    model(TOKENS)
    return model.eval()


def changed(result):
    return None if any("scale" in name for name in result["changed_buffers"]) else f"the changed buffers are {result['changed_buffers']}"


# Observers that are on choose the scales of each run; the model does not keep them.
suite.add("observers-on", observed(), [TOKENS], how="trace", unoptimized=True, rtol=1e-4, atol=1e-4, step=0.2, share=0.02, check=changed)
scripted = Scripted(quant.get_default_qat_qconfig("fbgemm"))
scripted(IMAGE)
suite.add("observers-on-scripted", scripted, [IMAGE], how="script", unoptimized=True, rtol=1e-4,
          atol=1e-4, step=0.2, share=0.02, check=changed)

if __name__ == "__main__":
    suite.main()
