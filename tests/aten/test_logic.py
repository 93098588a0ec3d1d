import torch
from expressions import Expressions

suite = Expressions()
truths, others = torch.tensor([True, False, True, False]), torch.tensor([[True], [False]])
x, y = torch.randint(-1000, 1000, (2, 4)), torch.randint(-1000, 1000, (4,))
small, bytes_ = torch.randint(-128, 127, (2, 4), dtype=torch.int8), torch.randint(0, 255, (2, 4), dtype=torch.uint8)
floats = torch.tensor([[0.0, 1.0, -2.0, 0.0], [0.5, 0.0, 3.0, 0.0]])
shifts = torch.tensor([0, 1, 3, 5])

for op in ("and", "or", "xor"):
    suite.expr(f"logical-{op}", f"torch.logical_{op}(x, y)", x=truths, y=others)
    suite.expr(f"logical-{op}-numbers", f"torch.logical_{op}(x, y)", x=floats, y=torch.tensor([0, 2, 0, -1]))
    for name in (f"torch.bitwise_{op}", f"torch.ops.aten.__{op}__"):
        suite.expr(f"{name}-booleans", f"{name}(x, y)", x=truths, y=others)
        suite.expr(f"{name}-ints", f"{name}(x, y)", x=x, y=y)
        suite.expr(f"{name}-i32", f"{name}(x, y)", x=x.int(), y=y.int())
        suite.expr(f"{name}-i8", f"{name}(x, y)", x=small, y=small.flip(0))
        suite.expr(f"{name}-u8", f"{name}(x, y)", x=bytes_, y=bytes_.flip(0))
        suite.expr(f"{name}-mask", f"[{name}(x, 1), {name}(x, 255), {name}(x, 60), {name}(x, -1), {name}(x, 0)]", x=x)
        suite.expr(f"{name}-u8-mask", f"[{name}(x, 15), {name}(x, 127), {name}(x, 255)]", x=bytes_)
        suite.expr(f"{name}-i8-mask", f"[{name}(x, 15), {name}(x, 127), {name}(x, -8)]", x=small)
    suite.expr(f"bitwise-{op}-number-first", f"[torch.bitwise_{op}(255, x), torch.bitwise_{op}(12, x)]", x=x)
suite.expr("operators", "[x & y, x | y, x ^ y, ~x]", x=x, y=y)
suite.expr("extremes", "[x & y, x | y, x ^ y]", x=torch.tensor([2**63 - 1, -2**63, -1, 0]), y=torch.tensor([-2**63, -2**63, 5, -1]))
suite.expr("logical-not", "[torch.logical_not(x), torch.logical_not(y)]", x=truths, y=floats)
suite.expr("bitwise-not", "[torch.bitwise_not(x), torch.bitwise_not(y), torch.bitwise_not(z), torch.bitwise_not(w), ~x]",
           x=truths, y=x, z=small, w=bytes_)
suite.fails("bitwise-of-floats", "torch.bitwise_and(x, x)", "integers or booleans", x=floats)

for name in ("torch.bitwise_left_shift", "torch.bitwise_right_shift", "torch.ops.aten.__lshift__", "torch.ops.aten.__rshift__"):
    suite.expr(f"{name}-tensors", f"{name}(x, y)", x=x, y=shifts)
    suite.expr(f"{name}-number", f"[{name}(x, 0), {name}(x, 3)]", x=x)
    suite.expr(f"{name}-i32", f"{name}(x, y)", x=x.int(), y=shifts.int())
    suite.expr(f"{name}-u8", f"[{name}(x, 2), {name}(x, y)]", x=bytes_, y=shifts.byte())
    suite.expr(f"{name}-i8", f"{name}(x, 2)", x=small)
for name in ("left", "right"):
    suite.expr(f"{name}-shift-of-number", f"torch.bitwise_{name}_shift(1000, x)", x=shifts)

for dtype in (torch.float32, torch.float64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool):
    suite.expr(f"where-{dtype}", "torch.where(x, y, z)", x=truths, y=floats.to(dtype), z=x.to(dtype))
suite.expr("where-broadcast", "torch.where(x, y, z)", x=others, y=floats, z=torch.randn(1, 4))
suite.expr("where-scalar", "[torch.where(x, 1.5, 2.5), torch.where(x, 1, 2)]", x=truths)
suite.expr("where-scalar-self", "torch.where(x, 1.5, y)", x=truths, y=floats)
suite.expr("where-scalar-other", "torch.where(x, y, 0.)", x=truths, y=floats)
suite.expr("where-true", "torch.where(x)", x=torch.tensor([[0, 1, 2], [3, 0, 0]]))
suite.expr("where-true-floats", "torch.where(x)", x=floats)
suite.expr("where-true-0d", "torch.where(x)", x=torch.tensor(True))

suite.expr("bitwise-empty", "[x & y, x | y, x ^ y]", dynamic=False, x=torch.zeros(0, 1, 3, dtype=torch.int64), y=torch.zeros(0, 10, 3, dtype=torch.int64))
suite.main()
