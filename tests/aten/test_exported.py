"""Operators that programs of torch.export contain: primitive ones, functional forms, and those that list tensors."""
import torch
from sizes import Sizes

suite = Sizes()
x, y = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
small, ints, bools = torch.rand(2, 3) * 0.8 + 0.1, torch.randint(1, 9, (2, 3)), torch.rand(2, 3) > 0.5
every = [{0: "a", 1: "b", 2: "c"}]

# ---- primitive operators that are elementwise
unary = ("abs acos asin asinh atan atanh ceil cos cosh digamma erf erfc exp exp2 expm1 floor isfinite lgamma log log10 log1p log2 neg "
         "reciprocal round rsqrt sign signbit sin sinh sqrt tan tanh trunc conj_physical").split()
for name in unary:
    suite.newer(f"prims-{name}", f"ops.prims.{name}(x)", f"torch.{name}(x)", [{0: "a", 1: "b"}], x=small)
suite.newer("prims-acosh", "ops.prims.acosh(x)", "torch.acosh(x)", x=small + 1)
for name, same in {"bessel_i0": "i0", "bessel_i0e": "i0e", "bessel_i1": "i1", "bessel_i1e": "i1e", "bessel_j0": "bessel_j0",
                   "bessel_j1": "bessel_j1", "erf_inv": "erfinv", "erfcx": "erfcx", "ndtri": "ndtri",
                   "spherical_bessel_j0": "spherical_bessel_j0"}.items():
    suite.newer(f"prims-{name}", f"ops.prims.{name}(x)", f"torch.ops.aten.special_{same}(x)", x=small, options=dict(rtol=1e-4))
binary = "add atan2 div eq fmax fmin fmod ge gt hypot le lt maximum minimum mul ne nextafter pow remainder sub".split()
for name in binary:
    suite.newer(f"prims-{name}", f"ops.prims.{name}(x, y)", f"torch.{name}(x, y)", [{0: "a", 1: "b"}] * 2, x=small, y=small.flip(0))
suite.newer("prims-zeta", "ops.prims.zeta(x, y)", "torch.ops.aten.special_zeta(x, y)", options=dict(rtol=1e-4), x=small + 1, y=small)
for name in "bitwise_and bitwise_or bitwise_xor gcd".split():
    suite.newer(f"prims-{name}", f"ops.prims.{name}(x, y)", f"torch.{name}(x, y)", x=ints, y=ints.flip(0))
suite.newer("prims-bitwise_not", "ops.prims.bitwise_not(x)", "torch.bitwise_not(x)", x=ints)
suite.newer("prims-shift", "(ops.prims.shift_left(x, y), ops.prims.shift_right_arithmetic(x, y))",
            "(torch.bitwise_left_shift(x, y), torch.bitwise_right_shift(x, y))", x=ints, y=ints.flip(0))
suite.newer("prims-div-integers", "ops.prims.div(x, y)", "torch.div(x, y, rounding_mode='trunc')", x=ints - 5, y=ints.flip(0))
suite.newer("prims-cbrt", "ops.prims.cbrt(x)", "torch.copysign(torch.pow(torch.abs(x), 1 / 3), x)", x=x)
suite.newer("prims-where", "ops.prims.where(c, x, y)", "torch.where(c, x, y)", c=bools, x=small, y=small.flip(0))
suite.newer("prims-conversion", "(ops.prims.convert_element_type(x, 7), ops.prims.convert_element_type(x, 4), ops.prims.clone(x), "
            "ops.prims.device_put(x, torch.device('cpu')), ops.prims.view_of(x), ops.prims.copy_strided(x, [12, 4, 1]), ops.prims.real(x))",
            "(x.double(), x.to(torch.int64), x, x, x, x, x)", x=x)
suite.newer("view-dtype", "(torch.view(x, 0), torch.view(x, 1), torch.view_copy(x, 0), ops.prims.view_of_dtype(x, 0))",
            "(x.to(torch.uint8), x, x.to(torch.uint8), x.to(torch.uint8))", [{0: "a", 1: "b"}], x=(ints - 5).to(torch.int8))
suite.newer("view-dtype-write", "torch.add(y, torch.mul(torch.view(torch.fill_(torch.view(y, 0), 255), 1), 0))", "torch.full_like(y, -1)", y=torch.ones(2, 3, dtype=torch.int8))
suite.newer("view-dtype-bits", "torch.view(x, 3)", "x.to(torch.int32)", options=dict(error="BitCast"), x=x)
suite.newer("view-dtype-size", "torch.view(x, 2)", "x.to(torch.int16)", options=dict(error="the sizes of the elements differ"), x=x)

# ---- primitive operators that rearrange
suite.newer("prims-broadcast_in_dim", "(ops.prims.broadcast_in_dim(x, [2, 5, 3], [0, 2]), ops.prims.broadcast_in_dim(x, [2, 3], [0, 1]))",
            "(x.unsqueeze(1).expand(2, 5, 3), x)", x=small)
suite.newer("prims-broadcast_in_dim-size-one", "ops.prims.broadcast_in_dim(x, [4, 3, 2], [1, 2])", "x.expand(4, 3, 2)", x=torch.randn(3, 1))
suite.newer("prims-collapse", "(ops.prims.collapse(x, 0, 1), ops.prims.collapse(x, 1, 2), ops.prims.collapse_view(x, 0, 2), ops.prims.collapse(x, 1, 1))",
            "(x.flatten(0, 1), x.flatten(1, 2), x.flatten(), x)", every, x=x)
suite.newer("prims-split_dim", "ops.prims.split_dim(x, 2, 2)", "x.reshape(x.size(0), x.size(1), 2, 2)", [{0: "a"}], x=x)
suite.newer("prims-squeeze", "ops.prims.squeeze(x, [1])", "x.squeeze(1)", [{0: "a"}], x=torch.randn(2, 1, 3))
suite.newer("prims-transpose", "ops.prims.transpose(x, [2, 0, 1])", "x.permute(2, 0, 1)", every, x=x)
suite.newer("prims-rev", "ops.prims.rev(x, [0, 2])", "x.flip(0, 2)", every, x=x)
suite.newer("prims-cat", "ops.prims.cat([x, y], 1)", "torch.cat([x, y], 1)", [{0: "a"}, {0: "a"}], x=x, y=y)
suite.newer("prims-reshape", "ops.prims.reshape(x, [4, 6])", "x.reshape(4, 6)", x=x)

# ---- primitive reductions and creations
for name, same in {"sum": "x.sum([0, 2])", "prod": "x.prod(2).prod(0)", "amax": "x.amax([0, 2])", "amin": "x.amin([0, 2])",
                   "var": "x.var([0, 2])"}.items():
    suite.newer(f"prims-{name}-dims", f"ops.prims.{name}(x, [0, 2])", same, every, dict(rtol=1e-4), x=x)
suite.newer("prims-var-correction", "(ops.prims.var(x, [1], 0.), ops.prims.var(x, [1], 0.5))",
            "(x.var(1, unbiased=False), x.var(1, unbiased=False) * 3 / 2.5)", [{0: "a"}], dict(rtol=1e-4), x=x)
suite.newer("prims-sum-dtype", "(ops.prims.sum(x, [1], output_dtype=7), ops.prims.sum(x, []))", "(x.double().sum(1), x)", x=x)
cpu = "device=torch.device('cpu'), requires_grad=False"
suite.newer("prims-creation", f"(ops.prims.full([2, 3], 1.5, dtype=6, {cpu}), ops.prims.full_like(x, 2, dtype=4, {cpu}), "
            f"ops.prims.iota(4, start=3, step=2, dtype=4, {cpu}), ops.prims.scalar_tensor(2.5, dtype=7), ops.prims.fill(x, 0.5), "
            f"ops.prims.empty([2], dtype=6, {cpu}) * 0, ops.prims.empty_strided([2, 3], [1, 2], dtype=6, {cpu}) * 0, "
            f"ops.prims.empty_permuted([2, 3], [1, 0], dtype=6, {cpu}) * 0, torch.empty_permuted([2, 3], [1, 0]) * 0)",
            "(torch.full([2, 3], 1.5), torch.full_like(x, 2, dtype=torch.int64), torch.arange(3, 11, 2), torch.tensor(2.5, dtype=torch.double), "
            "torch.full_like(x, 0.5), torch.zeros(2), torch.zeros(2, 3), torch.zeros(2, 3), torch.zeros(2, 3))", x=x)
suite.newer("prims-iota-size", f"ops.prims.iota(torch.size(x, 0), start=0, step=1, dtype=6, {cpu})", "torch.arange(x.size(0)).float()", every, x=x)
suite.newer("prims-random", f"(torch.mul(ops.prims.normal([2, 3], mean=0., std=1., dtype=6, {cpu}), 0.), "
            "torch.mul(ops.prims.uniform([2, 3], low=0., high=1., dtype=6, device=torch.device('cpu'), stride=[3, 1]), 0.))",
            "(torch.zeros(2, 3), torch.zeros(2, 3))", x=x)

# ---- assertions, tokens and sizes
suite.newer("assertions", "torch.add(x, torch.mul(torch._functional_assert_async(torch.gt(torch.numel(x), 0), 'empty', torch._make_dep_token()), 0.))",
            "x", every, x=x)
suite.newer("tokens", "torch.add(x, torch.mul(ops.prims._make_token(), 0.))", "x", every, x=x)
suite.newer("sizes", "torch.full([torch.sym_size(x, 1), torch.sym_numel(x), torch.sym_stride(x, 0)], torch.sym_storage_offset(x))",
            "torch.full([x.size(1), x.numel(), x.stride(0)], 0)", every, x=x)
suite.newer("item", "torch.full([2], torch._local_scalar_dense(x))", "torch.full([2], x.item())", x=torch.tensor(2.5))

# ---- functional forms
suite.newer("_to_copy", "(torch._to_copy(x), torch._to_copy(x, dtype=7), torch._to_copy(x, dtype=4))", "(x, x.double(), x.to(torch.int64))", every, x=x)
suite.newer("_lazy_clone", "torch._lazy_clone(x)", "x", x=x)
suite.newer("_reshape_copy", "torch._reshape_copy(x, [4, -1])", "x.reshape(4, -1)", x=x)
suite.newer("squeeze-dims", "(torch.squeeze(x, [0, 2]), torch.squeeze_copy(x, [0, 2]))", "(x.squeeze(2).squeeze(0), x.squeeze(2).squeeze(0))",
            x=torch.randn(1, 3, 1))
suite.expr("casts", "(torch._cast_Byte(x), torch._cast_Char(x), torch._cast_Short(x), torch._cast_Int(x), torch._cast_Long(x), torch._cast_Half(x), "
           "torch._cast_Float(x), torch._cast_Double(x))", x=ints)
suite.expr("stack", "(torch._stack([x, y]), torch._stack([x, y], -1))", x=x, y=y)
suite.newer("identities", "(torch._conj(x), torch._conj_physical(x), torch._conj_copy(x))", "(x, x, x)", x=x)
suite.newer("pin_memory", "torch.add(torch.pin_memory(x), torch._pin_memory(x))", "x + x", x=x)
suite.newer("nonzero_static", "(torch.nonzero_static(x, size=3), torch.nonzero_static(x, size=9, fill_value=-7))",
            "(torch.nonzero(x)[:3], torch.cat([torch.nonzero(x), torch.full([9, 2], -7)])[:9])", x=torch.tensor([[1., 0., 2.], [3., 4., 0.]]))
suite.newer("is_all_true", "(torch._is_all_true(x), torch._is_any_true(x))", "(x.all(), x.any())", [{0: "a", 1: "b"}], x=bools)

# ---- indices
at, column = torch.tensor([[0, 2], [1, -1]]), torch.tensor([1, 0])
suite.newer("unsafe_index", "(torch._unsafe_index(x, [None, i]), torch._unsafe_index(x, [i, j]))", "(x[:, i], x[i, j])", x=torch.randn(3, 4), i=at, j=column)
suite.newer("unsafe_index_put", "(torch._unsafe_index_put(x, [i, j], v), torch._unsafe_index_put(x, [i], w, True))",
            "(torch.index_put(x, [i, j], v), torch.index_put(x, [i], w, True))", x=torch.randn(3, 4), i=column, j=column + 1, v=torch.randn(2),
            w=torch.randn(2, 4))
mask, far = torch.tensor([[True, False], [True, True]]), torch.tensor([[0, 99], [-1, 2]])
suite.newer("unsafe_masked_index", "torch._unsafe_masked_index(x, m, [i], 0.5)",
            "torch.where(m, x[torch.where(m, i, torch.zeros_like(i))], torch.full([], 0.5))", x=torch.randn(3), m=mask, i=far)
suite.newer("unsafe_masked_index_put_accumulate", "torch._unsafe_masked_index_put_accumulate(x, m, [i], v)",
            "torch.index_put(x, [torch.where(m, i, torch.zeros_like(i))], torch.where(m, v, torch.zeros_like(v)), True)", x=torch.randn(3), m=mask,
            i=far, v=torch.randn(2, 2))

# ---- lists of tensors
two = dict(x=small, y=small.flip(0) + 0.1)
for name in "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round sigmoid sin sinh sqrt tan tanh trunc".split():
    suite.expr(f"foreach-{name}", f"torch._foreach_{name}([x, y])", **two)
suite.newer("foreach-newer", "(torch._foreach_rsqrt([x, y]), torch._foreach_sign([x, y]), torch._foreach_clone([x, y]), torch._foreach_max([x, y]), "
            "torch._foreach_mm([x], [y.t()]))".replace("y.t()", "torch.t(y)"),
            "([x.rsqrt(), y.rsqrt()], [x.sign(), y.sign()], [x, y], [x.max(), y.max()], [x @ y.t()])", **two)
for name in "add sub mul div".split():
    suite.expr(f"foreach-{name}", f"(torch._foreach_{name}([x, y], 2.5), torch._foreach_{name}([x, y], [y, x]))", **two)
    suite.newer(f"foreach-{name}-numbers", f"torch._foreach_{name}([x, y], [2., 0.5])", f"[torch.{name}(x, 2.), torch.{name}(y, 0.5)]", **two)
suite.expr("foreach-alpha", "(torch._foreach_add([x, y], [y, x], alpha=2), torch._foreach_sub([x, y], [y, x], alpha=0.5))", **two)
for name in "addcmul addcdiv".split():
    suite.expr(f"foreach-{name}", f"(torch._foreach_{name}([x, y], [y, x], [x, x]), torch._foreach_{name}([x, y], [y, x], [x, x], 2.))", **two)
    for numbers in ("s", "[2., 0.5]"):
        suite.newer(f"foreach-{name}-{numbers}", f"torch._foreach_{name}([x, y], [y, x], [x, x], {numbers})",
                    f"[torch.{name}(x, y, x, value=2.), torch.{name}(y, x, x, value=0.5)]", **two, s=torch.tensor([2., 0.5]))
suite.expr("foreach-extremes", "(torch._foreach_maximum([x, y], [y, x]), torch._foreach_minimum([x, y], [y, x]))", **two)
suite.newer("foreach-limits", "(torch._foreach_clamp_min([x, y], 0.5), torch._foreach_clamp_max([x, y], [0.5, 0.2]), torch._foreach_maximum([x, y], 0.5), "
            "torch._foreach_minimum([x, y], [0.5, 0.2]), torch._foreach_clamp_min([x, y], [y, x]), torch._foreach_clamp_max([x, y], [y, x]))",
            "([x.clamp_min(0.5), y.clamp_min(0.5)], [x.clamp_max(0.5), y.clamp_max(0.2)], [x.clamp_min(0.5), y.clamp_min(0.5)], "
            "[x.clamp_max(0.5), y.clamp_max(0.2)], [torch.maximum(x, y), torch.maximum(y, x)], [torch.minimum(x, y), torch.minimum(y, x)])", **two)
suite.newer("foreach-pow", "(torch._foreach_pow([x, y], 3), torch._foreach_pow([x, y], [2, 0.5]), torch._foreach_pow([x, y], [y, x]), torch._foreach_pow(2., [x, y]))",
            "([x.pow(3), y.pow(3)], [x.pow(2), y.pow(0.5)], [x.pow(y), y.pow(x)], [torch.pow(2., x), torch.pow(2., y)])", **two)
suite.newer("foreach-lerp", "(torch._foreach_lerp([x, y], [y, x], 0.3), torch._foreach_lerp([x, y], [y, x], [x, y]))",
            "([torch.lerp(x, y, 0.3), torch.lerp(y, x, 0.3)], [torch.lerp(x, y, x), torch.lerp(y, x, y)])", **two)
suite.newer("foreach-mixed", "(torch._foreach_mul([x, y], s), torch._foreach_add([x, y], s, alpha=2), torch._foreach_div([x, y], s), "
            "torch._foreach_copy([x, y], [y, x]), torch._foreach_zero([x]))",
            "([x * s, y * s], [x + 2 * s, y + 2 * s], [x / s, y / s], [y, x], [torch.zeros_like(x)])", **two, s=torch.tensor(3.))
suite.expr("foreach-norm", "(torch._foreach_norm([x, y]), torch._foreach_norm([x, y], 1))", **two)
suite.expr("foreach-in-place", "(a, b)", statements="a, b = x + 0, y + 0\ntorch._foreach_add_([a, b], 1.0)\ntorch._foreach_mul_([a, b], [b, a])\n"
           "torch._foreach_sqrt_([a, b])", **two)
suite.newer("foreach-lengths", "torch._foreach_add([x, y], [x])", "x", options=dict(error="the lists have different lengths"), **two)
# The kernels of PyTorch 1.13 disagree about an eps above 1/2.
suite.newer("logit-exchanged-bounds", "torch.logit(x, 0.6)",
            "torch.where(x < 0.6, torch.logit(torch.full_like(x, 0.6)), torch.logit(torch.full_like(x, 0.4)))", [{0: "n"}], x=torch.rand(6, 4))
suite.newer("_chunk_cat", "(torch._chunk_cat([x, y], 0, 3), torch._chunk_cat([y, y], -1, 2))",
            "(torch.cat([torch.cat([x, x[:1] * 0]).reshape(3, -1), torch.cat([y, y[:2] * 0]).reshape(3, -1)], 1), "
            "torch.cat([torch.cat([y, y[:, :1] * 0], 1).reshape(4, 2, -1)] * 2, 2))", x=torch.randn(5, 2), y=torch.randn(4, 3))
suite.call("max_pool2d_with_indices_backward",
           "torch.ops.aten.max_pool2d_with_indices_backward(g, x, [3, 2], [1, 2], [1, 0], [1, 1], False, torch.ops.aten.max_pool2d_with_indices(x, [3, 2], [1, 2], [1, 0])[1])",
           [{0: "batch"}] * 2, g=torch.randn(2, 3, 4, 3), x=torch.randn(2, 3, 4, 6))
# TorchScript has no lists of numbers of any type, so it cannot call these forms.
slopes = "torch.ops.aten.gradient"
for order in (1, 2):
    suite.newer(f"gradient-distances-{order}",
                f"(torch.gradient(x, spacing=[0.5, 2.0, 1.5], edge_order={order}), torch.gradient(x, spacing=[0.5], dim=1, edge_order={order}), "
                f"torch.gradient(x, spacing=[0.5, 3.0], dim=[-1, 0], edge_order={order}))",
                f"([{slopes}(x, spacing=0.5, dim=0, edge_order={order})[0], {slopes}(x, spacing=2.0, dim=1, edge_order={order})[0], {slopes}(x, spacing=1.5, dim=2, edge_order={order})[0]], "
                f"{slopes}(x, spacing=0.5, dim=1, edge_order={order}), [{slopes}(x, spacing=0.5, dim=2, edge_order={order})[0], {slopes}(x, spacing=3.0, dim=0, edge_order={order})[0]])",
                [{0: "a", 1: "b", 2: "c"}], x=torch.randn(3, 4, 5))
chunked = "ops.torch_nn._linear_cross_entropy_batch_chunked"
tail, linear = '2, "auto", 6, False, False, False, False)', "torch.nn.functional.linear(x, w, b)"
for name, weighted in (("", "None"), ("-weighted", "v")):
    suite.newer(f"_linear_cross_entropy_batch_chunked{name}",
                f'({chunked}(x, w, t, b, {weighted}, "mean", 1, 0., {tail}, {chunked}(x, w, t, None, {weighted}, "sum", -100, 0., {tail})',
                f"((torch.nn.functional.cross_entropy({linear}, t, {weighted}, ignore_index=1), x[:0, :0], x[:0, :0], x[0, :0]), "
                f"(torch.nn.functional.cross_entropy(torch.nn.functional.linear(x, w), t, {weighted}, reduction='sum'), x[:0, :0], x[:0, :0], x[0, :0]))",
                [{0: "n"}, {}, {0: "n"}], x=torch.randn(5, 3), w=torch.randn(4, 3), t=torch.tensor([0, 1, 2, 3, 1]), b=torch.randn(4), v=torch.rand(4) + 0.5)
    suite.newer(f"_linear_cross_entropy_batch_chunked_no_reduction{name}", f'{chunked}_no_reduction(x, w, t, b, {weighted}, 1, 2, "auto", 6)',
                f"torch.nn.functional.cross_entropy({linear}, t, {weighted}, ignore_index=1, reduction='none')",
                [{0: "n"}, {}, {0: "n"}], x=torch.randn(5, 3), w=torch.randn(4, 3), t=torch.tensor([0, 1, 2, 3, 1]), b=torch.randn(4), v=torch.rand(4) + 0.5)
suite.main()
