"""Diagnostics of programs that PyTorch does not write: the code of a saved program is edited by hand. Each test expects the
code of its diagnostic."""
import zipfile

import numpy
import torch

import command


class Plain(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)


class Pair(torch.nn.Module):
    def forward(self, x, y):
        return x, y


class Shifted(torch.nn.Module):
    def forward(self, x):
        return x + 1


class Trained(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x)


class Codes(command.TestCase):
    def edited(self, *body, returns="Tensor", more=()):
        """A program whose forward(self, x) has these lines, with `more` lines in its class."""
        self.script(Plain())
        with zipfile.ZipFile("model.pt") as archive:
            records = {name: archive.read(name) for name in archive.namelist()}
        code = next(name for name in records if name.endswith("code/__torch__.py"))
        lines = records[code].decode().split("\n")
        start = next(i for i, line in enumerate(lines) if line.startswith("  def forward"))
        signature = ["  def forward(self: __torch__.Plain,", f"    x: Tensor) -> {returns}:"]
        records[code] = "\n".join([*lines[:start], *signature, *(f"    {line}" for line in body),
                                   *(f"  {line}" for line in more), ""]).encode()
        with zipfile.ZipFile("model.pt", "w") as archive:
            for name, data in records.items():
                if not name.endswith(".debug_pkl"):
                    archive.writestr(name, data)
        return "model.pt"

    def assert_code(self, code, *arguments, exit_code=1):
        lines = self.messages(*arguments, code=exit_code)
        self.assertIn(f"[{code}]", "\n".join(lines))

    def test_names(self):
        for code, body in {
                "undefined-name": ["return y"],
                "undefined-attribute": ["return self.nothing"],
                "undefined-method": ["return (self).nothing(x, )"],
                "bad-constant": ["return torch.add(x, CONSTANTS.c7)"],
        }.items():
            with self.subTest(code):
                self.assert_code(code, self.edited(*body), "-i", "f32[2]")

    def test_calls(self):
        other = ["def other(self: __torch__.Plain,", "  a: Tensor,", "  b: Tensor) -> Tensor:", "  return torch.add(a, b)"]
        for code, call in {"missing-argument": "(self).other(x, )", "too-many-arguments": "(self).other(x, x, x, )",
                           "too-deep": "(self).forward(x, )"}.items():
            with self.subTest(code):
                self.assert_code(code, self.edited(f"return {call}", more=other), "-i", "f32[2]")

    def test_values(self):
        for code, body in {
                "type-mismatch": ["a, b, = 3", "return x"],
                "unsupported-syntax": ["a = 3", "return (a)(x, )"],
                "no-output": ["return None"],
                "unsupported-output": ['return "text"'],
        }.items():
            with self.subTest(code):
                self.assert_code(code, self.edited(*body), "-i", "f32[2]")

    def test_conditions(self):
        lines = self.messages(self.edited("if self:", "  y = x", "else:", "  y = torch.neg(x)", "return y"), "-i", "f32[2]",
                              code=1)
        self.assertIn("[unsupported]", lines[0])

    def test_control_flow(self):
        self.assert_code("endless-loop", self.edited("while True:", "  pass", "return x"), "-i", "f32[2]")
        count = "n = int(torch.sum(x))"
        self.assert_code("unsupported-loop", self.edited(
            count, "y = x", "for i in range(n):", "  y = torch.add(y, x)", "  return y", "return y"), "-i", "f32[2]")
        self.assert_code("unsupported-branch", self.edited(
            "c = torch.gt(torch.sum(x), 0)", "l = [1]", "if bool(c):", "  _0 = torch.append(l, 2)", "else:", "  pass",
            "return torch.add(x, torch.len(l))"), "-i", "f32[2]")

    def test_raw_operators(self):
        self.assert_code("not-raw", self.edited("if bool(torch.sum(x)):", "  return x", "return torch.neg(x)"), "-i", "f32[2]", "--operator-export-type", "RAW")

    def test_a_class_of_cpp(self):
        class Packed(torch.nn.Module):
            def __init__(self):
                super().__init__()
                weight = torch.quantize_per_channel(torch.randn(4, 8), torch.ones(4), torch.zeros(4), 0, torch.quint8)
                self.packed = torch.ops.quantized.embedding_bag_prepack(weight)

            def forward(self, x):
                return x * self.packed.bit_rate()
        self.assert_code("opaque-class", self.script(Packed()), "-i", "f32[2]")

    def test_examples_of_different_sizes(self):
        self.script(Pair())
        numpy.save("a.npy", numpy.zeros(2, numpy.float32))
        numpy.save("b.npy", numpy.zeros(3, numpy.float32))
        self.assert_code("different-sizes", "model.pt", "-i", "x=@a.npy", "-i", "y=@b.npy", "--dynamic-axes",
                         "{'x': {0: 'n'}, 'y': {0: 'n'}}")

    def test_training(self):
        torch.jit.save(torch.jit.script(Trained().train()), "model.pt")
        self.assert_code("saved-in-training", "model.pt", "-i", "f32[2,4]", exit_code=0)
        self.assert_code("training-folds", "model.pt", "-i", "f32[2,4]", "--training", "training", exit_code=0)
        self.assert_code("training-opset", "model.pt", "-i", "f32[2,4]", "--training", "training", "--opset", 11, exit_code=0)
        torch.jit.save(torch.jit.trace(Trained().train(), torch.randn(2, 4), check_trace=False), "model.pt")
        self.assert_code("training-flag", "model.pt", "-i", "f32[2,4]", exit_code=0)

    def test_an_opset_that_is_not_used(self):
        self.assert_code("unused-opset", self.script(Shifted()), "-i", "f32[2]", "--custom-opset", "mylib=2", exit_code=0)

    def test_too_many_modules(self):
        inner = torch.nn.Sequential(*(torch.nn.Identity() for _ in range(300)))
        plain = Plain()
        plain.add_module("a" * 1000000, inner)
        result = command.cameo("inspect", self.script(plain))
        self.assertIn("[too-many-modules]", result.stderr)


command.main()
