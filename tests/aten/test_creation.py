import torch
from sizes import Sizes

suite = Sizes()
x, ints = torch.randn(3, 4), torch.randint(0, 9, (3, 4))

for op in ("zeros", "ones"):
    suite.expr(op, f"[torch.{op}([2, 3]), torch.{op}([2], dtype=torch.int64), torch.{op}([2], dtype=torch.bool)]", x=x)
    suite.expr(f"{op}-sizes", f"torch.{op}([x.size(0), 2, x.size(1) + 1]) + x[0, 0]", x=x)
    suite.expr(f"{op}-like", f"[torch.{op}_like(x), torch.{op}_like(y), torch.{op}_like(x, dtype=torch.int32)]", x=x, y=ints)
    suite.expr(f"new-{op}", f"[x.new_{op}([2, y.size(0)]), y.new_{op}([2]), x.new_{op}([2], dtype=torch.float64)]", x=x, y=ints)
suite.expr("zeros-0d", "torch.zeros([]) + x", x=x)
suite.expr("full", "[torch.full([2, 3], 1.5), torch.full([2], 3), torch.full([2], 3, dtype=torch.float64)]", x=x)
suite.expr("full-sizes", "torch.full([x.size(0), 2], x.size(1))", x=x)
suite.expr("full-of-a-run", "torch.full([x.size(0), 2], float(x.max()))", x=x)
suite.expr("full-like", "[torch.full_like(x, 2), torch.full_like(y, 2.7), torch.full_like(x, 2, dtype=torch.int64)]", x=x, y=ints)
suite.expr("new-full", "[x.new_full([2, y.size(0)], 2), y.new_full([3], 7)]", x=x, y=ints)
suite.expr("empty", "[(torch.empty([2, x.size(0)]) * 0).nan_to_num().shape[1], torch.empty_like(x).size(1), x.new_empty([4]).size(0), "
           "torch.empty_strided([2, 3], [3, 1]).size(0), x.new_empty_strided([2, 3], [3, 1]).size(1)]", x=x)
suite.expr("empty-filled", "torch.empty([x.size(0), 2]).fill_(3.0)", x=x)
suite.expr("fill", "[torch.fill(x, 2), torch.fill(x, y)]", x=x, y=torch.tensor(3))
suite.expr("fill-in-place", "[y, z]", statements="y = x.clone()\ny[:, 1].fill_(7)\nz = x.clone()\nz[0].zero_()\nz[1].fill_(y.sum())", x=x)
suite.expr("zero", "y", statements="y = x.clone()\ny.zero_()", x=x)
suite.expr("scalar-tensor", "[torch.scalar_tensor(3), torch.scalar_tensor(3, dtype=torch.int64), torch.scalar_tensor(x.size(0))]", x=x)

for arguments in ("5", "5.5", "2, 7", "2.5, 7", "1, 10, 3", "10, 1, -3", "0, 1, 0.1", "1.0, 0.0, -0.25", "0", "3, 3",
                  "5, dtype=torch.float32", "0, 5, 2, dtype=torch.int32", "0.0, 3.0, dtype=torch.int64", "0, 0.3, 0.1",
                  "0.0, -8.000001, -4.0, dtype=torch.int64", "0.5, 6.5, 1.5, dtype=torch.int32"):
    suite.expr(f"arange({arguments})", f"torch.arange({arguments})", x=x, dynamic=False)
suite.expr("arange-size", "[torch.arange(x.size(0)), torch.arange(1, x.size(1)), torch.arange(0, x.size(1) * 2, 3), "
           "torch.arange(x.size(1), 0, -1), torch.arange(x.size(0), dtype=torch.float32)]", x=x)
suite.expr("arange-size-halves", "[torch.arange(0, x.size(0), 0.5), torch.arange(x.size(0) / 2)]", x=x)
suite.expr("arange-used", "x + torch.arange(x.size(1)) + torch.arange(x.size(0)).unsqueeze(1)", x=x)
suite.expr("arange-runtime-bounds", "[torch.arange(float(a), dtype=torch.int64), torch.arange(float(b), float(a), dtype=torch.int64), torch.arange(float(a))]",
           a=torch.tensor(8.5), b=torch.tensor(-2.5))
suite.fails("arange-wrong-sign", "torch.arange(5, 1)", "the sign of 'step'", x=x)
suite.expr("linspace", "[torch.linspace(0, 1, 5), torch.linspace(-2.5, 7, 8), torch.linspace(3, 4, 1), torch.linspace(5, 1, 4), "
           "torch.linspace(0, 10, 5, dtype=torch.float64)]", x=x)
suite.expr("linspace-size", "[torch.linspace(-1, 1, x.size(0)), torch.linspace(0, x.size(1), x.size(1) + 1)]", x=x)
suite.expr("logspace", "[torch.logspace(0, 2, 5), torch.logspace(0, 3, 4, 2.0), torch.logspace(0, 1, x.size(0))]", x=x)
suite.expr("logspace-whole", "torch.logspace(0, 1.2, 2, dtype=torch.int64)", x=x)
suite.expr("eye", "[torch.eye(3), torch.eye(2, 4), torch.eye(3, dtype=torch.int64), torch.eye(3, dtype=torch.bool), "
           "torch.eye(x.size(0), x.size(1)), torch.eye(x.size(0), dtype=torch.int8)]", x=x)
for op in ("tril", "triu"):
    for dtype in (torch.float32, torch.int64, torch.bool, torch.uint8, torch.int16):
        suite.expr(f"{op}-{dtype}", f"[torch.{op}(x), torch.{op}(x, 1), torch.{op}(x, -1)]", x=torch.ones(2, 3, 4).to(dtype))
    suite.expr(f"{op}-mask", f"torch.{op}(torch.ones([x.size(1), x.size(1)]), x.size(0) - 2)", x=x)
    suite.expr(f"{op}-indices", f"[torch.{op}_indices(3, 4), torch.{op}_indices(3, 4, 1), torch.{op}_indices(4, 3, -1)]", x=x)
    suite.expr(f"{op}-indices-size", f"torch.{op}_indices(x.size(0), x.size(1))", x=x)
    suite.fails(f"{op}-1d", f"torch.{op}(x)", "two dimensions", x=x[0])
a, b, c = torch.arange(3.0), torch.randn(4), torch.randn(2)
suite.expr("meshgrid", "torch.meshgrid([x, y, z])", x=a, y=b, z=c)
suite.expr("meshgrid-ij", "torch.meshgrid([x, y], indexing='ij')", x=a, y=b)
suite.expr("meshgrid-xy", "torch.meshgrid([x, y, z], indexing='xy')", x=a, y=b, z=c)
suite.expr("meshgrid-one", "torch.meshgrid([x])", x=b)
suite.expr("meshgrid-sizes", "torch.meshgrid([torch.arange(x.size(0)), torch.arange(x.size(1))])", x=x)
suite.expr("one-hot-runtime", "F.one_hot(x, int(n))", x=ints, n=torch.tensor(12))
suite.expr("one-hot", "[F.one_hot(x, 9), F.one_hot(x)]", x=ints)
suite.expr("one-hot-0d", "[F.one_hot(x, 9), F.one_hot(x)]", x=torch.tensor(3))
for window in ("hann", "hamming", "blackman"):
    suite.expr(f"{window}-window", f"[torch.{window}_window(8), torch.{window}_window(7, False), torch.{window}_window(1), "
               f"torch.{window}_window(6, True, dtype=torch.float64), torch.{window}_window(x.size(0) + 3)]", x=x)
suite.expr("hamming-window-alpha", "[torch.hamming_window(8, True, 0.6), torch.hamming_window(8, False, 0.6, 0.3)]", x=x)
suite.expr("as_tensor", "[torch.as_tensor(x), torch.as_tensor(x, dtype=torch.int64)]", x=x)
suite.expr("range", "[torch.range(0, 5), torch.range(1, 2, 0.25), torch.range(5, 0, -2), torch.range(0, 4, dtype=torch.int64)]", x=x)
suite.expr("fftfreq", "[torch.ops.aten.fft_fftfreq(8), torch.ops.aten.fft_fftfreq(7, 0.5), torch.ops.aten.fft_rfftfreq(8), torch.ops.aten.fft_rfftfreq(7, 0.5)]", x=x)
suite.expr("fftfreq-sizes", "[torch.ops.aten.fft_fftfreq(x.size(0)), torch.ops.aten.fft_rfftfreq(x.size(1), 2.0)]", x=x)
suite.expr("bartlett-window", "[torch.bartlett_window(8), torch.bartlett_window(7, False), torch.bartlett_window(1), torch.bartlett_window(x.size(0))]", x=x)
suite.expr("kaiser-window", "[torch.kaiser_window(8), torch.kaiser_window(7, False), torch.kaiser_window(9, True, 5.0), torch.kaiser_window(1)]", x=x)
begin, end = dict(a=torch.tensor(1.5)), dict(b=torch.tensor(4.0))
suite.newer("linspace-tensors", "(torch.linspace(a, b, 5), torch.linspace(a, 4, 5), torch.linspace(1.5, b, 5), torch.linspace(a, b, 5, dtype=4))",
            "(torch.linspace(1.5, 4, 5), torch.linspace(1.5, 4, 5), torch.linspace(1.5, 4, 5), torch.linspace(1.5, 4, 5, dtype=torch.int64))", **begin, **end)
suite.newer("logspace-tensors", "(torch.logspace(a, b, 5), torch.logspace(a, 4, 5, 2.), torch.logspace(1.5, b, 5))",
            "(torch.logspace(1.5, 4, 5), torch.logspace(1.5, 4, 5, 2.), torch.logspace(1.5, 4, 5))", **begin, **end)
suite.call("_dim_arange", "[torch.ops.aten._dim_arange(x, 0), torch.ops.aten._dim_arange(x, -1)]", [{0: "n", 1: "m"}], x=torch.randn(2, 3))
suite.main()
