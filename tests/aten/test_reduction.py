import torch
from expressions import Expressions

suite = Expressions()
x, m = torch.randn(2, 3, 5), torch.randn(4, 4)
doubles, halves = torch.randn(2, 3, 5, dtype=torch.float64), torch.randn(2, 3, 5).half()
ints, bools = torch.randint(-4, 5, (2, 3, 5)), torch.rand(2, 3, 5) > 0.5
small, bytes_ = torch.randint(-4, 5, (2, 3, 5), dtype=torch.int32), torch.randint(0, 2, (2, 3, 5), dtype=torch.uint8)
zero = torch.tensor(2.5)
ties = torch.tensor([[1.0, 3.0, 3.0, 1.0], [2.0, 2.0, 0.0, 0.0]])
holes = torch.tensor([[1.0, float("nan"), 2.0], [float("nan"), 4.0, -1.0]])

functions = {
    "sum": "(torch.sum(x), torch.sum(x, 1), torch.sum(x, [0, -1]), torch.sum(x, [2], keepdim=True), x.sum(dtype=torch.float64))",
    "mean": "(torch.mean(x), torch.mean(x, 1), torch.mean(x, [0, -1], keepdim=True), torch.mean(x, [], dtype=torch.float64))",
    "prod": "(torch.prod(x), torch.prod(x, -1), torch.prod(x, 0, keepdim=True))",
    "logsumexp": "(torch.logsumexp(x, 1), torch.logsumexp(x, [0, 2], keepdim=True))",
    "max": "(torch.max(x), torch.min(x))",
    "max-dim": "(torch.max(x, 1), torch.max(x, -1, keepdim=True), torch.min(x, 0), torch.min(x, 2, True))",
    "amax": "(torch.amax(x), torch.amax(x, 1), torch.amax(x, [0, 2], True), torch.amin(x), torch.amin(x, -2))",
    "aminmax": "(torch.aminmax(x), torch.aminmax(x, dim=1), torch.aminmax(x, dim=-1, keepdim=True))",
    "argmax": "(torch.argmax(x), torch.argmax(x, 1), torch.argmax(x, -1, keepdim=True), torch.argmin(x), torch.argmin(x, 0))",
    "argmax-keep": "torch.argmax(x, None, True)",
    "var": "(torch.var(x), torch.var(x, unbiased=False), torch.var(x, [1], True), torch.var(x, [0, 2], False, True))",
    "var-correction": "(torch.var(x, [1], correction=0), torch.var(x, None, correction=1), torch.var(x, [0, 2], correction=2, keepdim=True))",
    "std": "(torch.std(x), torch.std(x, False), torch.std(x, 1), torch.std(x, [0, -1], True, True))",
    "std-correction": "(torch.std(x, [1], correction=0), torch.std(x, [2], correction=3, keepdim=True))",
    "var_mean": "(torch.var_mean(x), torch.var_mean(x, [1], False), torch.var_mean(x, [0], True, True), torch.var_mean(x, [2], correction=2))",
    "std_mean": "(torch.std_mean(x), torch.std_mean(x, [1], False), torch.std_mean(x, [0], True, True), torch.std_mean(x, [2], correction=2))",
    "norm": "(torch.norm(x), x.norm(1), x.norm(float('inf')), x.norm(float('-inf')), x.norm(3), x.norm(0))",
    "norm-dim": "(x.norm(2, [1]), x.norm(1, [0, 2], True), x.norm(None, [2]), x.norm(2.5, [1]))",
    "norm-dtype": "(x.norm(2, dtype=torch.float64), x.norm(2, [1], False, dtype=torch.float64), x.norm(1, [1], True, dtype=torch.float64))",
    "frobenius_norm": "(torch.ops.aten.frobenius_norm(x), torch.ops.aten.frobenius_norm(x, [0, 1]), torch.ops.aten.frobenius_norm(x, [2], True))",
    "vector_norm": "(torch.ops.aten.linalg_vector_norm(x), torch.ops.aten.linalg_vector_norm(x, 1, [1]), torch.ops.aten.linalg_vector_norm(x, 3, [0, 2], True, dtype=torch.float64))",
    "linalg_norm": "(torch.ops.aten.linalg_norm(x), torch.ops.aten.linalg_norm(x, 1, [1]), torch.ops.aten.linalg_norm(x, 1, [0, 2]), torch.ops.aten.linalg_norm(x, float('-inf'), [1, 2], True), torch.ops.aten.linalg_norm(x, 'fro', [1, 2]))",
    "matrix_norm": "(torch.ops.aten.linalg_matrix_norm(x), torch.ops.aten.linalg_matrix_norm(x, float('inf')), torch.ops.aten.linalg_matrix_norm(x, -1, [0, 1], True))",
    "normalize": "F.normalize(x, p=2.0, dim=1)",
    "cumsum": "(torch.cumsum(x, 0), torch.cumsum(x, -1), torch.cumsum(x, 1, dtype=torch.float64))",
    "cumprod": "(torch.cumprod(x, 0), torch.cumprod(x, -1), torch.cumprod(x, 1))",
    "logcumsumexp": "(torch.logcumsumexp(x, 0), torch.logcumsumexp(x, -1))",
    "cummax": "(torch.cummax(x, 0), torch.cummax(x, -1), torch.cummin(x, 1), torch.cummin(x, 2))",
    "count_nonzero": "(torch.count_nonzero(x), torch.count_nonzero(x, 1), torch.count_nonzero(x, [0, 2]))",
    "nansum": "(torch.nansum(x), torch.nansum(x, [1]), torch.nansum(x, [0, 2], True))",
    "nanmean": "(torch.nanmean(x), torch.nanmean(x, [1]), torch.nanmean(x, [0, 2], True))",
    "diff": "(torch.diff(x), torch.diff(x, 2, 2), torch.diff(x, 1, 0, prepend=x, append=x))",
    "all": "(torch.all(x), torch.all(x, 1), torch.any(x), torch.any(x, -1, keepdim=True))",
    "median": "(torch.median(x), torch.median(x, 1)[0], torch.median(x, -1, True)[1])",
}
for name, text in functions.items():
    suite.expr(name, text, x=x)

for name in ["sum", "mean", "prod", "logsumexp", "max", "max-dim", "amax", "argmax", "var", "std", "norm", "norm-dim",
             "cumsum", "cumprod", "cummax", "count_nonzero", "all", "median"]:
    suite.expr(name + "-f64", functions[name], dynamic=False, x=doubles)
for name in ["prod", "max-dim", "argmax", "cumprod", "cummax", "count_nonzero", "all", "median"]:
    suite.expr(name + "-i64", functions[name], dynamic=False, x=ints)
    suite.expr(name + "-i32", functions[name], dynamic=False, x=small)
suite.expr("sum-integers", "(torch.sum(x), torch.sum(x, 1), torch.cumsum(x, 1), x.sum(dtype=torch.float32))", x=ints)
suite.expr("sum-booleans", "(torch.sum(x), torch.sum(x, [1]), torch.cumsum(x, 1), torch.prod(x, 1))", x=bools)
suite.expr("sum-bytes", "(torch.sum(x), torch.sum(x, [1]), torch.prod(x, 2))", x=bytes_)
suite.expr("prod-all-integers", "(torch.prod(x), torch.prod(x.int()))", x=torch.tensor([[3, -5, 1], [7, 2, -4]]))
suite.expr("products-f64", "(torch.prod(x), torch.prod(x, 1), torch.prod(x, 0, keepdim=True), torch.prod(x, 2), torch.cumprod(x, 0), torch.cumprod(x, 2))",
           options=dict(rtol=1e-12, atol=0), x=torch.rand(3, 4, 5, dtype=torch.float64) * 4 - 2)
suite.expr("products-f64-vector", "(torch.prod(x), torch.prod(x, 0, keepdim=True), torch.cumprod(x, 0))", options=dict(rtol=1e-12, atol=0),
           x=torch.rand(7, dtype=torch.float64) - 0.5)
suite.expr("products-f64-empty", "(torch.prod(x), torch.prod(x, 1), torch.cumprod(x, 1))", x=torch.zeros(3, 0, dtype=torch.float64))
suite.expr("halves", "(torch.sum(x, 1), torch.mean(x, 2), torch.amax(x, 1), torch.argmax(x, 1))",
           options=dict(rtol=2e-3, atol=2e-3), x=halves)
suite.expr("booleans", "(torch.all(x), torch.any(x), torch.all(x, 1), torch.any(x, 2, True), torch.max(x), torch.amin(x, 1))", x=bools)
suite.expr("bytes", "(torch.all(x), torch.any(x), torch.all(x, 1), torch.max(x), torch.amin(x, 1), torch.argmax(x, 1))", x=bytes_)
suite.expr("ties", "(torch.max(x, 1), torch.min(x, 1), torch.argmax(x, 1), torch.argmin(x), torch.cummax(x, 1), torch.cummin(x, 1))",
           dynamic=False, x=ties)
suite.expr("nan", "(torch.nansum(x), torch.nansum(x, [1]), torch.nanmean(x), torch.nanmean(x, [0]))", dynamic=False, x=holes)
suite.expr("zero-dim", "(torch.sum(x), torch.sum(x, 0), torch.mean(x, -1), torch.prod(x), torch.max(x), torch.max(x, 0), torch.amax(x, 0),"
           " torch.argmax(x), torch.argmin(x, 0), torch.cumsum(x, 0), torch.cumprod(x, 0), torch.cummax(x, 0), torch.norm(x),"
           " torch.all(x), torch.count_nonzero(x), torch.logsumexp(x, 0), torch.logcumsumexp(x, 0), torch.median(x), torch.var(x, 0, False))", x=zero)
suite.expr("empty", "(torch.sum(x), torch.sum(x, 1), torch.prod(x, 1, True), torch.mean(x, 1), torch.all(x, 1), torch.any(x), torch.norm(x))",
           dynamic=False, x=torch.zeros(3, 0))
suite.expr("dist", "(torch.dist(x, y), torch.dist(x, y, 1), torch.dist(x, y, float('inf')))", x=x, y=torch.randn(3, 5))
suite.expr("cummax-lowest", "(torch.cummax(x, 1), torch.cummin(-x, 0), torch.cummax(y, 0))",
           x=torch.full((3, 4), -float("inf")), y=torch.rand(4, 3) > 0.7)
suite.expr("diff-none", "torch.diff(x, 0, 0, prepend=x)", x=ints)
suite.expr("aminmax-zero-dim", "torch.aminmax(x, dim=0, keepdim=True)", x=torch.tensor(2.0))
suite.expr("diff-kinds", "(torch.diff(x), torch.diff(y), torch.diff(x, prepend=y, dim=1))", x=ints, y=bools)
suite.expr("trace", "(torch.trace(x), torch.trace(x.long()))", x=m)
suite.expr("trace-wide", "(torch.trace(x), torch.trace(x.t()))", x=torch.randn(3, 5))
suite.expr("ones", "(torch.var(x), torch.std(x, 0))", dynamic=False, x=torch.randn(1))
suite.expr("in-place", "y", statements="y = x + 0\ny.cumsum_(1)", x=x)
suite.fails("max-empty", "torch.max(x)", "no elements", x=torch.zeros(0))
suite.fails("axis", "torch.sum(x, [3])", "out of range", x=x)
suite.fails("axis-twice", "torch.sum(x, [1, -2])", "twice", x=x)
suite.fails("mean-integers", "torch.mean(x)", "floating", x=ints)
suite.expr("norm-singular", "(torch.ops.aten.linalg_matrix_norm(x, 2), torch.ops.aten.linalg_norm(x, 'nuc', [1, 2]))", x=x)

plain = {"sum": ("x.sum(1)", {"ReduceSum": 1}), "max": ("x.max(1)", {"ReduceMax": 1, "ArgMax": 1}),
         "values": ("x.max(1)[0]", {"ReduceMax": 1, "ArgMax": 0}), "norm": ("x.norm(2, [1])", {"ReduceL2": 1}),
         "var": ("x.var(1)", {"ReduceMean": 1, "Sub": 1, "ReduceSumSquare": 1, "Div": 1, "Shape": 0})}
for name, (text, operators) in plain.items():
    suite.expr("nodes-" + name, text, options=dict(operators=operators, absent=["Shape", "Cast", "Reshape"]), dynamic=False, x=x)
suite.expr("special_logsumexp", "(torch.special.logsumexp(x, 1), torch.ops.aten.special_logsumexp(x, [0, 2], True))", x=x)
suite.expr("_logcumsumexp", "torch._logcumsumexp(x, 1)", options=dict(rtol=1e-4), x=x)
suite.expr("_aminmax", "(torch._aminmax(x), torch._aminmax(x, 1), torch._aminmax(x, -1, True))", x=x)
suite.expr("norm_except_dim", "(torch.norm_except_dim(x), torch.norm_except_dim(x, 1, 2), torch.norm_except_dim(x, 2, -1))", x=x)
suite.main()
