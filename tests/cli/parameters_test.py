"""parameters_test.py CAMEO: where parameters go, and what becomes of constants."""
import os

import onnx
import torch
from onnx import numpy_helper

import command
from command import names


class Mixed(torch.nn.Module):
    """Parameters and buffers of its own, declared after a module within."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)
        self.scale = torch.nn.Parameter(torch.randn(4, 1, 1))
        self.register_buffer("shift", torch.randn(4, 1, 1))

    def forward(self, x):
        return self.norm(self.conv(x)) * self.scale + self.shift


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(4, 4)
        self.second = torch.nn.Linear(4, 4)
        self.second.weight = self.first.weight

    def forward(self, x):
        return self.second(self.first(x))


class Transposed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(3, 5))

    def forward(self, x):
        return torch.relu(self.weight.t()) + x


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4)

    def forward(self, x):
        return self.lstm(x)[0]


class Parameters(command.TestCase):
    def test_stored(self):
        linear = torch.nn.Linear(10, 2)
        model = self.export_model(self.script(linear), "-i", "f32[1,10]")
        stored = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in model.graph.initializer}
        self.assertEqual(set(stored), {"weight", "bias"})
        for name, value in linear.state_dict().items():
            self.assertTrue(torch.equal(stored[name], value))
        self.assertEqual(os.listdir(".").count("model.onnx.data"), 0)

    def test_as_inputs(self):
        linear = torch.nn.Linear(10, 2)
        program = self.script(linear)
        model = self.export_model(program, "-i", "f32[1,10]", "--no-params")
        self.assertEqual(names(model.graph.input), ["input", "weight", "bias"])
        self.assertEqual(len(model.graph.initializer), 0)
        self.assertLess(os.path.getsize("model.onnx"), 2000)
        self.assert_runs_with("model.onnx", program, torch.randn(1, 10))
        model = self.export_model(program, "-i", "f32[1,10]", "--no-params", "--param-order", "first")
        self.assertEqual(names(model.graph.input), ["weight", "bias", "input"])

    def assert_runs_with(self, path, program, *inputs):
        """With the parameters fed by name."""
        module = torch.jit.load(program)
        wanted = names(onnx.load(path).graph.input)
        fed = {name: value for name, value in module.state_dict().items() if name in wanted}
        with torch.no_grad():
            expected = module(*inputs)
        results = command.run_onnx(path, *inputs, **fed)
        self.assertIsInstance(results, list, results)
        torch.testing.assert_close(results[0], expected, rtol=1e-4, atol=1e-5)

    def test_order_of_the_state_dict(self):
        module = Mixed()
        module.norm.running_mean.normal_()
        program = self.script(module)
        model = self.export_model(program, "-i", "f32[n,3,8,8]", "--no-params")
        wanted = [name for name in module.state_dict() if name != "norm.num_batches_tracked"]
        self.assertEqual(names(model.graph.input), ["x", *wanted])
        self.assertIn("BatchNormalization", [node.op_type for node in model.graph.node])
        self.assert_runs_with("model.onnx", program, torch.randn(2, 3, 8, 8))

    def test_layouts_that_are_changed_otherwise(self):
        for module, spec, x in ((Transposed(), "f32[5,3]", torch.randn(5, 3)), (Recurrent(), "f32[n,1,3]", torch.randn(6, 1, 3))):
            program = self.script(module)
            model = self.export_model(program, "-i", spec, "--no-params")
            self.assertEqual(names(model.graph.input), ["x", *module.state_dict()])
            self.assert_runs_with("model.onnx", program, x)

    def test_tied(self):
        program = self.script(Tied())
        model = self.export_model(program, "-i", "f32[1,4]", "--no-params")
        self.assertEqual(names(model.graph.input), ["x", "first.weight", "first.bias", "second.bias"])
        self.assert_runs_with("model.onnx", program, torch.randn(1, 4))

    def test_order_needs_no_params(self):
        self.assertEqual(self.messages(self.script(Tied()), "-i", "f32[1,4]", "--param-order", "first", code=1),
                         ["error: [evaluate] --param-order says where parameters stand among the inputs, and they are none "
                          "[contradicting-options]"])

    def test_kept_as_inputs_too(self):
        program = self.script(torch.nn.Linear(10, 2))
        model = self.export_model(program, "-i", "f32[1,10]", "--keep-initializers-as-inputs")
        self.assertEqual(names(model.graph.input), ["input", "weight", "bias"])
        self.assertEqual(names(model.graph.initializer), ["weight", "bias"])
        self.assert_runs("model.onnx", program, torch.randn(1, 10))
        model = self.export_model(program, "-i", "f32[1,10]", "--keep-initializers-as-inputs=false")
        self.assertEqual(names(model.graph.input), ["input"])

    def test_folding(self):
        program = self.script(Transposed())
        operators = lambda model: [node.op_type for node in model.graph.node]
        self.assertEqual(operators(self.export_model(program, "-i", "f32[5,3]")), ["Add"])
        self.assertEqual(operators(self.export_model(program, "-i", "f32[5,3]", "--no-constant-folding")),
                         ["Transpose", "Relu", "Add"])
        self.assert_runs("model.onnx", program, torch.randn(5, 3))

    def test_no_folding_of_larger_models(self):
        for module, spec, x in ((Mixed(), "f32[n,3,8,8]", torch.randn(2, 3, 8, 8)), (Recurrent(), "f32[n,1,3]", torch.randn(6, 1, 3))):
            program = self.script(module)
            self.export_model(program, "-i", spec, "--no-constant-folding")
            self.assert_runs("model.onnx", program, x)


class Names(command.TestCase):
    def test_state_dict_and_numbers(self):
        program = self.script(Mixed())
        stored = names(self.export_model(program, "-i", "f32[1,3,8,8]").graph.initializer)
        self.assertIn("conv.weight", stored)
        self.assertIn("scale", stored)
        model = self.export_model(program, "-i", "f32[1,3,8,8]", "--param-names", "numbers")
        self.assertTrue(all(name.isdigit() for name in names(model.graph.initializer)), names(model.graph.initializer))

    def test_names_beyond_the_inputs(self):
        program = self.script(Tied())
        model = self.export_model(program, "-i", "f32[1,4]", "--input-names", "actual,learned_0,learned_1,learned_2")
        self.assertEqual(names(model.graph.input), ["actual"])
        self.assertEqual(sorted(names(model.graph.initializer)), ["learned_0", "learned_1", "learned_2"])
        self.assertEqual(self.messages(program, "-i", "f32[1,4]", "--input-names", "a,b,c,d,e", code=1),
                         ["error: [evaluate] 5 input names are given for 1 input and 3 parameters [too-many-names]"])

    def test_a_parameter_gives_way(self):
        program = self.script(torch.nn.Linear(10, 2))
        self.assertEqual(self.messages(program, "-i", "f32[1,10]", "--input-names", "weight"),
                         ["note: [evaluate] the parameter 'weight' is called 'weight_1' in the model, since an input or output has "
                          "its name [renamed-parameter]"])
        model = self.checked("model.onnx")
        self.assertEqual(names(model.graph.input), ["weight"])
        self.assertEqual(set(names(model.graph.initializer)), {"weight_1", "bias"})
        self.assert_runs("model.onnx", program, torch.randn(1, 10))


command.main()
