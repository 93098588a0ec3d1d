import torch
import torch.nn.functional as F  # noqa: F401
from sizes import Sizes

suite = Sizes()
line, plane, space = torch.randn(2, 3, 7), torch.randn(2, 3, 6, 7), torch.randn(1, 2, 5, 6, 7)
axes = {
    1: [{0: "batch", 2: "length"}],
    2: [{0: "batch", 2: "height", 3: "width"}],
    3: [{0: "batch", 2: "depth", 3: "height", 4: "width"}],
}
xs = {1: line, 2: plane, 3: space}
pads = {1: [2, 1], 2: [2, 1, 0, 3], 3: [2, 1, 0, 3, 1, 1]}

for n in (1, 2, 3):
    for mode in ("constant", "reflect", "replicate", "circular"):
        for name, pad in {"": pads[n], "-cropping": [-p for p in pads[n]], "-both": [-2, 2] + pads[n][2:]}.items():
            suite.call(f"pad{n}d-{mode}{name}", f"F.pad(x, {pad}, mode='{mode}')", axes[n], x=xs[n])
    suite.call(f"reflection_pad{n}d", f"torch.ops.aten.reflection_pad{n}d(x, {pads[n]})", axes[n], dict(absent=["Shape"]),
               x=xs[n])
    suite.call(f"replication_pad{n}d", f"torch.ops.aten.replication_pad{n}d(x, {pads[n]})", axes[n], dict(absent=["Shape"]),
               x=xs[n])
    suite.call(f"reflection_pad{n}d-unbatched", f"torch.ops.aten.reflection_pad{n}d(x, {pads[n]})", x=xs[n][0])
    suite.call(f"_pad_circular-{n}", f"torch.ops.aten._pad_circular(x, {pads[n]})", axes[n], x=xs[n])

suite.call("constant-value", "F.pad(x, [1, 2], value=3.5)", axes[1], dict(operators={"Pad": 1}), x=line)
suite.call("constant_pad_nd", "torch.constant_pad_nd(x, [1, 2, 3, 0], -1)", axes[2], x=plane)
suite.call("constant-all-axes", "F.pad(x, [1, 2, 3, 0, 1, 1, 0, 2])", axes[2], x=plane)
suite.call("constant-nothing", "F.pad(x, [0, 0]) + 1", axes[2], dict(absent=["Pad"]), x=plane)
suite.call("constant-from-sizes", "F.pad(x, [0, x.size(0) - x.size(1) + 4, x.size(2) - 1, 1])", axes[2], x=plane)
suite.call("pad-operator", "torch.ops.aten.pad(x, [1, 1], 'constant', 2.0)", axes[1], x=line)
suite.call("reflect-crop-reaches", "F.pad(x, [-4, 5], mode='reflect')", x=line)
for dtype in (torch.float64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool):
    suite.call(f"constant-{dtype}", "F.pad(x, [1, 2], value=1.0)", axes[1], x=(line * 3).to(dtype))
for mode in range(4):
    suite.call(f"_pad_enum-{mode}", f"torch.ops.aten._pad_enum(x, [2, 1, 0, 3], {mode})", axes[2], x=plane)
suite.call("_pad_enum-value", "torch.ops.aten._pad_enum(x, [2, 1], 3, 0.5)", axes[2], x=plane)
suite.newer("_pad_enum-unknown", "torch._pad_enum(x, [2, 1], 7)", "x", options=dict(error="unknown padding mode 7"), x=plane)
suite.main()
