"""Rewriting rules on traced, scripted and torch.export programs, on ONNX files, and from Python."""

import contextlib
import pathlib
import tempfile
import threading
import unittest
import warnings
import zipfile

import cameo
import numpy as np
import onnx
import torch
from support import Case

PROGRAMS = pathlib.Path(__file__).parents[1] / "exported/programs/2.14.zip"
GEMM = "{ z = Gemm<transB = 1>(x, $weight, $bias) }"


class Net(torch.nn.Module):
    """The same modules as those of the torch.export program convolutions_dynamic."""

    def __init__(self):
        super().__init__()
        self.features = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3, stride=2, padding=1), torch.nn.BatchNorm2d(4),
                                            torch.nn.ReLU(inplace=True), torch.nn.MaxPool2d(2),
                                            torch.nn.Conv2d(4, 6, 3, padding=1, groups=2))
        self.pool = torch.nn.AdaptiveAvgPool2d(1)
        self.head = torch.nn.Linear(6, 5)

    def forward(self, image):
        return self.head(torch.flatten(self.pool(self.features(image)), 1))


class Programs(Case):
    """Each rule is applied to a traced, a scripted and a torch.export program."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        torch.manual_seed(0)
        model, image = Net().eval(), torch.randn(2, 3, 16, 20)
        torch.jit.trace(model, image).save(str(folder / "traced.pt"))
        torch.jit.script(model).save(str(folder / "scripted.pt"))
        with zipfile.ZipFile(PROGRAMS) as programs:
            programs.extract("convolutions_dynamic.pt2", folder)
        cls.image = image.numpy()
        cls.programs = {"traced": folder / "traced.pt", "scripted": folder / "scripted.pt",
                        "exported": folder / "convolutions_dynamic.pt2"}
        cls.plain = {kind: cls.results(cls.exported(path)[0]) for kind, path in cls.programs.items()}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def exported(cls, path, *files, **options):
        args = None if path.suffix == ".pt2" else cameo.Input("f32[n>=1,3,h>=8,w>=8]")
        with warnings.catch_warnings(record=True) as told, cameo.rewrites(*files):
            warnings.simplefilter("always")
            program = cameo.export(str(path), args, **options)
        return program, [str(each.message) for each in told]

    @classmethod
    def results(cls, program):
        session = cameo.Session(program.model_proto.SerializeToString())
        return session.run(None, {session.get_inputs()[0].name: cls.image})[0]

    def rules(self, text):
        path = pathlib.Path(self.folder.name) / "test.rules"
        path.write_text(text)
        return path

    def each(self, text, expected=None, nodes=(), domain=None, **options):
        """The results with the rules, as a function of the results without them."""
        for kind, path in self.programs.items():
            with self.subTest(kind):
                program, told = self.exported(path, self.rules(text), **options)
                self.assertEqual([message for message in told if "never applied" in message], [])
                self.assertTrue(all(use.places for use in program.report.rewrites), program.report.rewrites)
                proto = program.model_proto
                made = [f"{node.domain}::{node.op_type}" if node.domain else node.op_type for node in proto.graph.node]
                for node in nodes:
                    self.assertIn(node, made)
                if domain:
                    self.assertIn((domain, 1), [(each.domain, each.version) for each in proto.opset_import])
                else:
                    np.testing.assert_allclose(self.results(program), expected(self.plain[kind]), rtol=1e-5, atol=1e-6)
                type = proto.graph.output[0].type.tensor_type
                self.assertEqual(type.elem_type, onnx.TensorProto.FLOAT)
                self.assertEqual(type.shape.dim[1].dim_value, 5)

    def fails(self, text, kind="traced", **options):
        with self.assertRaises(cameo.Error) as raised:
            self.exported(self.programs[kind], self.rules(text), **options)
        return raised.exception.diagnostics[0]

    # ---- places

    def test_after_a_module(self):
        self.each('rule r after module "head" replace (y) -> (z) { z = Clip(y, 0.0, 0.25) }', lambda y: y.clip(0, 0.25),
                  ["Clip"])

    def test_after_a_class(self):
        self.each('rule r after class "torch.nn.*.Linear" replace (y) -> (z) { z = Mul(y, 2) }', lambda y: 2 * y)

    def test_after_an_operator(self):
        self.each('rule r after operator "aten::linear" replace (y) -> (z) { z = Neg(y) }', lambda y: -y, ["Neg"])

    def test_at_an_operator(self):
        self.each('rule r at operator "aten::linear" replace (input, weight, bias) -> (y)'
                  " { t = Transpose<perm = [1, 0]>(weight) m = MatMul(input, t) s = Add(m, bias) y = Mul(s, 3.0) }",
                  lambda y: 3 * y)

    def test_in_place_operator(self):
        """The traced and the scripted program call relu_, which changes its argument."""
        self.each('rule a at operator "aten::relu" replace (self) -> (y) { n = Relu(self) y = Mul(n, 0.0) }\n'
                  'rule b at module "features.4" replace (x) -> (y) { y = Conv<pads = [1, 1, 1, 1], group = 2>'
                  "(x, $weight, $bias) }\n"
                  'rule c at module "head" replace (x) -> (z) { a = Mul(x, 0.0) z = Gemm<transB = 1>(a, $weight, $bias) }\n'
                  'rule d after module "head" replace (y) -> (z) { z = Sub(y, y) }', lambda y: 0 * y)

    def test_at_a_module_with_its_parameters(self):
        self.each(f'rule r at module "head" replace (x) -> (z) {GEMM}', lambda y: y, ["Gemm"])

    def test_parameters_of_an_operator_are_those_of_its_module(self):
        self.each('rule r at operator "aten::linear" in module "head" replace (input) -> (z: f32[?, 5])'
                  " { z = Gemm<transB = 1>(input, $weight, $bias) }", lambda y: y)

    # ---- replacements

    def test_torchscript_at_a_module(self):
        self.each('rule r at module "head" replace {\n'
                  "  def half(x):\n    return x * 0.5\n"
                  "  def forward(self, x: Tensor) -> Tensor:\n"
                  "    return half(origin(self, x) * 4) + self.bias * 0\n}", lambda y: 2 * y)

    def test_torchscript_at_a_method(self):
        self.each('rule r at method "__torch__.torch.nn.modules.linear.Linear.forward"\n'
                  "  replace { def forward(self, x: Tensor) -> Tensor: return origin(self, x) + 1 }", lambda y: y + 1)

    def test_torchscript_at_an_operator(self):
        self.each('rule r at operator "aten::linear"\n'
                  "  replace { def f(x, weight, bias): return torch.clamp(origin(x, weight, bias), 0, 0.25) }",
                  lambda y: y.clip(0, 0.25))

    def test_torchscript_after_a_module(self):
        self.each('rule r after module "head" replace { def f(self, y): return y.clamp(0, 0.25) }', lambda y: y.clip(0, 0.25))

    def test_custom_domain(self):
        self.each('rule r at operator "aten::linear" replace (input, weight, bias) -> (y)'
                  ' { y = mmdeploy.Linear<alpha = 2.5, modes = ["a", "b"]>(input, weight, bias) }', nodes=["mmdeploy::Linear"],
                  domain="mmdeploy")
        self.each('rule r at module "head" replace (x) -> (y: f32[size(x, 0), 5]) { y = my.domain.Head(x, [1, 2], ) }',
                  nodes=["my.domain::Head"], domain="my.domain")

    def test_converter(self):
        @cameo.converter("rewriting_test::doubled(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor")
        def doubled(g, input, weight, bias):
            return g.op("Mul", g.op("Gemm", input, weight, bias, transB_i=1), g.constant(2.0))

        self.addCleanup(cameo.converters.unregister, doubled)
        self.each('rule r at operator "aten::linear" in module "head" replace converter "rewriting_test::doubled"',
                  lambda y: 2 * y)

    def test_schema_of_the_rule(self):
        self.each('rule r at operator "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"\n'
                  "  replace (input, weight, bias) -> (y) { y = Gemm<transB = 1>(input, weight, bias) }", lambda y: y)

    # ---- conditions and scopes

    def test_conditions(self):
        self.each('rule r at operator "aten::linear"\n'
                  "  when opset >= 9 and not opset > 27 and rank(input) == 2 and dtype(weight) == f32\n"
                  '  when size(weight, 0) in [4, 5] and known(weight) and target == "tensorrt" and supports("Relu")\n'
                  '  when not supports("Unique") or size(input, 0) == 7\n'
                  "  replace { def f(x, w, b): return origin(x, w, b) * 2 }", lambda y: 2 * y, target="tensorrt")

    def test_constant_arguments(self):
        self.each('rule r at operator "aten::flatten" when start_dim == 1 and end_dim == -1\n'
                  "  replace { def f(x, a, b=-1): return origin(x, a, b) * 0 }\n"
                  f'rule h at module "head" replace (x) -> (z) {GEMM}\n'
                  'rule z after module "head" replace (y) -> (z) { z = Sub(y, y) }', lambda y: 0 * y)

    def test_false_conditions_leave_the_program(self):
        text = 'rule r at operator "aten::linear" when rank(input) == 3 replace (input) -> (y) { y = Relu(input) }'
        for kind, path in self.programs.items():
            program, told = self.exported(path, self.rules(text))
            np.testing.assert_array_equal(self.results(program), self.plain[kind])
            self.assertIn("the rule 'r' never applied\n  hint: 'aten::linear' occurs, but not where the other conditions of "
                          "the rule hold", told)

    def test_scopes(self):
        for scope in ['module "head"', 'module "h*d"', 'class "torch.nn.modules.linear.Linear"', 'module ""']:
            self.each(f'rule r after operator "aten::linear" in {scope} replace (y) -> (z) {{ z = Neg(y) }}', lambda y: -y)

    def test_files_and_lines(self):
        line = 1 + next(i for i, text in enumerate(open(__file__)) if "return self.head(" in text)
        text = 'rule r after operator "aten::linear" in file "rewriting_test.py:{}" replace (y) -> (z) {{ z = Neg(y) }}'
        for kind in ("traced", "scripted"):
            program, _ = self.exported(self.programs[kind], self.rules(text.format(line)))
            np.testing.assert_array_equal(self.results(program), -self.plain[kind])
            program, _ = self.exported(self.programs[kind], self.rules(text.format(line + 1)))
            np.testing.assert_array_equal(self.results(program), self.plain[kind])
        program, _ = self.exported(self.programs["exported"],
                                   self.rules('rule r after operator "aten::linear" in file "networks.py" replace (y) -> (z)'
                                              " { z = Neg(y) }"))
        np.testing.assert_array_equal(self.results(program), -self.plain["exported"])

    # ---- the choice

    def test_the_more_specific_rule_wins(self):
        wide = 'rule wide after operator "aten::*" in module "head" replace (y) -> (z) { z = Mul(y, 2) }\n'
        near = 'rule near after operator "aten::linear" in module "head" replace (y) -> (z) { z = Mul(y, 3) }\n'
        urgent = 'rule urgent priority 1 after operator "aten::lin*" replace (y) -> (z) { z = Mul(y, 5) }\n'
        path = self.programs["traced"]
        for text, factor in ((wide + near, 3), (near + wide, 3), (wide + near + urgent, 5)):
            program, told = self.exported(path, self.rules(text))
            np.testing.assert_allclose(self.results(program), factor * self.plain["traced"], rtol=1e-5)
            self.assertTrue(any("never applied" in message for message in told))

    def test_a_tie_is_an_error(self):
        rule = 'rule {} after operator "aten::linear" replace (y) -> (z) {{ z = Neg(y) }}\n'
        found = self.fails(rule.format("a") + rule.format("b"))
        self.assertEqual((found.code, found.message), (
            "ambiguous-rewrite", "the rules 'a' and 'b' both match aten::linear, and neither is more specific"))

    def test_rules_of_an_inner_and_of_an_outer_module(self):
        self.each('rule a after module "head" replace (y) -> (z) { z = Mul(y, 2.0) }\n'
                  'rule b after module "" replace (y) -> (z) { z = Add(y, 1.0) }\n'
                  'rule c at operator "aten::linear" replace { def f(a, b, c): return -origin(a, b, c) }', lambda y: 1 - 2 * y)

    # ---- the report

    def test_report(self):
        text = ('rule near after module "heat" replace (y) -> (z) { z = Neg(y) }\n'
                'rule far after operator "aten::elu" replace (y) -> (z) { z = Neg(y) }\n'
                'rule used after module "head" replace (y) -> (z) { z = Neg(y) }\n')
        for kind, path in self.programs.items():
            program, told = self.exported(path, self.rules(text))
            self.assertIn("the rule 'near' never applied\n  hint: did you mean 'head'?", told)
            self.assertIn("the rule 'far' never applied\n  hint: did you mean 'aten::relu'?", told, kind)
            uses = [(use.rule, use.line, len(use.places)) for use in program.report.rewrites]
            self.assertEqual(uses, [("near", 1, 0), ("far", 2, 0), ("used", 3, 1)])
            self.assertTrue(program.report.rewrites[2].places[0].startswith("module 'head'"))
            codes = [warning.code for warning in program.report.warnings]
            self.assertEqual(codes.count("unused-rewrite"), 2)

    # ---- mistakes

    def test_wrong_results_are_errors(self):
        found = self.fails('rule r at operator "aten::linear" replace (input) -> (y) { y = Cast<to = 10>(input) }')
        self.assertIn("cannot replace this: the result would be f16[n, 6], and without the rule it is f32[n, 5]", found.message)
        found = self.fails('rule r at module "head" replace (x) -> (y) { y = my.Head(x) }')
        self.assertEqual(found.code, "rewrite-failed")
        self.assertIn("the type of the result of my::Head is not stated", found.message)
        found = self.fails('rule r at module "head" replace (x) -> (y: f32[?, 5]) { a = my.A(x) y = Relu(a) }')
        self.assertIn("the type of the result of my::A is not stated", found.message)
        found = self.fails('rule r at module "head" replace (x) -> (y: i64) { y = Relu(x) }')
        self.assertIn("a tensor of f32 is said to be of i64", found.message)
        found = self.fails('rule r after module "head" replace (y, z) -> (y) { }')
        self.assertIn("module 'head' has 1 results, and the rule names 2", found.message)
        found = self.fails('rule r at module "head" replace { def f(self, x) -> List[Tensor]: return x }')
        self.assertIn("which is not of the type that it declares", found.message)
        found = self.fails('rule r at module "head" replace (x) -> (y) { y = Relu($wait) }')
        self.assertIn("the module 'head' has no parameter 'wait'", found.message)
        self.assertEqual(found.hint, "it has bias, weight")
        found = self.fails('rule r at operator "aten::linear" replace (x) -> (y) { y = Relu(x) }')
        self.assertIn("names an argument 'x', which aten::linear does not have", found.message)
        self.assertEqual(found.hint, "its arguments are input, weight, bias")

    def test_undecided_conditions_are_errors(self):
        found = self.fails('rule r at operator "aten::linear" when size(input, 0) == 2 replace (input) -> (y) { y = Relu(input) }')
        self.assertEqual((found.code, found.message), (
            "undecided-rewrite", "the rule 'r' cannot be decided: a size of 'input' is not known at export time, it is n"))

    def test_unknown_target(self):
        self.assertEqual(self.fails("# none", target="tensort").code, "unknown-target")
        self.assertEqual(self.fails("# none", target="tensort").hint, "did you mean 'tensorrt'?")


class Targets(Case):
    def test_an_export_says_what_the_target_lacks(self):
        class Unique(torch.nn.Module):
            def forward(self, x):
                return torch.unique(x), torch.nn.functional.interpolate(x[None, None, None], scale_factor=2.0)

        self.export(Unique(), (torch.rand(6),), target="ncnn", opset_version=13, dynamic_axes=None)
        self.assertTrue(any("ncnn, onnx2ncnn does not implement Unique: 1 node" in message for message in self.messages()))
        self.export(Unique(), (torch.rand(6),), target="ort", opset_version=13)
        self.assertEqual([w.code for w in self.report.warnings if w.code == "target-lacks"], [])
        self.export(Net().eval(), (torch.rand(1, 3, 8, 8),), target="tensorrt", opset_version=21)
        self.assertIn("target-lacks", [warning.code for warning in self.report.warnings])
        self.assertIn("TensorRT 10.0 reads opsets 9 to 20, and the model has opset 21\n  hint: export with opset_version=20",
                      self.messages())


class Clipped(torch.nn.Module):
    """The model of the tutorial, which knows that it is exported."""

    def __init__(self, clips):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)
        self.clips = clips

    def forward(self, x):
        x = self.conv(x)
        if self.clips and torch.onnx.is_in_onnx_export():
            x = torch.clip(x, 0, 1)
        return x


class OnnxFiles(Case):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.rules = self.path / "r.rules"

    def test_the_same_graph_as_is_in_onnx_export(self):
        self.rules.write_text('rule clip\n  after module "conv"\n  replace (y) -> (z) { z = Clip(y, 0.0, 1.0) }\n')
        x = torch.rand(1, 3, 10, 10)
        graphs = []
        for clips in (True, False):
            torch.manual_seed(0)
            model = Clipped(clips)
            with cameo.rewrites(*([] if clips else [self.rules])):
                self.export(model, x)
            graphs.append(self.model.graph)
            if not clips:
                torch.jit.trace(model, x).save(str(self.path / "m.pt"))
        with cameo.rewrites(self.rules):
            saved = cameo.export(str(self.path / "m.pt"), cameo.Input("f32[1,3,10,10]"), input_names=["input"])
        names = [[(node.op_type, node.name, *node.input, *node.output) for node in graph.node] for graph in graphs]
        self.assertEqual([name for name, *_ in names[0]], ["Conv", "Clip"])
        self.assertEqual(names[0], names[1])
        self.assertEqual([t.SerializeToString() for t in graphs[0].initializer],
                         [t.SerializeToString() for t in graphs[1].initializer])
        self.assertEqual([node.op_type for node in saved.model_proto.graph.node], ["Conv", "Clip"])

    def simplified(self, text, model=None):
        torch.manual_seed(0)
        net, x = model or Net().eval(), torch.rand(2, 3, 16, 20)
        torch.onnx.export(net, x, str(self.path / "m.onnx"), opset_version=13, input_names=["x"],
                          dynamic_axes={"x": {0: "n"}})
        self.rules.write_text(text)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            cameo.simplify(self.path / "m.onnx", self.path / "s.onnx", rewrites=[self.rules])
        self.told = told
        made = onnx.load(str(self.path / "s.onnx"))
        onnx.checker.check_model(made)
        self.plain = cameo.Session(str(self.path / "m.onnx")).run(None, {"x": x.numpy()})[0]
        self.x = x.numpy()
        return made

    def assert_results(self, expected):
        result = cameo.Session(str(self.path / "s.onnx")).run(None, {"x": self.x})[0]
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)

    def test_operators(self):
        self.simplified('rule r at operator "Relu" replace (x) -> (y) { a = Relu(x) b = Clip(a, 0.0, 1.0) y = Mul(b, 0.0) }\n'
                        'rule g at operator "onnx::Gemm" replace (a, b, c, transB) -> (y) { y = Gemm<transB = @transB>(a, b, c) }')
        torch.manual_seed(0)
        net = Net().eval()
        net.features[2] = torch.nn.Threshold(1e9, 0.0)
        self.assert_results(net(torch.from_numpy(self.x)).detach().numpy())

    def test_after_a_module_and_a_value(self):
        made = self.simplified('rule r after module "head" replace (y) -> (z) { z = Clip(y, 0.0, 0.25) }')
        self.assert_results(self.plain.clip(0, 0.25))
        self.assertEqual([node.op_type for node in made.graph.node][-2:], ["Gemm", "Clip"])
        output = onnx.load(str(self.path / "m.onnx")).graph.output[0]
        self.assertEqual(made.graph.output[0], output)
        value = output.name
        self.simplified(f'rule r after value "{value}" replace (y) -> (z) {{ z = Mul(y, 2) }}')
        self.assert_results(2 * self.plain)

    def test_at_a_module(self):
        self.simplified(f'rule r at module "head" replace (x) -> (z) {GEMM}')
        self.assert_results(self.plain)
        made = self.simplified('rule r at module "head" replace (x) -> (z: f32[size(x, 0), 5]) { z = my.Head(x, $weight) }')
        self.assertEqual((made.graph.node[-1].domain, made.graph.node[-1].op_type), ("my", "Head"))
        self.assertIn(("my", 1), [(each.domain, each.version) for each in made.opset_import])
        self.assertNotIn("head.bias", [tensor.name for tensor in made.graph.initializer])

    def test_conditions(self):
        self.simplified('rule r at operator "Relu" when rank(x) == 3 replace (x) -> (y) { y = Mul(x, 0.0) }\n'
                        'rule s at operator "Gemm" when transB == 1 and dtype(b) == f32 and size(b, 0) == 5\n'
                        "  replace (a, b, c, transB) -> (z) { y = Gemm<transB = 1>(a, b, c) z = Neg(y) }")
        self.assert_results(-self.plain)

    def test_mistakes(self):
        def fails(text):
            with self.assertRaises(cameo.Error) as raised:
                self.simplified(text)
            return raised.exception.diagnostics[0]

        self.assertEqual(fails('rule r at class "A" replace (x) -> (y) { y = Relu(x) }').code, "rewrite-failed")
        found = fails('rule r after module "head" replace (y) -> (z) { z = Cast<to = 10>(y) }')
        self.assertIn("of the model would become f16", found.message)
        found = fails('rule r at operator "Gemm" replace (a) -> (z) { z = Relu(a) }')
        self.assertIn("has 3 inputs, and the rule names 1", found.message)
        found = fails('rule r at operator "Relu" replace (x) -> (y) { y = Cast<to = 7>(x) }')
        self.assertIn("the result would be i64", found.message)


class Detect(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.act = torch.nn.GELU()

    def forward(self, x):
        return self.act(x), x + decoded(x)


class Whole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.tail = Detect(), torch.nn.Linear(4, 4)

    def forward(self, x):
        a, b = self.head(x)
        return self.tail(torch.nn.functional.gelu(a)) + b


def decoded(x):
    return x * 7


HERE = Detect.__module__
X = torch.rand(2, 4)


class FromPython(Case):
    def test_functions(self):
        model, before = Whole().eval(), (Detect.forward, torch.add, decoded)
        with cameo.rewrites() as r:
            @r.function(f"{HERE}.Detect.forward")
            def forward(original, self, x):
                return x, original(self, x)[1] - 3 * decoded(x)

            self.assertIs(Detect.forward, before[0])
            self.export(model, (X,))
            self.assertEqual((Detect.forward, torch.add, decoded), before)
        a, b = X, X + decoded(X) - 3 * decoded(X)
        self.assert_same(model.tail(torch.nn.functional.gelu(a)) + b, [X])
        self.export(model, (X,))
        self.assert_same(model(X), [X])

    def test_builtin_functions_and_imported_names(self):
        with cameo.rewrites() as r:
            @r.function("torch.nn.functional.gelu")
            def gelu(original, x, approximate="none"):
                return x * 0

            @r.function(f"{HERE}.decoded")
            def seven(original, x):
                return original(x) + 1

            model = Whole().eval()
            self.export(model, (X,))
        self.assert_same(model.tail(X * 0) + X + 7 * X + 1, [X])
        self.assertEqual(decoded(1), 7)

    def test_functions_are_restored_after_an_exception(self):
        before = Detect.forward
        with self.assertRaises(ZeroDivisionError):
            with cameo.rewrites() as r:
                @r.function(f"{HERE}.Detect.forward")
                def forward(original, self, x):
                    raise ZeroDivisionError

                self.export(Whole(), (X,))
        self.assertIs(Detect.forward, before)

    def test_two_threads(self):
        """Each thread has its own replacement of the same function, while both run."""
        both = threading.Barrier(2)
        place = cameo.patches.Place(Detect, "forward")
        found, before = {}, Detect.forward

        def work(name, number):
            def forward(original, self, x):
                return number

            with contextlib.ExitStack() as stack:
                stack.enter_context(cameo.patches.replaced({place: forward}))
                both.wait(10)
                found[name] = [Detect()(X) for _ in range(100)]
                both.wait(10)

        threads = [threading.Thread(target=work, args=item) for item in (("a", 1), ("b", 2))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {"a": [1] * 100, "b": [2] * 100})
        self.assertIs(Detect.forward, before)

    def test_conditions(self):
        with cameo.rewrites() as r:
            @r.function(f"{HERE}.decoded", opset=(9, 11))
            def old(original, x):
                return x * 100

            @r.function(f"{HERE}.decoded")
            def general(original, x):
                return x * 2

            @r.function(f"{HERE}.decoded", target="tensorrt")
            def special(original, x):
                return x * 3

            model = Whole().eval()
            for options, factor in (({}, 2), ({"target": "tensorrt"}, 3), ({"opset_version": 11}, 100)):
                self.export(model, (X,), **options)
                self.assert_same(model(X) + X * (factor - 7), [X])

            @r.function(f"{HERE}.decoded")
            def again(original, x):
                return x

            with self.assertRaisesRegex(cameo.Error, "2 rules replace '.*decoded', and none is more specific"):
                self.export(model, (X,))

    def test_what_is_not_there_is_a_warning(self):
        with cameo.rewrites() as r:
            r.function(f"{HERE}.Detect.froward")(lambda original, x: x)
            r.function(f"{HERE}.Detect.extra_repr")(lambda original, self: "")
            r.module("haed")(lambda module: module)
            r.symbolic("aten::sin")(lambda g, x: x)
            self.export(Whole().eval(), (X,))
        told = "\n".join(self.messages())
        self.assertIn(f"there is no '{HERE}.Detect.froward' to replace; did you mean 'forward'", told)
        self.assertIn(f"the replacement of '{HERE}.Detect.extra_repr' was never called", told)
        self.assertIn("no module matches 'haed'; did you mean 'head'", told)
        self.assertIn("never applied", told)

    def test_modules(self):
        class Twice(torch.nn.Module):
            def __init__(self, module):
                super().__init__()
                self.module = module

            def forward(self, x):
                return self.module(x) * 2

        model = Whole().eval()
        tail, act = model.tail, model.head.act
        for name in ("torch.nn.modules.linear.Linear", "tail", "t*l"):
            with cameo.rewrites() as r:
                r.module(name)(Twice)
                self.export(model, (X,))
            a, b = model.head(X)
            self.assert_same(2 * tail(torch.nn.functional.gelu(a)) + b, [X])
            self.assertIs(model.tail, tail)
        with cameo.rewrites() as r:
            r.module("head.act")(lambda module: torch.nn.ReLU())
            r.module("torch.nn.Module")(lambda module: module)
            self.export(model, (X,))
        self.assertIs(model.head.act, act)
        self.assert_same(tail(torch.nn.functional.gelu(torch.relu(X))) + 8 * X, [X])

    def test_symbolic_functions(self):
        with cameo.rewrites() as r:
            @r.symbolic("aten::gelu", opset=(9, 19), at="head.*")
            def gelu(g, x, approximate):
                return g.op("mmdeploy::Gelu", x, approximate_s=approximate).setType(x.type())

            self.export(Whole().eval(), (X,))
            self.assertEqual([n.op_type for n in self.model.graph.node if n.domain == "mmdeploy"], ["Gelu"])
            self.assertIn("Erf", self.operators())
            self.export(Whole().eval(), (X,), opset_version=20)
            self.assertEqual([n for n in self.model.graph.node if n.domain == "mmdeploy"], [])
        self.export(Whole().eval(), (X,))
        self.assertEqual([n for n in self.model.graph.node if n.domain == "mmdeploy"], [])

    def test_symbolic_function_of_an_autograd_function(self):
        class Shift(torch.autograd.Function):
            @staticmethod
            def symbolic(g, x, by):
                return g.op("mmdeploy::Old", x, by_i=by).setType(x.type())

            @staticmethod
            def forward(ctx, x, by):
                return x + by

        globals()["Shift"] = Shift

        class Model(torch.nn.Module):
            def forward(self, x):
                return Shift.apply(x, 5)

        with cameo.rewrites() as r:
            @r.symbolic(f"{HERE}.Shift")
            def new(g, x, by):
                return g.op("mmdeploy::New", x, by_i=by).setType(x.type())

            self.export(Model(), (X,))
            self.assertEqual(self.operators(), ["New"])
        self.export(Model(), (X,))
        self.assertEqual(self.operators(), ["Old"])

    def test_rules_files_and_functions_together(self):
        with tempfile.NamedTemporaryFile("w", suffix=".rules") as file:
            file.write('rule r after module "tail" replace (y) -> (z) { z = Neg(y) }')
            file.flush()
            model = Whole().eval()
            with cameo.rewrites(file.name) as r:
                r.function(f"{HERE}.decoded")(lambda original, x: x)
                self.export(model, (X,))
        self.assert_same(-model.tail(torch.nn.functional.gelu(torch.nn.functional.gelu(X))) + 2 * X, [X])

    def test_a_wrong_file_is_an_error_before_any_export(self):
        with tempfile.NamedTemporaryFile("w", suffix=".rules") as file:
            file.write("rule r at nothing")
            file.flush()
            with self.assertRaises(cameo.Error) as raised:
                cameo.rewrites(file.name)
        self.assertEqual(raised.exception.diagnostics[0].code, "bad-rewrite")


if __name__ == "__main__":
    unittest.main()
