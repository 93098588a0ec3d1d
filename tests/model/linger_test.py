"""linger_test.py CAMEO: `cameo linger` on models as the exporters of linger write them before they quantise weights."""
import os
import resource
import subprocess
import sys
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])
FLOAT, INT8, INT32 = TensorProto.FLOAT, TensorProto.INT8, TensorProto.INT32


def value(name, dims=(2, 4), kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def node(op, inputs, outputs, domain="linger", **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), domain=domain, **attributes)


def quant(source, output, scale=64.0, **attributes):
    return node("Quant", source, output, data_bits=8, scale_x=scale, platform="venusA", zero_point=0, **attributes)


def linear(inputs, output, scale_w=128.0, **attributes):
    return node("QLinear", inputs, output, x_bits=8, scale_x=64.0, w_bits=8, scale_w=scale_w, o_bits=8, scale_o=32.0,
                platform="venusA", quant_mode="floor_add", **attributes)


def weight(name, *numbers, shape=None):
    return numpy_helper.from_array(np.float32(numbers).reshape(shape or (len(numbers),)), name)


WEIGHT = weight("w", *[0.5] * 15, -2.0, shape=(4, 4))


def model(nodes, weights=(WEIGHT,), outputs=("y",), domain="linger", inputs=("x",)):
    graph = helper.make_graph(nodes, "net", [value(name) for name in inputs], [value(name) for name in outputs], list(weights))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12), helper.make_opsetid(domain, 1)], ir_version=7)


class Linger(FolderCase):
    def run_cameo(self, raw, *arguments):
        onnx.save(raw, str(self.folder / "raw.onnx"))
        return subprocess.run([CAMEO, "linger", "raw.onnx", "-o", "m.onnx", *arguments], cwd=self.folder, capture_output=True,
                              text=True)

    def quantized(self, raw, *arguments):
        done = self.run_cameo(raw, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        made = onnx.load(str(self.folder / "m.onnx"))
        onnx.checker.check_model(made)
        return made

    @staticmethod
    def nodes(made):
        return [each.op_type for each in made.graph.node]

    @staticmethod
    def weights(made):
        return {each.name: numpy_helper.to_array(each) for each in made.graph.initializer}

    @staticmethod
    def types(made):
        return {each.name: each.type.tensor_type.elem_type for each in made.graph.value_info}

    def test_dequant_before_a_float_operator(self):
        made = self.quantized(model([quant("x", "q"), linear("q w", "a"), node("Relu", "a", "b", ""), node("Softmax", "b", "y", "")]))
        self.assertEqual(self.nodes(made), ["Quant", "QLinear", "Relu", "Dequant", "Softmax"])
        dequant = made.graph.node[3]
        self.assertEqual((dequant.domain, dequant.attribute[0].name, dequant.attribute[0].f), ("linger", "scale_o", 32))
        self.assertEqual(self.types(made), {"0": INT8, "1": INT8, "2": INT8, "3": FLOAT})
        self.assertEqual([each.name for each in made.graph.node], ["Quant_0", "QLinear_1", "Relu_2", "Dequant_3", "Softmax_y"])
        self.assertEqual([(each.domain, each.version) for each in made.opset_import], [("", 12), ("linger", 1)])

    def test_quantized_outputs(self):
        raw = model([quant("x", "q"), linear("q w", "y")])
        made = self.quantized(raw)
        self.assertEqual(self.nodes(made), ["Quant", "QLinear", "Dequant"])
        self.assertEqual((made.graph.node[2].output, made.graph.output[0].type.tensor_type.elem_type), (["y"], FLOAT))
        made = self.quantized(raw, "--quantized-io")
        self.assertEqual((self.nodes(made), made.graph.output[0].type.tensor_type.elem_type), (["Quant", "QLinear"], INT8))

    def test_weights_and_biases(self):
        bias = weight("b", 0.5, -0.25, 1000000.0, 0.0)
        made = self.quantized(model([quant("x", "q"), linear("q w b", "y")], [WEIGHT, bias]))
        weights = self.weights(made)
        self.assertEqual((weights["w"].dtype, weights["w"][0, 0], weights["w"][3, 3]), (np.int8, 64, -128))
        self.assertEqual((weights["b"].dtype, weights["b"].tolist()), (np.int32, [4096, -2048, 2**31 - 1, 0]))

    def test_halves_are_rounded_to_even(self):
        half = weight("w", 0.5 / 128, 1.5 / 128, 2.5 / 128, -0.5 / 128, shape=(1, 4))
        made = self.quantized(model([quant("x", "q"), linear("q w", "y")], [half]))
        self.assertEqual(self.weights(made)["w"].tolist(), [[0, 2, 2, 0]])

    def test_a_weight_with_two_scales(self):
        made = self.quantized(model([quant("x", "q"), linear("q w", "y"), linear("q w", "z", scale_w=64.0)], outputs=("y", "z")))
        self.assertEqual({name: array[0, 0] for name, array in self.weights(made).items()}, {"w": 32, "w.quant_1": 64})

    def test_quant_of_a_weight(self):
        made = self.quantized(model([quant("x", "q"), quant("c", "p", 16.0), node("QAdd", "q p", "y", x_bits=8, scale_x=64.0, y_bits=8,
                                                                            scale_y=16.0, o_bits=8, scale_o=8.0)],
                                    [weight("c", 1, 2, 3, 4)]))
        self.assertEqual((self.nodes(made), self.weights(made)["c"].tolist()), (["Quant", "QAdd", "Dequant"], [16, 32, 48, 64]))

    def test_a_weight_behind_a_layout_operator(self):
        made = self.quantized(model([quant("x", "q"), node("Transpose", "w", "t", "", perm=[1, 0]), linear("q t", "y")]))
        self.assertEqual(self.weights(made)["w"].dtype, np.int8)
        self.assertEqual(self.types(made)["1"], INT8)

    def test_constants_and_identities(self):
        constant = helper.make_node("Constant", [], ["k"], value=WEIGHT)
        made = self.quantized(model([quant("x", "q"), node("Identity", "q", "i", ""), constant, linear("i k", "y")], []))
        self.assertEqual((self.nodes(made), list(self.weights(made))), (["Quant", "QLinear", "Dequant"], ["k"]))

    def test_a_missing_quant(self):
        done = self.run_cameo(model([linear("x w", "y")]))
        self.assertEqual((done.returncode, done.stderr),
                         (1, "raw.onnx: error: [check] ONNX export has invalid quant/dequant boundaries: [quant-boundary]\n"
                          "  note: QLinear_0 input[0] x requires Quant but is not produced by a quantized tensor\n"
                          "  hint: quantise the value with linger.Quant or a quantised module\n"))

    def test_a_weight_of_another_type(self):
        wrong = numpy_helper.from_array(np.ones((4, 4), np.int16), "w")
        done = self.run_cameo(model([quant("x", "q"), linear("q w", "y")], [wrong]))
        self.assertEqual((done.returncode, done.stderr),
                         (1, "raw.onnx: error: [check] ONNX export produced non-quantized initializer(s) for quantized inputs: "
                          "[float-weight]\n  note: QLinear_1 input[1] w: expected int8, got i16\n"
                          "  hint: the weight has a type that linger does not quantise\n"))

    def test_weights_that_are_not_finite(self):
        done = self.run_cameo(model([quant("x", "q"), linear("q w", "y")], [weight("w", 1, float("nan"), 2, 3, shape=(1, 4))]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the weight 'w' has elements that are not finite [weight-not-finite]", done.stderr)

    def test_a_model_without_linger(self):
        plain = helper.make_model(helper.make_graph([node("Relu", "x", "y", "")], "net", [value("x")], [value("y")]),
                                  opset_imports=[helper.make_opsetid("", 12)])
        done = self.run_cameo(plain)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the model has no operators of linger (domains linger and thinker) [nothing-to-quantize]", done.stderr)

    def test_recurrent_networks(self):
        weights = [weight("wi", *[0.5] * 8, shape=(4, 2)), weight("wh", *[0.25] * 4, shape=(4, 1)), weight("bi", 1, 1, 1, 1),
                   weight("bh", 1, 1, 1, 1)]
        lstm = node("QLSTM", "q wi wh bi bh", "y h c", x_bits=8, scale_x=64.0, w_bits=8, scale_iw=32.0, scale_hw=16.0, scale_h=128.0,
                    scale_c=8.0, o_bits=8, scale_o=128.0)
        made = self.quantized(model([quant("x", "q"), lstm, node("Exp", "h", "e", "")], weights, outputs=("y", "e", "c")))
        self.assertEqual({name: array.flat[0] for name, array in self.weights(made).items()},
                         {"wi": 16, "wh": 4, "bi": 64 * 32, "bh": 128 * 16})
        self.assertEqual(self.nodes(made), ["Quant", "QLSTM", "Exp", "Dequant"])  # the states are floats

    def thinker(self, op, inputs, output, **attributes):
        return node(op, inputs, output, "thinker", platform_quant="luna_quant", **attributes)

    def test_version_1(self):
        raw = model([self.thinker("Quant", "x", "q", data_bits=8, scale_x=64.0),
                     self.thinker("LinearInt", "q w", "a", scale_x=64.0, scale_w=128.0, scale_o=32.0, data_bits=8, o_bits=8),
                     self.thinker("BatchNorm2dInt", "a", "n", scale_mul_o=2.0, scale_add_o=4.0, scale_o=1.0, o_bits=8),
                     node("Relu", "n", "r", ""), node("Softmax", "r", "y", ""), node("Flatten", "r", "z", "")],
                    [numpy_helper.from_array(np.ones((4, 4), np.int8), "w")], ("y", "z"), "thinker")
        made = self.quantized(raw)
        self.assertEqual(self.nodes(made), ["Quant", "LinearInt", "BatchNorm2dInt", "Relu", "Dequant", "Softmax", "Flatten", "Dequant"])
        self.assertEqual([each.attribute[0].f for each in made.graph.node if each.op_type == "Dequant"], [4, 4])
        self.assertEqual(made.graph.node[4].output, ["Dequant_r_y"])
        self.assertEqual([each.name for each in made.graph.node][:3], ["Quant_q", "LinearInt_a", "BatchNorm2dInt_n"])

    def test_version_1_with_quantized_inputs(self):
        raw = model([self.thinker("LinearInt", "x w", "y", scale_x=64.0, scale_w=128.0, scale_o=32.0, data_bits=8, o_bits=32)],
                    [numpy_helper.from_array(np.ones((4, 4), np.int8), "w")], domain="thinker")
        made = self.quantized(raw, "--quantized-io")
        self.assertEqual(self.nodes(made), ["LinearInt"])
        self.assertEqual([each.type.tensor_type.elem_type for each in (made.graph.input[0], made.graph.output[0])], [INT8, INT32])

    def cameo(self, *arguments):
        done = subprocess.run([CAMEO, *arguments], cwd=self.folder, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_check_knows_the_operators(self):
        made = self.quantized(model([quant("x", "q"), linear("q w", "a"), node("Relu", "a", "y", "")]))
        made.opset_import[0].version = 14  # the first with a Relu of integers
        onnx.save(made, "m.onnx")
        self.assertEqual(self.cameo("check", "--full", "m.onnx")[0], 0)
        del made.graph.node[1].input[1]
        onnx.save(made, "m.onnx")
        code, text = self.cameo("check", "m.onnx")
        self.assertEqual(code, 1)
        self.assertIn("it takes 2 to 3 inputs, but 1 are given [input-count]", text)

    def test_infer_knows_the_operators(self):
        image = helper.make_tensor_value_info("x", FLOAT, ["batch", 3, 8, 8])
        conv = node("QConv2d", "q k", "a", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], x_bits=8, scale_x=64.0, w_bits=8,
                    scale_w=64.0, o_bits=8, scale_o=16.0)
        raw = model([quant("x", "q"), conv, node("Flatten", "a", "f", ""), linear("f w", "y")],
                    [weight("k", *[0.5] * 108, shape=(4, 3, 3, 3)), weight("w", *[0.5] * 64 * 5, shape=(5, 64))])
        raw.graph.input[0].CopyFrom(image)
        raw.graph.output[0].CopyFrom(value("y", ("batch", 5)))
        self.quantized(raw)
        code, text = self.cameo("infer", "m.onnx")
        self.assertEqual(code, 0, text)
        for line in "0 i8[batch, 3, 8, 8]", "1 i8[batch, 4, 4, 4]", "2 i8[batch, 64]", "3 i8[batch, 5]", "y f32[batch, 5]":
            name, shape = line.split(" ", 1)
            self.assertRegex(text, rf"(?m)^\W*{name}\b.*{shape.replace('[', chr(92) + '[').replace(']', chr(92) + ']')}")

    def test_memory_does_not_grow_with_the_weights(self):
        raw = model([quant("x", "q"), linear("q w", "y")], [])
        tensor = raw.graph.initializer.add(name="w", data_type=FLOAT, dims=[10000, 10000], data_location=TensorProto.EXTERNAL)
        for key, entry in ("location", "w.data"), ("length", "400000000"):
            tensor.external_data.add(key=key, value=entry)
        (self.folder / "raw.onnx").write_bytes(raw.SerializeToString())
        with open(self.folder / "w.data", "wb") as data:
            data.truncate(400_000_000)
        done = subprocess.run([CAMEO, "linger", "raw.onnx", "-o", "m.onnx"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 100_000)
        self.assertGreater((self.folder / "m.onnx").stat().st_size, 100_000_000)


unittest.main(argv=sys.argv[:1])
