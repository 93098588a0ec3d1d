import torch
import torch.nn.functional as F  # noqa: F401
from sizes import Sizes
from torch import nn

suite = Sizes()
axes = {
    1: [{0: "batch", 2: "length"}],
    2: [{0: "batch", 2: "height", 3: "width"}],
    3: [{0: "batch", 2: "depth", 3: "height", 4: "width"}],
}
xs = {1: torch.randn(2, 3, 7), 2: torch.randn(2, 3, 6, 5), 3: torch.randn(1, 2, 4, 5, 3)}
linear = {1: "linear", 2: "bilinear", 3: "trilinear"}
close = dict(rtol=1e-4, atol=1e-5)

for n in (1, 2, 3):
    for mode in ("nearest", "nearest-exact", linear[n]) + (("bicubic",) if n == 2 else ()):
        corners = ("", ", align_corners=True") if mode[:7] != "nearest" else ("",)
        for corner in corners:
            label = f"{mode}{n}d" + ("-corners" if corner else "")
            for scale in (2.0, 3.0, 0.5, 1.5):
                suite.call(f"{label}-by-{scale}", f"F.interpolate(x, scale_factor={float(scale)}, mode='{mode}'{corner})",
                           axes[n], dict(absent=["Shape"], **close), x=xs[n])
            suite.call(f"{label}-recomputed", f"F.interpolate(x, scale_factor=2.0, mode='{mode}'{corner}, "
                       "recompute_scale_factor=True)", axes[n], dict(close), x=xs[n])
            for size in (8, 5, 12):
                suite.call(f"{label}-to-{size}", f"F.interpolate(x, size={[size] * n}, mode='{mode}'{corner})", axes[n],
                           dict(close), x=xs[n])
            doubled = ", ".join(f"x.size({i + 2}) * 2" for i in range(n))
            suite.call(f"{label}-doubled", f"F.interpolate(x, size=[{doubled}], mode='{mode}'{corner})", axes[n],
                       dict(absent=["Shape"], **close), x=xs[n])

scales = {1: "2.0", 2: "2.0, 3.0", 3: "2.0, 3.0, 1.0"}
lists = {1: "[14]", 2: "[12, 15]", 3: "[8, 15, 3]"}
for n in (1, 2, 3):
    for name in (f"upsample_nearest{n}d", f"_upsample_nearest_exact{n}d"):
        suite.call(f"{name}-with-scales", f"torch.ops.aten.{name}(x, {lists[n]}, {scales[n]})", x=xs[n])
        suite.call(f"{name}-without", f"torch.ops.aten.{name}(x, {lists[n]})", [{0: "batch"}], x=xs[n])
        suite.call(f"{name}-vec", f"torch.ops.aten.{name}(x, None, [{scales[n]}])", axes[n], x=xs[n])
for name, n in (("upsample_linear1d", 1), ("upsample_bilinear2d", 2), ("upsample_bicubic2d", 2), ("upsample_trilinear3d", 3)):
    for corners in (False, True):
        label = f"{name}-{corners}"
        suite.call(f"{label}-with-scales", f"torch.ops.aten.{name}(x, {lists[n]}, {corners}, {scales[n]})", (),
                   dict(close), x=xs[n])
        suite.call(f"{label}-without", f"torch.ops.aten.{name}(x, {lists[n]}, {corners})", [{0: "batch"}], dict(close), x=xs[n])
        suite.call(f"{label}-vec", f"torch.ops.aten.{name}(x, None, {corners}, [{scales[n]}])", axes[n], dict(close), x=xs[n])
for name in ("_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa"):
    for corners in (False, True):
        suite.call(f"{name}-{corners}", f"torch.ops.aten.{name}(x, [3, 3], {corners})", axes[2], dict(close), x=xs[2])
        suite.call(f"{name}-larger-{corners}", f"torch.ops.aten.{name}(x, [9, 11], {corners})", axes[2], dict(close), x=xs[2])
    suite.call(f"{name}-f64", f"torch.ops.aten.{name}(x, [3, 2], False)", axes[2], x=xs[2].double())
    suite.call(f"{name}-vec", f"torch.ops.aten.{name}(x, None, False, [0.5, 0.5])", axes[2], dict(close), x=xs[2])
for size, scale in (("None", "2.0"), ("None", "[2.0, 2.0]"), ("8", "None"), ("[8, 9]", "None")):
    for mode in ("nearest", "bilinear", "area"):
        suite.call(f"__interpolate-{mode}-{size}-{scale}",
                   f"torch.ops.aten.__interpolate(x, {size}, {scale}, '{mode}', None, None)", [{0: "batch"}], dict(close), x=xs[2])
suite.call("nearest-u8", "F.interpolate(x, scale_factor=2.0)", axes[2], x=torch.randint(0, 255, (1, 2, 4, 5), dtype=torch.uint8))
suite.call("unchanged", "F.interpolate(x, scale_factor=1.0) + 1", axes[2], dict(absent=["Resize"]), x=xs[2])
suite.call("like-another", "F.interpolate(x, size=[y.size(2), y.size(3)], mode='bilinear')",
           [{0: "batch", 2: "h", 3: "w"}, {2: "hh", 3: "ww"}], dict(close), x=xs[2], y=torch.randn(1, 1, 9, 8))

pixels = torch.randn(2, 12, 4, 6)
suite.sizes("pixel_shuffle", nn.PixelShuffle(2), [pixels], axes[2], by=(1, 2), operators={"DepthToSpace": 1}, absent=["Shape"])
suite.sizes("pixel_unshuffle", nn.PixelUnshuffle(2), [pixels], axes[2], by=(2, 4))
for name, shape in {"3d": (12, 4, 6), "5d": (2, 3, 12, 4, 6)}.items():
    suite.call(f"pixel_shuffle-{name}", "torch.pixel_shuffle(x, 2)", x=torch.randn(shape))
    suite.call(f"pixel_unshuffle-{name}", "torch.pixel_unshuffle(x, 2)", x=torch.randn(shape))
suite.call("pixel_shuffle-i64", "torch.pixel_shuffle(x, 2)", axes[2], x=pixels.to(torch.int64))
suite.call("channel_shuffle", "torch.channel_shuffle(x, 3)", axes[2], x=pixels)
suite.call("native_channel_shuffle", "torch.native_channel_shuffle(x, 3)", axes[2], x=pixels)

grid = torch.rand(2, 5, 4, 2) * 2.4 - 1.2
for mode in (0, 1, 2):
    for padding in (0, 1, 2):
        for corners in (False, True):
            suite.call(f"grid_sampler-{mode}-{padding}-{corners}", f"torch.grid_sampler(x, g, {mode}, {padding}, {corners})",
                       [{0: "batch", 2: "h", 3: "w"}, {0: "batch", 1: "gh", 2: "gw"}], dict(rtol=1e-3, atol=1e-4), x=xs[2], g=grid)
suite.call("grid_sampler_2d", "torch.grid_sampler_2d(x, g, 0, 0, False)", options=dict(close), x=xs[2], g=grid)
suite.call("grid_sampler_3d", "torch.grid_sampler_3d(x, g, 0, 0, False)", options=dict(close), x=xs[3], g=torch.rand(1, 2, 2, 2, 3))
far = torch.rand(2, 3, 4, 5, 3) * 6 - 3
modes = [(padding, corners) for padding in (0, 1, 2) for corners in (False, True)]
for name, mode in (("linear", 0), ("nearest", 1)):
    text = "[" + ", ".join(f"torch.grid_sampler(x, g, {mode}, {padding}, {corners})" for padding, corners in modes) + "]"
    suite.call(f"grid_sampler-volumes-{name}", text, [{0: "batch", 2: "d", 3: "h"}, {0: "batch", 1: "gd", 3: "gw"}], dict(rtol=1e-4, atol=1e-4),
               x=torch.randn(2, 3, 4, 5, 6), g=far)
    suite.call(f"grid_sampler-opset-13-{name}", text, [{0: "batch", 2: "h", 3: "w"}, {0: "batch", 1: "gh", 2: "gw"}],
               dict(rtol=1e-3, atol=1e-4, opset=13), x=xs[2], g=grid)
suite.call("grid_sampler-single", "[torch.grid_sampler(x, g, 0, 2, True), torch.grid_sampler(x, g, 0, 2, False)]", x=torch.randn(2, 3, 1, 2, 1), g=far)
suite.call("grid_sampler-cubic-opset-13", "torch.grid_sampler(x, g, 2, 0, True)", options=dict(error="needs opset 16", opset=13), x=xs[2], g=grid)
theta = torch.randn(2, 2, 3)
for corners in (False, True):
    suite.call(f"affine_grid-{corners}", f"F.affine_grid(t, [2, 3, 5, 4], align_corners={corners})", options=dict(close), t=theta)
    suite.call(f"affine_grid-open-{corners}",
               f"torch.affine_grid_generator(t, [x.size(0), x.size(1), x.size(2), x.size(3)], {corners})",
               [{0: "batch"}, {0: "batch", 2: "h", 3: "w"}], dict(close), t=theta, x=xs[2])
    suite.call(f"affine_grid-3d-{corners}", f"F.affine_grid(t, [2, 3, 3, 5, 4], align_corners={corners})", options=dict(close),
               t=torch.randn(2, 3, 4))
suite.main()
