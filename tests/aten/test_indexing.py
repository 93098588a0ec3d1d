import torch
from expressions import Expressions

suite = Expressions()
x, m, v = torch.randn(4, 5, 6), torch.randn(4, 5), torch.randn(7)
i, j = torch.tensor([0, 2, -1]), torch.tensor([3, -4, 1])
grid = torch.tensor([[0, 1], [2, 3], [-1, -2]])
mask = torch.rand(4, 5) > 0.5
row = torch.tensor([True, False, True, True])
bytes_ = torch.tensor([1, 0, 0, 1], dtype=torch.uint8)
ints = torch.randint(-9, 9, (4, 5))

# ---- x[…]
suite.expr("index", "(x[i], x[:, i], x[:, :, i], x[g], x[:, g])", x=x, i=i, g=grid, dynamic=False)
suite.expr("index-dynamic-sizes", "(x[i], x[:, i], x[:, g])", x=x, i=i, g=grid)
suite.expr("index-several", "(x[i, j], x[:, i, j], x[i, :, j], x[i, j, i], x[i[:, None], j])", x=x, i=i, j=j)
suite.expr("index-grid", "(x[g, i[:2]], x[:, g, g], x[g, :, i[:2]])", x=x, i=i, g=grid, dynamic=False)
suite.expr("index-zero-dim", "(x[k], x[:, k], x[k, k], x[i, k])", x=x, i=i, k=torch.tensor(1))
suite.expr("index-lists", "(x[[0, 2]], x[:, [1, -1]])", x=x)
suite.expr("index-mixed", "(x[1, i], x[i, 2], x[i, 1:3], x[None, i], x[i, None, j])", x=x, i=i, j=j)
suite.expr("index-mask", "(x[b], m[b], x[r], x[:, r[:1].expand(5)], x[r, 1])", x=x, m=m, b=mask, r=row, dynamic=False)
suite.expr("index-mask-dynamic", "(x[b], m[b], x[r])", x=x, m=m, b=mask, r=row)
suite.expr("index-mask-behind", "x[:, b]", x=torch.randn(2, 4, 5), b=mask)
suite.expr("index-mask-bytes", "torch.ops.aten.index(x, [None, None, r])", x=x.transpose(0, 2).contiguous(), r=bytes_)
suite.expr("index-mask-and-index", "(x[r, i], x[r, :, i])", x=x, r=row, i=i, dynamic=False)
suite.expr("index-integers", "(x[i], x > 0, (x > 0)[i, j])", x=ints, i=i, j=j)
suite.expr("index-operator", "(torch.ops.aten.index(x, [None, i, j]), torch.ops.aten.index(x, [i]))", x=x, i=i, j=j)
suite.expr("index-size", "x[b].size(0) * 2", x=m, b=mask)
suite.fails("index-too-many", "torch.ops.aten.index(x, [i, i, i])", "too many indices", x=m, i=i)
suite.fails("index-mask-size", "x[b]", "does not fit", x=x, b=torch.ones(3).bool())
suite.expr("nodes-gather", "x[:, i]", dynamic=False, options=dict(operators={"Gather": 1}, absent=["Cast", "Shape"]), x=x, i=i)
suite.expr("nodes-mask", "x[r]", dynamic=False, options=dict(operators={"Compress": 1}, absent=["Cast", "Shape", "NonZero"]), x=x, r=row)

# ---- x[…] = …
def put(name, *lines, **inputs):
    dynamic = inputs.pop("dynamic", True)
    suite.expr(name, "x", statements="x = x + 0\n" + "\n".join(lines) if inputs["x"].is_floating_point() else "x = x.clone()\n" + "\n".join(lines),
               dynamic=dynamic, **inputs)


put("put", "x[i] = y", x=x, i=i, y=torch.randn(3, 5, 6))
put("put-broadcast", "x[i] = y", x=x, i=i, y=torch.randn(6))
put("put-number", "x[i] = 2.5", x=x, i=i)
put("put-behind", "x[:, i] = y", x=x, i=i, y=torch.randn(4, 3, 6))
put("put-several", "x[i, j] = y", x=x, i=i, j=j, y=torch.randn(3, 6))
put("put-separate", "x[i, :, j] = y", x=x, i=i, j=j, y=torch.randn(3, 5))
put("put-last-two", "x[:, i, j] = y", x=x, i=i, j=j, y=torch.randn(4, 3))
put("put-mask-number", "x[b] = 0.5", x=x, b=mask)
put("put-mask-row", "x[b] = y", x=x, b=mask, y=torch.randn(6))
put("put-mask-behind-number", "x[:, b] = -1.0", x=torch.randn(2, 4, 5), b=mask)
put("put-mask-values", "x[b] = x[b] * 2", x=x, b=mask)
put("put-mask-vector", "x[r] = y", x=x, r=row, y=torch.randn(1, 5, 6))
put("put-mask-add", "x[b] += 1.0", x=m, b=mask)
put("put-bytes", "x[r] = 1.5", x=x, r=bytes_)
put("put-integers", "x[i] = 7", x=ints, i=i)
put("put-booleans", "x[i] = True", x=mask, i=i)
suite.expr("index_put", "(torch.index_put(x, [i, j], y), torch.index_put(x, [i], z, accumulate=True))",
           x=x, i=torch.tensor([1, 1, 2]), j=torch.tensor([0, 1, 0]), y=torch.randn(3, 6), z=torch.randn(6), dynamic=False)
suite.expr("index_put-accumulate", "(torch.index_put(x, [None, i], y, accumulate=True), torch.ops.aten.index_put(x, [i], y, True))",
           x=torch.randn(4, 4, 6), i=torch.tensor([0, 0, 1, -1]), y=torch.randn(4, 4, 6))
suite.expr("index_put-mask-accumulate", "torch.index_put(x, [b], y, accumulate=True)", x=m, b=mask, y=torch.tensor(2.0))
suite.expr("index_put-booleans", "torch.index_put(b, [i], y, accumulate=True)", b=mask, i=i, y=torch.tensor(True))
suite.expr("index_put-booleans-mask", "torch.index_put(b, [m], y, accumulate=True)", b=mask, m=mask[:, 0], y=mask[0])
suite.expr("index_put_impl", "torch.ops.aten._index_put_impl(x, [None, i], y, False, False)", x=m, i=i, y=torch.randn(4, 3))

# ---- along a dimension
take = torch.randint(0, 4, (4, 5))
suite.expr("gather", "(torch.gather(x, 0, i), torch.gather(x, 1, i), torch.gather(x, -1, i, sparse_grad=True))", x=m, i=take)
suite.expr("gather-nothing", "torch.gather(x, 0, i)", x=torch.randn(5), i=torch.zeros(0, dtype=torch.uint8), dynamic=False)
suite.expr("gather-nothing-of-any-rank", "torch.gather(x, 0, i)", x=torch.randn(5), i=torch.zeros(2, 0, dtype=torch.int64), dynamic=False)
suite.expr("gather-smaller", "(torch.gather(x, 1, i[:2, :3]), torch.gather(x, 0, i[:, :1]))", x=m, i=take)
suite.expr("gather-zero-dim", "(torch.gather(x, 0, i), torch.gather(x, 0, i.reshape(1)))", x=torch.tensor(2.0), i=torch.tensor(0))
suite.expr("take_along_dim", "(torch.take_along_dim(x, i, 1), torch.take_along_dim(x, i[:1], 0), torch.take_along_dim(x, i))", x=m, i=take)
suite.expr("index_select", "(torch.index_select(x, 0, i), torch.index_select(x, -1, i.int()), torch.index_select(x, 1, i[0]))",
           x=x, i=torch.tensor([2, 0, 1]))
suite.expr("index_select-zero-dim", "torch.index_select(x, 0, i)", x=torch.tensor(2.0), i=torch.tensor([0]))
suite.expr("take", "(torch.take(x, i), torch.take(x, g))", x=m, i=i, g=grid)
suite.expr("put-flat", "(torch.put(x, i, y), torch.put(x, i, y, accumulate=True))", x=m, i=i, y=torch.randn(3), dynamic=False)
suite.expr("scatter", "(torch.scatter(x, 0, i, y), torch.scatter(x, 1, i, y), torch.scatter(x, 0, i, 1.5))",
           x=m, i=torch.stack([torch.randperm(4) for _ in range(5)], 1), y=torch.randn(4, 5), change=lambda n: n)
suite.expr("scatter-smaller", "(torch.scatter(x, 0, i[:2, :3], y), torch.scatter(x, 1, i[:1, :2], 3))",
           x=m, i=torch.stack([torch.randperm(4) for _ in range(5)], 1), y=torch.randn(4, 5), dynamic=False)
suite.expr("scatter-reduce", "(torch.scatter(x, 0, i, y, reduce='add'), torch.scatter(x, 1, i, y, reduce='multiply'),"
           " torch.scatter(x, 0, i, 2.0, reduce='add'), torch.scatter(x, 0, i, 2.0, reduce='multiply'))", x=m, i=take, y=torch.randn(4, 5))
suite.expr("scatter_add", "(torch.scatter_add(x, 0, i, y), torch.scatter_add(x, -1, i[:3], y))", x=m, i=take, y=torch.randn(4, 5))
suite.expr("scatter_add-integers", "torch.scatter_add(x, 0, i, x)", x=ints, i=take)
suite.expr("scatter_add-in-place", "z", statements="z = torch.zeros_like(x)\nz.scatter_add_(1, i, x)", x=m, i=take)
suite.expr("scatter_reduce", "(torch.scatter_reduce(x, 0, i, y, 'sum'), torch.scatter_reduce(x, 1, i, y, 'prod'), torch.scatter_reduce(x, 1, i, y, 'mean'))",
           x=m, i=take, y=torch.randn(4, 5))
suite.expr("scatter_reduce-fresh", "(torch.scatter_reduce(x, 0, i, y, 'sum', include_self=False), torch.scatter_reduce(x, 1, i, y, 'prod', include_self=False),"
           " torch.scatter_reduce(x, 1, i, y, 'mean', include_self=False))", x=m, i=take, y=torch.randn(4, 5))
suite.expr("scatter_reduce-integers", "torch.scatter_reduce(x, 1, i, y, 'mean')", x=ints, i=take, y=torch.randint(-9, 9, (4, 5)))
suite.expr("scatter_reduce-extremes", "(torch.scatter_reduce(x, 0, i, y, 'amax'), torch.scatter_reduce(x, 1, i, y, 'amin'), torch.scatter_reduce(x, 1, i, y, 'amax', include_self=False))",
           x=m, i=take, y=torch.randn(4, 5))
suite.expr("index_add", "(torch.index_add(x, 0, i, y), torch.index_add(x, 0, i, y, alpha=2))", x=m, i=torch.tensor([1, 1, 0]), y=torch.randn(3, 5), dynamic=False)
suite.expr("index_add-behind", "torch.index_add(x, 1, i, y)", x=m, i=torch.tensor([1, 1, 0]), y=torch.randn(4, 3), dynamic=False)
suite.expr("index_add-broadcast", "(torch.index_add(x, 0, i, a), torch.index_add(x, 1, j, b), torch.index_add(x, 2, i, c), torch.index_add(x, 1, j, d, alpha=2))",
           x=x, i=torch.tensor([0, 2, 3]), j=torch.tensor([1, 4]), a=torch.randn(3, 1), b=torch.randn(1, 2, 6), c=torch.randn(4, 1, 3),
           d=torch.randn(1, 2, 1), dynamic=False)
suite.expr("index_add-dynamic-sizes", "torch.index_add(x, 2, i, y)", x=torch.randn(2, 3, 5), i=torch.tensor([1, 1, 0, 2]), y=torch.randn(2, 3, 4))
suite.expr("index_copy", "(torch.index_copy(x, 0, i, y), torch.index_copy(x, 1, k, z))", x=m, i=torch.tensor([2, 0]), y=torch.randn(2, 5),
           k=torch.tensor([4, 1, 0]), z=torch.randn(4, 3), dynamic=False)
suite.expr("index_fill", "(torch.index_fill(x, 0, i, 2.0), torch.index_fill(x, 1, i, t), torch.index_fill(x, -1, i, -1))", x=m, i=torch.tensor([2, 0]), t=torch.tensor(3.0))
suite.expr("index_fill-booleans", "torch.index_fill(x, 0, i, 1)", x=mask, i=torch.tensor([2, 0]))
suite.expr("bincount", "(torch.bincount(x), torch.bincount(x, minlength=12), torch.bincount(x, x * 0.5))", x=torch.randint(0, 9, (20,)))

# ---- masks
suite.expr("masked_fill", "(x.masked_fill(b, 1.5), x.masked_fill(b, t), x.masked_fill(b[0], -float('inf')))", x=m, b=mask, t=torch.tensor(2.0))
suite.expr("masked_fill-kinds", "(x.masked_fill(b, 3), b.masked_fill(b, 0), x.to(torch.int8).masked_fill(b, 1))", x=ints, b=mask)
suite.expr("masked_fill-grows", "x.masked_fill(b, 1.0)", x=torch.randn(5), b=mask)
suite.expr("masked_fill-in-place", "y", statements="y = x + 0\ny.masked_fill_(b, 9.0)", x=m, b=mask)
suite.expr("masked_select", "(torch.masked_select(x, b), torch.masked_select(x, b[:, :1]), torch.masked_select(x[0], b))", x=m, b=mask)
suite.expr("masked_scatter", "(x.masked_scatter(b, y), x.masked_scatter(b[0], y))", x=m, b=mask, y=torch.randn(40), dynamic=False)
suite.expr("masked_scatter-dynamic-sizes", "x.masked_scatter(b, y)", x=m, b=mask, y=torch.randn(4, 5))

# ---- diagonals
square, wide = torch.randn(4, 4), torch.randn(2, 3, 5)
suite.expr("diagonal", "(torch.diagonal(x), torch.diagonal(x, 1), torch.diagonal(x, -2), torch.diagonal(x, 0, 1, 2), torch.diagonal(x, 1, -1, 0))", x=wide)
suite.expr("diagonal-far", "(torch.diagonal(x, 3), torch.diagonal(x, -3), torch.diagonal(x, 9))", dynamic=False, x=square)
suite.expr("diagonal-linalg", "torch.ops.aten.linalg_diagonal(x, offset=1)", x=wide)
suite.expr("diagonal-write", "y", statements="y = x + 0\ny.diagonal().zero_()\ny.diagonal(1).add_(1.0)", x=square)
suite.expr("diagonal_scatter", "(torch.diagonal_scatter(x, y), torch.diagonal_scatter(x, y[:3], 1), torch.diagonal_scatter(x, y[:3], -1))",
           x=square, y=torch.randn(4), dynamic=False)
suite.expr("diag", "(torch.diag(x), torch.diag(x, 1), torch.diag(x, -1))", x=v)
suite.expr("diag-matrix", "(torch.diag(x), torch.diag(x, 1), torch.diag(x, -1))", x=m)
suite.expr("diag_embed", "(torch.diag_embed(x), torch.diag_embed(x, 1), torch.diag_embed(x, -1), torch.diag_embed(x, 1, 0, 2), torch.diag_embed(x, 0, 1, 0))", x=m)
suite.expr("diag_embed-infinite", "torch.diag_embed(x)", dynamic=False, x=torch.tensor([1.0, float("inf"), 2.0]))
suite.expr("diagflat", "(torch.diagflat(x), torch.diagflat(x, -1))", x=torch.randn(2, 2))

# ---- windows
suite.expr("unfold", "(x.unfold(0, 2, 1), x.unfold(1, 3, 2), x.unfold(-1, 2, 3))", x=x)
suite.expr("unfold-zero-dim", "x.unfold(0, 1, 1)", x=torch.tensor(1.0))
suite.expr("unfold-write", "y", statements="y = x + 0\ny.unfold(0, 2, 2).mul_(3.0)", x=torch.randn(6))
suite.fails("unfold-too-large", "x.unfold(0, 9, 1)", "do not fit", x=x)
image = torch.randn(2, 3, 6, 7)
suite.expr("im2col", "(F.unfold(x, [2, 3]), F.unfold(x, 2, padding=1, stride=2), F.unfold(x, [2, 2], dilation=[2, 1]), F.unfold(x[0], 3))", x=image)
suite.expr("col2im", "F.fold(x, [4, 5], [2, 2])", dynamic=False, x=torch.randn(2, 12, 12))
suite.expr("col2im-strided", "F.fold(x, [5, 5], [2, 2], stride=[2, 2])", dynamic=False, x=torch.randn(2, 12, 4))
suite.expr("col2im-padded", "F.fold(x, [5, 6], [3, 2], padding=[1, 1], dilation=[1, 2])", dynamic=False, x=torch.randn(2, 6, 30))
suite.expr("col2im-single", "F.fold(x, 4, 2, stride=2)", dynamic=False, x=torch.randn(12, 4))
suite.add("fold-batch", "def forward(x):\n    return torch.nn.functional.fold(x, [4, 4], [2, 2], stride=[2, 2])\n", [torch.randn(2, 12, 4)],
          dynamic=[{0: "batch"}], more=[[torch.randn(5, 12, 4)]])

# ---- repeated, turned, replaced
suite.expr("repeat_interleave", "(torch.repeat_interleave(x, 3), torch.repeat_interleave(x, 2, 0), torch.repeat_interleave(x, 2, -1))", x=m)
suite.expr("repeat_interleave-each", "(torch.repeat_interleave(x, r, 0), torch.repeat_interleave(r), torch.repeat_interleave(x, r[1:2], 1))",
           x=m, r=torch.tensor([1, 2, 0, 3]), change=lambda n: n)
suite.expr("repeat_interleave-known", "torch.repeat_interleave(x, torch.tensor([1, 2, 0, 3]), 0)", x=m, dynamic=False)
suite.expr("rot90", "(torch.rot90(x), torch.rot90(x, 2), torch.rot90(x, 3, [1, 2]), torch.rot90(x, -1, [0, 2]), torch.rot90(x, 4))", x=x)
suite.expr("fliplr", "(torch.fliplr(x), torch.flipud(x))", x=x)
suite.expr("select_scatter", "(torch.select_scatter(x, y, 0, 1), torch.select_scatter(x, y, 0, -1), torch.select_scatter(x, x[:, 2], 1, 0))", x=m, y=torch.randn(5))
suite.expr("slice_scatter", "(torch.slice_scatter(x, y, 0, 1, 3), torch.slice_scatter(x, x[:, :2], 1, -2), torch.slice_scatter(x, x[::2], 0, 0, 4, 2))", x=m, y=torch.randn(2, 5), dynamic=False)
suite.expr("slice_scatter-dynamic-sizes", "(torch.slice_scatter(x, x[:2], 0, 1, 3), torch.slice_scatter(x, x[::2] * 2, 0, 0, 9223372036854775807, 2))", x=m)
suite.main()
