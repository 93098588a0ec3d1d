"""Memory by strides, blocks, vectors and their lengths, parts of numbers, unpooling."""
import torch
from sizes import Sizes

suite = Sizes()
x = torch.randn(3, 4, 6)
m = torch.randn(4, 6)
v = torch.randn(6)
ints = torch.randint(-40, 40, (3, 4))

suite.expr("as_strided", "(torch.as_strided(x, [2, 3], [1, 2]), torch.as_strided(x, [4, 2], [2, 1], 1), x.view(-1).as_strided([3], [5], 2), torch.as_strided(x, [0, 2], [1, 1]), torch.as_strided(x, [], [], 3))", x=x)
suite.expr("as_strided-symbolic", "torch.as_strided(x, [x.size(0), x.size(1) - 2, 3], [x.size(1), 1, 1])", x=m)
suite.expr("as_strided_copy", "torch.ops.aten.as_strided_copy(x, [2, 2], [1, 2], 1)", x=m)
suite.expr("as_strided-write", "x", statements="x = x * 2\ntorch.as_strided(x, [2, 3], [6, 1]).fill_(7.0)", x=m, dynamic=False)
suite.expr("as_strided_scatter", "(torch.as_strided_scatter(x, y, [2, 3], [4, 1], 1), torch.as_strided_scatter(x, y[0], [3], [2]))",
           x=m, y=torch.randn(2, 3), change=lambda n: n)
suite.expr("as_strided-transposed", "torch.as_strided(x.t(), [2, 2], [2, 1])", x=m)
suite.expr("as_strided-parts", "(torch.as_strided(x[1:], [2, 2], [2, 1]), torch.as_strided(x[:, 1:], [2, 2], [2, 1]))", x=m, dynamic=False)
suite.fails("as_strided-transposed-sum", "torch.as_strided((x.t() + 1), [2, 2], [2, 1])", "memory layout", x=m)
suite.fails("as_strided-beyond", "torch.as_strided(x, [9, 9], [9, 1])", "beyond the end", x=m)
suite.expr("narrow_copy", "(torch.narrow_copy(x, 1, 1, 2), torch.narrow_copy(x, -1, -3, 2), torch.narrow_copy(x, 0, 0, x.size(0) - 1))", x=x)

suite.expr("block_diag", "(torch.block_diag([x, y, z, x[0, 0]]), torch.block_diag([y]), torch.block_diag([i, x, i > 0]), torch.block_diag([x, y[:0], x[:0]]))",
           x=m, y=v, z=torch.randn(2, 5), i=ints)
suite.expr("vander", "(torch.vander(x), torch.vander(x, 3), torch.vander(x, increasing=True), torch.vander(i[0], 4), torch.linalg.vander(y), torch.linalg.vander(y, N=3), torch.ops.aten.linalg_vander(i, N=5))",
           x=v, y=m, i=ints)
suite.expr("vecdot", "(torch.linalg.vecdot(x, y), torch.linalg.vecdot(x, y, dim=1), torch.ops.aten.linalg_vecdot(x[0], y[0], dim=0))", x=x, y=m)
suite.expr("renorm", "(torch.renorm(x, 2, 0, 1.5), torch.renorm(x, 1, -1, 3), torch.renorm(x, float('inf'), 1, 1.0), torch.renorm(x.double(), 0.5, 1, 20))", x=x)

suite.expr("complex-parts", "(torch.real(x), torch.conj(x), torch.conj_physical(x), torch.resolve_conj(x), torch.resolve_neg(i), torch.isreal(x), torch.angle(x), torch.angle(i), torch.angle(i > 0), torch.angle(x / 0 * 0))",
           x=x, i=ints)
suite.expr("gcd", "(torch.gcd(x, y), torch.lcm(x, y), torch.gcd(x, y[0, 0]), torch.gcd(x.int(), y), torch.lcm(x.short(), y.short()), torch.gcd(x[0, 0], y[0, 0]), torch.gcd(x, y * 0))",
           x=ints, y=torch.randint(-40, 40, (3, 4)))
suite.expr("ldexp", "(torch.ldexp(x, y), torch.ldexp(x.double(), y), torch.ldexp(y, x), torch.ldexp(y, y))", x=m, y=torch.randint(-5, 5, (4, 6)))
extremes = torch.tensor([0.0, -0.0, 1.0, 0.5, 2.0, -8.0, 0.1, 1e-42, 1e-45, 3.4028234e38, float("inf"), -float("inf"), float("nan")])
powers = torch.ldexp(torch.ones(300), torch.arange(-149, 151).clamp(max=127))
wide = torch.ldexp(torch.ones(300).double(), torch.arange(-150, 150).double() * 7.1 // 1)
suite.expr("frexp", "(torch.frexp(x)[0], torch.frexp(x)[1], torch.frexp(y), torch.frexp(z), torch.frexp(below))",
           x=extremes, y=powers, z=wide, below=-wide * 0.9999999999999999, dynamic=False, options=dict(rtol=0, atol=0))
goal = torch.tensor([1.0, -1.0, 2.0, 0.0, 2.0, -9.0, 0.1, -1.0, -1.0, float("inf"), 0.0, 0.0, 1.0])
suite.expr("nextafter", "(torch.nextafter(x, y), torch.nextafter(x, -y), torch.nextafter(p, p * 2), torch.nextafter(p, p * 0), torch.nextafter(-z, z), torch.nextafter(z, z * 0), torch.nextafter(x.double(), y.double()))",
           x=extremes, y=goal, p=powers[:250], z=wide, dynamic=False, options=dict(rtol=0, atol=0))
suite.fails("gcd-floats", "torch.gcd(x, x)", "must be integers", x=m)

for n, shape in ((2, (2, 3, 4, 6)), (3, (2, 4, 6, 4))):
    ones = ", ".join(["2"] * n)
    rest = "" if n == 2 else ", [2, 2, 2], [0, 0, 0]"
    sizes = ", ".join(f"x.size({i - n})" for i in range(n))
    suite.expr(f"max_unpool{n}d", f"torch.ops.aten.max_unpool{n}d(values, indices, [{sizes}]{rest})",
               statements=f"values, indices = torch.ops.aten.max_pool{n}d_with_indices(x, [{ones}])", x=torch.randn(shape), change=lambda s: s + 2)

for n, shape in ((2, (2, 3, 7, 9)), (3, (2, 3, 5, 7, 9))):
    suite.expr(f"fractional_max_pool{n}d", f"(torch.ops.aten.fractional_max_pool{n}d(x, {[2] * n}, {[3] * n}, s), torch.ops.aten.fractional_max_pool{n}d(x[0], {[2] * n}, {[1, 2, 4][-n:]}, s[:1]))",
               x=torch.randn(shape), s=torch.rand(2, 3, n), dynamic=False)

scores, labels = torch.randn(4, 5), torch.tensor([1, 0, 4, 2])
loss = "torch.nn.functional."
suite.expr("multi_margin_loss", f"({loss}multi_margin_loss(x, y), {loss}multi_margin_loss(x, y, p=2, margin=0.5, weight=w, reduction='none'), {loss}multi_margin_loss(x, y, reduction='sum'), torch.ops.aten.multi_margin_loss(x[0], y[0]), torch.ops.aten.multi_margin_loss(x[0], y[:1], reduction=0))",
           x=scores, y=labels, w=torch.rand(5), dynamic=False)
suite.add("multi_margin_loss-dynamic", "def forward(x, y):\n    return torch.nn.functional.multi_margin_loss(x, y)\n",
          [scores, labels], dynamic=[{0: "n"}, {0: "n"}], more=[[torch.randn(3, 5), labels[:3]]])
several = torch.tensor([[1, 3, -1, 0, 2], [0, -1, 1, 1, 1], [-1, 0, 1, 2, 3], [4, 3, 2, 1, 0]])
suite.expr("multilabel_margin_loss", f"({loss}multilabel_margin_loss(x, y), {loss}multilabel_margin_loss(x, y, reduction='none'), {loss}multilabel_margin_loss(x[0], y[0], reduction='none'), torch.ops.aten.multilabel_margin_loss_forward(x, y, 2))",
           x=scores, y=several, dynamic=False)

log_probs = torch.randn(7, 3, 5).log_softmax(-1)
rows = torch.tensor([[1, 2, 2, 4], [3, 3, 0, 0], [4, 1, 2, 0]])
times, sizes = torch.tensor([7, 5, 3]), torch.tensor([4, 2, 0])
suite.expr("ctc_loss", "(torch.ctc_loss(x, y, t, n), torch.ctc_loss(x, y, t, n, reduction=0), torch.ctc_loss(x, y, t, n, blank=4, reduction=2, zero_infinity=True), torch.ctc_loss(x, torch.cat([y[0], y[1, :2]]), t, n, reduction=0), torch.ctc_loss(x, y, [7, 6, 5], [3, 2, 3], 0, 0), torch.ctc_loss(x[:, 0], y[0], t[0], n[0], 0, 0))",
           x=log_probs, y=rows, t=times, n=sizes, dynamic=False)
suite.add("ctc_loss-dynamic", "def forward(x, y, t, n):\n    return torch.ctc_loss(x, y, t, n)\n",
          [log_probs, rows, times, sizes], dynamic=[{0: "time", 1: "batch"}, {0: "batch", 1: "longest"}, {0: "batch"}, {0: "batch"}],
          more=[[torch.randn(9, 2, 5).log_softmax(-1), torch.tensor([[1, 2, 3], [2, 2, 1]]), torch.tensor([9, 8]), torch.tensor([3, 2])]])
lists = dict(a=torch.randn(3, 2), b=torch.randn(5, 2), c=torch.randn(1, 2))
suite.expr("pad_sequence", "(torch.ops.aten.pad_sequence([a, b, c]), torch.ops.aten.pad_sequence([a, b], True, 0.5))", **lists)
suite.newer("pad_sequence-left", "torch.pad_sequence([a, b], True, 0.5, 'left')",
            "torch.stack([torch.cat([torch.full([2, 2], 0.5), a]), b])", a=lists["a"], b=lists["b"])
suite.expr("flatten_dense_tensors", "(torch.ops.aten.flatten_dense_tensors([a, b, c]), "
           "torch.ops.aten.unflatten_dense_tensors(torch.ops.aten.flatten_dense_tensors([b, c]), [b, c]))", **lists)
suite.main()
