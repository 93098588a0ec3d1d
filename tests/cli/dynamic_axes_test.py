"""dynamic_axes_test.py CAMEO: --dynamic-axes, as torch.onnx.export takes it."""
import re

import onnx
import torch

import command
from command import dims

UNNAMED = ("warning: [evaluate] No names were found for specified dynamic axes of provided input.Automatically "
           "generated names will be applied to each dynamic axes of input {} [unnamed-axes]")


class Conv(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return self.conv(x)


class Two(torch.nn.Module):
    def forward(self, input_1, input_2):
        return input_1 + input_2[:, None, None, None]


class TwoOut(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(10, 10)

    def forward(self, x, h):
        x1 = self.linear(x) + h
        return x1, torch.relu(x1)


class SuperResolution(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 8, 5, padding=2)
        self.conv2 = torch.nn.Conv2d(8, 9, 3, padding=1)
        self.shuffle = torch.nn.PixelShuffle(3)

    def forward(self, x):
        return self.shuffle(self.conv2(torch.relu(self.conv1(x))))


class Forms(command.TestCase):
    """The three forms of the dict."""

    def two(self, axes, *more):
        program = self.script(Two())
        result = self.export(program, "-i", "f32[2,3,4,4]", "-i", "f32[2]", "--output-names", "output",
                             "--dynamic-axes", axes, *more)
        graph = self.checked("model.onnx").graph
        return [dims(v) for v in [*graph.input, *graph.output]], result.stderr

    def test_list(self):
        shapes, told = self.two('{"input_1": [0, 2, 3], "input_2": [0], "output": [0, 2]}')
        self.assertEqual(shapes, [
            ["input_1_dynamic_axes_1", 3, "input_1_dynamic_axes_2", "input_1_dynamic_axes_3"],
            ["input_2_dynamic_axes_1"],
            ["output_dynamic_axes_1", 3, "output_dynamic_axes_2", "input_1_dynamic_axes_3"]])
        self.assertEqual(re.findall(r"(?m)^model.pt: (.*)", told),
                         [UNNAMED.format(key) for key in ("input_1", "input_2", "output")])

    def test_named(self):
        shapes, told = self.two("{'input_1': {0: 'batch', 2: 'width', 3: 'height'}, 'input_2': {0: 'batch'},"
                                " 'output': {0: 'batch', 2: 'width', 3: 'height'}}")
        self.assertEqual(shapes, [["batch", 3, "width", "height"], ["batch"], ["batch", 3, "width", "height"]])
        self.assertEqual(told, "")

    def test_json_writes_axes_in_quotes(self):
        shapes, _ = self.two('{"input_1": {"0": "batch"}, "input_2": {"0": "batch"}}')
        self.assertEqual(shapes, [["batch", 3, 4, 4], ["batch"], ["batch", 3, 4, 4]])

    def test_mixed(self):
        shapes, told = self.two("{'input_1': [0, 2], 'input_2': {0: 'rows'}, 'output': [0, 2]}")
        self.assertEqual(shapes[0], ["input_1_dynamic_axes_1", 3, "input_1_dynamic_axes_2", 4])
        self.assertEqual(shapes[1], ["rows"])
        self.assertEqual(shapes[2], ["output_dynamic_axes_1", 3, "output_dynamic_axes_2", 4])
        self.assertEqual(told.count("No names were found"), 2)

    def test_names_of_inputs_are_those_of_the_model(self):
        program = self.script(Conv())
        model = self.export_model(program, "-i", "f32[1,3,10,10]", "--input-names", "in", "--output-names", "out",
                                  "--dynamic-axes", "{'in': {0: 'n'}, 'out': {0: 'n'}}")
        self.assertEqual([dims(model.graph.input[0]), dims(model.graph.output[0])], [["n", 3, 10, 10], ["n", 3, 8, 8]])


class Runs(command.TestCase):
    """What the dynamic sizes are good for."""

    def test_nine_lines(self):
        program = self.script(Conv())
        axes = {"model_static": [], "model_dynamic_0": ["--dynamic-axes", "{'in': [0]}"],
                "model_dynamic_23": ["--dynamic-axes", "{'in': [2, 3]}"]}
        inputs = [torch.randn(1, 3, 10, 10), torch.randn(2, 3, 10, 10), torch.randn(1, 3, 20, 20)]
        for name, options in axes.items():
            self.export(program, "-i", "f32[1,3,10,10]", "--input-names", "in", "--output-names", "out", *options, "-o",
                        f"{name}.onnx")
        probed = command.cameo("probe", *(f"{name}.onnx" for name in axes), "--shapes", "1,3,10,10", "2,3,10,10", "1,3,20,20")
        self.assertEqual(probed.stdout, """\
Input[0] on model model_static.onnx succeed.
Input[1] on model model_static.onnx error.
Input[2] on model model_static.onnx error.
Input[0] on model model_dynamic_0.onnx succeed.
Input[1] on model model_dynamic_0.onnx succeed.
Input[2] on model model_dynamic_0.onnx error.
Input[0] on model model_dynamic_23.onnx succeed.
Input[1] on model model_dynamic_23.onnx error.
Input[2] on model model_dynamic_23.onnx succeed.
""", probed.stderr)
        for x in inputs:
            for name in axes:
                result = command.run_onnx(f"{name}.onnx", x)
                if isinstance(result, list):
                    torch.testing.assert_close(result[0], torch.jit.load(program)(x), rtol=1e-4, atol=1e-5)
                else:
                    self.assertRegex(result, r"INVALID_ARGUMENT : Got invalid dimensions for input: in for the following indices"
                                             r"(\s+index: \d Got: \d+ Expected: \d+)+\s+Please fix either the inputs(/outputs)? or the model\.")
        shapes = [[dims(v) for v in (onnx.load(f"{name}.onnx").graph.input[0], onnx.load(f"{name}.onnx").graph.output[0])] for name in axes]
        self.assertEqual(shapes[0], [[1, 3, 10, 10], [1, 3, 8, 8]])
        self.assertEqual(shapes[1], [["in_dynamic_axes_1", 3, 10, 10], ["in_dynamic_axes_1", 3, 8, 8]])
        self.assertEqual(shapes[2][0], [1, 3, "in_dynamic_axes_1", "in_dynamic_axes_2"])
        self.assertTrue(all(isinstance(size, str) for size in shapes[2][1][2:]), shapes[2])

    def test_any_size(self):
        program = self.script(Conv())
        self.export(program, "-i", "f32[1,3,10,10]", "--dynamic-axes", "{'x': [0, 2, 3]}")
        self.assert_runs("model.onnx", program, torch.randn(4, 3, 33, 47))

    def test_outputs_follow_the_inputs(self):
        program = self.script(torch.nn.Linear(10, 2))
        model = self.export_model(program, "-i", "input=f32[32,10]", "--dynamic-axes", "{'input': [0]}")
        self.assertEqual(dims(model.graph.output[0]), ["input_dynamic_axes_1", 2])
        self.assert_runs("model.onnx", program, torch.randn(1, 10))

    def test_shared_batch(self):
        program = self.script(TwoOut())
        model = self.export_model(program, "-i", "f32[1,10]", "-i", "f32[1,10]", "--output-names", "out0,out1", "--dynamic-axes",
                                  "{'x': {0: 'batch'}, 'h': {0: 'batch'}, 'out0': {0: 'batch'}, 'out1': {0: 'batch'}}")
        self.assertEqual([dims(v)[0] for v in [*model.graph.input, *model.graph.output]], ["batch"] * 4)
        for batch in (1, 7):
            self.assert_runs("model.onnx", program, torch.randn(batch, 10), torch.randn(batch, 10))
        self.assertIsInstance(command.run_onnx("model.onnx", torch.randn(2, 10), torch.randn(3, 10)), str)

    def test_super_resolution(self):
        program = self.script(SuperResolution())
        model = self.export_model(program, "-i", "x=f32[1,1,12,12]", "--opset", "13", "--input-names", "input", "--output-names",
                                  "output", "--dynamic-axes", "{'input': {0: 'batch_size'}, 'output': {0: 'batch_size'}}")
        self.assertEqual(dims(model.graph.output[0]), ["batch_size", 1, 36, 36])
        for batch in (1, 5):
            self.assert_runs("model.onnx", program, torch.randn(batch, 1, 12, 12))


class Faults(command.TestCase):
    def told(self, axes, *more, code=0, spec="f32[1,3,10,10]"):
        return self.messages(self.script(Conv()), "-i", spec, "--dynamic-axes", axes, *more, code=code)

    def test_unknown_key(self):
        self.assertEqual(self.told("{'y': {0: 'n'}}"),
                         ["warning: [evaluate] Provided key y for dynamic axes is not a valid input/output name [unknown-axes-key]"])

    def test_index_that_is_no_integer(self):
        for axes in ("{'x': ['0']}", "{'x': [0.5]}", "{'x': {'first': 'n'}}"):
            self.assertEqual(self.told(axes, code=1), ["error: [evaluate] The type of axis index is expected to be an integer "
                                                       "[bad-dynamic-axes]"])

    def test_duplicate_index(self):
        self.assertEqual(self.told("{'x': [0, 0]}"),
                         ["warning: [evaluate] No names were found for specified dynamic axes of provided input.Automatically "
                          "generated names will be applied to each dynamic axes of input x [unnamed-axes]",
                          "warning: [evaluate] Duplicate dynamic axis index 0 was provided for input x. [duplicate-axis]"])

    def test_index_out_of_range(self):
        for axis in (-1, 4):
            self.assertEqual(self.told(f"{{'x': {{{axis}: 'n'}}}}", code=1),
                             [f"error: [evaluate] 'x' has no axis {axis}: it has 4 dimensions [bad-dynamic-axes]"])

    def test_carets(self):
        program = self.script(Conv())
        for axes, message, column in (
                ("{'x': {0: 'n'}", "'{' is never closed", 0), ("{'x': [0, 1", "'[' is never closed", 6),
                ("{'x': [0 1]}", "expected ',' or ']'", 9), ("{'x' [0]}", "expected ':' after a key", 5),
                ("{'x': batch}", "'batch' is not a value", 6), ("['x']", "expected a dict of names and axes", 0),
                ("{'x': 0}", "expected a list of axes, or a dict of axes and names", 6), ("{'x: [0]}", "the text is never closed", 1),
                ("{0: [0]}", "expected the name of an input or output", 1), ("{'x': {0: 1}}", "expected the name of a size", 10),
                ("{'x': [0]} 1", "nothing is expected here", 11), ("{'x': [0], 'x': [1]}", "'x' is given twice", 11)):
            lines = self.export(program, "-i", "f32[1,3,10,10]", "--dynamic-axes", axes, code=1).stderr.splitlines()
            self.assertEqual(lines[0], f"cameo: error: [evaluate] {message} [bad-dynamic-axes]", axes)
            text = next(i for i, line in enumerate(lines) if axes in line)
            self.assertEqual(lines[text + 1].index("^") - lines[text].index(axes), column, "\n".join(lines))

    def test_output_of_fixed_size(self):
        self.assertEqual(self.told("{'x': {0: 'n'}, 'output': {0: 'n', 1: 'channels'}}"),
                         ["warning: [evaluate] axis 1 of output 'output' is not dynamic: its size is 3 for all inputs [fixed-axis]"])

    def test_output_named_wrongly(self):
        self.assertEqual(self.told("{'x': {2: 'h', 3: 'w'}, 'output': {2: 'h', 3: 'out_w'}}"),
                         ["warning: [evaluate] axis 2 of output 'output' is not 'h': its size is h - 2 [wrong-axis-name]"])
        self.assertEqual(dims(onnx.load("model.onnx").graph.output[0]), [1, 3, "h - 2", "out_w"])

    def test_names_that_disagree(self):
        self.assertEqual(self.told("{'x': {0: 'n'}}", spec="f32[batch,3,10,10]", code=1),
                         ["error: [evaluate] axis 0 of 'x' is called 'batch' by --input and 'n' by --dynamic-axes [bad-dynamic-axes]"])
        self.assertEqual(self.told("{'x': {2: 'n', 1: 'n'}}", code=1)[0].split(" [")[1],
                         "evaluate] 'n' cannot be 3 and 10: one name is one size")


command.main()
