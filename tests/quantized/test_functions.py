"""quantized::* operators without weights in objects."""
import torch
from quantized import Quantized

suite = Quantized()
shape = (2, 4, 5, 6)
quint8 = (torch.quint8,)
two = "    p = torch.quantize_per_tensor(x.flip([1]) * 0.5, 0.03125, 64, q.dtype)\n"

for name, numbers in (("add", (0.5, -1.25, 2, 30.0, -40.0)), ("mul", (0.5, -1.25, 2)), ("add_relu", (0.5, -1.25, 2, 30.0, -40.0)),
                      ("mul_relu", (0.5, -1.25, 2))):
    suite.op(name, f"torch.ops.quantized.{name}(q, p, 0.1, 40)", shape, setup=two)
    suite.op_of_any_shape(f"{name}-shape", f"torch.ops.quantized.{name}(q, p, 0.1, 40)",
                          setup="    p = torch.quantize_per_tensor(x.flip([0]) * 0.5, 0.03125, 64, q.dtype)\n")
    for number in numbers:
        suite.op(f"{name}-number{number}", f"torch.ops.quantized.{name}(q, {number})", shape, types=quint8)
for name in ("add_scalar", "mul_scalar", "add_scalar_relu", "mul_scalar_relu"):
    for number in (0.5, -1.25, 2, 30.0, -40.0) if "add" in name else (0.5, -1.25, 2):
        suite.op(f"{name}{number}", f"torch.ops.quantized.{name}(q, {number})", shape)
for relu in ("", "_relu"):
    suite.op(f"cat{relu}", f"torch.ops.quantized.cat{relu}([q, p], 1, 0.1, 30)", shape, setup=two)
    suite.op(f"cat{relu}-same", f"torch.ops.quantized.cat{relu}([q, q], 1, q.q_scale(), q.q_zero_point())", shape)
suite.op("mul_scalar-0", "torch.ops.quantized.mul_scalar(q, 0.0)", shape, types=quint8)
suite.op("matmul", "torch.ops.quantized.matmul(q, p, 0.5, 60)", (2, 4, 5, 5), setup="    p = q.transpose(2, 3)\n")

for name, expression in {
        "hardswish": "hardswish(q, 0.05, 20)", "leaky_relu": "leaky_relu(q, 0.1, False, 0.05, 20)", "sigmoid": "sigmoid(q, 0.01, 5)",
        "elu": "elu(q, 0.05, 20, 0.5, 1.5, 0.75)", "celu": "celu(q, 0.05, 20, 0.7)", "softmax": "softmax(q, 1, 0.00390625, 0)",
        "dropout": "dropout(q, 0.05, 20, 0.5, False)", "clamp": "clamp(q, -0.5, 1.0)", "threshold": "threshold(q, 0.5, 0.25)",
        "relu6": "relu6(q, False)", "max_pool2d": "max_pool2d(q, [3, 3], [2, 2], [1, 1], [1, 1], False)",
        "max_pool1d": "max_pool1d(q[:, :, 0], [3], [2], [1], [1], False)"}.items():
    types = quint8 if name == "softmax" else (torch.quint8, torch.qint8)
    suite.op(name, f"torch.ops.quantized.{expression}", shape, types=types)
    if "max_pool" not in name and name != "softmax":
        suite.op_of_any_shape(f"{name}-shape", f"torch.ops.quantized.{expression}")
suite.op("prelu", "torch.ops.quantized.prelu(q, torch.quantize_per_tensor(w, 0.01, 0, torch.quint8), 0.05, 60)", shape, types=quint8,
         w=torch.rand(4))
suite.op("quantized_max_pool2d", "torch.quantized_max_pool2d(q, [3, 3], [2, 2], [1, 1])", shape, exact=True)
suite.op("quantized_max_pool1d", "torch.quantized_max_pool1d(q[:, :, 0], [3], [2], [1])", shape, types=quint8, exact=True)

weights = {"w": torch.rand(4) + 0.5, "b": torch.randn(4), "m": torch.randn(4), "v": torch.rand(4) + 0.5}
for relu in ("", "_relu"):
    suite.op(f"batch_norm2d{relu}", f"torch.ops.quantized.batch_norm2d{relu}(q, w, b, m, v, 1e-5, 0.1, 60)", shape, **weights)
    suite.op(f"batch_norm3d{relu}", f"torch.ops.quantized.batch_norm3d{relu}(q.unsqueeze(2), w, b, m, v, 1e-5, 0.1, 60)", shape, types=quint8,
             **weights)
    suite.op(f"batch_norm1d{relu}", f"torch.ops.quantized.batch_norm1d{relu}(q[:, :, 0], w, b, m, v, 1e-5, 0.1, 60)", shape, types=quint8,
             **weights)
    suite.op(f"batch_norm{relu}", f"torch.ops.quantized.batch_norm{relu}(q, w, b, m, v, 1e-5, 0.1, 60)", shape, types=quint8, **weights)
suite.op("quantized_batch_norm", "torch.quantized_batch_norm(q, w, b, m, v, 1e-5, 0.1, 60)", shape, types=quint8, **weights)
suite.op("layer_norm", "torch.ops.quantized.layer_norm(q, [6], w, b, 1e-5, 0.05, 60)", shape, w=torch.rand(6), b=torch.randn(6))
suite.op("group_norm", "torch.ops.quantized.group_norm(q, 2, w, b, 1e-5, 0.05, 60)", shape, w=torch.rand(4), b=torch.randn(4))
suite.op("instance_norm", "torch.ops.quantized.instance_norm(q, w, b, 1e-5, 0.05, 60)", shape, w=torch.rand(4), b=torch.randn(4))
suite.main()
