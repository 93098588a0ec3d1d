"""Sessions and tools."""

import os
import tempfile
import unittest

import cameo
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper
from support import Case


def model_of(nodes, inputs, outputs):
    model = helper.make_model(helper.make_graph(nodes, "g", inputs, outputs),
                              opset_imports=[helper.make_opsetid("", 15)], ir_version=8)
    return model.SerializeToString()


class Sessions(Case):
    def test_what_goes_in_and_out(self):
        self.export(lambda x, n: (x.half() * n.half(), x.argmax(1)), (torch.randn(2, 3), torch.ones(3, dtype=torch.int32)),
                    dynamic_axes={"x": {0: "batch"}})
        session = cameo.Session(self.bytes)
        x, n = session.get_inputs()
        self.assertEqual((x.name, x.type, x.shape), ("x", "tensor(float)", ["batch", 3]))
        self.assertEqual((n.name, n.type, n.shape), ("n", "tensor(int32)", [3]))
        self.assertEqual([o.type for o in session.get_outputs()], ["tensor(float16)", "tensor(int64)"])
        self.assertRegex(session.runtime_version, r"^1\.\d+\.\d+$")
        second, = session.run(["output_1"], {"x": np.eye(3, dtype=np.float32), "n": np.ones(3, np.int32)})
        np.testing.assert_array_equal(second, [0, 1, 2])

    def test_arrays_of_every_kind(self):
        identity = [helper.make_node("Identity", ["x"], ["y"])]
        for dtype in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split():
            element = helper.np_dtype_to_tensor_dtype(np.dtype(dtype)) if hasattr(helper, "np_dtype_to_tensor_dtype") \
                else onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[np.dtype(dtype)]
            value = [helper.make_tensor_value_info(name, element, [None, None]) for name in "xy"]
            session = cameo.Session(model_of(identity, value[:1], value[1:]))
            given = (np.arange(12).reshape(3, 4) % 2).astype(dtype)
            for array in given, given.T, given[::-1, ::2], np.empty((0, 3), dtype):
                result, = session.run(None, {"x": array})
                self.assertEqual(result.dtype, array.dtype)
                np.testing.assert_array_equal(result, array)
        text = [helper.make_tensor_value_info(name, TensorProto.STRING, [None]) for name in "xy"]
        result, = cameo.Session(model_of(identity, text[:1], text[1:])).run(None, {"x": np.array(["a", "ß"])})
        self.assertEqual(result.tolist(), ["a", "ß"])

    def test_numbers_and_tensors(self):
        self.export(lambda x: x + 1, torch.tensor(1.0))
        session = cameo.Session(self.bytes)
        self.assertEqual(session.run(None, {"x": np.float32(2)})[0].shape, ())
        self.assertEqual(session.run(None, {"x": torch.tensor(2.0)})[0], 3)

    def test_sequences(self):
        tensors = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None)
        joined = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None])
        session = cameo.Session(model_of([helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)], [tensors], [joined]))
        self.assertEqual(session.get_inputs()[0].type, "seq(tensor(float))")
        result, = session.run(None, {"s": [np.float32([1]), np.float32([2, 3])]})
        np.testing.assert_array_equal(result, [1, 2, 3])

    def test_values_from_inside(self):
        self.export(torch.nn.Sequential(torch.nn.Conv2d(1, 1, 1), torch.nn.Sigmoid()), torch.randn(1, 1, 2, 2))
        inner = self.model.graph.node[0].output[0]
        inside, = cameo.Session(self.bytes, fetch=[inner]).run([inner], {"input": np.zeros((1, 1, 2, 2), np.float32)})
        self.assertEqual(inside.shape, (1, 1, 2, 2))

    def test_what_is_refused(self):
        self.export(lambda x: x + 1, torch.randn(2))
        session = cameo.Session(self.bytes)
        with self.assertRaisesRegex(ValueError, r"Required inputs \(\['x'\]\) are missing from input feed \(\['z'\]\)"):
            session.run(None, {"z": np.zeros(2, np.float32)})
        with self.assertRaisesRegex(cameo.errors.InvalidArgument, r"expected: \(tensor\(float\)\)"):
            session.run(None, {"x": np.zeros(2)})
        with self.assertRaises(cameo.SessionError):
            session.run(["no"], {"x": np.zeros(2, np.float32)})
        with self.assertRaises(cameo.Error):
            cameo.Session("no-such-file.onnx")


class Tools(Case):
    def test_check(self):
        self.export(lambda x: x + 1, torch.randn(2))
        self.model.graph.node[0].input[0] = "nowhere"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.onnx")
            onnx.save(self.model, path)
            self.assertTrue(cameo.faults(path))
            with self.assertRaisesRegex(cameo.Error, "nowhere"):
                cameo.check(path)

    def test_operators(self):
        self.assertEqual(cameo.ops("aten::asinh", opset=9)[0].overloads[0].nodes, ["Asinh"])
        self.assertEqual(cameo.ops("Resize", onnx=True)[0].versions[0].since, 10)
        with self.assertRaisesRegex(cameo.Error, "asinhh"):
            cameo.ops("aten::asinhh")

    def test_extract(self):
        self.export(torch.nn.Sequential(torch.nn.Conv2d(1, 1, 1), torch.nn.Sigmoid()), torch.randn(1, 1, 2, 2))
        with tempfile.TemporaryDirectory() as folder:
            whole, part = os.path.join(folder, "whole.onnx"), os.path.join(folder, "part.onnx")
            onnx.save(self.model, whole)
            cameo.extract(whole, part, outputs=[self.model.graph.node[0].output[0]])
            self.assertEqual([node.op_type for node in onnx.load(part).graph.node], ["Conv"])

    def test_an_input_of_another_type(self):
        self.export(torch.nn.ReLU(), torch.randn(2), input_names=["x"])
        with self.assertRaisesRegex(cameo.SessionError, r"tensor\(float\)"):
            cameo.Session(self.bytes).run(None, {"x": np.zeros(2, np.float64)})

    def test_infer(self):
        self.export(torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.Flatten()), torch.randn(1, 1, 5, 5),
                    input_names=["x"], dynamic_axes={"x": {0: "batch"}})
        with tempfile.TemporaryDirectory() as folder:
            path, to = os.path.join(folder, "m.onnx"), os.path.join(folder, "inferred.onnx")
            onnx.save(self.model, path)
            values = cameo.infer(path, to)
            self.assertEqual([(value.type, value.shape) for value in values],
                             [("f32", ["batch", "4", "3", "3"]), ("f32", ["batch", "36"])])
            self.assertEqual([info.name for info in onnx.load(to).graph.value_info], [values[0].name])

    def test_simplify(self):
        with tempfile.TemporaryDirectory() as folder:
            path, to = os.path.join(folder, "m.onnx"), os.path.join(folder, "small.onnx")
            x = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [2, 3])
            y = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [2, 3])
            nodes = [helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0]),
                     helper.make_node("Transpose", ["t"], ["u"], perm=[1, 0]), helper.make_node("Relu", ["u"], ["y"])]
            onnx.save(helper.make_model(helper.make_graph(nodes, "g", [x], [y]),
                                        opset_imports=[helper.make_opsetid("", 13)]), path)
            self.assertEqual(cameo.simplify(path, to)["Transpose"], (2, 0))
            self.assertEqual([node.op_type for node in onnx.load(to).graph.node], ["Relu"])
            with self.assertRaisesRegex(cameo.Error, "no-such-rule"):
                cameo.simplify(path, to, without=["no-such-rule"])

    def test_the_graph_as_text(self):
        self.export(torch.nn.Linear(3, 2), torch.randn(1, 3))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            onnx.save(self.model, path)
            self.assertEqual(cameo.printable_graph(path).rstrip(), helper.printable_graph(self.model.graph).rstrip())
            self.assertTrue(cameo.printable_graph(path, "torch").startswith("graph(%"))


if __name__ == "__main__":
    unittest.main()
