"""save_test.py SAVE_MODEL CAMEO: what is read and saved again is what it was, for the official library."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

SAVE_MODEL, CAMEO = map(os.path.abspath, sys.argv[1:3])
ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTDATA = (pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data").resolve()


def save(*pairs):
    return subprocess.run([SAVE_MODEL, *(str(path) for pair in pairs for path in pair)], capture_output=True, text=True)


def value(name, dims=("n",), kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def unknown(number):
    """A field that no version of ONNX has: a number, and a text."""
    def varint(n):
        return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])
    return varint(number << 3) + b"\x05" + varint(number << 3 | 2) + b"\x03odd"


def add_unknown(message):
    message.MergeFromString(unknown(900))


def sparse():
    return helper.make_sparse_tensor(helper.make_tensor("v", TensorProto.FLOAT, [2], [1.0, 2.0]),
                                     helper.make_tensor("i", TensorProto.INT64, [2], [1, 3]), [2, 2])


def tensors():
    """One of each way to store elements."""
    of = helper.make_tensor
    yield of("f", TensorProto.FLOAT, [2], [0.5, -1.5])
    yield of("i", TensorProto.INT32, [3], [1, -2, 300])
    yield of("l", TensorProto.INT64, [2], [1 << 40, -1])
    yield of("d", TensorProto.DOUBLE, [1], [0.1])
    yield of("u", TensorProto.UINT64, [1], [(1 << 64) - 1])
    yield of("s", TensorProto.STRING, [2], [b"", b"\xff\x00text"])
    yield of("h", TensorProto.FLOAT16, [1], np.array([1.5], np.float16).view(np.uint16).tolist())
    yield of("c", TensorProto.COMPLEX64, [1], [1 + 2j])
    yield numpy_helper.from_array(np.arange(100000, dtype=np.float32), "long")
    yield numpy_helper.from_array(np.zeros((0, 3), np.int8), "none")
    segment = TensorProto(name="segment", doc_string="in parts")
    segment.segment.begin, segment.segment.end = 3, 7
    yield segment
    yield TensorProto(name="", raw_data=b"", dims=[], data_type=1)


def types():
    tensor = helper.make_tensor_type_proto(TensorProto.FLOAT, ["n", 3, None])
    tensor.tensor_type.shape.dim[1].denotation = "DATA_CHANNEL"
    yield tensor
    yield helper.make_tensor_type_proto(TensorProto.INT8, [])
    yield helper.make_tensor_type_proto(TensorProto.INT8, None)
    yield helper.make_sequence_type_proto(tensor)
    yield helper.make_optional_type_proto(helper.make_sequence_type_proto(tensor))
    yield helper.make_sparse_tensor_type_proto(TensorProto.FLOAT, [2, 2])
    of_map = onnx.TypeProto(denotation="VOCABULARY")
    of_map.map_type.key_type = TensorProto.STRING
    of_map.map_type.value_type.CopyFrom(tensor)
    yield of_map
    yield onnx.TypeProto()


def everything(ir_version):
    body = helper.make_graph([helper.make_node("Identity", ["x"], ["b"])], "body", [], [value("b")],
                             [numpy_helper.from_array(np.ones(5000, np.float32), "inner")])
    node = helper.make_node("Odd", ["x", "", "w"], ["y", ""], name="", domain="odd", doc_string="a\nb", f=0.1, i=-3,
                            s=b"\xff", fs=[1.0, float("nan")], ints=[1, -2], texts=["", "b"], t=next(tensors()), g=body,
                            gs=[body, body], ts=list(tensors()), st=sparse(), sts=[sparse(), sparse()],
                            tp=next(types()), tps=list(types()))
    node.attribute.append(onnx.AttributeProto(name="reference", ref_attr_name="outer", type=1, doc_string="doc"))
    node.attribute.append(onnx.AttributeProto(name="empty", type=7))
    inputs = [onnx.ValueInfoProto(name=f"t{i}", type=each, doc_string="") for i, each in enumerate(types())]
    graph = helper.make_graph([node], "everything", [value("x"), *inputs], [value("y"), onnx.ValueInfoProto(name="z")],
                              list(tensors()), doc_string="", value_info=[value("between")])
    graph.sparse_initializer.append(sparse())
    note = graph.quantization_annotation.add(tensor_name="w")
    note.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="s")
    function = helper.make_function("odd", "F", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["b"])],
                                    [helper.make_opsetid("", 17)], ["alpha"])
    model = helper.make_model(graph, ir_version=ir_version, producer_name="", model_version=7, doc_string="doc",
                              opset_imports=[helper.make_opsetid("", 17), onnx.OperatorSetIdProto(version=2)],
                              functions=[function])
    model.metadata_props.add(key="k", value="")
    training = model.training_info.add()
    training.algorithm.CopyFrom(body)
    training.update_binding.add(key="w", value="y")
    for message in (model, graph, node, node.attribute[0], graph.initializer[0], graph.sparse_initializer[0], note,
                    graph.input[0], graph.input[1].type, graph.input[1].type.tensor_type, model.opset_import[0], training,
                    graph.input[1].type.tensor_type.shape, graph.input[1].type.tensor_type.shape.dim[0], function,
                    model.functions[0], model.metadata_props[0]):
        add_unknown(message)
    return model


class Save(FolderCase):
    def save(self, *pairs):
        done = save(*pairs)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_models_of_the_onnx_project(self):
        files = sorted(TESTDATA.rglob("*.onnx"))
        self.assertGreater(len(files), 1000, f"{TESTDATA}: install libonnx-testdata")
        memory = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)  # fsync is slow
        self.addCleanup(memory.cleanup)
        pairs = [(path, pathlib.Path(memory.name) / f"{i}.onnx") for i, path in enumerate(files)]
        for start in range(0, len(pairs), 500):
            self.save(*pairs[start:start + 500])
        for path, copy in pairs:
            before, after = (onnx.load(str(each), load_external_data=False) for each in (path, copy))
            self.assertEqual(before, after, path)
            self.assertEqual(before.SerializeToString(), copy.read_bytes(), path)

    def test_our_exports(self):
        for i, arguments in enumerate([[], ["--opset", "9"], ["--keep-initializers-as-inputs"], ["--doc-strings"]]):
            path, copy = self.folder / f"{i}.onnx", self.folder / f"{i}.copy.onnx"
            done = subprocess.run([CAMEO, "export", ROOT / "examples/models/digits.pt", "--input", "image=f32[batch,1,28,28]",
                                   *arguments, "-o", path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.save((path, copy))
            self.assertEqual(onnx.load(str(path)), onnx.load(str(copy)))

    def test_everything_at_every_ir_version(self):
        for ir_version in range(3, 15):
            path, copy = self.folder / "all.onnx", self.folder / "copy.onnx"
            model = everything(ir_version)
            path.write_bytes(model.SerializeToString(deterministic=True))
            self.save((path, copy))
            self.assertEqual(path.read_bytes(), copy.read_bytes())

    def test_fields_newer_than_the_official_library(self):
        """Metadata of nodes, tensors and values, overloads, device configurations: IR 10 and 11."""
        def chunk(number, content):
            head = number << 3 | 2
            return bytes([head & 127 | 128, head >> 7] if head > 127 else [head]) + bytes([len(content)]) + content
        entry = chunk(1, b"key") + chunk(2, b"value")
        node = chunk(4, b"Relu") + chunk(8, b"overload") + chunk(9, entry) + chunk(10, b"device")
        tensor = chunk(8, b"w") + chunk(16, entry)
        graph = chunk(1, node) + chunk(5, tensor) + chunk(11, chunk(1, b"x") + chunk(4, entry)) + chunk(16, entry)
        function = chunk(1, b"F") + chunk(11, chunk(1, b"a")) + chunk(12, chunk(1, b"v")) + chunk(13, b"o") + chunk(14, entry)
        content = b"\x08\x0b" + chunk(7, graph) + chunk(25, function) + chunk(26, b"devices")
        path, copy = self.folder / "new.onnx", self.folder / "copy.onnx"
        path.write_bytes(content)
        self.save((path, copy))
        self.assertEqual(copy.read_bytes(), content)

    def external(self, location="weights.bin"):
        weights = [numpy_helper.from_array(np.full((1000,), i, np.float32), f"w{i}") for i in range(3)]
        graph = helper.make_graph([helper.make_node("Sum", ["w0", "w1", "w2"], ["y"])], "g", [], [value("y")], weights)
        (self.folder / "old").mkdir(exist_ok=True)
        path = self.folder / "old" / "model.onnx"
        onnx.save(helper.make_model(graph), str(path), save_as_external_data=True, location=location, size_threshold=0)
        return path

    def equal(self, one, other):
        for a, b in zip(onnx.load(str(one)).graph.initializer, onnx.load(str(other)).graph.initializer):
            self.assertEqual(numpy_helper.to_array(a).tolist(), numpy_helper.to_array(b).tolist())

    def test_external_data_in_the_same_folder(self):
        path = self.external()
        copy = path.with_name("copy.onnx")
        self.save((path, copy))
        self.assertEqual(path.read_bytes(), copy.read_bytes())
        self.equal(path, copy)

    def test_external_data_below_the_new_folder(self):
        path = self.external()
        copy = self.folder / "copy.onnx"
        self.save((path, copy))
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["copy.onnx", "old"])
        self.equal(path, copy)

    def test_external_data_elsewhere(self):
        path = self.external()
        (self.folder / "new").mkdir()
        copy = self.folder / "new" / "copy.onnx"
        self.save((path, copy))
        self.assertEqual(sorted(each.name for each in copy.parent.iterdir()), ["copy.onnx", "copy.onnx.data"])
        self.equal(path, copy)

    def refused(self, path, to, message, hint):
        done = save((path, to))
        self.assertEqual((done.returncode, done.stderr), (1, f"{message}\n  hint: {hint}\n"))
        self.assertFalse(to.exists() and to.suffix == ".onnx")

    def test_external_data_that_is_missing(self):
        path = self.external()
        (self.folder / "new").mkdir()
        copy = self.folder / "new" / "copy.onnx"
        weights = path.with_name("weights.bin")
        weights.write_bytes(weights.read_bytes()[:-1])
        size = weights.stat().st_size
        self.refused(path, copy, f"{path}: error: [check] 'w2' should lie at bytes {size - 3999} to {size + 1} of weights.bin, "
                     f"which has {size} [external-data]", f"run cameo check {path} to see all that is wrong")
        weights.unlink()
        self.refused(path, copy, f"{weights}: error: [read] no such file [no-such-file]", "check the path and the spelling")
        model = onnx.load(str(path), load_external_data=False)
        for entry in model.graph.initializer[0].external_data:
            if entry.key == "location":
                entry.value = "../weights.bin"
        path.write_bytes(model.SerializeToString())
        self.refused(path, copy, f"{path}: error: [check] 'w0' is in another file, whose path does not lead below the model's "
                     "folder [external-data]", f"run cameo check {path} to see all that is wrong")

    def test_external_data_is_not_overwritten(self):
        path = self.external()
        weights = path.with_name("weights.bin").resolve()
        self.refused(path, weights, f"{weights}: error: [write] this would overwrite {weights}, where data of the model is "
                     "[would-overwrite-data]", "name another place with -o")

    def test_more_than_a_file_may_hold(self):
        path, copy = self.folder / "huge.onnx", self.folder / "copy.onnx"
        size = 3 << 30

        def varint(n):
            return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])
        inner = b"\x4a" + varint(size)
        tensor = b"\x2a" + varint(len(inner) + size) + inner
        head = b"\x3a" + varint(len(tensor) + size) + tensor
        with open(path, "wb") as file:
            file.write(head)
            file.truncate(len(head) + size)
        self.refused(path, copy, f"{copy}: error: [write] {copy} would have {len(head) + size} bytes, and a protobuf file may "
                     "have 2 GB [too-large-for-one-file]", "a model of this size needs its weights as external data")


unittest.main(argv=sys.argv[:1])
