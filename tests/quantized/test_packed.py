"""Objects with packed weights that the program itself makes, and what it reads from them."""
import torch
from quantized import Quantized

torch.backends.quantized.engine = "qnnpack"
suite = Quantized()
batch = [{0: "batch"}]
one = "torch._make_per_tensor_quantized_tensor(w, 0.02, 0)"
fields = ("stride", "padding", "dilation", "groups", "transpose")
wide = ("conv3d_output_padding", "conv_transpose2d_output_padding", "conv_transpose3d_output_padding")
kinds = {1: ("conv1d", "conv_transpose1d"), 2: ("conv2d", "conv_transpose2d"), 3: ("conv3d", "conv_transpose3d")}

for n in (1, 2, 3):
    shape, ones, zeros = [2, 4] + [6] * n, [1] * n, [0] * n
    x = torch.randn(shape)
    for kind, weight, more in zip(kinds[n], ((5, 4), (4, 5)), ("", f"{zeros}, ")):
        packs = f"torch.ops.quantized.{kind}_prepack({one}, b, {ones}, {zeros}, {more}{ones}, 1)"
        inputs = {"x": x, "w": torch.randint(-100, 100, weight + (3,) * n, dtype=torch.int8), "b": torch.randn(5)}
        if n < 3 or kind == "conv3d":
            suite.call(kind, f"torch.ops.quantized.{kind}(torch.quantize_per_tensor(x, 0.0625, 60, torch.quint8), {packs}, 0.5, 60).dequantize()",
                       batch, {"rtol": 0, "atol": 0.5001}, **inputs)
        # Not every engine has kernels for three dimensions: what they compute is known.
        text = packs.replace("torch.ops", "ops")
        suite.newer(f"{kind}_unpack", f"torch.dequantize((ops.quantized.{kind}_unpack({text}))[0])", "w.float() * 0.02 + 0 * b[0]", **inputs)
        for field in (*fields, "output_padding") if n > 1 else ():
            if field != "output_padding" or f"{kind}_{field}" in wide:
                suite.call(f"{kind}_{field}", f"torch.ops.quantized.{kind}_{field}({packs})", **inputs)
        q = "torch.quantize_per_tensor_dynamic(x, torch.quint8, False)"
        same = f"torch.{kind}({q}.dequantize(), w.float() * 0.02, b)"
        suite.newer(f"{kind}_dynamic", f"ops.quantized.{kind}_dynamic(x, {text})",
                    f"torch.quantize_per_tensor({same}, {q}.q_scale(), {q}.q_zero_point(), torch.quint8).dequantize()", batch,
                    {"rtol": 0, "atol": 0.06}, **inputs)
suite.call("conv_unpack", f"torch.ops.quantized.conv_unpack(torch.ops.quantized.conv_prepack({one}, b, [1, 1], [0, 0], [1, 1], 1))[0].dequantize()",
           w=torch.randint(-100, 100, (5, 4, 3, 3), dtype=torch.int8), b=torch.randn(5))

# No engine of this PyTorch packs f16 weights: what they compute is known.
weights = {"x": torch.randn(3, 6), "w": torch.randn(5, 6), "b": torch.randn(5)}
for name, relu in (("linear_dynamic_fp16", ""), ("linear_relu_dynamic_fp16", "_relu")):
    same = "torch.nn.functional.linear(x, w.half().float(), b)"
    suite.newer(name, f"ops.quantized.{name}(x, ops.quantized.linear_prepack_fp16(w, b))",
                f"torch.relu({same})" if relu else same, batch, **weights)
suite.newer("linear_unpack_fp16", "(ops.quantized.linear_unpack_fp16(ops.quantized.linear_prepack_fp16(w, b)))[0]", "w.half().float() + 0 * b[0]", **weights)

linears = "torch.ops.quantized.linear_prepack(torch._make_per_tensor_quantized_tensor({}, 0.01, 0), b)"
cell = f"torch.ops.quantized.make_quantized_cell_params_dynamic({linears.format('w')}, {linears.format('r')}, b, b, False)"
# Small weights: products of eight bits saturate on processors without VNNI.
lstm = {"x": torch.randn(5, 2, 6), "h": torch.zeros(1, 2, 8), "w": torch.randint(-30, 30, (32, 6), dtype=torch.int8),
        "r": torch.randint(-30, 30, (32, 8), dtype=torch.int8), "b": torch.randn(32)}
suite.call("make_quantized_cell_params_dynamic", f"torch.quantized_lstm(x, [h, h], [{cell}], True, 1, 0.0, False, False, False)[0]",
           [{0: "time"}], {"rtol": 1e-3, "atol": 1e-3}, **lstm)
half = "ops.quantized.make_quantized_cell_params_fp16(ops.quantized.linear_prepack_fp16(w, b), ops.quantized.linear_prepack_fp16(r, b))"
floats = dict(lstm, w=torch.randn(32, 6), r=torch.randn(32, 8))
suite.newer("make_quantized_cell_params_fp16", f"(torch.quantized_lstm(x, [h, h], [{half}], True, 1, 0., False, False, False))[0]",
            "torch.lstm(x, [h, h], [w.half().float(), r.half().float(), b, b], True, 1, 0.0, False, False, False)[0]", [{0: "time"}], **floats)
suite.newer("qscheme", "torch.qscheme(torch.quantize_per_tensor(x, 0.5, 3, 13))", "x.size(0) * 0", x=weights["x"])
suite.main()
