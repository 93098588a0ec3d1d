import torch
import torch.nn.functional as F  # noqa: F401
from sizes import Sizes
from torch import nn

suite = Sizes()
close = dict(rtol=1e-4, atol=1e-5)


def random(*shape, dtype=torch.float32):
    return torch.randn(shape, dtype=dtype) if dtype.is_floating_point else torch.randint(-9, 9, shape, dtype=dtype)


rows = [{0: "batch"}]
suite.sizes("linear", nn.Linear(4, 5), [random(3, 4)], rows, how="both", operators={"Gemm": 1}, absent=["Transpose", "Shape"], **close)
suite.sizes("linear-no-bias", nn.Linear(4, 5, bias=False), [random(3, 4)], rows, how="both", absent=["Transpose", "Shape"], **close)
suite.sizes("linear-3d", nn.Linear(4, 5), [random(2, 3, 4)], [{0: "batch", 1: "length"}], how="both",
            operators={"MatMul": 1, "Add": 1}, absent=["Transpose", "Shape"], **close)
suite.sizes("linear-4d", nn.Linear(4, 5, bias=False), [random(2, 3, 2, 4)], [{0: "batch", 1: "length"}], **close)
suite.add("linear-1d", nn.Linear(4, 5), [random(4)], **close)
suite.add("linear-f64", nn.Linear(4, 5).double(), [random(3, 4, dtype=torch.float64)])
suite.call("linear-weights-given", "F.linear(x, w, b)", rows, dict(close), x=random(3, 4), w=random(5, 4), b=random(5))
suite.call("linear-vector-weight", "F.linear(x, w)", rows, dict(close), x=random(3, 4), w=random(4))
suite.call("linear-i64", "F.linear(x, w)", rows, x=random(3, 4, dtype=torch.int64), w=random(5, 4, dtype=torch.int64))


class Traced(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight, self.bias = nn.Parameter(random(5, 4)), nn.Parameter(random(5))

    def forward(self, x):
        return torch.addmm(self.bias, x, self.weight.t()) + torch.mm(x, self.weight.t())


suite.sizes("addmm-transposed-weight", Traced(), [random(3, 4)], rows, how="both", operators={"Gemm": 2}, absent=["Transpose"], **close)
for dtype in (torch.float32, torch.float64, torch.int64, torch.int32, torch.int16, torch.uint8):
    def number(*shape, kind=dtype):
        return random(*shape, dtype=kind) if kind != torch.uint8 else torch.randint(0, 9, shape, dtype=kind)

    label = str(dtype)[6:]
    a, b = number(3, 4), number(4, 5)
    suite.call(f"mm-{label}", "torch.mm(a, b)", [{0: "n"}], dict(close), a=a, b=b)
    suite.call(f"addmm-{label}", "[torch.addmm(c, a, b), torch.addmm(c, a, b, beta=2, alpha=3), torch.addmm(c, a, b, beta=0)]",
               [{}, {0: "n"}], dict(close), c=number(5), a=a, b=b)
    suite.call(f"bmm-{label}", "torch.bmm(a, b)", [{0: "batch", 1: "n"}, {0: "batch"}], dict(close), a=number(2, 3, 4),
               b=number(2, 4, 5))
    suite.call(f"vectors-{label}", "[torch.dot(a, b), torch.vdot(a, b), torch.inner(a, b)]", [{0: "n"}, {0: "n"}], dict(close),
               a=number(4), b=number(4))
    suite.call(f"outer-{label}", "[torch.outer(a, b), torch.ger(a, b)]", [{0: "n"}, {0: "m"}], a=number(4), b=number(3))
    suite.call(f"mv-{label}", "torch.mv(a, b)", [{0: "n"}], dict(close), a=number(3, 4), b=number(4))
    suite.call(f"einsum-{label}", "torch.einsum('ij,jk->ki', [a, b])", [{0: "n"}], dict(close), a=a, b=b)
    suite.call(f"kron-{label}", "torch.kron(a, b)", [{0: "n"}], a=number(2, 3), b=number(4, 2))
    suite.call(f"cross-{label}", "[torch.cross(a, b, dim=1), torch.cross(a, b)]", [{0: "n"}, {0: "n"}], a=number(4, 3), b=number(4, 3))

suite.call("addmm-fraction", "torch.addmm(c, a, b, beta=0.3, alpha=1.7)", options=dict(close), c=random(3, 1), a=random(3, 4), b=random(4, 5))
suite.call("addmm-fraction-f64", "torch.addmm(c, a, b, beta=0.3, alpha=1.7)", c=random(5, dtype=torch.float64),
           a=random(3, 4, dtype=torch.float64), b=random(4, 5, dtype=torch.float64))
suite.call("addmm-no-numbers-of-self", "torch.addmm(c, a, b, beta=0)", options=dict(close), c=torch.full((5,), float("nan")),
           a=random(3, 4), b=random(4, 5))
suite.call("products-runtime-factors", "[torch.baddbmm(c, a, b, beta=float(f), alpha=int(g)), torch.addmm(c[0], a[0], b[0], beta=float(f), alpha=float(f))]",
           a=torch.randn(2, 3, 4), b=torch.randn(2, 4, 5), c=torch.randn(2, 3, 5), f=torch.tensor(3.5), g=torch.tensor(5))
suite.call("products-runtime-zero", "torch.baddbmm(c, a, b, beta=float(f))",
           a=torch.randn(2, 3, 4), b=torch.randn(2, 4, 5), c=torch.full((2, 3, 5), float("nan")), f=torch.tensor(0.0))
suite.call("baddbmm", "[torch.baddbmm(c, a, b), torch.baddbmm(c, a, b, beta=0.5, alpha=2)]",
           [{0: "batch"}, {0: "batch"}, {0: "batch"}], dict(close), c=random(2, 3, 5), a=random(2, 3, 4), b=random(2, 4, 5))
suite.call("addbmm", "[torch.addbmm(c, a, b), torch.addbmm(c, a, b, beta=0.5, alpha=2)]", [{}, {0: "batch"}, {0: "batch"}],
           dict(close), c=random(3, 5), a=random(2, 3, 4), b=random(2, 4, 5))
suite.call("addmv", "[torch.addmv(c, a, b), torch.addmv(c, a, b, beta=0.5, alpha=2)]", [{0: "n"}, {0: "n"}], dict(close),
           c=random(3), a=random(3, 4), b=random(4))
suite.call("addr", "[torch.addr(c, a, b), torch.addr(c, a, b, beta=0.5, alpha=2)]", [{0: "n"}, {0: "n"}], dict(close),
           c=random(3, 4), a=random(3), b=random(4))
shapes = {"vector-vector": ((4,), (4,)), "matrix-vector": ((3, 4), (4,)), "vector-matrix": ((4,), (4, 5)),
          "matrix-matrix": ((3, 4), (4, 5)), "batch-matrix": ((2, 3, 4), (4, 5)), "batch-vector": ((2, 3, 4), (4,)),
          "vector-batch": ((4,), (2, 4, 5)), "broadcast": ((2, 1, 3, 4), (6, 4, 5)), "matrix-batch": ((3, 4), (2, 4, 5))}
for name, (left, right) in shapes.items():
    suite.expr(f"matmul-{name}", "torch.matmul(a, b)", a=random(*left), b=random(*right), options=close)
suite.expr("linalg_matmul", "torch.linalg.matmul(a, b)", a=random(3, 4), b=random(4, 5), options=close)
suite.expr("matmul-transposed", "torch.matmul(a, b.t())", a=random(3, 4), b=random(5, 4), options=close)
suite.call("matmul-mismatch", "torch.matmul(a, b)", options=dict(error="differ"), a=random(3, 4), b=random(5, 4))

equations = {
    "trace": ("ii", [(4, 4)]), "diagonal": ("ii->i", [(4, 4)]), "transpose": ("ij->ji", [(3, 4)]), "sum": ("ij->", [(3, 4)]),
    "rows": ("ij->i", [(3, 4)]), "implicit": ("ij,jk", [(3, 4), (4, 5)]), "implicit-order": ("bi,ja", [(3, 4), (5, 6)]),
    "batch": ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]), "outer": ("i,j->ij", [(3,), (4,)]), "dot": ("i,i->", [(3,), (3,)]),
    "ellipsis": ("...ij,...jk->...ik", [(2, 6, 3, 4), (2, 6, 4, 5)]), "ellipsis-broadcast": ("...ij,...jk->...ik", [(6, 3, 4), (2, 1, 4, 5)]),
    "ellipsis-summed": ("...i->i", [(2, 3, 4)]), "ellipsis-implicit": ("...i,...i", [(2, 3, 4), (2, 3, 4)]),
    "three": ("bi,oij,bj->bo", [(2, 3), (5, 3, 4), (2, 4)]), "spaces": (" i j , j k -> k i ", [(3, 4), (4, 5)]),
    "capitals": ("aB,Bc->ca", [(3, 4), (4, 5)]), "attention": ("bhid,bhjd->bhij", [(2, 3, 4, 5), (2, 3, 6, 5)]),
    "broadcast-one": ("ij,ij->ij", [(3, 4), (1, 4)]),
}
for name, (equation, operands) in equations.items():
    tensors = {f"x{i}": random(*shape) for i, shape in enumerate(operands)}
    suite.expr(f"einsum-{name}", f"torch.einsum('{equation}', [{', '.join(tensors)}])", **tensors, options=close)
suite.sizes("bilinear", nn.Bilinear(3, 4, 5), [random(6, 3), random(6, 4)], [{0: "n"}, {0: "n"}], **close)
suite.sizes("bilinear-3d", nn.Bilinear(3, 4, 5, bias=False), [random(2, 6, 3), random(2, 6, 4)], [{0: "b", 1: "n"}, {0: "b", 1: "n"}], **close)
suite.expr("tensordot", "torch.tensordot(a, b, dims=([1, 0], [0, 1]))", a=random(3, 4, 5), b=random(4, 3, 2), options=close)
suite.expr("tensordot-operator", "torch.ops.aten.tensordot(a, b, [-1], [1])", a=random(3, 4), b=random(2, 4), options=close)
suite.expr("tensordot-none", "torch.ops.aten.tensordot(a, b, [], [])", a=random(3), b=random(2, 4), options=close)
suite.expr("inner-matrices", "torch.inner(a, b)", a=random(3, 4), b=random(2, 4), options=close)
suite.expr("inner-scalar", "torch.inner(a, b)", a=random(3, 4), b=random(), options=close)
suite.expr("chain_matmul", "torch.ops.aten.chain_matmul([a, b, c])", a=random(3, 4), b=random(4, 5), c=random(5, 2), options=close)
suite.expr("multi_dot", "torch.linalg.multi_dot([a, b, c])", a=random(4), b=random(4, 5), c=random(5), options=close)
suite.expr("kron-ranks", "torch.kron(a, b)", a=random(2, 3, 2), b=random(4), options=close)
suite.expr("linalg_cross", "torch.linalg.cross(a, b)", dynamic=False, a=random(4, 3), b=random(4, 3))
suite.expr("linalg_cross-dim", "torch.linalg.cross(a, b, dim=0)", dynamic=False, a=random(3, 4), b=random(3, 1))
for older, now in (("ger", "outer"), ("linalg_matmul", "matmul")):
    suite.newer(f"older-{older}", f"torch.{older}(a, b)", f"torch.{now}(a, b)", a=random(3), b=random(3), options=close)
for text in ("torch.addmm(c, a, b, beta=0.3, alpha=1.7)", "torch.addmv(c, a, b[:, 0], beta=0.3, alpha=1.7)"):
    suite.call(f"f64-{text[6:11]}", text, [{}, {0: "n"}], dict(rtol=1e-12, atol=1e-12), c=random(1, dtype=torch.float64),
               a=random(4, 6, dtype=torch.float64), b=random(6, 4, dtype=torch.float64))
for beta, alpha in ((1, 1), (3, -1), (0, 2)):
    suite.call(f"addr-booleans-{beta}-{alpha}", f"torch.addr(c, a, b, beta={beta}, alpha={alpha})", [{0: "n"}, {0: "n"}],
               c=random(3, 4) > 0.5, a=random(3) > 0, b=random(4) > 0)
suite.call("booleans", "[torch.outer(a, b), torch.kron(a, b)]", [{0: "n"}], a=random(3) > 0, b=random(4) > 0)
suite.expr("_addmm_activation", "[torch._addmm_activation(c, a, b), torch._addmm_activation(c, a, b, beta=0.5, alpha=2.0, use_gelu=True)]",
           a=random(3, 4), b=random(4, 5), c=random(5), options=dict(close))
suite.newer("products-dtype", "(torch.mm(a, b, 6), torch.addmm(c, a, b, 6), torch.bmm(x, y, 6), torch.baddbmm(z, x, y, 6))",
            "(a.float() @ b.float(), c.float() + a.float() @ b.float(), x.float() @ y.float(), z.float() + x.float() @ y.float())", a=random(3, 4).half(),
            b=random(4, 5).half(), c=random(5).half(), x=random(2, 3, 4).half(), y=random(2, 4, 5).half(), z=random(2, 3, 5).half(), options=dict(close))
suite.newer("_int_mm", "torch._int_mm(a, b)", "(a.float() @ b.float()).to(torch.int32)", [{0: "n"}], a=random(3, 4, dtype=torch.int8), b=random(4, 5, dtype=torch.int8))
a, b, ends = random(7, 4), random(3, 4, 5), torch.tensor([2, 2, 6], dtype=torch.int32)
suite.newer("_grouped_mm-rows", "torch.slice(torch._grouped_mm(a, b, o), 0, 0, 6)", "torch.cat([a[:o[0]] @ b[0], a[o[0]:o[1]] @ b[1], a[o[1]:o[2]] @ b[2]])",
            [{0: "n"}], a=a, b=b, o=ends, options=dict(close))
suite.newer("_grouped_mm-columns", "torch.slice(torch._grouped_mm(b, a, o), 1, 0, 6)", "torch.cat([b[0] @ a[:, :o[0]], b[1] @ a[:, o[0]:o[1]], b[2] @ a[:, o[1]:o[2]]], 1)",
            [{1: "m"}, {1: "n"}], b=random(3, 5, 4), a=random(4, 7), o=ends, options=dict(close))
suite.newer("_grouped_mm-sums", "torch._grouped_mm(a, b, o)", "torch.stack([a[:, :o[0]] @ b[:o[0]], a[:, o[0]:o[1]] @ b[o[0]:o[1]], a[:, o[1]:o[2]] @ b[o[1]:o[2]]])",
            [{1: "n"}, {0: "n"}], a=random(4, 7), b=random(7, 5), o=ends, options=dict(close))
suite.newer("_grouped_mm-one", "torch._grouped_mm(a, b, o)", "a @ b[0]", [{0: "n"}], a=random(7, 4), b=random(1, 4, 5), o=torch.tensor([7], dtype=torch.int32),
            options=dict(close))
suite.newer("_grouped_mm-matrices", "torch._grouped_mm(a, b, None, None, 6)", "a.float() @ b.float()", [{0: "n"}, {0: "n"}],
            a=random(3, 2, 4).half(), b=random(3, 4, 5).half(), options=dict(close))
suite.call("_trilinear", "torch._trilinear(a, b, c, [1, 3], [0], [1, 2], [2, 3])", [{0: "n"}, {}, {0: "n"}], a=random(2, 3), b=random(4, 3, 5),
           c=random(2, 5), options=dict(close))
suite.main()
