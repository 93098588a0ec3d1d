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
xs = {1: torch.randn(2, 3, 17), 2: torch.randn(2, 3, 14, 17), 3: torch.randn(1, 2, 7, 9, 8)}

forms = {
    "plain": "3",
    "strided": "3, 2",
    "padded": "3, 2, 1",
    "ceil": "3, 2, 0, {} ceil_mode=True",
    "ceil-padded": "3, 2, 1, {} ceil_mode=True",
    "ceil-wide": "2, 3, 1, {} ceil_mode=True",
    "ceil-far": "2, 5, 1, {} ceil_mode=True",
}
for n in (1, 2, 3):
    for name, form in forms.items():
        text = form.format("")
        suite.call(f"max_pool{n}d-{name}", f"F.max_pool{n}d(x, {text})", axes[n], by=(1, 2, 3, 4), x=xs[n])
        suite.call(f"max_pool{n}d-places-{name}", f"F.max_pool{n}d_with_indices(x, {text})", axes[n], by=(1, 2, 3, 4),
                   x=xs[n])
        suite.call(f"avg_pool{n}d-{name}", f"F.avg_pool{n}d(x, {text})", axes[n], by=(1, 2, 3, 4), x=xs[n])
        suite.call(f"avg_pool{n}d-uncounted-{name}", f"F.avg_pool{n}d(x, {text}{',' if text else ''} count_include_pad=False)",
                   axes[n], by=(1, 2, 3, 4), x=xs[n])
        if n > 1:
            suite.call(f"avg_pool{n}d-divisor-{name}", f"F.avg_pool{n}d(x, {text}, divisor_override=5)", axes[n],
                       by=(1, 2, 3, 4), x=xs[n])
    suite.call(f"max_pool{n}d-dilated", f"F.max_pool{n}d(x, 2, 2, 1, 3)", axes[n], x=xs[n])
    suite.call(f"max_pool{n}d-dilated-ceil", f"F.max_pool{n}d(x, 2, 3, 1, 3, ceil_mode=True)", axes[n], by=(1, 2, 3, 4),
               x=xs[n])
    suite.call(f"max_pool{n}d-places-dilated-ceil", f"F.max_pool{n}d_with_indices(x, 2, 3, 1, 3, ceil_mode=True)",
               axes[n], by=(1, 2, 3, 4), x=xs[n])
    suite.call(f"max_pool{n}d-unbatched", f"F.max_pool{n}d(x, 2)", x=xs[n][0])
    suite.call(f"max_pool{n}d-places-unbatched", f"F.max_pool{n}d_with_indices(x, 2)", x=xs[n][0])
    suite.call(f"avg_pool{n}d-unbatched", f"F.avg_pool{n}d(x, 2)", x=xs[n][0])
    suite.call(f"max_pool{n}d-f64", f"F.max_pool{n}d(x, 2)", x=xs[n].double())
    for size in (1, 2, 3, 5):
        text = str([size] * n)
        suite.call(f"adaptive_avg_pool{n}d-{size}", f"F.adaptive_avg_pool{n}d(x, {text})", axes[n], x=xs[n])
        suite.call(f"adaptive_max_pool{n}d-{size}", f"F.adaptive_max_pool{n}d(x, {text})", axes[n], x=xs[n])
        suite.call(f"adaptive_max_pool{n}d-places-{size}", f"F.adaptive_max_pool{n}d(x, {text}, return_indices=True)",
                   axes[n], x=xs[n])
    suite.call(f"adaptive_avg_pool{n}d-unbatched", f"F.adaptive_avg_pool{n}d(x, {[3] * n})", x=xs[n][0])
    suite.call(f"adaptive_max_pool{n}d-unbatched", f"F.adaptive_max_pool{n}d(x, {[3] * n})", x=xs[n][0])
    suite.call(f"adaptive_avg_pool{n}d-f64", f"[F.adaptive_avg_pool{n}d(x, {[1] * n}), F.adaptive_avg_pool{n}d(x, {[4] * n})]",
               axes[n], x=xs[n].double())
    suite.call(f"adaptive_avg_pool{n}d-upwards", f"F.adaptive_avg_pool{n}d(x, {[20] * n})", x=xs[n])

for name in ("avg", "max"):
    suite.call(f"{name}_pool2d-larger", f"F.{name}_pool2d(x, 20, 20, ceil_mode=True)", axes[2], x=xs[2])
    suite.call(f"{name}_pool2d-single", f"F.{name}_pool2d(F.pad(x, [-1, 1, -1, 1]), 1, 2)", axes[2], by=(1, 2), x=xs[2])
    suite.call(f"{name}_pool2d-behind-pad", f"F.{name}_pool2d(F.pad(x, [3, 0, 1, 2]), 2, 2)", axes[2], x=xs[2])
suite.call("avg_pool2d-single-divisor", "F.avg_pool2d(x, 1, 2, divisor_override=3)", axes[2], x=xs[2])

suite.call("operators", "[torch.max_pool1d(x, 2), torch.avg_pool1d(x, 2), torch.adaptive_avg_pool1d(x, 3)]", axes[1], x=xs[1])
suite.call("_adaptive_avg_pool2d", "torch._adaptive_avg_pool2d(x, [7, 1])", axes[2], x=xs[2])
suite.call("_adaptive_avg_pool3d", "torch._adaptive_avg_pool3d(x, [1, 3, 2])", axes[3], x=xs[3])
suite.add("adaptive_avg_pool2d-none", nn.AdaptiveAvgPool2d((None, 7)), [xs[2]], how="trace")
suite.sizes("adaptive_avg_pool2d-none-open", nn.AdaptiveAvgPool2d((None, 1)), [xs[2]], axes[2], how="trace")
suite.sizes("global", nn.AdaptiveAvgPool2d(1), [xs[2]], axes[2], how="both", operators={"GlobalAveragePool": 1}, absent=["Shape"])
suite.add("divisible", nn.AdaptiveAvgPool2d((7, 1)), [xs[2]], operators={"AveragePool": 1})
suite.call("whole-length", "F.max_pool1d(x, x.size(2))", axes[1], dict(absent=["Shape"]), x=xs[1])
suite.call("whole-length-places", "F.max_pool1d_with_indices(x, x.size(2))", axes[1], x=xs[1])
suite.call("whole-length-mean", "F.avg_pool1d(x, x.size(2))", axes[1], dict(absent=["Shape"]), x=xs[1])
suite.call("whole-height", "F.max_pool2d(x, [x.size(2), 2], [1, 2])", axes[2], x=xs[2])
suite.call("whole-height-mean", "F.avg_pool2d(x, [x.size(2), 2], [1, 2])", axes[2], x=xs[2])
suite.call("whole-length-f64", "F.max_pool1d(x, x.size(2))", axes[1], x=xs[1].double())
suite.call("area", "F.interpolate(x, size=[5, 4], mode='area')", axes[2], x=xs[2])
suite.call("divisible-open", "F.adaptive_avg_pool1d(x.repeat(1, 1, 4), 4)", axes[1], dict(absent=["MatMul"]), x=xs[1])


class TextCnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        self.convs = nn.ModuleList([nn.Conv2d(1, 5, (k, 8)) for k in (3, 4)])

    def forward(self, x):
        x = self.embed(x).unsqueeze(1)
        out = []
        for conv in self.convs:
            y = F.relu(conv(x)).squeeze(3)
            out.append(F.max_pool1d(y, y.size(2)).squeeze(2))
        return torch.cat(out, 1)


words = torch.randint(0, 20, (2, 9))
suite.sizes("text-cnn", TextCnn(), [words], [{0: "batch", 1: "length"}], rtol=1e-4,
            operators={"GlobalMaxPool": 2}, absent=["Shape"], static=False)
suite.add("open-window", "def forward(x):\n    return F.max_pool1d(x, x.size(2) - 1)\n", [xs[1]], dynamic=axes[1],
          error="must be known at export time, or cover the whole size")
suite.call("adaptive_avg_pool3d-empty", "F.adaptive_avg_pool3d(x, [5, 7, 4])", x=torch.zeros(0, 8, 8, 8, 8))
for n in (1, 2, 3):
    forms = ["2", "3, 2, 1", "3, 2, 1, True", "3, 2, 1, True, False"] + ["3, 2, 1, True, True, 5"] * (n > 1)
    means = "[" + ", ".join(f"torch.nn.functional.avg_pool{n}d(x, {form})" for form in forms) + "]"
    suite.call(f"avg_pool{n}d-f64", means, axes[n], dict(rtol=1e-12, atol=1e-14), x=xs[n].double())
    suite.call(f"avg_pool{n}d-integers", means, axes[n], x=(xs[n] * 100).long())
suite.call("adaptive_avg_pool2d-f64-even", "F.adaptive_avg_pool2d(x, [2, 3])", x=torch.randn(2, 3, 8, 9).double())
suite.main()
