"""What is drawn differs from run to run: these compare shapes, dtypes and rough statistics."""

import torch
from expressions import Expressions

suite = Expressions()
x = torch.rand(30, 40) * 0.5 + 0.25


def drawn(name, text, *checks, **inputs):
    suite.expr(name, "(" + ", ".join(checks) + ",)", statements="y = " + text, x=inputs.get("x", x))


uniform = ("y.size(0), y.size(1)", "y.min() >= 0", "y.max() < 1", "(y.mean() - 0.5).abs() < 0.1", "y.std() > 0.2")
normal = ("y.size(0), y.size(1)", "y.mean().abs() < 0.2", "(y.std() - 1).abs() < 0.2")
drawn("rand", "torch.rand([30, 40])", *uniform)
drawn("rand-sizes", "torch.rand([x.size(0), x.size(1), 2])", *uniform)
drawn("rand-f64", "torch.rand([30, 40], dtype=torch.float64)", *uniform, "y.sum() * 0")
drawn("rand-like", "torch.rand_like(x)", *uniform)
drawn("randn", "torch.randn([30, 40])", *normal)
drawn("randn-sizes", "torch.randn([x.size(0), x.size(1), 2])", *normal)
drawn("randn-like", "torch.randn_like(x, dtype=torch.float64)", *normal, "y.sum() * 0")
drawn("twice", "torch.rand_like(x) - torch.rand_like(x)", "y.abs().max() > 0.1")
drawn("randint", "torch.randint(5, [30, 40])", "y.min()", "y.max()", "y.size(0)")
drawn("randint-low", "torch.randint(-3, 5, [x.size(0), 40])", "y.min()", "y.max()", "y.size(0)")
drawn("randint-like", "torch.randint_like(x, 5)", "y.min()", "y.max()", "y.size(1)")
drawn("randint-like-low", "torch.randint_like(x, 2, 5)", "y.min()", "y.max()", "y.size(1)")
drawn("normal-tensors", "torch.normal(x * 0, x * 0 + 1)", *normal)
drawn("normal-mean", "torch.normal(x * 0, 1.0)", *normal)
drawn("normal-std", "torch.normal(0.0, x * 0 + 1)", *normal)
drawn("normal-size", "torch.normal(0.0, 1.0, [30, 40])", *normal)
drawn("normal-in-place", "torch.zeros_like(x).normal_()", *normal)
drawn("normal-functional", "torch.ops.aten.normal_functional(x)", *normal)
drawn("normal-in-place-shifted", "torch.zeros_like(x).normal_(5.0, 0.1)", "(y.mean() - 5).abs() < 0.1", "(y.std() - 0.1).abs() < 0.05")
drawn("uniform-in-place", "torch.zeros_like(x).uniform_()", *uniform)
drawn("uniform-in-place-range", "torch.zeros_like(x).uniform_(-4.0, -3.0)", "y.min() >= -4", "y.max() <= -3", "y.std() > 0.2")
drawn("bernoulli", "torch.bernoulli(x)", "(y.mean() - 0.5).abs() < 0.1", "y.min()", "y.max()")
drawn("bernoulli-p", "torch.bernoulli(x, 0.3)", "(y.mean() - 0.3).abs() < 0.1", "y.min()", "y.max()")
drawn("bernoulli-tensor", "torch.ops.aten.bernoulli(x, x)", "(y.mean() - 0.5).abs() < 0.1", "y.min()", "y.max()")
drawn("bernoulli-in-place", "torch.zeros_like(x).bernoulli_()", "(y.mean() - 0.5).abs() < 0.1", "y.min()", "y.max()")
drawn("bernoulli-in-place-tensor", "torch.zeros_like(x).bernoulli_(x)", "(y.mean() - 0.5).abs() < 0.1", "y.min()", "y.max()")
drawn("multinomial", "torch.multinomial(x * 0 + torch.arange(x.size(1)).eq(3).float(), 5, True)", "y")
drawn("multinomial-without-replacement", "torch.multinomial(x * 0 + torch.arange(x.size(1)).lt(5).float(), 5).sort(1)[0]", "y")
drawn("multinomial-weights", "torch.multinomial(torch.tensor([1.0, 1.0, 2.0]).expand(4000, 3), 2).double()", "y.size(1)", "(y[:, 0] != y[:, 1]).all()",
      "(y[:, 0].eq(2).double().mean() - 0.5).abs() < 0.05", "(y.eq(2).any(1).double().mean() - 0.8333).abs() < 0.05")
drawn("multinomial-one", "torch.multinomial(torch.tensor([0.0, 0.0, 1.0]), 1)", "y")
drawn("randperm", "torch.randperm(x.size(0))", "torch.sort(y)[0]")
suite.fails("multinomial-of-too-few", "torch.multinomial(x, 41)", "without replacement", x=x)
drawn("exponential", "torch.empty_like(x).exponential_(2.0)", "y.mean() * 0 + (y.mean() - 0.5).abs().lt(0.1)", "(y > 0).all()")
drawn("geometric", "torch.empty_like(x).geometric_(0.4)", "(y.mean() - 2.5).abs().lt(0.4)", "(y >= 1).all()", "(y == y.round()).all()")
drawn("cauchy", "torch.empty_like(x).cauchy_(1.0, 0.5)", "(y.median() - 1.0).abs().lt(0.2)")
drawn("log_normal", "torch.empty_like(x).log_normal_(0.0, 0.5)", "(y.log().mean()).abs().lt(0.1)", "(y > 0).all()")
drawn("random", "torch.zeros([30, 40], dtype=torch.int64).random_(2, 6)", "y.min()", "y.max()")
drawn("random-to", "torch.zeros([30, 40]).random_(3)", "y.min()", "y.max()", "(y == y.round()).all()")
drawn("random-any", "torch.zeros([30, 40], dtype=torch.uint8).random_()", "(y.max() > 200)", "y.size(1)")
drawn("poisson", "torch.poisson(x * 0 + 4)", "(y.mean() - 4).abs() < 0.4", "(y.var() - 4).abs() < 1", "(y == y.round()).all()", "y.size(1)")
drawn("poisson-rates", "torch.poisson(x * 100)", "((y - x * 100) / (x * 100).sqrt()).mean().abs() < 0.2", "(((y - x * 100) / (x * 100).sqrt()).std() - 1).abs() < 0.2")
drawn("_standard_gamma", "torch._standard_gamma(x * 0 + 3)", "(y.mean() - 3).abs() < 0.3", "(y.var() - 3).abs() < 0.8", "(y > 0).all()", "y.size(1)")
drawn("_standard_gamma-small", "torch._standard_gamma(x * 0 + 0.5)", "(y.mean() - 0.5).abs() < 0.15", "(y.var() - 0.5).abs() < 0.25", "(y > 0).all()")
suite.main()
