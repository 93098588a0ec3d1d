import torch
from sizes import Sizes

suite = Sizes()
torch.manual_seed(1)


def numbers(*shape, dtype=torch.complex64):
    return torch.randn(*shape, dtype=dtype)


z, w, x = numbers(3, 4), numbers(3, 4), torch.randn(3, 4)
axes = [{0: "n", 1: "m"}]
both = axes * 2
loose = dict(rtol=1e-5, atol=2e-6)
precise = dict(rtol=1e-12, atol=1e-12)

# Inputs and outputs, and what makes complex numbers of real ones.
suite.call("input-output", "z", axes, z=z)
suite.call("complex", "torch.complex(x, y)", both, x=x, y=torch.randn(3, 4))
suite.call("complex-broadcast", "torch.complex(x, y)", x=x, y=torch.randn(4))
suite.call("polar", "torch.polar(x, y)", both, x=x, y=torch.randn(3, 4))
suite.call("polar-f64", "torch.polar(x, y)", both, precise, x=x.double(), y=torch.randn(3, 4, dtype=torch.float64))
suite.call("view_as_complex", "torch.view_as_complex(x) * 1j", [{0: "n"}], x=torch.randn(5, 3, 2))
suite.call("view_as_real", "torch.view_as_real(z)", axes, z=z)
suite.call("real-imag", "(torch.real(z), torch.imag(z), z.real + z.imag)", axes, z=z)
suite.call("real-of-real", "(torch.real(x), torch.conj(x), x.conj_physical(), torch.isreal(x), torch.angle(x))", axes, x=x)
suite.call("conj", "(torch.conj(z), z.conj().resolve_conj(), z.conj_physical(), z.resolve_neg(), torch._conj(z))", axes, z=z)
suite.call("copies", "(torch._conj_copy(z), torch.view_as_real_copy(z), torch.view_as_complex_copy(torch.view_as_real(z)))", axes, z=z)
suite.call("is_complex", "(z if torch.is_complex(z) else z * 2, z.is_floating_point(), z.dim(), z.size(1), z.numel())", axes, z=z)
suite.call("isreal", "torch.isreal(z)", z=torch.tensor([1 + 0j, 2j, 3 - 1j]))
suite.call("angle", "torch.angle(z)", axes, z=z)
suite.call("angle-edges", "torch.angle(z)", z=torch.tensor([1 + 0j, -1 + 0j, 0j, 1j, -1j, -1 - 1e-3j]))
suite.call("creation", "(torch.zeros(z.size(0), 2, dtype=torch.complex64), torch.ones(2, z.size(1), dtype=torch.complex128), "
           "torch.full([2, z.size(0)], 1 + 2j), torch.full([2], 3, dtype=torch.complex64), torch.eye(3, dtype=torch.complex64), "
           "torch.tensor(2j))", axes, z=z)
suite.call("like", "(torch.zeros_like(z), torch.ones_like(z), torch.full_like(z, 2 - 1j), z.new_zeros([2]), z.new_ones([2]), "
           "z.new_full([3], 1j), torch.zeros_like(z, dtype=torch.float32), torch.ones_like(z.real, dtype=torch.complex64))", axes, z=z)
suite.call("empty", "torch.empty_like(z).fill_(1j) + torch.empty(3, 4, dtype=torch.complex64).zero_()", z=z)

# Arithmetic.
for name, text in {
        "add": "(z + w, z + x, x + z, z + 1, 2.5 + z, x + 1j, torch.add(z, w, alpha=2), torch.add(z, w, alpha=1j))",
        "sub": "(z - w, z - x, x - z, z - 1, 2.5 - z, 1j - x, torch.sub(z, w, alpha=3), torch.rsub(z, w), torch.subtract(z, x))",
        "mul": "(z * w, z * x, x * z, z * 2, 1j * z, x * (1 + 2j), torch.multiply(z, w))",
        "div": "(z / w, z / x, x / z, z / 2, 1j / z, x / (1 + 2j), torch.true_divide(z, w), torch.divide(z, x))",
        "addcmul": "(torch.addcmul(z, w, z), torch.addcmul(z, w, w, value=2), torch.addcdiv(z, w, z, value=1j))",
}.items():
    suite.call(name, text, axes * 3, loose, z=z, w=w, x=x)
suite.call("broadcast", "(z + x, z - x, x - z, z * x, z / x, x / z, torch.where(x > 0, z, x))", [{0: "n"}, {1: "m"}], z=numbers(3, 1),
           x=torch.randn(1, 4))
suite.call("promotion", "(z + x, z * d, d + 1j, i * 1j, z * i, z + b)", z=z, x=x.half().float(), d=x.double(), i=torch.arange(4),
           b=torch.tensor(2.0, dtype=torch.float64))
suite.call("f64", "(z * w, z / w, z.abs(), z.exp(), z.log(), z.sqrt(), z.tanh(), z.sin(), z.pow(3), z.pow(w))", both, precise,
           z=z.to(torch.complex128), w=w.to(torch.complex128))
suite.newer("large", "torch.div(z, w)", "(z.to(torch.complex128) / w.to(torch.complex128)).to(torch.complex64)",
            z=torch.tensor([1e25 + 2e25j, 3e-25 - 1e-25j]), w=torch.tensor([2e25 - 1e25j, 1e-25 + 1e-25j]))
suite.newer("exp2", "torch.exp2(z)", "torch.exp(z * 0.6931471805599453)", axes, loose, z=z)
for op in ("neg", "square", "reciprocal", "abs", "sgn", "exp", "log", "log2", "log10", "sqrt", "rsqrt", "sin", "cos", "tan", "sinh",
           "cosh", "tanh", "sigmoid", "isnan", "isinf", "isfinite", "positive"):
    suite.call(op, f"torch.{op}(z)", axes, loose, z=z)
suite.call("sqrt-edges", "(torch.sqrt(z), torch.sgn(z), torch.abs(z))", z=torch.tensor([0j, 4 + 0j, -4 + 0j, 2j, -2j, -3 - 4j, 3 + 4j]))
suite.call("not-finite", "(torch.isnan(z), torch.isinf(z), torch.isfinite(z))",
           z=torch.tensor([complex("nan"), complex(1, float("nan")), complex("inf"), complex(0, float("-inf")), 1j]))
suite.call("pow", "(z ** 2, z ** 3, z ** -1, z ** -2, z ** 0, z ** 0.5, z ** 2.5, z ** 1j, z ** w, z ** x, x ** z, 2 ** z, "
           "torch.float_power(z, 2), torch.float_power(z, w))", axes * 3, dict(rtol=2e-5, atol=5e-6), z=z, w=w, x=x)
suite.call("pow-zero", "(z ** 2, z ** 0, z ** 20)", z=torch.tensor([0j, 1 + 1j, 1j]))
suite.call("eq", "(z == w, z != w, z == 1, z == x, z != 1j)", z=torch.tensor([1 + 0j, 1j, 2 + 1j]), w=torch.tensor([1 + 0j, 2j, 2 + 1j]),
           x=torch.tensor([1.0, 0.0, 2.0]))
suite.call("where", "(torch.where(x > 0, z, w), torch.where(x > 0, z, x), torch.where(x > 0, z, 1j))", axes * 3, z=z, w=w, x=x)
suite.call("in-place", "z.clone().add_(w).mul_(2).mul_(1j).sub_(x).neg_()", axes * 3, loose, z=z, w=w, x=x)
suite.call("to", "(z.to(torch.complex128), x.to(torch.complex64), z.double() if False else z, x.type_as(z), z.clone(), z.contiguous(), "
           "z.detach(), x.to(z))", axes * 2, z=z, x=x)
suite.call("chalf", "(x.chalf().to(torch.complex64), z.chalf().to(torch.complex64))", axes * 2, dict(rtol=1e-3, atol=1e-3), x=x, z=z)
suite.call("to-real", "(z.to(torch.float32), z.float(), z.double(), z.real.type_as(x))", axes * 2, z=z, x=x)

# Layout.
t = numbers(2, 3, 4)
cube = [{0: "a", 1: "b", 2: "c"}]
for name, text in {
        "view": "(t.view(-1), t.reshape(t.size(0), -1), t.flatten(1), t.unflatten(-1, (2, -1)) if False else t, t.ravel())",
        "transpose": "(t.transpose(0, 1), t.permute(2, 0, 1), t.mT, t.mH, t[0].t(), t.movedim(0, -1), t[0].T, t.adjoint(), t.swapaxes(0, -1))",
        "select": "(t[0], t[:, 1], t[..., -1], t[:, 1:], t[:, ::2], t.narrow(1, 0, 2), t.select(-1, 2), t[None], t.unsqueeze(-1))",
        "expand": "(t[:, :1].expand(-1, 5, -1), t[:1].expand_as(t), t[0].broadcast_to(3, t.size(1), t.size(2)), t.squeeze(), t[:1].squeeze(0))",
        "cat": "(torch.cat([t, t], -1), torch.stack([t, t], -1), torch.cat([t, t.real], 0), torch.hstack([t, t]), torch.vstack([t, t]))",
        "repeat": "(t.repeat(2, 1, 3), t.tile(2), t.repeat_interleave(2, -1), t.flip(0, -1), t.roll(1, -1), t.roll(1), torch.rot90(t))",
        "pad": "(torch.nn.functional.pad(t, (1, 2)), torch.nn.functional.pad(t, (1, 2), value=3.0), torch.constant_pad_nd(t, [1, 1, 0, 2], 1j))",
        "diagonal": "(t.diagonal(0, -2, -1), torch.diag_embed(t[0]), t.tril(), t.triu(1), torch.diagonal(t).sum())",
        "reduce": "(t.sum(), t.sum(-1), t.mean(0), t.mean(), t.cumsum(1), t.diff(), t.sum(0, dtype=torch.complex128))",
        "norm": "(t.norm(), t.norm(1, -1), torch.linalg.vector_norm(t, 3.0, -1), torch.linalg.norm(t[0]), t.norm(float('inf')))",
}.items():
    suite.call(f"layout-{name}", text, cube, loose, t=t)
suite.call("split", "[p * 1j for p in torch.split(t, 2, -1)]", t=t)
suite.call("chunk", "torch.cat(torch.chunk(t, 2, -1), 0)", [{0: "a", 1: "b"}], t=t)
suite.call("unbind", "[p for p in t.unbind(1)]", [{0: "a"}], t=t)
suite.call("index", "(t[:, i], t.index_select(1, i), t.gather(1, i.view(1, 2, 1).expand(2, 2, 4)), t[m], t.masked_fill(m, 1j), "
           "torch.take(t, i), t.masked_fill(m, 2.0), t.masked_select(m))", t=t, i=torch.tensor([2, 0]), m=t.real > 0)
suite.call("scatter", "(t.index_add(1, i, u), t.index_copy(1, i, u), t.index_fill(1, i, 2j), t.index_put((i,), t[0]) if False else t, "
           "t.scatter(1, i.view(1, 2, 1).expand(2, 2, 4), u), t.scatter_add(1, i.view(1, 2, 1).expand(2, 2, 4), u))",
           t=t, i=torch.tensor([2, 0]), u=numbers(2, 2, 4))
suite.call("embedding", "torch.nn.functional.embedding(i, t)", [{0: "n"}], i=torch.tensor([2, 0, 1]), t=numbers(3, 4))

# Products.
a, b, v = numbers(2, 3, 4), numbers(2, 4, 5), numbers(4)
suite.call("matmul", "(a @ b, torch.bmm(a, b), torch.mm(a[0], b[0]), a @ v, torch.mv(a[0], v), torch.inner(a, v), "
           "torch.outer(v, v), torch.kron(v, v), torch.tensordot(a, b, ([2], [1])))", [{0: "n", 1: "m"}, {0: "n"}], loose, a=a, b=b, v=v)
suite.newer("dot", "torch.dot(v, u)", "(v * u).sum()", [{0: "n"}] * 2, loose, v=v, u=numbers(4))  # BLAS libraries disagree on its result
suite.call("einsum", "(torch.einsum('bij,bjk->bik', a, b), torch.einsum('bij->bj', a), torch.einsum('bij,j->bi', a, v), "
           "torch.einsum('bij,bjk,j->ik', a, b, v))", [{0: "n", 1: "m"}, {0: "n"}], loose, a=a, b=b, v=v)
suite.call("linear", "(torch.nn.functional.linear(a, w), torch.nn.functional.linear(a, w, c))", [{0: "n", 1: "m"}], loose, a=a, w=numbers(5, 4),
           c=numbers(5))


# Views.
def through_real(z):
    y = z.clone()
    torch.view_as_real(y)[..., 0] += 1
    y.real.mul_(2)
    y.imag[0] = 3
    y[0, 1] = 5j
    y[:, 2:] *= 1j
    y.conj().mul_(1j)
    y.t()[0] = 7
    return y


def through_complex(x):
    y = x.clone()
    z = torch.view_as_complex(y)
    z *= 1j
    z[1:] = 4 - 1j
    return y, z


suite.sizes("write-real", through_real, [z], axes)
suite.sizes("write-complex", through_complex, [torch.randn(3, 4, 2)], [{0: "n", 1: "m"}])


# Control flow.
def branch(z, x):
    if bool(x.sum() > 0):
        y = z * 1j
    else:
        y = z.conj()
    return y


def loop(z, n):
    y = z
    for i in range(int(n)):
        y = y * z + 1j
    return y, torch.view_as_real(y)


suite.sizes("branch", branch, [z, x.abs()], axes)
suite.sizes("branch-other", branch, [z, -x.abs()], axes)
suite.sizes("loop", loop, [z * 0.5, torch.tensor(3)], axes)


# Complex weights, and rotary embeddings.
class Rotary(torch.nn.Module):
    def __init__(self, dim=8, length=16):
        super().__init__()
        angles = torch.outer(torch.arange(length).float(), 1.0 / (10000.0 ** (torch.arange(0, dim, 2).float() / dim)))
        self.register_buffer("freqs_cis", torch.polar(torch.ones_like(angles), angles))

    def forward(self, x):
        pairs = torch.view_as_complex(x.float().reshape(x.size(0), x.size(1), x.size(2), -1, 2))
        freqs = self.freqs_cis[:x.size(1)].view(1, x.size(1), 1, -1)
        return torch.view_as_real(pairs * freqs).flatten(3).type_as(x)


class Weights(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(numbers(4, 5))
        self.register_buffer("turned", numbers(5, 4).t())
        self.register_buffer("conjugate", numbers(5).conj())

    def forward(self, z):
        return (z @ self.w) * self.conjugate, z @ self.turned, self.turned


suite.sizes("rotary", Rotary(), [torch.randn(2, 5, 3, 8)], [{0: "batch", 1: "length"}], how="both")
suite.sizes("weights", Weights(), [z], [{0: "n"}], **loose)
suite.add("trace", lambda z, x: (z * 1j + x * (2 - 1j), z.abs()), [z, x], how="trace")

# Errors.
suite.fails("refused", "torch.nn.functional.relu(z)", "this operator does not support complex numbers", z=z)
suite.fails("refused-sort", "torch.sort(torch.complex(x, x))[0]", "this operator does not support complex numbers", x=x)
suite.fails("imag-of-real", "torch.imag(x * 1)", "the tensor must be complex", x=x)
suite.main()
