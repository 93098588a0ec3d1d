"""warnings_test.py CAMEO: warnings about programs that do something else than their authors think."""
import inspect

import onnx
import torch

import command
from command import run_onnx


class View(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x).view(x.shape[0], -1)


class FixedView(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x).view(int(x.shape[0]), 12)


class HalfFixedView(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x).view(int(x.shape[0]), -1)


class Heads(torch.nn.Module):
    """Numbers that are meant: they say how an axis is split, and how long a fixed one is."""

    def forward(self, x):
        heads = x.view(x.shape[0], 2, 6).transpose(1, 2)
        return heads.reshape(-1, 12), torch.zeros(3, 4) + x


class Expanded(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.token = torch.nn.Parameter(torch.randn(1, 3, 4))

    def forward(self, x):
        return torch.cat([x, self.token.expand(int(x.shape[0]), -1, -1)], 1)


class Captured(torch.nn.Module):
    def forward(self, x):
        x = x * x[0].item()
        r = torch.Tensor([i for i in x])
        return x, r, x * 0.1 + 0.17677669529663687


class Factor(torch.nn.Module):
    def forward(self, x, factor):
        return torch.nn.functional.interpolate(x, scale_factor=factor.item())


class Squeezed(torch.nn.Module):
    def forward(self, x):
        return x.squeeze()


class Parts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(2, 2)
        self.drop = torch.nn.Dropout()

    def forward(self, x):
        return self.drop(self.first(x))


class PooledText(torch.nn.Module):
    """int(x.size(2)), as a trace needs it."""

    def forward(self, x):
        return torch.nn.functional.max_pool1d(x, int(x.size(2))).squeeze(2)


def line_of(cls, text):
    lines, first = inspect.getsourcelines(cls)
    return next(first + i for i, line in enumerate(lines) if text in line)


AXES = ["-i", "x=f32[2,3,4]", "--dynamic-axes", "{'x': {0: 'batch'}}"]


class BakedSizes(command.TestCase):
    def told(self, module, *options):
        return self.export(self.trace(module, torch.randn(2, 3, 4)), *(options or AXES)).stderr

    def assert_baked(self, module, text, message):
        told = self.told(module)
        self.assertEqual(told.splitlines()[0], f"model.pt: warning: [evaluate] {message} [baked-size]")
        self.assertIn(f"warnings_test.py:{line_of(type(module), text)} in forward", told)
        self.assertIn("hint: a trace records sizes that Python reads as numbers; say -1 or x.size(…) there, or script that part", told)
        self.assertEqual(told.count("[baked-size]"), 1)

    def test_reshape_to_numbers(self):
        message = "the shape [2, 12] is fixed here, so the model is wrong for other sizes of [batch, 3, 4]"
        self.assert_baked(FixedView(), ".view(", message)
        self.assertIn(message, self.told(FixedView(), "-i", "f32[batch,3,4]"))

    def test_reshape_to_the_size_of_the_example(self):
        self.assert_baked(HalfFixedView(), ".view(", "batch is dynamic, but here it is 2, its size in the example")

    def test_examples_of_the_file(self):
        x = torch.randn(2, 3, 4)
        program = self.add_examples(self.trace(HalfFixedView(), x), x)
        for options in (["--dynamic-axes", "{'x': {0: 'batch'}}"], ["-i", "f32[batch,3,4]"]):
            self.assertEqual(self.messages(program, *options),
                             ["warning: [evaluate] batch is dynamic, but here it is 2, its size in the example [baked-size]"])
        self.assertEqual(self.messages(program), [])

    def test_pooling_over_the_example(self):
        x = torch.randn(2, 3, 7)
        told = self.messages(self.trace(PooledText(), x), "-i", "x=f32[2,3,7]", "--dynamic-axes", "{'x': {2: 'length'}}", code=1)
        self.assertIn("aten::squeeze: dimension 2 must be known to have size 1 or not, but its size is floor(length/7)", told[0])
        self.assertEqual(told[1:], ["warning: [evaluate] length is dynamic, but here it is 7, its size in the example [baked-size]"])

    def test_sizes_that_data_decide(self):
        class Chosen(torch.nn.Module):
            def forward(self, x):
                return x[x > 0].view(2, 3)

        self.assertEqual(self.messages(self.script(Chosen()), "-i", "f32[n]"), [])

    def test_expand(self):
        self.assert_baked(Expanded(), ".expand(", "batch is dynamic, but here it is 2, its size in the example")

    def test_no_false_alarm(self):
        for module in (View(), Heads()):
            self.assertEqual(self.told(module), "")
            self.assertEqual(self.told(module, "-i", "f32[batch,3,4]"), "")
        for module in (FixedView(), HalfFixedView(), Expanded()):
            self.assertEqual(self.told(module, "-i", "f32[2,3,4]"), "")


class Interruptions(command.TestCase):
    def test_captured_from_data(self):
        torch.manual_seed(0)
        x = torch.rand(10)
        told = self.messages(self.trace(Captured(), x), "-i", "f32[10]")
        self.assertEqual(told, [
            f"warning: [evaluate] the number {x[0].item()!r} looks captured from the data that was traced [captured-number]",
            "warning: [evaluate] output 'output_1' does not depend on any input (10 constants) [constant-output]"])

    def test_input_without_effect(self):
        program = self.trace(Factor(), torch.rand(1, 3, 4, 4), torch.tensor(2.0))
        self.assertEqual(self.messages(program, "-i", "f32[1,3,4,4]", "-i", "f32[]"),
                         ["warning: [evaluate] input 'factor' reaches no output [unused-input]"])

    def test_pooling_over_a_length(self):
        program = self.trace(PooledText(), torch.randn(2, 3, 7))
        model = self.export_model(program, "-i", "f32[2,3,7]")
        self.assertIn("MaxPool", [node.op_type for node in model.graph.node])
        self.assert_runs("model.onnx", program, torch.randn(2, 3, 7))
        program = self.script(PooledText())
        model = self.export_model(program, "-i", "f32[n,3,length]")
        self.assertIn("GlobalMaxPool", [node.op_type for node in model.graph.node])
        for length in (1, 4, 9):
            self.assert_runs("model.onnx", program, torch.randn(2, 3, length))


class Others(command.TestCase):
    def test_squeeze(self):
        program = self.script(Squeezed())
        self.assertEqual(self.messages(program, "-i", "f32[n,1,4]"),
                         ["note: [evaluate] squeeze() of [n, 1, 4]: the number of dimensions depends on the sizes at run time "
                          "[squeeze-all]",
                          "warning: [check] the output 'output' has no shape [no-shape]"])
        for n in (1, 3):
            self.assert_runs("model.onnx", program, torch.randn(n, 1, 4))
        self.assertEqual(self.messages(program, "-i", "f32[3,1,4]"), [])

    def test_a_note_changes_nothing(self):
        class Turns(torch.nn.Module):
            def forward(self, x):
                y = torch.relu(x)
                for _ in range(3):
                    x = torch.relu(x) - 1
                    y = x.squeeze()
                return x, y

        program = self.script(Turns())
        self.assertIn("[squeeze-all]", self.messages(program, "-i", "f32[n,1,4]")[0])
        self.assertIn("Loop", [node.op_type for node in onnx.load("model.onnx").graph.node])
        self.assert_runs("model.onnx", program, torch.randn(3, 1, 4))

    def test_training_mode(self):
        module = torch.jit.script(Parts())
        module.save("model.pt")
        message, = self.messages("model.pt", "-i", "f32[n,2]")
        self.assertTrue(message.startswith("warning: [convert] You are exporting the model to ONNX while in training mode"), message)
        module.eval()
        module.drop.train()
        module.save("model.pt")
        self.assertEqual(self.messages("model.pt", "-i", "f32[n,2]"),
                         ["warning: [evaluate] the module 'drop' was saved in training mode [training-mode]"])
        module.eval().save("model.pt")
        self.assertEqual(self.messages("model.pt", "-i", "f32[n,2]"), [])

    def test_float64(self):
        module = torch.nn.Sequential(torch.nn.Conv1d(2, 3, 3), torch.nn.ReLU(), torch.nn.Conv1d(3, 2, 1)).double()
        program = self.script(module)
        spec = ("-i", "f64[n,2,9]")
        told = self.export(program, *spec).stderr
        self.assertEqual(told.splitlines()[0],
                         "model.pt: warning: [convert] ONNX Runtime's CPU provider has no Conv for f64 (2 nodes) [no-float64-kernel]")
        self.assertIn("hint: --float64-as-float32 exports f32 instead", told)
        self.assertEqual(self.messages(program, *spec, "--float64-as-float32"), [])
        x = torch.randn(4, 2, 9, dtype=torch.float64)
        got, = run_onnx("model.onnx", x.float())
        torch.testing.assert_close(got, module(x).float())


command.main()
