import torch
from derivatives import Derivatives

torch.manual_seed(0)
suite = Derivatives()
x, y, positive = torch.randn(3, 4), torch.randn(3, 4), torch.rand(3, 4) + 0.2
wide = torch.randn(3, 4, dtype=torch.float64)

for name in ("abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "erfc", "erfinv", "exp", "exp2",
             "expm1", "floor", "log", "log10", "log1p", "log2", "neg", "reciprocal", "relu", "round", "rsqrt", "sigmoid", "sign",
             "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "frac"):
    domain = {"acosh": positive + 1, "log": positive, "log10": positive, "log2": positive, "log1p": positive - 0.5, "rsqrt": positive,
              "sqrt": positive, "acos": x.tanh() * 0.9, "asin": x.tanh() * 0.9, "atanh": x.tanh() * 0.9,
              "erfinv": x.tanh() * 0.9}.get(name, x)
    suite.of(name, f"torch.{name}(x)", x=domain)
    suite.of(f"{name}-f64", f"torch.{name}(x)", x=domain.double())
for name in ("softplus", "elu", "celu", "selu", "gelu", "silu", "mish", "hardswish", "hardsigmoid", "hardtanh", "leaky_relu", "logsigmoid",
             "relu6", "softsign", "tanhshrink", "softshrink", "hardshrink"):
    suite.of(name, f"torch.nn.functional.{name}(x)", x=x * 3)
    suite.of(f"{name}-f64", f"torch.nn.functional.{name}(x)", x=wide * 3)
suite.of("softplus-beta", "torch.nn.functional.softplus(x, 2., 1.5)", x=x)
suite.of("softplus-zero", "torch.nn.functional.softplus(x)", x=torch.zeros(3, 4, dtype=torch.float64))
suite.of("gelu-tanh", "torch.nn.functional.gelu(x, approximate='tanh')", x=x)

for name, text in {"add": "x + y * 2", "sub": "torch.sub(x, y, alpha=3)", "mul": "x * y", "div": "x / (y.abs() + 1)", "pow": "z ** y",
                   "pow-2": "x ** 2", "pow-3": "x ** 3.0", "pow-half": "z ** 0.5", "pow-0": "x ** 0", "base": "2 ** x",
                   "maximum": "torch.maximum(x, y)", "minimum": "torch.minimum(x, y)", "where": "torch.where(x > y, x * y, y)",
                   "clamp": "torch.clamp(x, -0.5, 0.5) + torch.clamp(y, min=0.1)", "remainder": "torch.remainder(x, 0.7)",
                   "fmod": "torch.fmod(x, 0.7)", "atan2": "torch.atan2(x, y)", "lerp": "torch.lerp(x, y, 0.3)",
                   "addcmul": "torch.addcmul(x, y, z, value=0.5)", "addcdiv": "torch.addcdiv(x, y, z)",
                   "logaddexp": "torch.logaddexp(x, y)", "masked_fill": "x.masked_fill(y > 0, 2.)"}.items():
    inputs = {k: v for k, v in dict(x=x, y=y, z=positive).items() if k in text}
    used = [k for k in inputs if not (name == "masked_fill" and k == "y")]
    suite.of(name, text, by=used, **inputs)
suite.of("clamp-limits", "torch.clamp(x, -1., 1.)", x=torch.tensor([-1., 1., 0., 2.]))
suite.of("relu-zero", "torch.relu(x) + x.abs() + torch.maximum(x, torch.zeros_like(x))", x=torch.tensor([-1., 0., 2.]))
suite.of("broadcast", "x * y + z", x=torch.randn(2, 3, 4), y=torch.randn(3, 1), z=torch.randn(4))
suite.of("broadcast-number", "x * y", x=torch.randn(3, 4), y=torch.randn([]))

for name, text in {"sum": "x.sum()", "sum-dim": "x.sum(1)", "sum-keep": "x.sum(0, keepdim=True)", "mean": "x.mean()", "mean-dim": "x.mean(-1)",
                   "var": "x.var(1)", "std": "x.std(0)", "prod": "x.prod()", "prod-dim": "x.prod(1)", "amax": "x.amax(1)",
                   "amin": "x.amin(0)", "max": "x.max()", "max-dim": "x.max(1)[0]", "min-dim": "x.min(0, keepdim=True)[0]",
                   "logsumexp": "x.logsumexp(1)", "softmax": "x.softmax(-1)", "log_softmax": "x.log_softmax(0)", "cumsum": "x.cumsum(1)",
                   "norm": "x.norm()", "norm-dim": "torch.norm(x, dim=1)", "norm-1": "torch.linalg.vector_norm(x, 1, dim=[1])",
                   "norm-3": "torch.linalg.vector_norm(x, 3, dim=[1])", "norm-inf": "torch.linalg.vector_norm(x, float('inf'), dim=[1])",
                   "linalg_norm": "torch.linalg.norm(x, dim=-1, keepdim=True)", "topk": "x.topk(2, 1)[0]", "sort": "x.sort(1)[0]"}.items():
    suite.of(name, text, x=x)
    suite.of(f"{name}-f64", text, x=wide)
ties = torch.tensor([[1., 2., 2.], [3., 3., 3.]])
for name in ("x.amax(1)", "x.max(1)[0]", "x.max()", "x.prod(1)", "x.min(1)[0]"):
    suite.of(f"ties-{name}", name, x=ties)
zeros = torch.tensor([[0., 2., 3.], [0., 0., 3.], [0., 0., 0.]])
for name, text in {"prod": "x.prod(1)", "norm": "torch.norm(x, dim=1)", "std": "x.std(1)"}.items():
    suite.of(f"zeros-{name}", text, x=zeros)
    suite.of(f"zeros-{name}-f64", text, x=zeros.double())
suite.of("norm-f64-zero", "torch.linalg.norm(x, dim=-1)", x=zeros.double())
suite.of("cdist", "torch.cdist(x, y)", x=torch.randn(4, 3), y=torch.randn(5, 3), options=dict(rtol=1e-4, atol=1e-5))

cube, places = torch.randn(2, 3, 4), torch.tensor([2, 0, 2])
for name, text in {"reshape": "x.reshape(-1)", "view": "x.view(x.shape[0], -1)", "permute": "x.permute(2, 0, 1)", "transpose": "x.transpose(0, 1)",
                   "unsqueeze": "x.unsqueeze(1)", "squeeze": "x.unsqueeze(1).squeeze(1)", "expand": "x[:, :, :1].expand(-1, -1, 5)",
                   "repeat": "x.repeat(2, 1, 3)", "tile": "x.tile(2)", "cat": "torch.cat([x, x * 2], 1)", "stack": "torch.stack([x, x * x], 2)",
                   "chunk": "x.chunk(2, 2)[0]", 
                   "slice": "x[:, 1:, :-1]", "slice-step": "x[:, ::2, 1::2]", "select": "x[:, -1]", "select-two": "x[1, :, 2]",
                   "index": "x[torch.tensor([1, 0, 1])]", "index-two": "x[:, torch.tensor([0, 2]), torch.tensor([1, 1])]",
                   "mask": "x[x > 0]", "index_select": "x.index_select(1, torch.tensor([2, 0, 2]))",
                   "gather": "x.gather(1, torch.zeros_like(x).long())", "flip": "x.flip(1)", "roll": "x.roll(1, 2)",
                   "pad": "torch.nn.functional.pad(x, [1, 2])", "crop": "torch.nn.functional.pad(x, [-1, -1])", "tril": "x.tril()",
                   "triu": "x.triu(1)", "diagonal": "x.diagonal(0, 1, 2)", "narrow": "x.narrow(2, 1, 2)", "movedim": "x.movedim(0, 2)",
                   "flatten": "x.flatten(1)", "cast": "x.to(torch.float64)", "clone": "x.clone()"}.items():
    suite.of(name, text, x=cube)
suite.of("split", "x.split(2, 2)[1] * x.split(2, 2)[0]", x=cube, dynamic=False)
suite.of("unbind", "x.unbind(0)[1]", x=cube, dynamic=False)
suite.of("index_add", "x.index_add(1, torch.tensor([2, 0, 2]), y)", x=cube, y=torch.randn(2, 3, 4), dynamic=False)
suite.of("scatter", "x.scatter(2, torch.tensor([[[1]], [[0]]]).expand(2, 3, 1), y)", x=cube, y=torch.randn(2, 3, 1), dynamic=False)
suite.of("scatter_add", "x.scatter_add(0, i, y)", x=torch.zeros(3, 4), i=torch.tensor([[0, 2, 1, 1], [1, 2, 0, 0]]), y=torch.randn(2, 4),
         dynamic=False)
suite.of("masked_select", "x.masked_select(x > 0)", x=x)
suite.of("index_put", "y", statements="y = x * 2\ny[:, 1] = x[:, 0] * x[:, 1]\ny[0] = 3.", x=x, dynamic=False)
suite.of("in-place", "y", statements="y = x * 2\ny.mul_(x).add_(1.)\ny[1:] += x[:-1]", x=x)
suite.of("embedding", "torch.nn.functional.embedding(i, x)", x=torch.randn(5, 3), i=torch.tensor([[1, 4], [0, 4]]), dynamic=False)

for name, text in {"matmul": "x @ y", "linear": "torch.nn.functional.linear(x, y.t())", "addmm": "torch.addmm(x @ y, x, y, beta=0.5, alpha=2)",
                   "einsum": "torch.einsum('ij,jk->ik', x, y)", "einsum-sum": "torch.einsum('ij,jk->i', x, y)"}.items():
    suite.of(name, text, x=torch.randn(3, 4), y=torch.randn(4, 5))
suite.of("matmul-vector", "x @ y", x=torch.randn(3, 4), y=torch.randn(4))
suite.of("dot", "torch.dot(x, y)", x=torch.randn(4), y=torch.randn(4))
suite.of("bmm", "torch.bmm(x, y)", x=torch.randn(2, 3, 4), y=torch.randn(2, 4, 5))
suite.of("matmul-batches", "x @ y", x=torch.randn(2, 1, 3, 4), y=torch.randn(5, 4, 3))
suite.of("outer", "torch.outer(x, y)", x=torch.randn(3), y=torch.randn(4))
suite.of("cross", "torch.cross(x, y, dim=1)", x=torch.randn(4, 3), y=torch.randn(4, 3), dynamic=False)
suite.of("inverse", "torch.linalg.inv(x)", x=torch.randn(3, 3) + 3 * torch.eye(3), dynamic=False, options=dict(rtol=1e-4, atol=1e-5))
suite.of("layer_norm", "torch.nn.functional.layer_norm(x, [4], y, z)", x=torch.randn(3, 4), y=torch.randn(4), z=torch.randn(4), dynamic=False,
         options=dict(rtol=1e-4, atol=1e-5))
suite.of("batch_norm", "torch.nn.functional.batch_norm(x, m, v)", by=["x"], x=torch.randn(3, 4, 5), m=torch.randn(4), v=torch.rand(4) + 0.5,
         dynamic=False)
suite.of("conv", "torch.nn.functional.conv2d(x, w, stride=2, padding=1)", by=["x"], x=torch.randn(2, 3, 6, 7), w=torch.randn(4, 3, 3, 3),
         dynamic=False)
suite.of("conv-dilated", "torch.nn.functional.conv1d(x, w, stride=3, dilation=2, groups=2)", by=["x"], x=torch.randn(2, 4, 17), w=torch.randn(6, 2, 3),
         dynamic=False)
suite.of("mse", "torch.nn.functional.mse_loss(x, y)", x=x, y=y)
suite.of("smooth_l1", "torch.nn.functional.smooth_l1_loss(x, y)", x=x, y=y)
suite.of("nll", "torch.nn.functional.nll_loss(x.log_softmax(1), i)", x=x, i=torch.tensor([1, 0, 3]), dynamic=False,
         options=dict(error="the derivative of"))

for name, text in {"tanh": "torch.tanh(x) * x", "sigmoid": "torch.sigmoid(x)", "softplus": "torch.nn.functional.softplus(x)",
                   "norm": "torch.linalg.norm(x, dim=1)", "softmax": "x.softmax(1)", "matmul": "x @ x.t()", "index": "x[:, torch.tensor([0, 0, 1])] ** 3",
                   "slice": "(x[:, 1:] - x[:, :-1]) ** 3", "exp": "torch.exp(-x * x)", "div": "x / (x * x + 1)", "gelu": "torch.nn.functional.gelu(x)",
                   "silu": "torch.nn.functional.silu(x)", "mean": "(x.mean(1, keepdim=True) * x) ** 2"}.items():
    suite.of(f"second-{name}", text, second=True, x=x)
    suite.of(f"second-{name}-f64", text, second=True, x=wide)

if __name__ == "__main__":
    suite.main()
