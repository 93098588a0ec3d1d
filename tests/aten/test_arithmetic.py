import math

import torch
from expressions import Expressions

suite = Expressions()
x, y, row, column = torch.randn(3, 4), torch.randn(3, 4), torch.randn(4), torch.randn(3, 1)
positive = torch.rand(3, 4) + 0.1
edges = torch.tensor([math.nan, math.inf, -math.inf, 0.0, 1.5, -2.5, -0.5, 7.0])
other_edges = torch.tensor([1.0, 2.0, 3.0, 2.0, math.nan, 0.75, -0.25, 0.0])
ints, divisors = torch.randint(-20, 20, (3, 4)), torch.tensor([3, -3, 7, -1])
small = torch.randint(-100, 100, (3, 4), dtype=torch.int8)
bytes_ = torch.randint(0, 255, (3, 4), dtype=torch.uint8)
truths, others = torch.tensor([True, False, True, False]), torch.tensor([True, True, False, False])
zero_d, zero_d_int = torch.tensor(2.5), torch.tensor(3)
doubles = torch.randn(3, 4, dtype=torch.float64)

for op in ("add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide"):
    suite.expr(f"{op}-tensors", f"torch.{op}(x, y)", x=x, y=y)
    suite.expr(f"{op}-broadcast", f"torch.{op}(x, y)", x=row, y=column)
    suite.expr(f"{op}-int-float", f"torch.{op}(x, y)", x=ints, y=x)
    suite.expr(f"{op}-f32-f64", f"torch.{op}(x, y)", x=x, y=doubles)
    suite.expr(f"{op}-zero-d", f"torch.{op}(x, y)", x=x, y=torch.tensor(2.5, dtype=torch.float64))
    suite.expr(f"{op}-int-zero-d-float", f"torch.{op}(x, y)", x=ints, y=zero_d)
    suite.expr(f"{op}-number", f"torch.{op}(x, 2.5)", x=x)
    suite.expr(f"{op}-int-number", f"torch.{op}(x, 3)", x=ints)
    suite.expr(f"{op}-int-by-float", f"torch.{op}(x, 2.5)", x=ints)
    suite.expr(f"{op}-bytes", f"torch.{op}(x, y)", x=bytes_, y=bytes_ + 1)
    suite.expr(f"{op}-i8-i16", f"torch.{op}(x, y)", x=small, y=small.to(torch.int16) + 300)
    suite.expr(f"{op}-empty", f"torch.{op}(x, y)", x=torch.zeros(0, 4), y=row)
for op in ("add", "mul"):
    suite.expr(f"{op}-booleans", f"torch.{op}(x, y)", x=truths, y=others)
suite.expr("add-alpha", "torch.add(x, y, alpha=2)", x=x, y=y)
suite.expr("add-alpha-float", "torch.add(x, y, alpha=0.5)", x=x, y=y)
suite.expr("add-alpha-int", "torch.add(x, y, alpha=3)", x=ints, y=ints)
suite.expr("add-number-alpha", "torch.add(x, 4, alpha=0.5)", x=x)
suite.expr("sub-alpha", "torch.sub(x, y, alpha=2)", x=x, y=y)
suite.expr("sub-number-alpha", "torch.sub(x, 4, alpha=3)", x=ints)
suite.expr("rsub", "torch.rsub(x, y, alpha=2)", x=x, y=row)
suite.expr("rsub-number", "torch.rsub(x, 3)", x=x)
suite.expr("number-first", "[2 + x, 2 - x, 2 * x, 2 / x, 2 ** x]", x=positive)
suite.expr("number-first-int", "[2 + x, 2 - x, 2 * x, 2.5 - x]", x=ints)
suite.expr("size-as-number", "[x * x.size(0), x + x.size(1), x / x.size(0)]", x=x)
suite.expr("number-of-a-run", "x * float(y.sum())", x=x, y=y)
suite.expr("in-place", "z", statements="z = x.clone()\nz += y\nz *= 2\nz.sub_(y).div_(3)", x=x, y=row)
suite.fails("add-alpha-float-of-ints", "torch.add(x, y, alpha=0.5)", "'alpha' must be an integer", x=ints, y=ints)
suite.fails("sub-of-booleans", "torch.sub(x, y)", "booleans", x=truths, y=others)
suite.expr("complex-number", "x * 2j", x=x)

for mode in ("floor", "trunc"):
    for op in ("div", "divide"):
        suite.expr(f"{op}-{mode}", f"torch.{op}(x, y, rounding_mode='{mode}')", x=x * 5, y=y)
        suite.expr(f"{op}-{mode}-number", f"torch.{op}(x, 0.7, rounding_mode='{mode}')", x=x * 5)
    suite.expr(f"div-{mode}-ints", f"torch.div(x, y, rounding_mode='{mode}')", x=ints, y=divisors)
    suite.expr(f"div-{mode}-int-number", f"torch.div(x, -3, rounding_mode='{mode}')", x=ints)
    suite.expr(f"div-{mode}-bytes", f"torch.div(x, 7, rounding_mode='{mode}')", x=bytes_)
    suite.expr(f"div-{mode}-int-by-float", f"torch.div(x, 2.5, rounding_mode='{mode}')", x=ints)
    suite.expr(f"div-{mode}-by-zero", f"torch.div(x, y, rounding_mode='{mode}')", x=x, y=torch.tensor([0.0, 1.0, -0.5, 0.0]))
suite.expr("div-no-mode", "torch.div(x, 2, rounding_mode=None)", x=ints)
suite.expr("div-no-mode-tensors", "torch.div(x, y, rounding_mode=None)", x=x, y=y)
suite.expr("divide-no-mode", "torch.divide(x, 2, rounding_mode=None)", x=ints)
suite.expr("floor-divide-exact", "[x // 0.1, torch.floor_divide(x, 0.1)]", x=torch.tensor([1.0, 0.3, -0.3, 6.0, -1.0]))
suite.expr("floor-divide-half", "x // 2", x=x * 9)
suite.expr("floor-divide", "torch.floor_divide(x, y)", x=x * 5, y=y)
suite.expr("floor-divide-ints", "torch.floor_divide(x, y)", x=ints, y=divisors)
suite.expr("floor-divide-int-number", "[x // 4, x // -3, x // 1]", x=ints)
suite.expr("floor-divide-size", "torch.zeros([1]) + x.size(0) // 2", x=x)
for op in ("remainder", "fmod"):
    suite.expr(f"{op}", f"torch.{op}(x, y)", x=x * 5, y=y)
    suite.expr(f"{op}-number", f"[torch.{op}(x, 0.7), torch.{op}(x, -2)]", x=x * 5)
    suite.expr(f"{op}-ints", f"torch.{op}(x, y)", x=ints, y=divisors)
    suite.expr(f"{op}-int-number", f"[torch.{op}(x, 4), torch.{op}(x, -3), torch.{op}(x, 2.5)]", x=ints)
    suite.expr(f"{op}-bytes", f"torch.{op}(x, 7)", x=bytes_)
    suite.expr(f"{op}-f64", f"torch.{op}(x, 0.3)", x=doubles)
suite.expr("remainder-of-number", "torch.remainder(7, x)", x=positive)
suite.expr("remainder-operator", "[x % 3, x % -1.5]", x=x * 4)

for exponent in (0, 1, 2, 3, 0.5, -0.5, -1, -2, 1.7):
    suite.expr(f"pow{exponent}", f"torch.pow(x, {exponent})", x=positive)
for exponent in (0, 1, 2, 3, 5, 10):
    suite.expr(f"pow-int{exponent}", f"torch.pow(x, {exponent})", x=torch.randint(-9, 9, (3, 4)))
suite.expr("pow-ints", "torch.pow(x, y)", x=torch.tensor([0, 1, -1, -1, 2, -3, 0]), y=torch.tensor([-3, -2, -3, -4, -1, 3, 0]))
suite.expr("square-bool", "torch.square(x)", x=torch.rand(3, 4) > 0.5)
suite.expr("pow-i8", "torch.pow(x, 3)", x=torch.randint(-4, 4, (3, 4), dtype=torch.int8))
suite.expr("pow-negative-base", "x ** 3", x=x)
suite.expr("pow-int-by-float", "torch.pow(x, 1.5)", x=torch.randint(0, 9, (3, 4)))
suite.expr("pow-tensors", "torch.pow(x, y)", x=positive, y=y)
suite.expr("pow-int-tensors", "torch.pow(x, y)", x=ints, y=torch.tensor([0, 1, 2, 3]))
suite.expr("pow-bytes", "torch.pow(x, y)", x=bytes_ % 5, y=torch.tensor([0, 1, 2, 3], dtype=torch.uint8))
suite.expr("pow-of-number", "[torch.pow(2, x), torch.pow(2.5, x)]", x=x)
suite.expr("float-power", "[torch.float_power(x, 2), torch.float_power(2, x), torch.float_power(x, y)]", x=positive, y=ints.abs())
suite.fails("pow-int-negative", "torch.pow(x, -1)", "negative integer powers", x=ints)

suite.expr("neg", "[torch.neg(x), torch.negative(x), -x]", x=x)
suite.expr("neg-ints", "[-x, -y, -z]", x=ints, y=small, z=bytes_)
suite.expr("square", "[torch.square(x), torch.square(y)]", x=x, y=ints)
suite.expr("addcmul", "[torch.addcmul(x, y, z), torch.addcmul(x, y, z, value=0.5)]", x=x, y=y, z=row)
suite.expr("addcmul-ints", "torch.addcmul(x, y, y, value=2)", x=ints, y=divisors)
suite.expr("addcmul-ints-fraction", "[torch.addcmul(x, y, y, value=3.9), torch.addcmul(x, y, y, value=-3.9)]", x=ints, y=divisors)
suite.expr("addcdiv", "[torch.addcdiv(x, y, z), torch.addcdiv(x, y, z, value=0.5)]", x=x, y=y, z=positive)
suite.expr("lerp", "[torch.lerp(x, y, 0.3), torch.lerp(x, y, 0.8), torch.lerp(x, y, z)]", x=x, y=y, z=row)
suite.expr("lerp-to-the-end", "[torch.lerp(x, y, 1.0), torch.lerp(x, y, -2.0), torch.lerp(x, y, z)]",
           x=torch.tensor([1e8, 3.3e7, 1.0]), y=torch.tensor([1.0, 7.7, -1e8]), z=torch.tensor([1.0, 0.999, 0.0]))

for op in ("maximum", "minimum", "fmax", "fmin", "max", "min"):
    suite.expr(f"{op}-tensors", f"torch.{op}(x, y)", x=x, y=row)
    suite.expr(f"{op}-edges", f"torch.{op}(x, y)", x=edges, y=other_edges)
    suite.expr(f"{op}-ints", f"torch.{op}(x, y)", x=ints, y=divisors)
    suite.expr(f"{op}-i16", f"torch.{op}(x, y)", x=ints.short(), y=divisors.short())
    suite.expr(f"{op}-booleans", f"torch.{op}(x, y)", x=truths, y=others)
    suite.expr(f"{op}-int-float", f"torch.{op}(x, y)", x=ints, y=x)

for op in ("clamp", "clip"):
    suite.expr(f"{op}", f"[torch.{op}(x, -0.5, 0.5), torch.{op}(x, min=-0.5), torch.{op}(x, max=0.5)]", x=x)
    suite.expr(f"{op}-tensors", f"[torch.{op}(x, y, z), torch.{op}(x, min=y), torch.{op}(x, max=y)]", x=x, y=row, z=column)
suite.expr("clamp-edges", "torch.clamp(x, -1, 1)", x=edges)
suite.expr("clamp-crossed", "torch.clamp(x, 1, -1)", x=x)
suite.expr("clamp-ints", "[torch.clamp(x, -3, 3), torch.clamp(y, -3, 3), torch.clamp(z, 3, 9), torch.clamp(w, -3, 3)]",
           x=ints, y=small, z=bytes_, w=ints.short())
suite.expr("clamp-int-by-float", "torch.clamp(x, -2.5, 2.5)", x=ints)
suite.expr("clamp-size", "torch.clamp(x, max=x.size(0) - 3)", x=ints)
suite.expr("clamp-min", "[torch.clamp_min(x, 0.2), torch.clamp_min(x, y)]", x=x, y=row)
suite.expr("clamp-max", "[torch.clamp_max(x, 0.2), torch.clamp_max(x, y)]", x=x, y=row)
suite.fails("clamp-nothing", "torch.clamp(x)", "must be given", x=x)

points = torch.tensor([0.0, 1.0, -1.0, 0.0, 2.0, -2.0, 0.0, -0.0])
points_x = torch.tensor([1.0, 0.0, 0.0, -1.0, -2.0, -2.0, 0.0, -1.0])
for op in ("atan2", "arctan2"):
    suite.expr(f"{op}", f"torch.{op}(x, y)", x=x, y=row)
    suite.expr(f"{op}-axes", f"torch.{op}(x, y)", x=points, y=points_x)
suite.expr("atan2-ints", "torch.atan2(x, y)", x=ints, y=divisors)
suite.expr("hypot", "torch.hypot(x, y)", x=x, y=row)
limits = torch.tensor([3e38, 1.0, 3e38, -3e38, 0.0, float("inf"), float("-inf"), float("nan"), 1e-30, 0.0])
suite.expr("hypot-limits", "torch.hypot(x, y)", x=limits, y=torch.tensor([1.0, 3e38, 3e38, 1.0, 0.0, float("nan"), float("inf"), 2.0, 1e-30, -4.0]), dynamic=False)
suite.expr("copysign", "[torch.copysign(x, y), torch.copysign(x, -2), torch.copysign(x, 3.0)]", x=x, y=row)
suite.expr("copysign-zeros", "torch.copysign(x, y)", x=torch.ones(4), y=torch.tensor([0.0, -0.0, math.inf, -math.inf]))
suite.expr("copysign-ints", "torch.copysign(x, y)", x=ints, y=divisors)
suite.expr("heaviside", "torch.heaviside(x, y)", x=torch.tensor([-1.0, 0.0, 2.0, math.nan]), y=row)
suite.expr("heaviside-ints", "torch.heaviside(x, y)", x=torch.tensor([-1, 0, 2, 0]), y=divisors)
for op in ("xlogy", "special.xlogy"):
    suite.expr(f"{op}", f"[torch.{op}(x, y), torch.{op}(x, 2.0), torch.{op}(3, y)]", x=torch.tensor([0.0, 1.0, -2.0, 0.0]),
               y=torch.tensor([0.0, 0.5, 2.0, math.nan]))
logs = torch.tensor([1.0, -math.inf, math.inf, -100.0, 88.0, 3.0, 0.0, -5.0])
for op in ("logaddexp", "logaddexp2"):
    suite.expr(f"{op}", f"torch.{op}(x, y)", x=x, y=row)
    suite.expr(f"{op}-edges", f"torch.{op}(x, y)", x=logs, y=torch.tensor([1.0, -math.inf, math.inf, 100.0, 88.0, -math.inf, 0.5, 9.0]))
    suite.expr(f"{op}-f64", f"torch.{op}(x, y)", x=doubles, y=doubles.flip(0))

halves = x.half()
suite.expr("f16", "[x + y, x * 2, x - 0.5, x / y, -x, x * y]", x=halves, y=halves.flip(0), options=dict(rtol=1e-3))
suite.expr("rank-of-exponent", "[x ** y, x // y]", x=ints[0], y=torch.ones(1, 1, dtype=torch.int64))
suite.expr("rank-of-constant", "[x ** torch.ones([1, 1]), x // torch.ones([1, 1])]", x=x[0])
suite.add("traced", lambda a, b: ((a + 2) * 0.5 - b / 3, 1 - a, a ** 2, a // 2, a % 3, 2 / b), [x, positive], how="trace",
          dynamic=[{0: "n"}, {0: "n"}], more=[[torch.randn(5, 4), torch.rand(5, 4) + 0.1]])

suite.main()
