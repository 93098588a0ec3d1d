import torch
from expressions import Expressions

suite = Expressions()
x = torch.randn(3, 4, 6)
ints = torch.randint(-4, 4, (3, 4, 6))
bytes_ = torch.randint(0, 200, (3, 7), dtype=torch.uint8)
ties = torch.tensor([[2.0, 1.0, 2.0, 1.0], [0.0, 0.0, 0.0, 3.0]])
runs = torch.tensor([1, 1, 2, 2, 2, 3, 1, 1])
rows = torch.tensor([[1, 2], [1, 2], [3, 4], [1, 2]])
edges = torch.tensor([-1.0, 0.0, 0.5, 2.0])

suite.expr("topk", "(torch.topk(x, 2), torch.topk(x, 3, 1), torch.topk(x, 2, 0, largest=False), x.topk(1, -1, True, True))", x=x)
suite.expr("topk-symbolic", "torch.topk(x, x.size(1) // 2, 2)", x=x)
suite.expr("topk-unsorted", "torch.topk(x, 2, -1, True, False)[0].sum(-1)", x=x)
suite.expr("topk-integers", "(torch.topk(x, 2, 1)[0], torch.topk(y, 2)[0])", x=ints, y=bytes_)
suite.expr("topk-zero-dim", "torch.topk(x, 1)", x=torch.tensor(3.0))
suite.expr("sort", "(torch.sort(x), torch.sort(x, 1), torch.sort(x, 0, descending=True))", x=x)
suite.expr("sort-stable", "(torch.sort(x, stable=True), torch.sort(x, stable=True, dim=1, descending=True))",
           dynamic=False, x=ties)
suite.expr("sort-integers", "(torch.sort(x, 1)[0], torch.sort(y)[0])", x=ints, y=bytes_)
suite.expr("sort-zero-dim", "(torch.sort(x), torch.argsort(x))", x=torch.tensor(3.0))
suite.expr("argsort", "(torch.argsort(x), torch.argsort(x, 1, True))", x=x)
suite.expr("argsort-stable", "torch.argsort(x, stable=True, dim=1, descending=True)", dynamic=False, x=ties)
suite.expr("msort", "torch.msort(x)", x=x)
suite.expr("kthvalue", "(torch.kthvalue(x, 2), torch.kthvalue(x, 3, 0), torch.kthvalue(x, 1, 1, True))", x=x)
suite.expr("median", "(torch.median(x), torch.median(x, 1)[0], torch.median(x, -1, True)[0])", x=x)
suite.fails("topk-too-large", "torch.topk(x, 9)", "out of range", x=x)
suite.fails("kthvalue-zero", "torch.kthvalue(x, 0)", "out of range", x=x)

unique = "torch.ops.aten._unique2"
suite.expr("unique", f"(torch.ops.aten._unique(x), {unique}(x), {unique}(x, True, True, True), torch.ops.aten._unique(x, True, True))", x=ints)
suite.expr("unique-empty-results", f"{unique}(x, True, False, False)", x=ints)
suite.expr("unique-floats", f"({unique}(x, True, True, True), {unique}(y, True, True, True), {unique}(y > 50, True, True, True))", x=ties, y=bytes_)
suite.expr("unique-i32", f"{unique}(x.int(), True, True, True)", x=ints)
suite.expr("unique_dim", "(torch.ops.aten.unique_dim(x, 0, True, True, True), torch.ops.aten.unique_dim(x, 1, True, True, True))", x=rows)
suite.expr("unique_consecutive", "(torch.ops.aten.unique_consecutive(x, True, True), torch.ops.aten.unique_consecutive(x, False, False))",
           x=runs)
suite.expr("unique_consecutive-dim", "(torch.ops.aten.unique_consecutive(x, True, True, 0), torch.ops.aten.unique_dim_consecutive(x, 1, True, True))",
           x=rows)
suite.expr("unique_consecutive-flat", "torch.ops.aten.unique_consecutive(x, True, True)", x=rows)
suite.expr("unique_consecutive-empty", "(torch.ops.aten.unique_consecutive(x, True, True, 1), torch.ops.aten.unique_consecutive(x, True, True))",
           x=torch.zeros(3, 0))

suite.expr("searchsorted", "(torch.searchsorted(y.sort()[0], x), torch.searchsorted(y.sort()[0], x, right=True), torch.searchsorted(y.sort()[0], x, out_int32=True, side='right'))",
           x=torch.randn(3, 5), y=edges)
suite.expr("searchsorted-equal", "(torch.searchsorted(x, x), torch.searchsorted(x, x, right=True))", dynamic=False, x=edges)
suite.expr("searchsorted-rows", "(torch.searchsorted(y.sort()[0], x), torch.searchsorted(y.sort()[0], x, right=True))",
           x=torch.randn(3, 2), y=torch.randn(3, 5).sort()[0], dynamic=False)
suite.expr("searchsorted-number", "(torch.searchsorted(y, 0.25), torch.searchsorted(y, 0.5, right=True))", dynamic=False, y=edges)
suite.expr("searchsorted-sorter", "torch.searchsorted(y, x, sorter=torch.argsort(y))", x=torch.randn(3, 5), y=torch.randn(7))
suite.expr("bucketize", "(torch.bucketize(x, y.sort()[0]), torch.bucketize(x, y.sort()[0], right=True, out_int32=True))", x=torch.randn(3, 5), y=edges)
suite.expr("bucketize-number", "(torch.bucketize(0.5, y.sort()[0]), torch.bucketize(0.5, y.sort()[0], right=True))", y=edges)

suite.expr("nonzero", "(torch.nonzero(x), torch.argwhere(x), torch.nonzero(x > 0), torch.nonzero(x * 0.5), torch.nonzero(x.double()))", x=ints)
suite.expr("nonzero-numpy", "(torch.where(x > 0), torch.ops.aten.nonzero_numpy(x))", x=ints)
for number in (0, 3):
    suite.expr(f"nonzero-zero-dim-{number}", "(torch.nonzero(x), torch.argwhere(x != 0))", x=torch.tensor(number))
suite.expr("nonzero-numpy-zero-dim", "torch.where(x > 0)", x=torch.tensor(3.0))
suite.expr("nonzero-size", "torch.nonzero(x).size(0) + 1", x=ints)
suite.expr("nodes", "torch.sort(x)", dynamic=False, options=dict(operators={"TopK": 1}, absent=["Shape", "Cast"]), x=x)
suite.main()
