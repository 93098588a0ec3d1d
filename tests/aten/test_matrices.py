import torch
from sizes import Sizes

suite = Sizes()
close = dict(rtol=1e-4, atol=1e-4)


def matrix(*shape, dtype=torch.float32):
    """Far from singular, at every size that the elements are repeated to, and with rows to exchange."""
    n = shape[-1]
    spread = torch.arange(float(torch.Size(shape).numel()), dtype=dtype).reshape(shape)
    return torch.sin(spread * spread * 1.7 + 0.3) + 2 * torch.eye(shape[-2], n, dtype=dtype).flip(0)


def positive(*shape, dtype=torch.float32):
    a = matrix(*shape, dtype=dtype)
    return a @ a.mT + torch.eye(shape[-1], dtype=dtype)


square, batched = [{0: "n", 1: "n"}], [{0: "batch", 2: "n", 3: "n"}]
spd = "(x @ x.mT + torch.eye(x.size(-1), dtype=x.dtype))"
for dtype in (torch.float32, torch.float64):
    label, precise = str(dtype)[6:], dict(close) if dtype == torch.float32 else dict(rtol=1e-9, atol=1e-9)
    a, many = matrix(4, 4, dtype=dtype), matrix(2, 3, 4, 4, dtype=dtype)
    for name, x, axes in (("one", a, square), ("many", many, batched)):
        suite.call(f"inverse-{label}-{name}", "[torch.inverse(x), torch.linalg.inv(x), torch.linalg.inv_ex(x)[0]]", axes, precise, x=x)
        suite.call(f"det-{label}-{name}", "[torch.det(x), torch.linalg.det(x), torch.logdet(x)]", axes, precise, x=x)
        suite.call(f"slogdet-{label}-{name}", "[torch.slogdet(x), torch.linalg.slogdet(x)]", axes, precise, x=x)
        suite.call(f"lu-{label}-{name}", "torch.linalg.lu(x)", axes, precise, x=x)
        suite.call(f"cholesky-{label}-{name}", f"[torch.cholesky({spd}), torch.linalg.cholesky({spd}, upper=True), "
                   f"torch.linalg.cholesky_ex({spd})[0]]", axes, precise, x=x)
        suite.call(f"cholesky_inverse-{label}-{name}", "[torch.cholesky_inverse(x), torch.cholesky_inverse(x, upper=True)]", axes,
                   precise, x=x)
        suite.call(f"matrix_power-{label}-{name}", "[torch.matrix_power(x, 3), torch.linalg.matrix_power(x, 0), "
                   "torch.matrix_power(x, -2)]", axes, precise, x=x)
        suite.call(f"matrix_exp-{label}-{name}", "[torch.matrix_exp(x), torch.linalg.matrix_exp(x * 0.01), torch.matrix_exp(x * 1.5)]", axes,
                   precise, x=x)

for name, shape in (("tall", (5, 3)), ("wide", (3, 5)), ("batch", (2, 5, 3))):
    sizes = [{len(shape) - 2: "m", len(shape) - 1: "n"}]
    factors = "torch.linalg.lu_factor(x)[0], torch.linalg.lu_factor(x)[1]"
    suite.call(f"lu-{name}", "torch.linalg.lu(x)", sizes, close, by=(1,), x=matrix(*shape))
    suite.call(f"lu_factor-{name}", "[torch.linalg.lu_factor(x), torch.linalg.lu_factor_ex(x)[:2], torch._lu_with_info(x)[:2]]", sizes, close,
               by=(1,), x=matrix(*shape))
    suite.call(f"lu_unpack-{name}", f"torch.lu_unpack({factors})", sizes, close, by=(1,), x=matrix(*shape))
    suite.call(f"lu_unpack-part-{name}", f"[torch.lu_unpack({factors}, unpack_data=False)[0], torch.lu_unpack({factors}, "
               "unpack_pivots=False)[1]]", sizes, close, by=(1,), x=matrix(*shape))
    for mode in ("reduced", "complete", "r"):
        suite.call(f"qr-{mode}-{name}", f"torch.linalg.qr(x, mode='{mode}')", sizes, close, by=(1,), x=matrix(*shape))
    suite.call(f"geqrf-{name}", "[torch.geqrf(x), torch.qr(x), torch.qr(x, some=False)]", sizes, close, by=(1,), x=matrix(*shape))
reflections = "torch.geqrf(x)[0], torch.geqrf(x)[1]"
for name, shape in (("one", (5, 3)), ("batch", (2, 3, 5, 3))):
    suite.call(f"householder_product-{name}", f"[torch.orgqr({reflections}), torch.linalg.householder_product({reflections})]",
               [{len(shape) - 2: "m"}], close, x=matrix(*shape))
    suite.call(f"ormqr-{name}", f"[torch.ormqr({reflections}, y), torch.ormqr({reflections}, y, transpose=True), "
               f"torch.ormqr({reflections}, y.mT, left=False), torch.ormqr({reflections}, y.mT, left=False, transpose=True)]",
               [{len(shape) - 2: "m"}] * 2, close, x=matrix(*shape), y=matrix(*shape[:-1], 2))
suite.call("qr-f64", "torch.linalg.qr(x)", [{0: "n", 1: "n"}], dict(rtol=1e-9, atol=1e-9), by=(1,), x=matrix(6, 6, dtype=torch.float64))
suite.call("qr-triangular", "torch.linalg.qr(x)", x=torch.triu(matrix(4, 4)))

x, b = matrix(4, 4), matrix(4, 2)
both = [{0: "n", 1: "n"}, {0: "n"}]
many = [{0: "batch", 1: "n", 2: "n"}, {0: "batch", 1: "n"}]
suite.call("solve", "[torch.linalg.solve(x, b), torch.linalg.solve_ex(x, b)[0], torch.linalg.solve(x, b.mT, left=False)]", both, close,
           x=x, b=b)
suite.call("solve-vector", "torch.linalg.solve(x, b)", both, close, x=x, b=torch.arange(4.0))
suite.call("solve-vectors", "torch.linalg.solve(x, b)", many, close, x=matrix(3, 4, 4), b=matrix(3, 4))
suite.call("solve-batch", "torch.linalg.solve(x, b)", many, close, x=matrix(3, 4, 4), b=matrix(3, 4, 2))
suite.call("solve-broadcast", "[torch.linalg.solve(x, b), torch.linalg.solve(b, x)]", [{1: "k"}, {0: "batch"}],
           close, x=matrix(1, 5, 4, 4), b=matrix(3, 1, 4, 4))
suite.call("lu_solve", "[torch.lu_solve(b, y[0], y[1]), torch.linalg.lu_solve(y[0], y[1], b), torch.linalg.lu_solve(y[0], y[1], b, adjoint=True), "
           "torch.linalg.lu_solve(y[0], y[1], b.mT, left=False), torch.linalg.lu_solve(y[0], y[1], b.mT, left=False, adjoint=True)]"
           .replace("y", "torch.linalg.lu_factor(x)"), both, close, x=x, b=b)
for upper in (True, False):
    suite.call(f"solve_triangular-{upper}", f"[torch.linalg.solve_triangular(x, b, upper={upper}), torch.linalg.solve_triangular(x, b, "
               f"upper={upper}, unitriangular=True), torch.linalg.solve_triangular(x, b.mT, upper={upper}, left=False)]", both, close,
               x=x + 3 * torch.eye(4), b=b, by=(2,))
    suite.call(f"triangular_solve-{upper}", f"[torch.triangular_solve(b, x, upper={upper}), torch.triangular_solve(b, x, upper={upper}, "
               f"transpose=True, unitriangular=True)]", [{1: "k"}], close, b=b, x=matrix(3, 4, 4) + 3 * torch.eye(4))
    suite.call(f"cholesky_solve-{upper}", f"torch.cholesky_solve(b, x, upper={upper})", [{1: "k"}], close, b=b,
               x=matrix(3, 4, 4) + 3 * torch.eye(4))

singular = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 1.0, 1.0]])
suite.call("singular", "[torch.det(x), torch.linalg.slogdet(x)[1]]", x=singular)
suite.call("singular-info", "[torch.linalg.inv_ex(x)[1], torch.linalg.lu_factor_ex(x)[2], torch.linalg.solve_ex(x, x)[1]]", x=singular)
suite.call("not-positive", "torch.linalg.cholesky_ex(x)[1]", [{0: "batch"}],
           x=torch.stack([torch.eye(3), torch.diag(torch.tensor([1.0, -1.0, -2.0])), torch.diag(torch.tensor([-1.0, 1.0, 1.0]))]))
suite.call("logdet-negative", "torch.logdet(x)", x=torch.diag(torch.tensor([1.0, -2.0])))
suite.call("far-beyond-range", "torch.slogdet(x)", [{0: "n", 1: "n"}], by=(), x=torch.eye(60) * -1e-3)
suite.call("powers-of-integers", "torch.matrix_power(x, 5)", square, x=torch.arange(9).reshape(3, 3))
values = "[torch.linalg.svdvals(x), torch.linalg.matrix_norm(x, 2), torch.linalg.matrix_norm(x, -2, keepdim=True), torch.linalg.matrix_norm(x, 'nuc'), torch.linalg.cond(x), torch.linalg.cond(x, -2)]"
for name, shape in (("square", (4, 4)), ("tall", (5, 3)), ("wide", (3, 5)), ("one", (1, 1)), ("column", (3, 1)), ("batch", (2, 3, 5, 4))):
    axes = [{len(shape) - 2: "m", len(shape) - 1: "n"}] if min(shape[-2:]) > 1 and name != "square" else square if name == "square" else ()
    suite.call(f"singular-{name}", values, axes, close, by=(1,), x=matrix(*shape))
    suite.call(f"pinv-{name}", "[torch.linalg.pinv(x), torch.linalg.pinv(x, rtol=0.1), torch.linalg.pinv(x, atol=0.5), torch.pinverse(x), torch.linalg.matrix_rank(x), torch.linalg.matrix_rank(x, 0.9)]",
               axes, close, by=(1,), x=matrix(*shape))
deficient = matrix(5, 2) @ matrix(2, 4)
suite.call("pinv-deficient", "[torch.linalg.pinv(x), torch.linalg.matrix_rank(x), torch.linalg.pinv(x, atol=y, rtol=z), torch.linalg.matrix_rank(x, atol=y), torch.linalg.matrix_rank(x, y), "
           "torch.ops.aten.linalg_pinv(x, y), torch.ops.aten.linalg_pinv(x, 0.2)]", [{1: "n"}], close, x=deficient, y=torch.tensor(0.3), z=torch.tensor(0.01))
suite.call("singular-f64", values, [{0: "m", 1: "n"}], dict(rtol=1e-9, atol=1e-9), by=(1,), x=matrix(7, 5, dtype=torch.float64))
suite.call("singular-zero", "[torch.linalg.svdvals(x), torch.linalg.matrix_rank(x), torch.linalg.pinv(x), torch.linalg.eigvalsh(x)]", x=torch.zeros(2, 3, 3))
suite.call("singular-axes", "[torch.linalg.matrix_norm(x, 2, (0, 2)), torch.linalg.matrix_norm(x, 'nuc', (-1, 0), keepdim=True), torch.nuclear_norm(x, (1, 2)), torch.nuclear_norm(x[0]), torch.linalg.norm(x[0], 2)]",
           [{1: "n"}], close, x=matrix(3, 2, 4))
for name, shape, axes in (("one", (4, 4), square), ("batch", (2, 3, 5, 5), batched)):
    suite.call(f"eigvalsh-{name}", "[torch.linalg.eigvalsh(x), torch.linalg.eigvalsh(x, 'U'), torch.linalg.matrix_rank(x, hermitian=True), torch.linalg.pinv(x, hermitian=True)]", axes, close,
               x=matrix(*shape))
    suite.call(f"cond-{name}", "[torch.linalg.cond(x, 1), torch.linalg.cond(x, -1), torch.linalg.cond(x, 'fro'), torch.linalg.cond(x, 'nuc'), torch.linalg.cond(x, float('inf'))]", axes, close,
               x=matrix(*shape))
suite.call("eigvalsh-opposite", "torch.linalg.eigvalsh(x)", options=close, x=torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
suite.call("_linalg_svd", "[torch._linalg_svd(x, False, False)[1], torch._linalg_eigh(x, 'L', False)[0]]", options=close, x=matrix(3, 4, 4))
suite.call("singular-vectors", "torch._linalg_svd(x)[0]", options=dict(error="singular vectors are not supported"), x=matrix(3, 3))
# Each matrix is scaled by a power of two of its own.
suite.call("matrix_exp-scales", "torch.matrix_exp(x)", [{0: "batch"}], close,
           x=torch.stack([matrix(3, 3) * scale for scale in (1e-30, 0.1, 1.0, 10.0)] + [torch.zeros(3, 3), torch.triu(matrix(3, 3), 1) * 1e3]))
for name, shape in (("sizes", (0, 0)), ("batches", (0, 3, 3))):
    empty = torch.zeros(shape)
    suite.call(f"matrix_exp-no-{name}", "torch.matrix_exp(x)", x=empty)
    suite.call(f"no-{name}", "[torch.inverse(x), torch.det(x), torch.slogdet(x)[1], torch.linalg.cholesky(x), torch.linalg.solve(x, x)]",
               x=empty)
suite.call("tensorinv", "[torch.linalg.tensorinv(x, ind=2), torch.linalg.tensorinv(x.reshape(6, 2, 3), 1)]", options=close,
           x=matrix(6, 6).reshape(2, 3, 6))
suite.call("tensorsolve", "[torch.linalg.tensorsolve(x, y), torch.linalg.tensorsolve(x.movedim(2, 0), y, dims=(0,))]", [{}], close,
           x=matrix(6, 6).reshape(2, 3, 6), y=matrix(2, 3))
suite.call("not-square", "torch.linalg.inv(x)", options=dict(error="square matrices, but they are 3 by 4"), x=matrix(3, 4))
suite.sizes("sizes-of-other-names", "def forward(x, b):\n    return torch.linalg.solve(x, b)\n", [matrix(3, 3, 3), matrix(3, 3)],
            [{0: "batch"}, {0: "other"}], static=False, error="a matrix or vectors, depending on runtime sizes")
suite.call("_linalg_det", "(torch._linalg_det(x)[0], torch._linalg_slogdet(x)[:2])", options=close, x=matrix(2, 3, 3))
suite.call("_linalg_solve_ex", "(torch._linalg_solve_ex(x, b)[0], torch._linalg_solve_ex(x, b)[3])", options=close, x=matrix(2, 3, 3), b=matrix(2, 3, 2))
suite.call("_cholesky_solve_helper", "torch.ops.aten._cholesky_solve_helper(b, torch.linalg.cholesky(x @ x.mT), False)", options=close, x=matrix(2, 3, 3),
           b=matrix(2, 3, 2))


def eigen(name, text, dtype, shape, axes=()):
    """The signs of eigenvectors are arbitrary: the matrix that they make is compared."""
    x = torch.randn(shape, dtype=dtype)
    made = "(w, (v * w.unsqueeze(-2)) @ v.mT, v.mT @ v)"
    program = f"def forward(x):\n    w, v = {text}\n    return {made}\n"
    options = dict(rtol=1e-4, atol=1e-5) if dtype == torch.float32 else dict(rtol=1e-9, atol=1e-9)
    suite.sizes(name, program, [x], list(axes) or [{}], **options)


for dtype in (torch.float32, torch.float64):
    label = "f32" if dtype == torch.float32 else "f64"
    eigen(f"linalg_eigh-{label}", "torch.linalg.eigh(x)", dtype, (4, 4), [{0: "n", 1: "n"}])
    eigen(f"linalg_eigh-batches-{label}", "torch.linalg.eigh(x, UPLO='U')", dtype, (2, 3, 5, 5), [{0: "batch"}])
    suite.call(f"linalg_eigvalsh-{label}", "[torch.linalg.eigvalsh(x), torch.linalg.eigvalsh(x @ x.mT)]", [{0: "batch"}],
               options=dict(rtol=1e-4, atol=1e-5), x=torch.randn(2, 3, 3, dtype=dtype))
eigen("symeig", "torch.symeig(x, eigenvectors=True)", torch.float32, (3, 3))
eigen("_linalg_eigh", "torch._linalg_eigh(x)", torch.float64, (3, 3))
suite.call("linalg_eigvalsh-diagonal", "torch.linalg.eigvalsh(torch.diag(x))", x=torch.tensor([3.0, 1.0, 2.0, 1.0]))
suite.call("linalg_eigvalsh-one", "torch.linalg.eigvalsh(x)", x=torch.randn(1, 1))
suite.main()
