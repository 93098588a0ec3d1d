import math

import torch
from sizes import Sizes

suite = Sizes()
inf, nan = math.inf, math.nan
line = torch.cat([torch.linspace(-9.87, 9.63, 120), torch.tensor([0.5, 1.0, 2.0, 1e-3, -1e-3, 3e-8, 40.25, 300.5, 1e6])]).double()
edges = torch.tensor([0.0, -0.0, -1.0, -2.0, 1.0, 2.0, inf, -inf, nan]).double()
shares = torch.cat([torch.linspace(0.001, 0.999, 97), torch.tensor([1e-8, 1e-30, 0.5, 0.25, 0.0, 1.0, -0.1, 1.1, nan])]).double()
between = torch.cat([torch.linspace(-0.9999, 0.9999, 97), torch.tensor([1e-9, -1e-5, 0.5, 0.0, 1.0, -1.0, 1.5, nan])]).double()
waves = torch.cat([torch.linspace(-30.1, 30.3, 150), torch.tensor([0.0, 1e-3, 5.0, 8.0, 400.0, -1.0, nan])]).double()
domains = {
    **{f"special.{name}": waves for name in ("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "spherical_bessel_j0")},
    **{f"special.{scale}modified_bessel_{name}": waves[waves.abs() < 50] for name in ("k0", "k1") for scale in ("", "scaled_")},
    "erfinv": between, "special.erfinv": between, "special.ndtri": shares, "special.entr": torch.cat([line, edges]),
    "special.erfcx": torch.cat([line[line > -9], edges]), "special.ndtr": torch.cat([line, edges]),
    "special.log_ndtr": torch.cat([line, edges]), "i0": line[line.abs() < 50], "special.i0": line[line.abs() < 50],
    "special.i1": line[line.abs() < 50], "special.modified_bessel_i0": line[line.abs() < 50],
    "special.modified_bessel_i1": line[line.abs() < 50], "special.i0e": torch.cat([line, edges]), "special.i1e": torch.cat([line, edges]),
}
functions = ("lgamma special.gammaln digamma special.digamma special.psi erfinv special.erfinv special.erfcx special.ndtr special.ndtri "
             "special.log_ndtr special.entr i0 special.i0 special.i0e special.i1 special.i1e special.modified_bessel_i0 "
             "special.modified_bessel_i1 special.modified_bessel_k0 special.modified_bessel_k1 special.scaled_modified_bessel_k0 "
             "special.scaled_modified_bessel_k1 special.bessel_j0 special.bessel_j1 special.bessel_y0 special.bessel_y1 "
             "special.spherical_bessel_j0").split()
for op in functions:
    x = domains.get(op, torch.cat([line, edges]))
    precise = dict(rtol=2e-11, atol=1e-12) if "special.bessel" not in op else dict(rtol=0.0, atol=2e-6)  # PyTorch's own are off by 7e-7
    suite.call(f"{op}-f64", f"torch.{op}(x)", [{0: "n"}], precise, x=x)
    suite.call(f"{op}-f32", f"torch.{op}(x)", options=dict(rtol=2e-5, atol=1e-6), x=x.float())
    suite.call(f"{op}-ints", f"torch.{op}(x)", options=dict(rtol=1e-5), x=torch.tensor([[0, 1]]))

whole = torch.cat([line[line.abs() < 50], edges[4:]])
for n in (0, 1, 2, 3, 6):
    suite.call(f"polygamma-{n}", f"[torch.polygamma({n}, x), torch.special.polygamma({n}, x)]", [{0: "n"}],
               dict(rtol=1e-9, atol=1e-10), x=whole[whole != -inf])
suite.call("polygamma-poles", "[torch.polygamma(2, x), torch.polygamma(3, x), torch.polygamma(1, x * x)]", x=torch.tensor([0.0, -1.0, -2.0, 1.0]))
suite.call("mvlgamma", "[torch.mvlgamma(x, 1), torch.mvlgamma(x, 3), torch.special.multigammaln(x, 2)]", [{0: "n"}], dict(rtol=1e-10),
           x=torch.rand(3, 4).double() * 20 + 1.1)
for dtype in (torch.float32, torch.float64):
    s = torch.tensor([[1.0, 1.5, 2.0, 3.0, 7.5, 30.0, 0.5, 200.0]]).to(dtype)
    q = torch.tensor([[0.1], [1.0], [2.5], [12.0], [0.0], [-3.0], [-3.25]]).to(dtype)
    tight = dict(rtol=1e-5 if dtype == torch.float32 else 1e-11)
    suite.call(f"zeta-{dtype}", "torch.special.zeta(s, q)", [{1: "n"}, {0: "m"}], tight, s=s, q=q)
    suite.call(f"zeta-numbers-{dtype}", "[torch.special.zeta(s, 2.5), torch.special.zeta(3.0, q)]", [{1: "n"}, {0: "m"}], tight, s=s, q=q)
suite.call("zeta-empty", "torch.special.zeta(s, 2.5)", s=torch.zeros(0, 3))

left, right = torch.tensor([[0.0], [2.0], [-1.5]]), torch.tensor([[0.0, 1e-7, -0.5, -1.0, 3.0, inf, nan]])
for dtype in (torch.float32, torch.float64):
    suite.call(f"xlog1py-{dtype}", "[torch.special.xlog1py(x, y), torch.special.xlog1py(x, 2), torch.special.xlog1py(3, y)]",
               [{0: "n"}, {1: "m"}], dict(rtol=1e-6 if dtype == torch.float32 else 1e-13, atol=0.0), x=left.to(dtype), y=right.to(dtype))

kinds = ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
         "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
         "shifted_chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l",
         "legendre_polynomial_p")
points = torch.tensor([-0.9, -0.3, 0.1, 0.5, 0.7, 0.95]).double()
for kind in kinds:
    op = f"torch.special.{kind}"
    suite.call(kind, f"[{op}(x, 0), {op}(x, 1), {op}(x, 2), {op}(x, 5), {op}(x, -1), {op}(x, 20)]", [{0: "n"}], dict(rtol=1e-9, atol=1e-9),
               x=points)
    suite.call(f"{kind}-degrees", f"[{op}(x, n), {op}(0.25, n), {op}(x.float(), n)]", [{0: "n"}, {0: "m"}], dict(rtol=1e-5, atol=1e-5),
               x=points, n=torch.tensor([[0], [1], [2], [7], [-2], [12]]))
suite.main()
