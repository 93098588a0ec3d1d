"""Quantised tensors of PyTorch 2: quantized_decomposed, torchao, and products with packed weights. The PyTorch at hand lacks
these operators; the second text of a case is their definition."""
import torch
from sizes import Sizes

suite = Sizes()
batch = [{0: "batch"}]
x = torch.randn(4, 8) * 3
# Scales are powers of two, for which ONNX and PyTorch round alike: see test_fake_quantize.py.
scales = torch.tensor([0.5, 0.25, 1, 2, 0.125, 0.5, 1, 0.25])
zeros = torch.tensor([0, 3, -5, 7, 1, 2, 0, -1])
exact = dict(rtol=0, atol=0)
TYPES = {1: "torch.int8", 0: "torch.uint8", 2: "torch.int16", 3: "torch.int32"}
LIMITS = {1: ("-128, 127", "-127, 127"), 0: ("0, 255", "0, 127"), 2: ("-32768, 32767",), 3: ("-2147483648, 2147483647",)}

Q = "ops.quantized_decomposed."
for number, dtype in TYPES.items():
    for limits in LIMITS[number]:
        for opset in (13, 21):
            options = dict(exact, opset=opset)
            rounded = f"torch.clamp(torch.round(x * 4.0) + 3, {limits}).to({dtype})"
            name = f"{number}-{limits}-{opset}"
            suite.newer(f"quantize_per_tensor-{name}", f"{Q}quantize_per_tensor(x, 0.25, 3, {limits}, {number})", rounded, batch, options, x=x)
            suite.newer(f"quantize-tensors-{name}", f"{Q}quantize_per_tensor(x, s, z, {limits}, {number})", rounded + " + (0 * s * z).to(" + dtype + ")",
                        batch, options, x=x, s=torch.tensor([0.25], dtype=torch.float64), z=torch.tensor([3]))
            suite.newer(f"quantize_per_channel-{name}", f"{Q}quantize_per_channel(x, s, z, 1, {limits}, {number})",
                        f"torch.clamp(torch.round(x * (1.0 / s)) + z, {limits}).to({dtype})", batch, options, x=x, s=scales, z=zeros.clamp(min=0))
            q = torch.randint(0, 100, (4, 8)).to(getattr(torch, dtype[6:]))
            value = "(q.float() - 3) * 0.25"
            suite.newer(f"dequantize_per_tensor-{name}", f"{Q}dequantize_per_tensor(q, 0.25, 3, {limits}, {number})", value, batch, options, q=q)
            suite.newer(f"dequantize-f16-{name}", f"{Q}dequantize_per_tensor(q, 0.25, 3, {limits}, {number}, out_dtype=5)", f"({value}).half()",
                        batch, options, q=q)
            suite.newer(f"dequantize-tensors-{name}", f"{Q}dequantize_per_tensor(q, s, z, {limits}, {number})", "(q.float() - z) * s.float()", batch,
                        options, q=q, s=torch.tensor([0.25], dtype=torch.float64), z=torch.tensor([3]))
            suite.newer(f"dequantize_per_channel-{name}", f"{Q}dequantize_per_channel(q, s, z, 1, {limits}, {number})", "(q.float() - z) * s", batch,
                        options, q=q, s=scales, z=zeros.clamp(min=0))
            suite.newer(f"dequantize-channels-none-{name}", f"{Q}dequantize_per_channel(q, s, None, 1, {limits}, {number})", "q.float() * s", batch,
                        options, q=q, s=scales)
limits = "torch.tensor(-128), torch.tensor(127)"
suite.newer("tensor2", f"{Q}quantize_per_tensor(x, s, z, {limits}, 1)", "torch.clamp(torch.round(x / s) + z, -128, 127).to(torch.int8)", batch,
            dict(exact), x=x, s=torch.tensor([0.25]), z=torch.tensor([3]))
suite.newer("tensor2-limits", f"{Q}quantize_per_tensor(x, s, z, low, high, 1)", "torch.clamp(torch.round(x / s) + z, -9, 11).to(torch.int8) + 0 * low + 0 * high",
            batch, dict(exact), x=x, s=torch.tensor([0.25]), z=torch.tensor([3]), low=torch.tensor([-9], dtype=torch.int8),
            high=torch.tensor([11], dtype=torch.int8))
suite.newer("tensor2-back", f"{Q}dequantize_per_tensor(q, s, z, {limits}, 1)", "(q.float() - z) * s", batch, dict(exact),
            q=torch.randint(-100, 100, (4, 8), dtype=torch.int8), s=torch.tensor([0.25]), z=torch.tensor([3]))
suite.newer("fake_quant_per_channel", f"{Q}fake_quant_per_channel(x, s, z, 1, -128, 127)",
            "torch.fake_quantize_per_channel_affine(x, s, z.to(torch.int32), 1, -128, 127)", batch, dict(exact), x=x, s=scales, z=zeros)
suite.newer("convert_element_type", f"{Q}convert_element_type(x, 3)", "x.to(torch.int32)", batch, dict(exact), x=x)

# Parameters that depend on the elements.
low, high = "torch.clamp(x.min(), max=0)", "torch.clamp(x.max(), min=0)"
scale = f"torch.clamp(({high} - {low}) / 255.0, min=1e-6)"
suite.newer("choose_qparams", f"{Q}choose_qparams(x, -128, 127, 1e-6, 1)",
            f"({scale}.reshape(1).double(), torch.clamp(-128 - torch.round({low} / {scale}), -128, 127).long().reshape(1))", batch, x=x)
suite.newer("choose_qparams_symmetric", f"{Q}choose_qparams_symmetric(x, -127, 127, 1e-6, 1)",
            f"(torch.clamp(torch.maximum(-{low}, {high}) / 127.0, min=1e-6).reshape(1).double(), torch.zeros(1, dtype=torch.int64))", batch, x=x)
rows = "torch.clamp(x.abs().amax([-1], keepdim=True), min=1e-5) / 127"
suite.newer("choose_qparams_per_token", f"{Q}choose_qparams_per_token(x, 1)", f"({rows}, torch.zeros_like({rows}))", batch, x=x)
suite.newer("quantize_per_token", f"{Q}quantize_per_token(x, s, z, -128, 127, 1)", "torch.clamp(torch.round(x * (1.0 / s) + z), -128, 127).to(torch.int8)",
            [{0: "batch"}, {0: "batch"}, {0: "batch"}], dict(exact), x=x, s=torch.tensor([[0.5], [0.25], [1], [2]]), z=torch.tensor([[0.], [1], [2], [3]]))
suite.newer("dequantize_per_token", f"{Q}dequantize_per_token(q, s, z, -128, 127, 1, 6)", "((q - z) * s).float()",
            [{0: "batch"}, {0: "batch"}, {0: "batch"}], dict(exact), q=torch.randint(-100, 100, (4, 8), dtype=torch.int8),
            s=torch.tensor([[0.5], [0.25], [1], [2]], dtype=torch.float64), z=torch.tensor([[0], [1], [2], [3]]))
low, high = "torch.clamp(x.amin([-1], keepdim=True), max=0)", "torch.clamp(x.amax([-1], keepdim=True), min=0)"
scale = f"torch.clamp(({high} - {low}) / 255.0, min=1.1920929e-07)"
zero = f"torch.where(-128 + {low} / {scale} + 127 + {high} / {scale} > 0, -128 - {low} / {scale}, 127 - {high} / {scale})"
for name in ("choose_qparams_per_token_asymmetric", "_choose_qparams_per_token_asymmetric_impl"):
    suite.newer(name, f"{Q}{name}(x, 1)", f"({scale}.double(), torch.clamp({zero}, -128, 127).round().long())", batch, x=x)

# Blocks of columns.
s2, z2 = scales.reshape(4, 2), zeros.reshape(4, 2)
to_blocks = "torch.clamp(torch.round(x.reshape(4, 2, 4) * (1.0 / s.unsqueeze(2))) + z.unsqueeze(2), -8, 7).to(torch.int8).reshape(4, 8)"
from_blocks = "((q.reshape(4, 2, 4).float() - z.unsqueeze(2)) * s.unsqueeze(2)).reshape(4, 8)"
q = torch.randint(-8, 8, (4, 8), dtype=torch.int8)
for opset in (13, 21):
    options = dict(exact, opset=opset)
    suite.newer(f"quantize_per_channel_group-{opset}", f"{Q}quantize_per_channel_group(x, s, z, -8, 7, 1, 4)", to_blocks, (), options, x=x, s=s2, z=z2)
    suite.newer(f"dequantize_per_channel_group-{opset}", f"{Q}dequantize_per_channel_group(q, s, z, -8, 7, 1, 4, 6)", from_blocks, (), options, q=q,
                s=s2, z=z2)
    suite.newer(f"dequantize_per_channel_group-none-{opset}", f"{Q}dequantize_per_channel_group(q, s, None, -8, 7, 1, 4, 6)",
                "(q.reshape(4, 2, 4).float() * s.unsqueeze(2)).reshape(4, 8)", (), options, q=q, s=s2)
    for space in ("torchao", "pt2e_quant"):
        suite.newer(f"{space}-quantize_affine-{opset}", f"ops.{space}.quantize_affine(x, [1, 4], s, z, 1, -8, 7)", to_blocks, (), options, x=x, s=s2, z=z2)
        suite.newer(f"{space}-dequantize_affine-{opset}", f"ops.{space}.dequantize_affine(q, [1, 4], s, z, 1, -8, 7)", from_blocks, (), options, q=q,
                    s=s2, z=z2)
        suite.newer(f"{space}-rows-{opset}", f"ops.{space}.quantize_affine(x, [1, 8], s, z, 1)",
                    "torch.clamp(torch.round(x * (1.0 / s.unsqueeze(1))) + z.unsqueeze(1), -128, 127).to(torch.int8)", (), options, x=x,
                    s=scales[:4], z=zeros[:4])
        suite.newer(f"{space}-rows-back-{opset}", f"ops.{space}.dequantize_affine(q, [1, 8], s, None, 1)", "q.float() * s.unsqueeze(1)", (), options,
                    q=q, s=scales[:4])
        suite.newer(f"{space}-squares-{opset}", f"ops.{space}.dequantize_affine(q, [2, 4], s, z, 1)",
                    "((q.reshape(2, 2, 2, 4).float() - z.reshape(2, 1, 2, 1)) * s.reshape(2, 1, 2, 1)).reshape(4, 8)", (), options, q=q,
                    s=scales[:4].reshape(2, 2), z=zeros[:4].reshape(2, 2))
blocks = "x.reshape(4, 2, 4)"
low, high = f"torch.clamp({blocks}.amin([2]), max=0)", f"torch.clamp({blocks}.amax([2]), min=0)"
symmetric = f"torch.clamp(torch.maximum(-{low}, {high}) / 7.5, min=1.1920929e-07)"
asymmetric = f"torch.clamp(({high} - {low}) / 15, min=1.1920929e-07)"
unclipped = f"torch.clamp(torch.maximum({low} / -8, {high} / 7), min=1.1920929e-07)"
for space, kind in (("torchao", "torch.int32"), ("pt2e_quant", "torch.float32")):
    call = f"ops.{space}.choose_qparams_affine(x, '{{}}', [1, 4], 1, -8, 7)"
    suite.newer(f"{space}-choose_qparams_affine", call.format("SYMMETRIC"), f"({symmetric}, torch.zeros_like({symmetric}).to({kind}))", (), x=x)
    suite.newer(f"{space}-asymmetric", call.format("ASYMMETRIC"),
                f"({asymmetric}, torch.clamp(-8 - torch.round({low} / {asymmetric}), -8, 7).to({kind}))", (), x=x)
    suite.newer(f"{space}-unclipped", call.format("SYMMETRIC_NO_CLIPPING_ERR"), f"({unclipped}, torch.zeros_like({unclipped}).to({kind}))", (), x=x)

# Weights of integers.
w8 = torch.randint(-128, 128, (5, 8), dtype=torch.int8)
suite.newer("_weight_int8pack_mm", "torch._weight_int8pack_mm(x, w, s)", "x @ (w.float() * s.unsqueeze(1)).t()", batch, x=x, w=w8, s=scales[:5])
suite.newer("mixed_mm", f"{Q}mixed_mm(x, w, s, None)", "x @ (w.float() * s)", batch, x=x, w=w8.t().contiguous(), s=scales[:5])
suite.newer("mixed_linear", f"{Q}mixed_linear(x, w, s, z)", "x @ ((w.float() - z.unsqueeze(1)) * s.unsqueeze(1)).t()", batch, x=x, w=w8, s=scales[:5],
            z=zeros[:5])
w4, x4 = torch.randint(0, 16, (16, 64), dtype=torch.int32), torch.randn(3, 64)
grouped = "((w.float() - 8).reshape(16, 2, 32) * p[:, :, 0].t().unsqueeze(2) + p[:, :, 1].t().unsqueeze(2)).reshape(16, 64)"
suite.newer("_weight_int4pack_mm_for_cpu", "torch._weight_int4pack_mm_for_cpu(x, torch._convert_weight_to_int4pack_for_cpu(w, 2), 32, p)",
            f"x @ {grouped}.t()", batch, dict(rtol=1e-4, atol=1e-4), x=x4, w=w4, p=torch.rand(2, 16, 2))
suite.newer("_weight_int4pack_mm_with_scales_and_zeros", "torch._weight_int4pack_mm_with_scales_and_zeros(x, "
            "torch._convert_weight_to_int4pack_for_cpu(w, 2), 32, torch.select(p, 2, 0), torch.select(p, 2, 1))",
            f"x @ {grouped}.t()", batch, dict(rtol=1e-4, atol=1e-4), x=x4, w=w4, p=torch.rand(2, 16, 2))
indices = torch.tensor([0, 3, 3, 1])
table, row_scales = torch.randint(-128, 128, (4, 8), dtype=torch.int8), torch.rand(4)
suite.newer("embedding_byte", f"{Q}embedding_byte(w, s, None, -128, 127, i)", "w[i].float() * s[i].unsqueeze(1)", [{}, {}, {0: "n"}], w=table,
            s=row_scales, i=indices)
suite.newer("embedding_byte-zeros", f"{Q}embedding_byte(w, s, z, -128, 127, i, dtype=5)", "((w[i].float() - z[i].unsqueeze(1)) * s[i].unsqueeze(1)).half()",
            [{}, {}, {}, {0: "n"}], w=table, s=row_scales, z=zeros[:4], i=indices)
suite.newer("embedding_byte-groups", f"{Q}embedding_byte(w, s, None, -128, 127, i)",
            "(w[i].float().reshape(-1, 2, 4) * s[i].unsqueeze(2)).reshape(-1, 8)", [{}, {}, {0: "n"}], w=table, s=torch.rand(4, 2), i=indices)
nibbles = "torch.stack([torch.div(w, 16, rounding_mode='floor'), w % 16], 2).reshape(4, 16).float() - 8"
suite.newer("embedding_4bit", f"{Q}embedding_4bit(w, s, None, -8, 7, i)", f"({nibbles})[i] * s[i].unsqueeze(1)", [{}, {}, {0: "n"}],
            w=torch.randint(0, 256, (4, 8), dtype=torch.uint8), s=row_scales, i=indices)
suite.newer("embedding_4bit-dtype", f"{Q}embedding_4bit(w, s, None, -8, 7, i, dtype=5)", f"(({nibbles})[i] * s[i].unsqueeze(1)).half()",
            [{}, {}, {0: "n"}], w=torch.randint(0, 256, (4, 8), dtype=torch.uint8), s=row_scales, i=indices)

# Floats of eight bits, with numbers that they hold and numbers beyond their range.
eight = torch.tensor([[0.5, 1, 1.5, -2, 112, -0.015625]])
for number in (23, 24, 25, 26):
    for opset in (19, 21, 23):
        suite.newer(f"float8-{number}-{opset}", f"torch.to(torch.to(x, {number}), 6)", "x + 0", batch, dict(exact, opset=opset), x=eight)
suite.newer("float8-beyond", "(torch.to(torch.to(x, 24), 6), torch.to(torch.to(x, 23), 6))", "(x * float('nan'), x * float('inf'))", batch,
            dict(exact, opset=19), x=torch.tensor([[1e6, -1e6]]))
suite.bodies["float8-before-19"] = "return torch.to(torch.to(x, 24), 6)"
suite.add("float8-before-19", "def forward(x):\n    return x + 0\n", [eight], opset=17,
          error="Cast needs opset 19 or newer, because it has floats of eight bits")

if __name__ == "__main__":
    suite.main()
