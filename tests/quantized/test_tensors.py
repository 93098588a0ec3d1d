"""Operators of PyTorch on quantised tensors: layouts, functions of numbers, parameters."""
import torch
from quantized import Quantized

suite = Quantized()
image = (2, 4, 5, 6)
every = (torch.quint8, torch.qint8, torch.qint32)

layouts = {
    "view": "q.view(-1, 20, 6)", "reshape": "q.reshape(q.size(0), -1)", "permute": "q.permute(0, 2, 3, 1)",
    "transpose": "q.transpose(1, 2)", "slice": "q[:, 1:3]", "select": "q[:, 0]", "step": "q[:, :, ::2]",
    "flatten": "q.flatten(1)", "chunk": "q.chunk(2, 1)[1]", "split": "q.split(2, 1)[0]", "unbind": "q.unbind(1)[2]",
    "squeeze": "q[:, :1].squeeze(1)", "unsqueeze": "q.unsqueeze(1)", "contiguous": "q.permute(0, 2, 3, 1).contiguous()",
    "clone": "q.clone()", "detach": "q.detach()", "dropout": "torch.dropout(q, 0.5, False)",
    "expand": "q[:, :1].expand(-1, 3, -1, -1)", "repeat": "q.repeat(1, 2, 1, 1)", "flip": "q.flip([1])",
    "index": "q[:, torch.tensor([2, 0])]", "index_select": "q.index_select(1, torch.tensor([1, 1]))",
    "cat": "torch.cat([q, q], 1)", "stack": "torch.stack([q, q], 1)", "movedim": "q.movedim(1, 2)",
    "pixel_shuffle": "torch.pixel_shuffle(q, 2)", "reflect": "torch._C._nn.reflection_pad2d(q, [1, 1, 1, 1])",
    "max_pool1d": "torch.max_pool1d(q[:, :, 0], 3, 2, 1)", "max_pool2d": "torch.max_pool2d(q, 3, 2, 1)",
    "upsample_nearest2d": "torch._C._nn.upsample_nearest2d(q, [10, 12])", "sort": "torch.sort(q, 1)[0]",
    "topk": "torch.topk(q, 2, 1)[0]", "max": "torch.max(q, 1)[0]", "min": "torch.min(q, 1)[0]", "max-all": "torch.max(q)",
    "relu": "torch.relu(q)", "relu6": "torch.nn.functional.relu6(q)", "clamp": "torch.clamp(q, -1.0, 2.0)",
    "hardtanh": "torch.nn.functional.hardtanh(q, -1.0, 1.5)", "constant_pad": "torch.nn.functional.pad(q, (1, 2), value=1.0)",
    "masked_fill": "q.masked_fill(q.dequantize() > 1.0, 2.0)", "threshold": "torch.nn.functional.threshold(q, 0.5, 0.25)",
}
for name, expression in layouts.items():
    suite.op(name, expression, image, types=every, exact=True)
for name in ("relu", "relu6", "clamp", "hardtanh", "masked_fill", "threshold", "clone", "detach", "max-all"):
    suite.op_of_any_shape(f"{name}-shape", layouts[name], types=every, exact=True)
suite.op("channel_shuffle", "torch.channel_shuffle(q, 2)", image, types=(torch.quint8,), exact=True)
suite.op("cat-parameters", "torch.cat([q, torch.quantize_per_tensor(x * 0.5, 0.1, 7, torch.quint8)], 1)", image,
         types=(torch.quint8,))
suite.op("branch", "(q if float(x.sum()) > 0 else torch.quantize_per_tensor(x, 0.5, 3, torch.quint8))", image,
         types=(torch.quint8,), exact=True)
suite.op("loop", "q", image, types=(torch.quint8,), exact=True, setup="    for i in range(int(x.size(0))):\n        q = torch.relu(q)\n")
suite.op("in-place", "torch.relu_(q)", image, types=every, exact=True)
suite.op("list", "torch.cat([q, q][:2], 0)", image, exact=True)
suite.op("view-write", "q", image, types=(torch.quint8,), exact=True, setup="    torch.relu_(q[:, 1])\n")

rounded = {
    "sigmoid": "torch.sigmoid(q)", "tanh": "torch.tanh(q)", "hardsigmoid": "torch.nn.functional.hardsigmoid(q)",
    "leaky_relu": "torch.nn.functional.leaky_relu(q, 0.2)", "gelu": "torch.nn.functional.gelu(q)",
    "mean": "torch.mean(q, [2, 3])", "mean-keep": "torch.mean(q, [1], True)",
    "avg_pool2d": "torch.nn.functional.avg_pool2d(q, 2)", "avg_pool2d-padded": "torch._C._nn.avg_pool2d(q, [3], [2], [1], False, False)",
    "adaptive_avg_pool2d": "torch.nn.functional.adaptive_avg_pool2d(q, [1, 1])",
    "adaptive_avg_pool2d-3": "torch._C._nn.adaptive_avg_pool2d(q, [3, 2])",
    "upsample_bilinear2d": "torch._C._nn.upsample_bilinear2d(q, [10, 12], False)", "std": "torch.std(q, 1)",
}
for name, expression in rounded.items():
    suite.op(name, expression, image)
for name in ("sigmoid", "tanh", "hardsigmoid", "leaky_relu", "gelu"):
    suite.op_of_any_shape(f"{name}-shape", rounded[name])
suite.op("avg_pool3d", "torch._C._nn.avg_pool3d(q, [2])", (2, 3, 4, 4, 4))
suite.op("adaptive_avg_pool3d", "torch._C._nn.adaptive_avg_pool3d(q, [2, 2, 2])", (2, 3, 4, 4, 4))

questions = {
    "compare": "(q > 0.5) & (q <= 1.5) | (q == 0.25)", "tensors": "q.ge(q.flip([1]))", "int_repr": "q.int_repr()",
    "q_scale": "q.q_scale()", "q_zero_point": "q.q_zero_point()", "numel": "q.numel()", "size": "q.size(1)",
    "indices": "torch.sort(q[:, :, 0, 0] + 0 if False else q[:, :, 0, 0], 1)[0].int_repr()",
}
for name, expression in questions.items():
    suite.op(name, expression, image, types=every if name != "indices" else (torch.quint8,))

channels = torch.tensor([0.1, 0.05, 0.2, 0.025])
per_channel = "torch.quantize_per_channel(x, s, z, 1, torch.{})"
x = torch.randn(2, 4, 5)
for kind, zeros in (("qint8", torch.tensor([0, 1, -3, 2])), ("quint8", torch.tensor([100, 0, 7, 20])), ("qint32", torch.tensor([0, 0, 0, 0]))):
    quantized = per_channel.format(kind)
    for name, expression in {
            "dequantize": f"{quantized}.dequantize()", "int_repr": f"{quantized}.int_repr()",
            "scales": f"{quantized}.q_per_channel_scales()", "zeros": f"{quantized}.q_per_channel_zero_points()",
            "axis": f"{quantized}.q_per_channel_axis()", "clone": f"{quantized}.clone().dequantize()"}.items():
        program = f"def forward(x, s, z):\n    return {expression}\n"
        tolerance = {"atol": 0.2} if name in ("dequantize", "clone") else {"atol": 1.0, "rtol": 0.0} if name == "int_repr" else {}
        suite.sizes(f"channel-{name}-{kind}", program, [x, channels, zeros], [{0: "batch"}], **tolerance)

scalar = {"s": torch.tensor(0.1), "z": torch.tensor(5)}
suite.call("tensor-parameters", "torch.quantize_per_tensor(x, s, z, torch.quint8).dequantize()", [{0: "batch"}],
           {"atol": 0.1001}, x=x, **scalar)
suite.call("tensors", "torch.quantize_per_tensor([x, x * 2], s, z, torch.quint8)[1].dequantize()", [{0: "batch"}],
           {"atol": 0.2001}, x=x, s=torch.tensor([0.1, 0.2]), z=torch.tensor([5, 100]))
suite.call("dequantize-list", "torch.dequantize([torch.quantize_per_tensor(x, 0.25, 3, torch.quint8)])[0]", [{0: "batch"}],
           {"atol": 0.251}, x=x)
for reduce in (False, True):
    suite.call(f"quantize_per_tensor_dynamic-{reduce}", f"torch.quantize_per_tensor_dynamic(x, torch.quint8, {reduce}).dequantize()",
               [{0: "batch"}], {"atol": 0.06}, x=x)
suite.call("_make_per_tensor_quantized_tensor", "torch._make_per_tensor_quantized_tensor(i, 0.5, 3).dequantize()", [{0: "batch"}],
           i=torch.randint(0, 255, (2, 3), dtype=torch.uint8))
suite.call("_make_per_channel_quantized_tensor", "torch._make_per_channel_quantized_tensor(i, s, z, 1).dequantize()", [{0: "batch"}],
           i=torch.randint(-128, 127, (2, 4), dtype=torch.int8), s=channels, z=torch.tensor([0, 1, -3, 2]))

for name, expression, error in (
        ("scale-zero", "torch.quantize_per_tensor(x, 0.0, 3, torch.quint8)", "the scale of a quantised tensor must be a positive number, not 0"),
        ("scale-nan", "torch.quantize_per_tensor(x, float('nan'), 3, torch.quint8)", "must be a positive number, not nan"),
        ("zero-point", "torch.quantize_per_tensor(x, 0.5, 256, torch.quint8)", "the zero point 256 is not in the range of qu8"),
        ("unknown", "torch.quantize_per_tensor(x, 0.5, 2, torch.quint8) + x", "does not support quantised tensors"),
        ("sum", "torch.quantize_per_tensor(x, 0.5, 2, torch.quint8).sum()", "does not support quantised tensors")):
    suite.add(f"refused-{name}", f"def forward(x):\n    return {expression}.dequantize()\n", [x], error=[error])
suite.main()
