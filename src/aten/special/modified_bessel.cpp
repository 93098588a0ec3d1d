// Modified Bessel functions.
#include <limits>

#include "aten/families.h"
#include "aten/formula.h"

namespace cameo::aten {
namespace {

// exp(-x) I0(x) in x / 4 - 1 up to 8; beyond, times sqrt(x) in 16 / x - 1.
constexpr double kZeroNear[] = {
    0.2070019212239867,     -0.11300432688620549,    0.09451562853995103,    -0.08904344136075991,
    0.08734341617552291,    -0.08496338091615124,    0.07927522590716898,    -0.06954119561742342,
    0.056777032019843215,   -0.04298594945226738,    0.03017791202356886,    -0.019682654708082413,
    0.011960077903963348,   -0.006792399792271578,   0.0036171264596770616,  -0.0018118870527295522,
    0.0008563152483951447,  -0.0003829015089457559,  0.0001624054672701359,  -6.550956130635514e-05,
    2.5202271984440893e-05, -9.25059710625537e-06,   3.2293850630678377e-06, -1.0891964284507317e-06,
    3.675592893288293e-07,  -1.1339523685907105e-07, 2.6273368345256394e-08, -7.860369707508212e-09,
    4.469372581856615e-09,  -1.1662904878442954e-09};
constexpr double kZeroFar[] = {
    0.4021765094450081,      0.003360551983667854,   0.00013621607439232746, 1.1143033791556743e-05,
    1.4838475473607391e-06,  2.973598432479169e-07,  8.87225351128584e-08,   3.932602459703109e-08,
    2.1545177650836005e-08,  7.553516470355896e-09,  -6.729724111923548e-09, -1.3404241991980871e-08,
    -5.4685974495866e-09,    7.540601378890834e-09,  7.58022133915272e-09,   -3.4857887470034955e-09,
    -6.188265090497361e-09,  1.497880830187091e-09,  3.881151253996067e-09,  -5.562201990080394e-10,
    -1.7789375042917173e-09, 1.4672236659214398e-10, 5.181936971288284e-10,  -1.9216763724933513e-11,
    -7.06893851181878e-11};
// exp(-x) I1(x) / x, and the same beyond 8.
constexpr double kOneNear[] = {
    0.044687709875608835,   -0.06112433802966629,    0.0680575999095116,     -0.0684826062058255,
    0.0637674037134072,     -0.05528003922705058,    0.044674572621255064,   -0.03367135551994034,
    0.023686016957724227,   -0.01557130925657511,    0.00958396215077406,    -0.005534567760544582,
    0.003005762419557192,   -0.0015388749636515487,  0.000744512345281566,   -0.0003411747437353928,
    0.00014842124144631648, -6.142651349494123e-05,  2.4233756432468166e-05, -9.131846315273642e-06,
    3.2938951625746042e-06, -1.1380759138279984e-06, 3.759400376008922e-07,  -1.2000364861910367e-07,
    3.8028049651067336e-08, -1.1191257727176943e-08, 2.6037822441041467e-09, -7.379291130374042e-10,
    3.727630409237771e-10,  -9.365751909742237e-11};
constexpr double kOneFar[] = {
    0.38939845902587233,     -0.009749577193235728,   -0.00021923576383430274, -1.5038547201176271e-05,
    -1.8349101134666435e-06, -3.483855609009937e-07,  -1.0001323461066435e-07, -4.312935369971356e-08,
    -2.337059627111857e-08,  -8.426622829598154e-09,  6.715795128085017e-09,   1.4029693589852716e-08,
    6.040877342160988e-09,   -7.630751970065577e-09,  -8.044231276166508e-09,  3.406636130196794e-09,
    6.4870195719816896e-09,  -1.4171698018664596e-09, -4.047785403711858e-09,  5.146498826087142e-10,
    1.8513716745511988e-09,  -1.342266320082222e-10,  -5.388285995923524e-10,  1.7502497778701306e-11,
    7.347992441734663e-11};

// Up to 2, K0(x) + log(x / 2) I0(x) and x (K1(x) - log(x / 2) I1(x)) in x² / 2 - 1; beyond, both times
// exp(x) sqrt(x) in 4 / x - 1.
constexpr double kSecondZeroNear[] = {-0.30362077291575545,  0.3404973210133806,     0.07177701034240512,
                                      0.005053392643196092,  0.00018280555827901256, 4.054506619949891e-06,
                                      6.093361934166002e-08, 6.623013272794464e-10,  5.452107589764681e-12,
                                      3.518631515801591e-14, 1.8282920316165723e-16};
constexpr double kSecondZeroFar[] = {
    1.2185953385133905,      -0.03107146182488956,    0.0030328918102739684,  -0.00047976905676177953,
    9.95605474833179e-05,    -2.473520469856151e-05,  7.002244501469854e-06,  -2.1911758298158814e-06,
    7.427907784929485e-07,   -2.689222882101184e-07,  1.028963949551468e-07,  -4.126177693056263e-08,
    1.7243919486226716e-08,  -7.536587919571205e-09,  3.3817802903751323e-09, -1.3876925452168111e-09,
    6.35456059770521e-10,    -6.199553771600014e-10,  3.3601958167042506e-10, 2.3064033964369444e-10,
    -1.4728446385499286e-10, -2.7185436429968754e-10, 1.6222643666641618e-10, 1.1023898044600897e-10,
    -6.667676805723231e-11,  -2.8693049171848025e-11, 1.708809160294987e-11};
constexpr double kSecondOneNear[] = {0.8850882877295894,     -0.3322409552403131,    -0.24383852886774365,
                                     -0.02785423521977184,   -0.0013831688466153067, -3.891869064371633e-05,
                                     -7.081133770184316e-07, -9.03212750174071e-09,  -8.532735118189087e-11,
                                     -6.214271617193095e-13, -3.596201544211164e-15};
constexpr double kSecondOneFar[] = {
    1.363151890371342,      0.10334973775386527,    -0.005566729880073119,   0.0007357241549033262,
    -0.0001395902196312159, 3.28438657068089e-05,   -8.96120614398344e-06,   2.73003931168027e-06,
    -9.067203469612786e-07, 3.2299816462037967e-07, -1.2196887950672394e-07, 4.837802386556981e-08,
    -2.003119290392733e-08, 8.680511006575594e-09,  -3.867643870760488e-09,  1.5871116313416203e-09,
    -7.237465098126496e-10, 6.857859248286502e-10,  -3.697988000298956e-10,  -2.461019064560191e-10,
    1.5739303945820364e-10, 2.94526989142346e-10,   -1.7540377251110907e-10, -1.1908900034009982e-10,
    7.192100903615722e-11,  3.109186281923345e-11,  -1.8483036069723366e-11};

Expr i0e(Expr x) {
  const Expr size = abs(x);
  const Expr far = polynomial(16 / size - 1, kZeroFar) / sqrt(size);
  return where(8 < size, far, polynomial(size / 4 - 1, kZeroNear));
}

Expr i1e(Expr x) {
  const Expr size = abs(x);
  const Expr far = sign(x) * polynomial(16 / size - 1, kOneFar) / sqrt(size);
  return where(8 < size, far, x * polynomial(size / 4 - 1, kOneNear));
}

Expr i0(Expr x) { return exp(abs(x)) * i0e(x); }
Expr i1(Expr x) { return exp(abs(x)) * i1e(x); }

// Infinite at 0, and nothing below.
Expr singular_at_zero(Expr x, Expr near, Expr far) {
  return where(equal(x, 0), kInfinity, where(x < 0, kNaN, where(2 < x, far, near)));
}

Expr k0_near(Expr x) { return polynomial(x * x / 2 - 1, kSecondZeroNear) - log(x / 2) * i0(x); }
Expr k1_near(Expr x) { return polynomial(x * x / 2 - 1, kSecondOneNear) / x + log(x / 2) * i1(x); }
Expr k0_far(Expr x) { return polynomial(4 / x - 1, kSecondZeroFar) / sqrt(x); }
Expr k1_far(Expr x) { return polynomial(4 / x - 1, kSecondOneFar) / sqrt(x); }

Expr k0(Expr x) { return singular_at_zero(x, k0_near(x), exp(-x) * k0_far(x)); }
Expr k1(Expr x) { return singular_at_zero(x, k1_near(x), exp(-x) * k1_far(x)); }
Expr k0_scaled(Expr x) { return singular_at_zero(x, exp(x) * k0_near(x), k0_far(x)); }
Expr k1_scaled(Expr x) { return singular_at_zero(x, exp(x) * k1_near(x), k1_far(x)); }

constexpr Declaration kModifiedBessel[] = {
    op<precisely<i0>>(
        "aten::i0(Tensor self) -> Tensor",
        {.doc = "The modified Bessel function of order 0.",
         .aliases = {"aten::special_i0", "aten::special_modified_bessel_i0", "prims::bessel_i0"}}),
    op<precisely<i0e>>("aten::special_i0e(Tensor self) -> Tensor",
                       {.doc = "The modified Bessel function of order 0, times exp(-|x|).",
                        .aliases = {"prims::bessel_i0e"}}),
    op<precisely<i1>>("aten::special_i1(Tensor self) -> Tensor",
                      {.doc = "The modified Bessel function of order 1.",
                       .aliases = {"aten::special_modified_bessel_i1", "prims::bessel_i1"}}),
    op<precisely<i1e>>("aten::special_i1e(Tensor self) -> Tensor",
                       {.doc = "The modified Bessel function of order 1, times exp(-|x|).",
                        .aliases = {"prims::bessel_i1e"}}),
    op<precisely<k0>>("aten::special_modified_bessel_k0(Tensor self) -> Tensor",
                      {.doc = "The modified Bessel function of the second kind, of order 0."}),
    op<precisely<k1>>("aten::special_modified_bessel_k1(Tensor self) -> Tensor",
                      {.doc = "The modified Bessel function of the second kind, of order 1."}),
    op<precisely<k0_scaled>>("aten::special_scaled_modified_bessel_k0(Tensor x) -> Tensor",
                             {.doc = "The same of order 0, times exp(x)."}),
    op<precisely<k1_scaled>>("aten::special_scaled_modified_bessel_k1(Tensor x) -> Tensor",
                             {.doc = "The same of order 1, times exp(x)."}),
};

}  // namespace

std::span<const Declaration> modified_bessel_ops() { return kModifiedBessel; }

}  // namespace cameo::aten
