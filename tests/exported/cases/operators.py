"""Operators by family, beyond those of networks."""
import torch
from torch.export import Dim

from case import case, function

randn = torch.randn


def rows(low=2):
    return Dim("rows", min=low, max=64)


@case
def index_with_gaps():
    """Indices between axes that stay, masks, and new axes."""
    def forward(x, i, j, mask):
        return x[:, i], x[i, :, j], x[..., j], x[None, i], x[:, :, mask], x[i[:, None], j], x[:, i, 1:], x[:, i, None, j], x[-1, ..., 0]
    make = lambda n: [randn(n, 4, 3), torch.tensor([1, 0]), torch.tensor([2, 0]), torch.tensor([True, False, True])]
    return function(forward, make(2), more=[make(5)], dynamic=({0: rows()}, None, None, None))


@case
def gathering():
    def forward(x, i):
        return (x.gather(1, i), x.index_select(1, i[0]), x.take(i), x.scatter(1, i, 2.0), x.scatter(1, i, x.exp()),
                x.scatter_add(1, i, x), x.scatter_reduce(1, i, x, "amax"), x.select_scatter(x[:, 0], 1, 2), x.slice_scatter(x[:, :2], 1, 1, 3))
    make = lambda n: [randn(n, 4), torch.stack([torch.randperm(4) for _ in range(n)])]
    dim = rows()
    return function(forward, make(2), more=[make(5)], dynamic=({0: dim}, {0: dim}))


@case
def reductions():
    def forward(x):
        return (x.sum(), x.sum(1, keepdim=True), x.mean((0, 2)), x.std(1), x.var(unbiased=False), torch.var_mean(x, 2), x.amax(1), x.amin((1, 2)), *x.max(1), x.min(),
                x.prod(2), x.argmax(1), x.argmin(), x.logsumexp(1), x.norm(), torch.linalg.vector_norm(x, 1, 2), x.any(1), (x > 0).all(), *x.median(1), x.count_nonzero(),
                torch.nansum(x, 1), *x.aminmax(dim=1))
    return function(forward, [randn(2, 3, 4)], more=[[randn(3, 3, 4)]], dynamic=({0: rows()},))


@case
def ordering():
    def forward(x):
        return (*x.sort(1), *x.sort(descending=True, stable=True), x.argsort(1), *x.topk(2), *x.topk(2, 1, largest=False), *x.kthvalue(2), x.cumsum(1), x.cumprod(1), *x.cummax(1),
                x.logcumsumexp(1))
    return function(forward, [randn(2, 5)], more=[[randn(4, 5)]], dynamic=({0: rows()},))


@case
def products():
    def forward(a, b, v):
        return (a @ b, torch.einsum("bij,bjk->bik", a, b), torch.einsum("bij,bij->b", a, a), torch.bmm(a, b), a @ v, v @ b, torch.dot(v, v), torch.outer(v, v),
                torch.baddbmm(a @ b, a, b, beta=0.5, alpha=2), torch.addmm(v[:3], a[0], b[0]), torch.tensordot(a, b, ([2], [1])), torch.kron(v[:2], v), torch.cdist(a, a),
                torch.matmul(v, v), torch.addmv(v[:3], a[0], v), torch.chain_matmul(a[0], b[0]), torch.linalg.multi_dot([a[0], b[0], a[0]]))
    make = lambda n: [randn(n, 3, 4), randn(n, 4, 3), randn(4)]
    dim = rows()
    return function(forward, make(2), more=[make(3)], dynamic=({0: dim}, {0: dim}, None))


@case
def elementwise():
    def forward(x, y):
        return (x.exp(), x.abs().log(), x.abs().log1p(), x.expm1(), x.sin(), x.cos(), x.tan(), x.tanh(), x.sinh(), x.atan(), torch.atan2(x, y), x.abs().sqrt(), x.abs().rsqrt(),
                x.erf(), x.floor(), x.ceil(), x.round(), x.trunc(), x.frac(), x.sign(), x.sigmoid(), x.reciprocal(), x.square(), torch.hypot(x, y), torch.maximum(x, y),
                torch.fmin(x, y), torch.logaddexp(x, y), x.isnan(), x.isinf(), torch.nan_to_num(x), torch.addcmul(x, x, y, value=0.5), torch.addcdiv(x, y, y.abs() + 1),
                torch.lerp(x, y, 0.25), torch.copysign(x, y), x.lgamma(), torch.div(x, y, rounding_mode="floor"), torch.fmod(x, y), torch.isclose(x, y), x.log2().isnan())
    dim = rows()
    return function(forward, [randn(2, 3), randn(2, 3)], more=[[randn(4, 3), randn(4, 3)]], dynamic=({0: dim}, {0: dim}))


@case
def layouts():
    def forward(x):
        return (x.roll(1, 1), x.flip(2), x.rot90(1, (1, 2)), x.tril(), x.triu(1), x.repeat(2, 1, 1), x.tile(2), x.movedim(0, -1), x.squeeze(), x.unsqueeze(1), x.flatten(1), x.swapaxes(1, 2),
                x.diagonal(0, 1, 2), torch.diag_embed(x), x.unfold(2, 2, 1), torch.block_diag(x[0], x[1]), torch.stack([x, x], 1), torch.hstack([x, x]), torch.broadcast_to(x, (2, *x.shape)),
                torch.meshgrid(x[0, 0], x[0, 1], indexing="ij"), torch.atleast_3d(x[0]), x.as_strided((2, 2), (4, 1), 1), torch.cartesian_prod(x[0, 0], x[0, 1]))
    return function(forward, [randn(2, 3, 4)], more=[[randn(5, 3, 4)]], dynamic=({0: rows()},))


@case
def creation():
    def forward(x):
        n = x.shape[0]
        return (torch.zeros(n, 2), torch.ones_like(x), torch.full((2, n), 3), torch.full_like(x, 0.5), torch.arange(n), torch.arange(1.0, 2.0, 0.25), torch.eye(3),
                torch.linspace(0, 1, 5), x.new_zeros(2), x.new_full((n,), 1.5), torch.scalar_tensor(2.0), torch.tril_indices(3, 3), torch.full((2,), True), torch.logspace(0, 1, 3),
                torch.empty(0), torch.zeros((), dtype=torch.int32), torch.hann_window(4), torch.arange(0, 10, 3, dtype=torch.float64))
    return function(forward, [randn(2, 3)], more=[[randn(5, 3)]], dynamic=({0: rows()},))


@case
def searching():
    def forward(x, edges):
        return (torch.searchsorted(edges, x), torch.bucketize(x, edges, right=True), torch.isin((x * 2).long(), torch.tensor([0, 1, 2])), torch.where(x > 0, x, -x), torch.histc(x, 4, -2, 2))
    make = lambda n: [randn(n, 3), torch.tensor([-1.0, 0.0, 0.5])]
    return function(forward, make(2), more=[make(5)], dynamic=({0: rows()}, None))


@case
def matrices():
    def forward(x):
        square = x @ x.transpose(1, 2) + torch.eye(3) * 4
        return torch.linalg.inv(square), torch.linalg.det(square), torch.linalg.cholesky(square), torch.linalg.solve(square, x), torch.trace(square[0]), torch.linalg.matrix_power(square, 3)
    return function(forward, [randn(2, 3, 4)], more=[[randn(4, 3, 4)]], dynamic=({0: rows()},))


@case
def several_results():
    """Operators with several results, of which some are unused."""
    def forward(x):
        values, _ = x.max(1)
        _, order = x.sort(1)
        a, _, c = x.split([1, 2, 1], dim=1)
        parts = x.chunk(3, 1)
        return values, order, a + c, parts[1], torch.aminmax(x)[1], x.unbind(1)[2]
    return function(forward, [randn(2, 4)], more=[[randn(5, 4)]], dynamic=({0: rows()},))
