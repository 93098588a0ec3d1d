import math

import torch
from expressions import Expressions

suite = Expressions()
x = torch.randn(3, 4)
positive, unit, above_one = torch.rand(3, 4) + 0.1, torch.rand(3, 4) * 1.8 - 0.9, torch.rand(3, 4) + 1.1
ints, truths = torch.randint(-5, 5, (3, 4)), torch.tensor([True, False])
halves = torch.tensor([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, -0.0, 1e30, -1e30, math.inf, -math.inf, math.nan])
tiny = torch.tensor([1e-3, -1e-3, 1e-5, -1e-5, 1e-7, 0.0, 1.0, -0.5, 20.0])

domains = {
    "log": positive, "log2": positive, "log10": positive, "log1p": unit, "special.log1p": unit, "sqrt": positive, "rsqrt": positive,
    "asin": unit, "arcsin": unit, "acos": unit, "arccos": unit, "atanh": unit, "arctanh": unit, "acosh": above_one,
    "arccosh": above_one, "reciprocal": positive, "logit": unit.abs(), "special.logit": unit.abs(),
}
functions = (
    "abs absolute exp exp2 special.exp2 expm1 special.expm1 log log2 log10 log1p special.log1p sqrt rsqrt sin cos tan asin arcsin "
    "acos arccos atan arctan sinh cosh tanh asinh arcsinh acosh arccosh atanh arctanh erf special.erf erfc special.erfc "
    "sigmoid special.expit logit special.logit reciprocal deg2rad rad2deg sinc special.sinc sign sgn signbit positive"
).split()
no_ints = {"logit", "special.logit"}
for op in functions:
    domain = domains.get(op, x)
    suite.expr(op, f"torch.{op}(x)", x=domain)
    suite.expr(f"{op}-f64", f"torch.{op}(x)", x=domain.double())
    suite.expr(f"{op}-0d", f"torch.{op}(x)", x=domain[0, 0])
    if op not in no_ints:
        suite.expr(f"{op}-ints", f"torch.{op}(x)", x=ints.abs() + 1 if op in domains else ints, options=dict(atol=1e-4))
for op in ("exp", "sqrt", "sigmoid", "sin"):
    suite.expr(f"{op}-booleans", f"torch.{op}(x)", x=truths)
for op in ("abs", "sign"):
    suite.expr(f"{op}-i8-u8", f"[torch.{op}(x), torch.{op}(y)]", x=ints.to(torch.int8), y=ints.abs().byte())
suite.expr("expm1-near-0", "torch.expm1(x)", x=tiny, options=dict(atol=0.0))
suite.expr("log1p-near-0", "torch.log1p(x)", x=tiny, options=dict(atol=0.0))
suite.expr("log1p-ends", "torch.log1p(x)", x=torch.tensor([-1.0, math.inf, -2.0]))
suite.expr("sinc-0", "torch.sinc(x)", x=torch.tensor([0.0, 1.0, 0.5]))
suite.expr("logit-eps", "[torch.logit(x, 0.2), torch.special.logit(x, eps=1e-6)]", x=torch.rand(3, 4))
suite.expr("signbit-edges", "torch.signbit(x)", x=torch.tensor([0.0, -0.0, math.inf, -math.inf, 3.0]))

for op in ("ceil", "floor", "round", "trunc", "fix"):
    suite.expr(op, f"torch.{op}(x)", x=halves)
    suite.expr(f"{op}-f64", f"torch.{op}(x)", x=halves.double())
    suite.expr(f"{op}-ints", f"torch.{op}(x)", x=ints)
suite.expr("frac", "torch.frac(x)", x=halves)
suite.expr("round-decimals", "[torch.round(x, decimals=2), torch.round(x, decimals=-1), torch.round(x, decimals=0)]", x=x * 30)
suite.expr("special-round", "[torch.special.round(x), torch.special.round(x, decimals=1)]", x=x * 30)
suite.expr("round-in-place", "y", statements="y = x.clone()\ny.round_().abs_()", x=x * 3)

for dtype in (torch.float32, torch.float64):
    edges = torch.tensor([math.nan, math.inf, -math.inf, 1.5, 0.0], dtype=dtype)
    suite.expr(f"nan-to-num-{dtype}", "[torch.nan_to_num(x), torch.nan_to_num(x, nan=2.0), torch.nan_to_num(x, posinf=1.0), "
               "torch.nan_to_num(x, 3.0, 4.0, -5.0)]", x=edges)
suite.expr("nan-to-num-ints", "torch.nan_to_num(x)", x=ints)
suite.fails("unknown-function", "torch.special.airy_ai(x)", "cannot be converted", x=x)

suite.main()
