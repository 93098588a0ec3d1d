"""Quantiles, counts, covariances, areas and slopes; pairs and segments."""
import torch
from expressions import Expressions

suite = Expressions()
x = torch.randn(3, 4, 6)
m = torch.randn(4, 6)
v = torch.randn(6)
ints = torch.randint(-4, 4, (3, 4, 6))
nan = torch.randn(3, 4, 5)
nan[0, 1, 2] = nan[1, 1, 0] = nan[2, 3, 4] = float("nan")
nan[1, 2] = float("nan")
nan[2, 0, 1] = float("inf")
q = torch.tensor([0.1, 0.5, 0.75])

suite.expr("isin", "(torch.isin(x, y), torch.isin(x, y, invert=True), torch.isin(x, 2), torch.isin(3, x), torch.isin(x, y * 0.5))",
           x=ints, y=torch.tensor([1, -2, 7]))
suite.expr("isin-empty", "(torch.isin(x, y[:0]), torch.isin(x[:0], y))", x=v, y=m, dynamic=False)
for how in ("linear", "lower", "higher", "midpoint", "nearest"):
    suite.expr(f"quantile-{how}", f"(torch.quantile(x, 0.3, 1, interpolation='{how}'), torch.quantile(x, q, interpolation='{how}'), torch.nanquantile(y, q, -1, True, interpolation='{how}'), torch.quantile(y, 0.6, 2, interpolation='{how}'))",
               x=x, q=q, y=nan)
suite.expr("quantile-keepdim", "(torch.quantile(x, q, 0, True), torch.quantile(x, 0.5, keepdim=True), torch.quantile(x, q, keepdim=True), torch.nanquantile(x, 0.5), torch.nanquantile(x, 0.25, 0, True))",
           x=nan, q=q)
suite.expr("quantile-double", "(torch.quantile(x.double(), 0.3), torch.nanquantile(x[0, 0, 0], 0.5), torch.quantile(x[0, 0, 0], q, keepdim=True))", x=x, q=q)
suite.fails("quantile-integers", "torch.quantile(x, 0.5)", "float32 or float64", x=ints)
suite.fails("quantile-outside", "torch.quantile(x, 1.5)", "between 0 and 1", x=x)
suite.expr("nanmedian", "(torch.nanmedian(x), torch.nanmedian(x, 1), torch.nanmedian(x, -1, True)[0], torch.nanmedian(x[2], -1), torch.nanmedian(y), torch.nanmedian(y, 0)[0], torch.nanmedian(x[0, 0, 0]))",
           x=nan, y=ints)
suite.expr("mode", "(torch.mode(x), torch.mode(x, 0), torch.mode(x, 1, True), torch.mode(x * 0.5, 1), torch.mode(x > 0), torch.mode(x[0, 0, 0]))", x=ints)

points = torch.cumsum(torch.rand(6), 0)
suite.expr("trapezoid", "(torch.trapezoid(x), torch.trapezoid(x, dx=0.5, dim=1), torch.trapezoid(x, y), torch.trapezoid(x, z), torch.trapezoid(i, dim=0), torch.trapezoid(i, y))",
           x=x, y=points, z=m.cumsum(1), i=ints)
suite.expr("trapz", "(torch.trapz(x, dim=1), torch.trapz(x, dx=0.25), torch.trapz(x, y), torch.trapz(x[..., :0]))", x=x, y=points)
suite.expr("cumulative_trapezoid", "(torch.cumulative_trapezoid(x), torch.cumulative_trapezoid(x, dx=0.5, dim=1), torch.cumulative_trapezoid(x, y), torch.cumulative_trapezoid(i, i), torch.cumulative_trapezoid(i))",
           x=x, y=points, i=ints)
g = "torch.ops.aten.gradient"
for order in (1, 2):
    suite.expr(f"gradient-{order}", f"({g}(x, edge_order={order}), {g}(x, spacing=0.5, dim=1, edge_order={order}), {g}(x, dim=[0, -1], edge_order={order}), {g}(x, spacing=2.0, dim=[1], edge_order={order}), {g}(x, spacing=[y], dim=[2], edge_order={order}), {g}(i, spacing=[y], dim=2, edge_order={order}), {g}(i, spacing=3.0, edge_order={order}))",
               x=x, y=points, i=ints, change=lambda n: n + 2)
suite.fails("gradient-small", f"{g}(x, dim=0, edge_order=2)", "edge_order + 1", x=m[:2])

counts, shares = torch.tensor([1, 2, 1, 3, 1, 2]), torch.rand(6)
suite.expr("cov", "(torch.cov(x), torch.cov(x, correction=0), torch.cov(x, fweights=f, aweights=a), torch.cov(x, fweights=f), torch.cov(x, aweights=a, correction=2), torch.cov(x[0]), torch.cov((10 * x).long()))",
           x=m, f=counts, a=shares, dynamic=False)
suite.add("cov-dynamic", "def forward(x):\n    return (torch.cov(x), torch.corrcoef(x))\n",
          [m], dynamic=[{1: "n"}], more=[[torch.randn(4, 9)]])
suite.expr("corrcoef", "(torch.corrcoef(x), torch.corrcoef(x[0]), torch.corrcoef(x.double()), torch.corrcoef(x * 0))", x=m, dynamic=False)
suite.expr("histc", "(torch.histc(x), torch.histc(x, 10), torch.histc(x, 5, -1, 1), torch.histc(x.double(), 7, min=-2.5, max=0.5), torch.histc(x * 0, 4))", x=x)
suite.fails("histc-reversed", "torch.histc(x, 10, 2, 1)", "must be larger than 'min'", x=x)
suite.expr("histogram", "(torch.histogram(x, 5), torch.histogram(x, 4, range=[-1.0, 1.5], density=True), torch.histogram(x, 6, weight=x * x), torch.histogram(x, e, density=True))",
           x=m, e=torch.tensor([-2.0, -0.5, 0.0, 0.25, 3.0]))

suite.expr("combinations", "(torch.combinations(x), torch.combinations(x, 3), torch.combinations(x, 2, True), torch.combinations(x, 1), torch.combinations(x, 0))", x=v)
suite.expr("cartesian_prod", "(torch.cartesian_prod([x, y, x * 2]), torch.cartesian_prod([x]))", x=v, y=torch.randn(3))
suite.expr("pdist", "(torch.pdist(x), torch.pdist(x, 1.0), torch.pdist(x, 0.0), torch.pdist(x, float('inf')), torch.pdist(x, 3.5), torch.pdist(x[:1]))", x=m)
suite.expr("sum_to_size", "(x.sum_to_size([4, 1]), x.sum_to_size([1]), x.sum_to_size([x.size(0), 1, x.size(2)]), i.sum_to_size([1, 1, 1]))",
           x=x, i=ints, dynamic=False)
suite.expr("sum_to_size-symbolic", "x.sum_to_size([x.size(1), 1])", x=x)

lengths = torch.tensor([2, 0, 3, 1])
for how in ("sum", "mean", "max", "min", "prod"):
    suite.expr(f"segment_reduce-{how}", f"(torch.segment_reduce(x, '{how}', lengths=n), torch.segment_reduce(x, '{how}', lengths=n, initial=0.5), torch.segment_reduce(x, '{how}', offsets=o))",
               x=torch.randn(6, 3), n=lengths, o=torch.tensor([0, 2, 2, 5, 6]), dynamic=False)
suite.expr("segment_reduce-axis", "torch.segment_reduce(x, 'max', lengths=n, axis=1)", x=x, n=torch.tensor([[1, 3], [2, 2], [4, 0]]), dynamic=False)
index = torch.tensor([0, 2, 0])
for how, opset in (("prod", 17), ("mean", 17), ("amax", 18), ("amin", 18)):
    suite.expr(f"index_reduce-{how}", f"(torch.index_reduce(x, 0, i, s, '{how}'), torch.index_reduce(x, 0, i, s, '{how}', include_self=False), torch.index_reduce(x, 1, i, s.transpose(0, 1), '{how}'))",
               x=torch.randn(4, 4), i=index, s=torch.randn(3, 4), dynamic=False, options=dict(opset=opset))
suite.expr("index_reduce-integers", "torch.index_reduce(x, 1, i, s, 'mean')", x=torch.randint(-9, 9, (2, 4)), i=index, s=torch.randint(-9, 9, (2, 3)), dynamic=False)
suite.main()
