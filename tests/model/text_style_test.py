"""text_style_test.py CAMEO: what `cameo print --style text` writes, onnx.parser reads back as the same model.

onnx 1.12's parser is older than parts of the syntax: models that need one of these parts are printed too, and must be
refused by it, so that this list stays true.
"""
import math
import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnx.parser
from onnx import AttributeProto, TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])
TESTDATA = pathlib.Path("/usr/share/libonnx-testdata")
FULL_TYPES = {TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64,
              TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64, TensorProto.BOOL, TensorProto.STRING}


def identifier(name):
    return re.fullmatch(r"[A-Za-z_]\w*", name, re.A)


def graphs(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs] if attribute.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS) else []:
                yield from graphs(inner)


def tensors(graph):
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            yield from [attribute.t] if attribute.type == AttributeProto.TENSOR else attribute.tensors


def odd_number(value):
    """Names of numbers and denormals are not read."""
    return not math.isfinite(value) or 0 < abs(value) < 1.2e-38


def beyond_1_12(model):
    """Why this release's parser cannot read the text, or nothing."""
    if len(model.functions) > 0 and any(len(f.attribute_proto) for f in model.functions if hasattr(f, "attribute_proto")):
        return "defaults of a function's attributes"
    if model.metadata_props:
        return "metadata"
    for graph in graphs(model.graph):
        values = [*graph.input, *graph.output, *graph.value_info]
        names = [graph.name, *(v.name for v in values), *(t.name for t in graph.initializer)]
        for node in graph.node:
            names += [n for n in [*node.input, *node.output] if n]
            if node.name:
                return "names of nodes"
            if any(names and not (names[0] and names[-1]) for names in (node.input, node.output)):
                return "an absent value at either end"
            for a in node.attribute:
                if a.type in (AttributeProto.TYPE_PROTO, AttributeProto.SPARSE_TENSOR, AttributeProto.GRAPHS, AttributeProto.TENSORS):
                    return "kind of attribute"
                if a.type in (AttributeProto.INTS, AttributeProto.FLOATS, AttributeProto.STRINGS) and not [*a.ints, *a.floats, *a.strings]:
                    return "empty lists"
                if any(map(odd_number, [a.f, *a.floats])):
                    return "inf, nan and denormals"
                if any(b'"' in text or b"\\" in text for text in [a.s, *a.strings]):
                    return "escapes"
        if not all(map(identifier, names)):
            return "names that are no identifiers"
        for value in values:
            kind = value.type.WhichOneof("value")
            if kind not in ("tensor_type", None):
                return "other types than tensors"
            if any(d.dim_param and not identifier(d.dim_param) for d in value.type.tensor_type.shape.dim):
                return "names that are no identifiers"
        for tensor in tensors(graph):
            if tensor.name and not identifier(tensor.name):
                return "names that are no identifiers"
            if tensor.data_type not in FULL_TYPES:
                return "type of tensor"
            if tensor.data_type == TensorProto.STRING and any(b'"' in text or b"\\" in text for text in tensor.string_data):
                return "escapes"
            if tensor.data_type in (TensorProto.FLOAT, TensorProto.DOUBLE) and any(map(odd_number, numpy_helper.to_array(tensor).ravel().tolist())):
                return "inf, nan and denormals"
    return None


def canonical(message):
    """What the syntax can say, as plain values; a tensor is its numbers, in whichever field they are."""
    if isinstance(message, TensorProto):
        return (message.name, message.data_type, list(message.dims), numpy_helper.to_array(message).tolist())
    if not hasattr(message, "ListFields"):
        return message
    out = {}
    for field, value in message.ListFields():
        if field.name in ("doc_string",) and not isinstance(message, onnx.ModelProto) or field.name == "denotation":
            continue
        items = [canonical(each) for each in value] if field.label == field.LABEL_REPEATED else canonical(value)
        if items not in ("", []):
            out[field.name] = items
    return out


class TextStyle(FolderCase):
    def printed(self, path, *options):
        done = subprocess.run([CAMEO, "print", str(path), "--style", "text", *options], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode(errors="surrogateescape")

    def same(self, path, model):
        text = self.printed(path)
        self.assertEqual(canonical(onnx.parser.parse_model(text)), canonical(model), f"{path}\n{text[:2000]}")

    def test_models_of_the_onnx_project(self):
        files = sorted(TESTDATA.rglob("model.onnx"))
        self.assertGreater(len(files), 1000, f"{TESTDATA}: install libonnx-testdata")
        read_back, refused = 0, {}
        for path in files[::6]:
            model = onnx.load(str(path))
            reason = beyond_1_12(model)
            if reason is None:
                self.same(path, model)
                read_back += 1
            else:
                refused[reason] = refused.get(reason, 0) + 1
                text = self.printed(path)
                with self.assertRaises(Exception, msg=f"{path}: {reason}"):
                    parsed = onnx.parser.parse_model(text)
                    if canonical(parsed) != canonical(model):
                        raise ValueError("reads something else")
        self.assertGreater(read_back, 150, refused)
        self.assertGreater(len(refused), 2)

    def test_all_that_the_parser_reads(self):
        inner = helper.make_graph([helper.make_node("Mul", ["x", "w"], ["z"])], "inner", [], [helper.make_tensor_value_info("z", 1, None)],
                                  [numpy_helper.from_array(np.array([2.5, -1e-5, 3e20], np.float32), "w")])
        arrays = [np.array([1, -2], np.int8), np.array([[1], [65535]], np.uint16), np.array(-2**63), np.array([2**64 - 1], np.uint64),
                  np.array([True, False]), np.array(["a'b", "c\n", ""], object), np.array([0.1, 1e300]), np.zeros((0, 3), np.float32),
                  np.array([-2**31], np.int32), np.array([2**32 - 1], np.uint32), np.array([7], np.int16), np.array([255], np.uint8)]
        nodes = [
            helper.make_node("Odd", ["x", "", "v"], ["p", "", "y"], domain="some.where", r=0.1, one=1.0, huge=3.4e38, i=-3, n=[1, -2], s="q'",
                             rs=[1.0, 0.5], ss=["a", ""], **{f"t{i}": numpy_helper.from_array(a) for i, a in enumerate(arrays)}),
            helper.make_node("If", ["c"], ["d"], then_branch=inner, else_branch=inner),
            helper.make_node("Twice", ["x"], ["e"], domain="own", k=3),
        ]
        function = helper.make_function("own", "Twice", ["p"], ["q"], [helper.make_node("Add", ["p", "p"], ["q"])],
                                        [helper.make_opsetid("", 17)], ["k"])
        function.node[0].attribute.add(name="axis", ref_attr_name="k", type=AttributeProto.INT)
        inputs = [helper.make_tensor_value_info("x", 1, ["N", 3, None]), helper.make_tensor_value_info("c", TensorProto.BOOL, []),
                  helper.make_tensor_value_info("v", TensorProto.INT64, [2])]
        graph = helper.make_graph(nodes, "g", inputs, [helper.make_tensor_value_info("d", 1, None), helper.make_empty_tensor_value_info("y")],
                                  [numpy_helper.from_array(np.array([3, 4]), "v")], value_info=[helper.make_tensor_value_info("e", 1, ["N"])])
        model = helper.make_model(graph, functions=[function], opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("own", 1)],
                                  producer_name="it 'is'", producer_version="2", doc_string="several\nlines", model_version=4, domain="d")
        onnx.save(model, "m.onnx")
        self.assertIsNone(beyond_1_12(model))
        self.same("m.onnx", model)

    def test_what_only_later_parsers_read(self):
        """As onnx.printer.to_text of later releases says it."""
        tensor = helper.make_tensor("1w", TensorProto.FLOAT16, [2], np.array([1, 2], np.float16))
        outside = TensorProto(name="far", data_type=TensorProto.FLOAT, dims=[9], data_location=TensorProto.EXTERNAL)
        outside.external_data.add(key="location", value="w.bin")
        node = helper.make_node("Optional", ["/a/b", ""], ["y"], name="/Op 1", f=float("inf"), s='q"\\', t=helper.make_tensor("", TensorProto.COMPLEX64, [1], [1 + 2j]))
        node.attribute.add(name="type", type=AttributeProto.TYPE_PROTO).tp.CopyFrom(helper.make_tensor_type_proto(1, [2]))
        node.attribute.add(name="none", type=AttributeProto.INTS)
        sequence = helper.make_value_info("/a/b", helper.make_sequence_type_proto(helper.make_tensor_type_proto(1, ["batch*2"])))
        graph = helper.make_graph([node], "main graph", [sequence], [helper.make_tensor_value_info("y", 1, None)], [tensor, outside])
        sparse = graph.sparse_initializer.add(dims=[3, 4])
        sparse.values.CopyFrom(helper.make_tensor("s", TensorProto.FLOAT, [1], [5]))
        sparse.indices.CopyFrom(helper.make_tensor("", TensorProto.INT64, [1], [7]))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        helper.set_model_props(model, {"key": "value"})
        onnx.save(model, "m.onnx")
        self.assertEqual(self.printed("m.onnx"), """\
<
   ir_version: 8,
   opset_import: ["" : 17],
   metadata_props: ["key": "value"]
>
"main graph" (seq(float["batch*2"]) "/a/b") => (float[] y)
   <float16[2] "1w" = {15360, 16384},
    float[9] far = ["location": "w.bin"]>
   # sparse: float[1] s {5} at int64[1] {7} of [3,4]
{
   ["/Op 1"] y = Optional <f: float = inf, s: string = "q\\"\\\\", t: tensor = complex64[1] {1, 2}, type: type_proto = float[2], none: ints = []> ("/a/b", "")
}
""")

    def test_fewer_elements(self):
        graph = helper.make_graph([], "g", [], [], [numpy_helper.from_array(np.arange(9), "w")])
        onnx.save(helper.make_model(graph), "m.onnx")
        self.assertIn("int64[9] w = {0, 1, ...}", self.printed("m.onnx", "--max-elements", "2"))


unittest.main(argv=sys.argv[:1])
