// Bessel functions.
#include <cmath>
#include <limits>
#include <numbers>

#include "aten/families.h"
#include "aten/formula.h"

namespace cameo::aten {
namespace {

using std::numbers::pi;

// Up to 8, in x² / 32 - 1: J0(x), J1(x) / x, and what these times 2 / pi log(x) leave of Y0(x) and of
// (Y1(x) + 2 / (pi x)) / x.
constexpr double kFirstZero[] = {0.04582966485981377,     0.9303012472958572,     -0.6484692830871837,
                                 -0.808088807669687,      1.0383794611437211,     -0.507468045847102,
                                 0.14598884856759273,     -0.028472718610869578,  0.0040580789891404906,
                                 -0.0004435459224727048,  3.8473197857390745e-05, -2.717749145067618e-06,
                                 1.5956108859131922e-07,  -7.915407670542993e-09, 3.3634718459278705e-10,
                                 -1.2384699158898022e-11, 3.9908260811084623e-13};
constexpr double kFirstOne[] = {-0.05814382795599107,    0.08105866038589796,    0.15151665143806634,
                                -0.2595948652859303,     0.15858376432721938,    -0.054745818212847276,
                                0.01245681439225544,     -0.0020290394945702453, 0.0002494945813908964,
                                -2.4045748660869218e-05, 1.8684525372339777e-06, -1.1967081644348954e-07,
                                6.431268732339068e-09,   -2.943037865184511e-10, 1.1610655427262738e-11,
                                -3.990826083415504e-13,  1.2060759938059506e-14};
constexpr double kSecondZero[] = {-0.382250654459425,      -0.8284358903604587,    1.6470964788745466,
                                  0.14412632369302442,     -1.0775477338215995,    0.6721770783431723,
                                  -0.2189574709617165,     0.046367047681347105,   -0.007025741057269826,
                                  0.0008061586060550243,   -7.279541882784531e-05, 5.321318633837185e-06,
                                  -3.2185077885300416e-07, 1.6391065111231336e-08, -7.130516901238552e-10,
                                  2.6818364947987165e-11,  -8.810558668615383e-13};
constexpr double kSecondOne[] = {0.07075985882118005,     -0.24337743079193114,    0.023367571720993584,
                                 0.23507209206669755,     -0.19639839859930425,    0.07854786922242545,
                                 -0.01962875683309943,    0.003422490739918046,    -0.00044381734351146775,
                                 4.46743301291431e-05,    -3.6009998744473516e-06, 2.3804929913922338e-07,
                                 -1.3153322399203953e-08, 6.169742573016102e-10,   -2.488766012888955e-11,
                                 8.728846995966885e-13,   -2.6871299489978566e-14};
// Beyond, sqrt(2 / (pi x)) times waves of these heights, in 2 (8 / x)² - 1; the second ones times x.
constexpr double kZeroCosine[] = {0.9994572757882519,      -0.0005363673192129684,  6.137416080147722e-06,
                                  -2.0527448258799454e-07, 1.2803760990761632e-08,  -1.2121099519052884e-09,
                                  1.5500758850965851e-10,  -2.4911156906092825e-11, 4.783246450407066e-12,
                                  -1.016058640935103e-12,  2.486651879170238e-13,   -1.0240462527458204e-13,
                                  3.227465923669575e-14};
constexpr double kZeroSine[] = {-0.12444091103610815,   0.0005466519279472145,  -1.1817110661060929e-05,
                                5.684971970025582e-07,  -4.534973207071527e-08, 5.14616046007418e-09,
                                -7.576039459098778e-10, 1.364803199202061e-10,  -2.8806407842213685e-11,
                                6.540951694630175e-12,  -1.708688825995932e-12, 7.904491537682903e-13,
                                -2.6324096836632784e-13};
constexpr double kOneCosine[] = {1.0009070262780821,     0.0008988049416705195,  -7.959694698478657e-06,
                                 2.45367663311693e-07,   -1.470851251614582e-08, 1.360297066536911e-09,
                                 -1.713127898085761e-10, 2.7234187811287063e-11, -5.18719981491452e-12,
                                 1.0958092927251795e-12, -2.668914316041965e-13, 1.0911783467601592e-13,
                                 -3.42734255116652e-14};
constexpr double kOneSine[] = {0.3742149922195918,     -0.0007697167057640408,  1.456961480970388e-05,
                               -6.633568654309039e-07, 5.1361063866241454e-08,  -5.720815729915534e-09,
                               8.315770668743603e-10,  -1.4842507670096492e-10, 3.11081787911146e-11,
                               -7.031097818821924e-12, 1.8289060654665163e-12,  -8.40120873806883e-13,
                               2.7892035375601515e-13};

struct Waves {
  Expr first, second;
};

Waves beyond(Expr x, double phase, std::span<const double> cosine, std::span<const double> sine) {
  const Expr ratio = 8 / x, z = 2 * (ratio * ratio) - 1;
  const Expr p = polynomial(z, cosine), q = polynomial(z, sine) / x, angle = x - phase;
  const Expr height = sqrt((2 / pi) / x);
  return {height * (p * cos(angle) - q * sin(angle)), height * (p * sin(angle) + q * cos(angle))};
}

Waves beyond_zero(Expr x) { return beyond(x, pi / 4, kZeroCosine, kZeroSine); }
Waves beyond_one(Expr x) { return beyond(x, 3 * pi / 4, kOneCosine, kOneSine); }

Expr near(Expr x, std::span<const double> series) { return polynomial(x * x / 32 - 1, series); }

Expr j0(Expr x) {
  const Expr size = abs(x);
  return where(8 < size, beyond_zero(size).first, near(x, kFirstZero));
}

Expr j1(Expr x) {
  const Expr size = abs(x);
  return where(8 < size, sign(x) * beyond_one(size).first, x * near(x, kFirstOne));
}

// Minus infinity at 0, and nothing below.
Expr from_zero_on(Expr x, Expr close, Expr far) {
  return where(equal(x, 0), -kInfinity, where(x < 0, kNaN, where(8 < x, far, close)));
}

Expr y0(Expr x) {
  const Expr close = near(x, kSecondZero) + (2 / pi) * log(x) * near(x, kFirstZero);
  return from_zero_on(x, close, beyond_zero(x).second);
}

Expr y1(Expr x) {
  const Expr close = x * (near(x, kSecondOne) + (2 / pi) * log(x) * near(x, kFirstOne)) - (2 / pi) / x;
  return from_zero_on(x, close, beyond_one(x).second);
}

Expr spherical_j0(Expr x) { return where(equal(abs(x), kInfinity), 0, where(equal(x, 0), 1, sin(x) / x)); }

constexpr Declaration kBessel[] = {
    op<precisely<j0>>(
        "aten::special_bessel_j0(Tensor self) -> Tensor",
        {.doc = "The Bessel function of the first kind, of order 0.", .aliases = {"prims::bessel_j0"}}),
    op<precisely<j1>>(
        "aten::special_bessel_j1(Tensor self) -> Tensor",
        {.doc = "The Bessel function of the first kind, of order 1.", .aliases = {"prims::bessel_j1"}}),
    op<precisely<y0>>("aten::special_bessel_y0(Tensor self) -> Tensor",
                      {.doc = "The Bessel function of the second kind, of order 0."}),
    op<precisely<y1>>("aten::special_bessel_y1(Tensor self) -> Tensor",
                      {.doc = "The Bessel function of the second kind, of order 1."}),
    op<precisely<spherical_j0>>("prims::spherical_bessel_j0(Tensor self) -> Tensor",
                                {.doc = "The spherical Bessel function of order 0."}),
    op<precisely<spherical_j0>>("aten::special_spherical_bessel_j0(Tensor x) -> Tensor",
                                {.doc = "sin(x) / x, and 1 at 0."}),
};

}  // namespace

std::span<const Declaration> bessel_ops() { return kBessel; }

}  // namespace cameo::aten
