import torch
from sizes import Sizes
from torch import nn

suite = Sizes()
line = [{0: "batch", 2: "length"}]
plane = [{0: "batch", 2: "height", 3: "width"}]
space = [{0: "batch", 2: "depth", 3: "height", 4: "width"}]
xs = {1: torch.randn(2, 4, 13), 2: torch.randn(2, 4, 11, 13), 3: torch.randn(1, 4, 7, 8, 9)}
axes = {1: line, 2: plane, 3: space}
convs = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}
transposed = {1: nn.ConvTranspose1d, 2: nn.ConvTranspose2d, 3: nn.ConvTranspose3d}
close = dict(rtol=1e-4, atol=1e-5)

forms = {
    "plain": dict(kernel_size=3),
    "strided": dict(kernel_size=3, stride=2, padding=1),
    "dilated": dict(kernel_size=3, dilation=2, padding=2),
    "grouped": dict(kernel_size=3, groups=2, bias=False),
    "pointwise": dict(kernel_size=1),
}
for n in (1, 2, 3):
    for name, form in forms.items():
        suite.sizes(f"conv{n}d-{name}", convs[n](4, 6, **form), [xs[n]], axes[n], how="both", operators={"Conv": 1},
                    absent=["Shape"], **close)
    for name in ("plain", "strided", "dilated", "grouped"):
        suite.sizes(f"conv_transpose{n}d-{name}", transposed[n](4, 6, **forms[name]), [xs[n]], axes[n], how="both",
                    operators={"ConvTranspose": 1}, absent=["Shape"], **close)
    suite.sizes(f"conv_transpose{n}d-output-padding", transposed[n](4, 6, 3, stride=2, output_padding=1), [xs[n]],
                axes[n], **close)
    for padding in ("same", "valid"):
        suite.sizes(f"conv{n}d-{padding}", convs[n](4, 6, 4, padding=padding, dilation=2 if n < 3 else 1), [xs[n]],
                    axes[n], how="both", **close)
    suite.add(f"conv{n}d-unbatched", convs[n](4, 6, 3), [xs[n][0]], **close)
    suite.add(f"conv_transpose{n}d-unbatched", transposed[n](4, 6, 3), [xs[n][0]], **close)

suite.sizes("conv2d-each-axis", nn.Conv2d(4, 6, (3, 2), (2, 1), (1, 0), (1, 2)), [xs[2]], plane, **close)
suite.add("conv2d-depthwise", nn.Conv2d(4, 8, 3, groups=4), [xs[2]], **close)
weight, bias = torch.randn(5, 4, 3, 3), torch.randn(5)
suite.call("conv2d-computed-weight", "torch.conv2d(x, w * 2, b)", plane, dict(close), x=xs[2], w=weight, b=bias)
suite.call("conv2d-numbers", "torch.conv2d(x, w, b, 2, 1)", plane, dict(close), x=xs[2], w=weight, b=bias)
suite.call("conv2d-same-text", "torch.conv2d(x, w, b, 1, 'same')", plane, dict(close), x=xs[2], w=weight, b=bias)
suite.call("conv1d-keywords", "torch.conv1d(x, w, stride=[3], groups=2)", line, dict(close), x=xs[1],
           w=torch.randn(4, 2, 3))
flags = "False, False, True, True"
suite.call("_convolution", f"torch._convolution(x, w, b, [1, 1], [0, 0], [1, 1], False, [0, 0], 1, {flags})", plane,
           dict(close), x=xs[2], w=weight, b=bias)
suite.call("_convolution-older", "torch._convolution(x, w, None, [2, 2], [1, 1], [1, 1], True, [1, 1], 1, False, False, True)",
           plane, dict(close), x=torch.randn(2, 5, 6, 7), w=weight)
suite.call("convolution", "torch.convolution(x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)", plane, dict(close),
           x=xs[2], w=weight, b=bias)
suite.call("convolution-transposed", "torch.convolution(x, w, None, [2], [0], [1], True, [0], 2)", line, dict(close),
           x=torch.randn(2, 4, 9), w=torch.randn(4, 3, 3))
suite.call("conv_tbc", "torch.conv_tbc(x, w, b, 1)", [{0: "time", 1: "batch"}], dict(close), x=torch.randn(7, 2, 3),
           w=torch.randn(3, 3, 5), b=torch.randn(5))
suite.call("conv2d-integers", "torch.conv2d(x, w)", options=dict(error="is not supported"),
           x=torch.randint(0, 5, (1, 1, 4, 4)), w=torch.randint(0, 5, (1, 1, 2, 2)))
suite.call("_convolution_mode", "torch.ops.aten._convolution_mode(x, w, None, [1, 1], 'same', [1, 1], 1)",
           [{0: "batch", 2: "height"}], x=torch.randn(2, 3, 6, 7), w=torch.randn(4, 3, 3, 3))
for padding in (0, 2, 5):
    suite.sizes(f"conv_transpose2d-output-padding-beyond-stride-{padding}",
                nn.ConvTranspose2d(4, 6, (3, 4), stride=(3, 2), padding=padding, output_padding=(2, 4), dilation=(2, 5)), [xs[2]], axes[2], **close)
suite.add("conv_transpose1d-output-padding-beyond-stride-unbatched", nn.ConvTranspose1d(4, 6, 3, output_padding=1, dilation=2, bias=False),
          [xs[1][0]], **close)
suite.main()
