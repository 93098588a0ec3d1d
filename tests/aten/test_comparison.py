import math

import torch
from expressions import Expressions

suite = Expressions()
x, y = torch.randint(-3, 3, (3, 4)).float(), torch.randint(-3, 3, (4,)).float()
edges = torch.tensor([math.nan, math.inf, -math.inf, 0.0, -0.0, 1.5])

for op in ("eq", "ne", "not_equal", "lt", "less", "le", "less_equal", "gt", "greater", "ge", "greater_equal"):
    suite.expr(f"{op}-tensors", f"torch.{op}(x, y)", x=x, y=y)
    suite.expr(f"{op}-edges", f"torch.{op}(x, y)", x=edges, y=edges.flip(0))
    suite.expr(f"{op}-nan", f"torch.{op}(x, x)", x=edges)
    suite.expr(f"{op}-number", f"[torch.{op}(x, 1), torch.{op}(x, 0.5)]", x=x)
    suite.expr(f"{op}-int-number", f"[torch.{op}(x, 1), torch.{op}(x, 0.5)]", x=x.long())
    suite.expr(f"{op}-booleans", f"torch.{op}(x, y)", x=x > 0, y=y > 0)
    suite.expr(f"{op}-boolean-number", f"torch.{op}(x, 1)", x=x > 0)
    for dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.float64):
        suite.expr(f"{op}-{dtype}", f"torch.{op}(x, y)", x=x.abs().to(dtype), y=y.abs().to(dtype))
    suite.expr(f"{op}-int-float", f"torch.{op}(x, y)", x=x.long(), y=y)
suite.expr("operators", "[x == y, x != y, x < y, x <= y, x > y, x >= y, 1 < x, 1 == x]", x=x, y=y)
suite.expr("number-first", "[1 < x, 1 <= x, 1 > x, 1 >= x, 1 == x, 1 != x]", x=x)
suite.expr("size", "x > x.size(0)", x=x)

for op in ("isnan", "isinf", "isfinite", "isposinf", "isneginf"):
    suite.expr(op, f"torch.{op}(x)", x=edges)
    suite.expr(f"{op}-f64", f"torch.{op}(x)", x=edges.double())
    suite.expr(f"{op}-ints", f"torch.{op}(x)", x=x.long())
near = edges + torch.tensor([0.0, 0.0, 0.0, 1e-9, 1e-3, 1e-6])
suite.expr("isclose", "[torch.isclose(x, y), torch.isclose(x, y, atol=0.01), torch.isclose(x, y, equal_nan=True)]", x=edges, y=near)
suite.expr("isclose-exact", "torch.isclose(x, y, rtol=0., atol=0.)", x=edges, y=near)
suite.expr("isclose-ints", "torch.isclose(x, y, rtol=0.5)", x=x.long(), y=y.long())
suite.expr("allclose", "[torch.allclose(x, y), torch.allclose(x, x), torch.allclose(x, y, atol=9.)]", x=x, y=x + 1)
suite.expr("equal", "[torch.equal(x, y), torch.equal(x, x)]", x=x, y=x + 1)
suite.expr("equal-shapes", "torch.equal(x, y)", x=x, y=y)
suite.expr("is-nonzero", "torch.is_nonzero(x)", x=torch.tensor([2.0]))

suite.main()
