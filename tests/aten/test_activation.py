import math

import torch
from sizes import Sizes

suite = Sizes()
x, image = torch.randn(3, 4) * 3, torch.randn(2, 3, 4, 5)
ints = torch.randint(-9, 9, (3, 4))
far = torch.tensor([-120.0, -30.0, -1.0, -0.0, 0.0, 1.0, 30.0, 120.0])

functions = {
    "relu": "torch.relu(x)",
    "relu6": "F.relu6(x)",
    "relu6-operator": "torch.ops.aten.relu6(x)",
    "hardtanh": "[F.hardtanh(x), F.hardtanh(x, -0.5, 2.0)]",
    "leaky_relu": "[F.leaky_relu(x), F.leaky_relu(x, 0.2)]",
    "rrelu": "F.rrelu(x, 0.1, 0.3)",
    "elu": "[F.elu(x), F.elu(x, 0.3), torch.ops.aten.elu(x, 1.5, 2.0, 0.5)]",
    "selu": "torch.selu(x)",
    "celu": "[torch.celu(x), torch.celu(x, 0.3)]",
    "gelu": "[F.gelu(x), F.gelu(x, approximate='tanh')]",
    "silu": "F.silu(x)",
    "mish": "F.mish(x)",
    "hardsigmoid": "F.hardsigmoid(x)",
    "hardswish": "F.hardswish(x)",
    "hardshrink": "[F.hardshrink(x), F.hardshrink(x, 1.5)]",
    "softshrink": "[F.softshrink(x), F.softshrink(x, 1.5)]",
    "tanhshrink": "F.tanhshrink(x)",
    "softsign": "F.softsign(x)",
    "softplus": "[F.softplus(x), F.softplus(x, 2, 30), F.softplus(x, 0.5, 1.0)]",
    "threshold": "[F.threshold(x, 0.5, 2.0), F.threshold(x, 0.5, 0.5), F.threshold(x, -0.5, 0.0)]",
    "logsigmoid": "F.logsigmoid(x)",
}
for name, text in functions.items():
    suite.expr(name, text, x=x)
    suite.expr(f"{name}-far", text, x=far)
    suite.expr(f"{name}-f64", text, x=x.double())
    suite.expr(f"{name}-0d", text, x=x[0, 0])
suite.expr("log-sigmoid-forward", "torch.ops.aten.log_sigmoid_forward(x)[0]", x=x)
for dtype in (torch.int64, torch.int32, torch.int16, torch.int8):
    suite.expr(f"relu-{dtype}", "torch.relu(x)", x=ints.to(dtype))
suite.expr("relu6-ints", "torch.ops.aten.hardtanh(x, 0, 6)", x=ints)
suite.expr("threshold-ints", "torch.ops.aten.threshold(x, 2, -7)", x=ints)
suite.expr("in-place", "y", statements="y = x.clone()\nF.relu(y[:, 0], inplace=True)\nF.leaky_relu_(y, 0.1)", x=x)

suite.expr("prelu", "torch.prelu(x, w)", x=image, w=torch.tensor([0.3]))
suite.expr("prelu-channels", "torch.prelu(x, w)", x=image, w=torch.tensor([0.3, 0.1, -0.2]), dynamic=False)
suite.expr("prelu-channels-3d", "torch.prelu(x, w)", x=image[0].transpose(0, 1), w=torch.tensor([0.3, 0.1, -0.2]), dynamic=False)
suite.expr("prelu-2d", "torch.prelu(x, w)", x=x, w=torch.rand(4), dynamic=False)
suite.expr("prelu-1d", "torch.prelu(x, w)", x=x[0], w=torch.tensor([0.3]))
suite.add("prelu-weights", torch.nn.PReLU(3), [image], dynamic=[{0: "batch", 2: "h"}], more=[[torch.randn(5, 3, 7, 5)]])

for dim in (0, 1, -1):
    suite.expr(f"glu{dim}", f"F.glu(x, {dim})", x=torch.randn(4, 6), change=lambda n: n * 2)
suite.fails("glu-odd", "F.glu(x, 0)", "an even size", x=x)

for op in ("softmax", "log_softmax"):
    for dim in (0, 1, -1, -2):
        suite.expr(f"{op}{dim}", f"torch.{op}(x, {dim})", x=image)
    suite.expr(f"{op}-dtype", f"torch.{op}(x, -1, dtype=torch.float64)", x=x)
    suite.expr(f"{op}-of-ints", f"torch.{op}(x, 0, dtype=torch.float32)", x=ints)
    suite.expr(f"{op}-f64", f"torch.{op}(x, 1)", x=x.double())
    suite.expr(f"{op}-0d", f"torch.{op}(x, 0)", x=x[0, 0])
    suite.expr(f"{op}-special", f"torch.special.{op}(x, 1)", x=x)
    suite.expr(f"{op}-plain", f"torch.ops.aten._{op}(x, 1, False)", x=x)
suite.expr("softmin", "F.softmin(x, 1)", x=x)
for op in ("_softmax", "_log_softmax"):
    y = f"torch.ops.aten.{op}(x, {{0}}, False)"
    back = f"torch.ops.aten.{op}_backward_data(g, {y}, {{0}}, 6)"
    suite.call(f"{op}_backward_data", f"({back.format(1)}, {back.format(-3)})", [{0: "n", 2: "m"}] * 2, x=torch.randn(2, 3, 4), g=torch.randn(2, 3, 4))
    suite.call(f"{op}_backward_data-0d", back.format(0), x=torch.tensor(2.0), g=torch.tensor(3.0))
suite.fails("softmax-out-of-range", "torch.softmax(x, 2)", "out of range", x=x)

for op in ("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"):
    suite.expr(f"{op}-eval", f"torch.{op}(x, 0.5, False)", x=image)
suite.expr("dropout-alias", "y", statements="y = x.clone()\nz = torch.dropout(y, 0.5, False)\nz.add_(1)", x=x)
for op in ("dropout", "feature_dropout"):
    suite.expr(f"{op}-train", f"[(y == 0).float().mean() > 0.3, ((y == 0) | (y == 2)).all(), (y.mean() - 1).abs() < 0.2]",
               statements=f"y = torch.{op}(x, 0.5, True)", x=torch.ones(40, 50, 2))
    suite.expr(f"{op}-train-nothing", f"torch.{op}(x, 0.0, True)", x=image)
suite.expr("dropout-train-all", "torch.dropout(x, 1.0, True)", x=x)
for op in ("alpha_dropout", "feature_alpha_dropout"):  # mean and variance stay
    suite.expr(f"{op}-train", "[y.mean().abs() < 0.2, (y.var() - 1).abs() < 0.3, (y == y.min()).float().mean() > 0.3]",
               statements=f"y = torch.{op}(x, 0.5, True)", dynamic=False, x=torch.randn(60, 50, 2))
    suite.expr(f"{op}-train-all", f"torch.{op}(x, 1.0, True)", x=image)
suite.expr("native-dropout-eval", "torch.native_dropout(x, 0.5, False)", x=x)
suite.expr("native-dropout-train", "((y == 0) == torch.logical_not(mask)).all()",
           statements="y, mask = torch.native_dropout(torch.ones_like(x), 0.5, True)", x=x)
suite.expr("rrelu-train", "[(y >= 0.1).all(), (y <= 0.3).all(), y.max() - y.min() > 0.1, (z == 1).all()]",
           statements="y = -torch.rrelu(-x, 0.1, 0.3, True)\nz = torch.rrelu(x, 0.1, 0.3, True)", x=torch.ones(9, 20))

suite.expr("shrink-f64", "[F.hardshrink(x, 0.3), F.softshrink(x, 0.3)]", options=dict(rtol=1e-12, atol=1e-15),
           x=torch.tensor([-2, -0.3, -0.29999999999, 0, 0.3, 0.30000000001, 1.7], dtype=torch.float64))
inf = float("inf")
rows = torch.tensor([[1.0, -inf, 2.0], [-inf, -inf, -inf], [0.0, 1.0, 2.0]])
suite.newer("_safe_softmax", "(torch._safe_softmax(x, -1), torch._safe_softmax(x, 0), torch._safe_softmax(x, 1, 7))",
            "(torch.nan_to_num(torch.softmax(x, -1)), torch.softmax(x, 0), torch.nan_to_num(torch.softmax(x.double(), 1)))", [{0: "n"}], x=rows)
suite.newer("_prelu_kernel", "torch._prelu_kernel(x, w)", "torch.prelu(x, w.flatten())", [{0: "n", 2: "h"}], x=image, w=torch.rand(3, 1, 1))
suite.expr("rrelu_with_noise", "torch.ops.aten.rrelu_with_noise(x, torch.ones_like(x), 0.1, 0.3)", x=x)
suite.newer("rrelu_with_noise_functional", "torch.rrelu_with_noise_functional(x, torch.ones_like(x), 0.1, 0.3)", "(F.leaky_relu(x, 0.2), torch.ones_like(x))",
            x=x)
suite.expr("rrelu_with_noise-training", "(y[x > 0] - x[x > 0], (y - x * noise) * 0, ((noise >= 0.1) & (noise <= 1.0)).all())",
           statements="noise = torch.zeros_like(x)\ny = torch.ops.aten.rrelu_with_noise(x, noise, 0.1, 0.3, True)", x=x)
suite.main()
