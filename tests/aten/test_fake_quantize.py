"""Fake quantisation. PyTorch multiplies by the inverse of the scale where ONNX divides by the scale. Scales that are powers of
two and their sums of few bits give the same numbers; the others differ in elements that lie between two values of the grid."""
import torch
from sizes import Sizes

suite = Sizes()
axes = [{0: "batch", 1: "n"}]
x = torch.randn(4, 6) * 3
exact = dict(rtol=0, atol=0)

# Every kind of range: type limits, narrower ones, and those that no integer type of QuantizeLinear has.
RANGES = {"i8": (-128, 127), "symmetric": (-127, 127), "u8": (0, 255), "reduced": (0, 127), "7-bits": (-64, 63), "i4": (-8, 7), "u4": (0, 15),
          "i16": (-32768, 32767), "u16": (0, 65535), "12-bits": (-2048, 2047), "i32": (-2147483648, 2147483647), "mixed": (-3, 300)}
for label, (least, most) in RANGES.items():
    scale = 2.0 ** -5 if most > 20 else 0.5
    for zero in {0, least + (most - least) // 3 if most < 70000 else 5}:
        if not least <= zero <= most:
            continue
        for opset in (13, 21):
            options = dict(exact, opset=opset)
            name = f"{label}-{zero}-{opset}"
            suite.call(f"per-tensor-{name}", f"torch.fake_quantize_per_tensor_affine(x, {scale}, {zero}, {least}, {most})", axes, options, x=x)
            suite.call(f"qparams-{name}", f"torch.fake_quantize_per_tensor_affine(x, s, z, {least}, {most})", [*axes, {}, {}], options, x=x,
                       s=torch.tensor([scale]), z=torch.tensor([zero], dtype=torch.int32))
            suite.call(f"per-channel-{name}", f"torch.fake_quantize_per_channel_affine(x, s, z, 1, {least}, {most})", [{0: "batch"}], options,
                       x=x, s=scale * torch.tensor([1.0, 2, 0.5, 1, 4, 0.25]), z=torch.tensor([zero, 0, 1, 2, 3, zero], dtype=torch.int32)
                       .clamp(least, most))

for label, dtype in (("f16", torch.float16), ("f64", torch.float64)):
    y = x.to(dtype)
    suite.call(f"per-tensor-{label}", "torch.fake_quantize_per_tensor_affine(x, 0.25, 3, -128, 127)", axes, dict(exact), x=y)
    suite.call(f"per-channel-{label}", "torch.fake_quantize_per_channel_affine(x, s, z, 0, -128, 127)", [{1: "n"}], dict(exact), x=y,
               s=torch.tensor([0.5, 0.25, 1, 2]), z=torch.tensor([0, 3, -5, 7], dtype=torch.int32))
suite.call("float-zero-points", "torch.fake_quantize_per_channel_affine(x, s, z, 1, 0, 255)", [{0: "batch"}], dict(exact), x=x,
           s=torch.full((6,), 0.125), z=torch.tensor([0.25, 3.75, 9.5, 0.0, 7.3, 100.6]))
suite.call("other-scale", "torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -128, 127)", axes, x=x)

# A scale from a list of numbers, and the masks.
for limits in ("-128, 127", "-8, 7"):
    suite.call(f"cachemask-{limits}", f"torch.ops.aten.fake_quantize_per_tensor_affine_cachemask(x, 0.5, 2, {limits})", axes, dict(exact), x=x)
    suite.call(f"channel-cachemask-{limits}", f"torch.ops.aten.fake_quantize_per_channel_affine_cachemask(x, s, z, 1, {limits})", [{0: "batch"}],
               dict(exact), x=x, s=torch.full((6,), 0.5), z=torch.arange(6, dtype=torch.int32))
    for enabled in (0, 1):
        suite.call(f"enabled-{enabled}-{limits}", "torch.ops.aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams(x, s, z, on, "
                   f"{limits})", [*axes, {}, {}, {}], dict(exact), x=x, s=torch.tensor([0.5]), z=torch.tensor([2], dtype=torch.int32),
                   on=torch.tensor([enabled]))
for zero in (0.0, 2.5, 3.5, -1.2, 900.0):
    suite.call(f"learnable-{zero}", "torch.ops.aten._fake_quantize_learnable_per_tensor_affine(x, s, z, -128, 127, 1.0)", [*axes, {}, {}],
               dict(exact), x=x, s=torch.tensor([0.25]), z=torch.tensor([zero]))
suite.call("learnable-channels", "torch.ops.aten._fake_quantize_learnable_per_channel_affine(x, s, z, 1, -128, 127, 1.0)", [{0: "batch"}],
           dict(exact), x=x, s=torch.full((6,), 0.25), z=torch.tensor([0.5, 1.5, 2.4, -3.6, 200, -200]))


class Constants(torch.nn.Module):
    """A weight that the program quantises."""

    def __init__(self, weight, least, most, scale, zero, axis=None):
        super().__init__()
        self.weight = torch.nn.Parameter(weight)
        self.register_buffer("scale", scale)
        self.register_buffer("zero", zero)
        self.least, self.most, self.axis = least, most, axis

    def forward(self, x):
        if self.axis is None:
            return x * torch.fake_quantize_per_tensor_affine(self.weight, self.scale, self.zero, self.least, self.most)
        return x * torch.fake_quantize_per_channel_affine(self.weight, self.scale, self.zero, self.axis, self.least, self.most)


def counts(**operators):
    return operators


# A constant is computed as PyTorch computes it: any scale gives the same numbers.
for opset in (13, 21):
    for label in ("i8", "symmetric", "u8", "reduced", "7-bits", "i4", "u4", "i16", "12-bits"):
        least, most = RANGES[label]
        scale = torch.rand(1) * 0.1 + 0.01
        few = opset == 13 and most - least > 255
        operators = None if few else counts(DequantizeLinear=1, QuantizeLinear=0, Clip=0)
        zero = torch.tensor([(least + most) // 2], dtype=torch.int32)
        suite.sizes(f"weight-{label}-{opset}", Constants(x, least, most, scale, zero), [torch.randn(2, 4, 6)], [{0: "batch"}],
                    opset=opset, operators=operators, **exact)
        suite.sizes(f"weight-channels-{label}-{opset}", Constants(x, least, most, torch.rand(6) * 0.1 + 0.01, zero.repeat(6), 1),
                    [torch.randn(2, 4, 6)], [{0: "batch"}], opset=opset, operators=operators, **exact)
suite.sizes("weight-qdq", Constants(x, -128, 127, torch.tensor([0.25]), torch.tensor([3], dtype=torch.int32)), [torch.randn(2, 4, 6)],
            [{0: "batch"}], quantized_weights="qdq", operators=counts(QuantizeLinear=1, DequantizeLinear=1), **exact)
suite.sizes("weight-f16", Constants(x.half(), -128, 127, torch.tensor([0.03]), torch.tensor([3], dtype=torch.int32)),
            [torch.randn(2, 4, 6).half()], [{0: "batch"}], operators=counts(QuantizeLinear=0, DequantizeLinear=1), rtol=1e-3)

# Mistakes.
one = torch.tensor([1.0])
suite.fails("zero-scale", "torch.fake_quantize_per_tensor_affine(x, 0.0, 0, 0, 255)", "the scale must be a positive number, but it is 0", x=x)
suite.fails("nan-scale", "torch.fake_quantize_per_tensor_affine(x, float('nan'), 0, 0, 255)",
            "the scale must be a positive number, but it is nan", x=x)
suite.fails("zero-point", "torch.fake_quantize_per_tensor_affine(x, 0.1, 300, 0, 255)", "the zero point must be between 0 and 255, but it is 300",
            x=x)
suite.fails("limits", "torch.fake_quantize_per_tensor_affine(x, 0.1, 0, 5, -5)", "'quant_min' is greater than 'quant_max'", x=x)

# Observers. Scale and zero point come from the elements, in double precision.
OBSERVED = ("torch.{op}(x, torch.tensor([{on}]), torch.tensor([{fake}]), low, high, s, z, 0.01, {limits}, {axis}, {channels}, "
            "{symmetric})")
for on in (0, 1):
    for fake in (0, 1):
        for channels in (False, True):
            for symmetric, limits in ((False, "0, 255"), (True, "-128, 127"), (False, "0, 127"), (True, "-8, 7")):
                shape = (4,) if channels else (1,)  # PyTorch takes channels from axis 0 alone
                low, high = (torch.full(shape, -2.0), torch.full(shape, 2.5)) if on else (torch.zeros(shape), torch.ones(shape))
                text = OBSERVED.format(op="fused_moving_avg_obs_fake_quant", on=on, fake=fake, limits=limits, axis=0, channels=channels,
                                       symmetric=symmetric)
                # A scale that is no power of two: elements near the middle of two values may fall to either side.
                suite.call(f"observer-{on}-{fake}-{channels}-{symmetric}-{limits}", text, [{1: "n"}],
                           dict(rtol=1e-5, atol=1e-6), x=x, low=low, high=high, s=torch.full(shape, 0.25), z=torch.zeros(shape, dtype=torch.int32))
for symmetric in (False, True):
    for label, y in (("positive", x.abs()), ("negative", -x.abs()), ("zero", x * 0), ("tiny", x * 1e-6), ("tiny-positive", x.abs() * 1e-6),
                     ("tiny-negative", -x.abs() * 1e-6)):
        text = OBSERVED.format(op="fused_moving_avg_obs_fake_quant", on=1, fake=1, limits="0, 255", axis=-1, channels=False, symmetric=symmetric)
        suite.call(f"observer-{label}-{symmetric}", text, [{0: "batch"}], x=y, low=torch.tensor(float("inf")), high=torch.tensor(-float("inf")),
                   s=torch.tensor([1.0]), z=torch.tensor([0], dtype=torch.int32))
for op in ("ops.aten._fused_moving_avg_obs_fq_helper", "ops.aten._fused_moving_avg_obs_fq_helper_functional"):
    text = OBSERVED.format(op=op, on=0, fake=1, limits="0, 255", axis=-1, channels=False, symmetric=False)
    suite.call(op.split(".")[-1], text, [{0: "batch"}], x=x, low=torch.tensor(-7.0), high=torch.tensor(8.0), s=torch.tensor([0.25]),
               z=torch.tensor([7], dtype=torch.int32))

if __name__ == "__main__":
    suite.main()
