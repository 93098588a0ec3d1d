#!/usr/bin/python3
"""usage: exact_test.py CAMEO [name-part]

Shapes that the official library leaves open, and what a model that contradicts itself is told. A case is a graph in
ONNX's textual syntax and what Cameo says of its values.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import onnx
import onnx.parser
from onnx import helper

CASES = {
    "reshape by parts of a shape": ("""
      (float[batch, seq, 768] x) => (float[a, b, c, d] y) {
        shape = Shape(x)
        zero = Constant<value = int64 {0}>()
        one = Constant<value = int64 {1}>()
        first = Constant<value = int64[1] {0}>()
        b = Gather<axis = 0>(shape, zero)
        s = Gather<axis = 0>(shape, one)
        b1 = Unsqueeze(b, first)
        s1 = Unsqueeze(s, first)
        heads = Constant<value = int64[2] {12, 64}>()
        target = Concat<axis = 0>(b1, s1, heads)
        split = Reshape(x, target)
        y = Transpose<perm = [0, 2, 1, 3]>(split)
      }""", {"split": "batch seq 12 64", "y": "batch 12 seq 64"}),
    "two transposes": ("""
      (float[2, 3, 4] x) => (float[2, 3, 4] z) {
        y = Transpose<perm = [1, 0, 2]>(x)
        z = Transpose<perm = [1, 0, 2]>(y)
      }""", {"y": "3 2 4", "z": "2 3 4"}),
    "sizes left open": ("""
      (float[batch, 3, h, w] x) => (float[n, m] y) {
        target = Constant<value = int64[2] {0, -1}>()
        y = Reshape(x, target)
      }""", {"y": "batch 3*h*w"}),
    "sums of sizes": ("""
      (float[a, 3] x, float[b, 3] z) => (float[n, 3] y) {
        y = Concat<axis = 0>(x, z)
      }""", {"y": "a + b 3"}),
    "slices": ("""
      (float[batch, 10] x) => (float[n, m] y) {
        starts = Constant<value = int64[2] {1, -3}>()
        ends = Constant<value = int64[2] {9223372036854775807, 10}>()
        y = Slice(x, starts, ends)
      }""", {"y": "batch - 1 3"}),
    "windows": ("""
      (float[batch, 3, h, 224] x, float[64, 3, 7, 7] w) => (float[a, b, c, d] y) {
        y = Conv<kernel_shape = [7, 7], strides = [2, 2], pads = [3, 3, 3, 3]>(x, w)
      }""", {"y": "batch 64 floor((h + 1)/2) 112"}),
    "resize by scales": ("""
      (float[batch, 3, h, w] x) => (float[a, b, c, d] y) {
        scales = Constant<value = float[4] {1.0, 1.0, 2.0, 0.5}>()
        y = Resize<mode = "nearest">(x, , scales)
      }""", {"y": "batch 3 2*h floor(w/2)"}),
    "resize by sizes of another": ("""
      (float[batch, 3, h, w] x, float[batch, 8, p, q] z) => (float[a, b, c, d] y) {
        like = Shape<start = 2>(z)
        own = Shape<end = 2>(x)
        sizes = Concat<axis = 0>(own, like)
        y = Resize<mode = "linear">(x, , , sizes)
      }""", {"y": "batch 3 p q"}),
    "a range": ("""
      (float[batch, n] x) => (int64[m] y) {
        shape = Shape(x)
        one = Constant<value = int64 {1}>()
        zero = Constant<value = int64 {0}>()
        two = Constant<value = int64 {2}>()
        limit = Gather<axis = 0>(shape, one)
        y = Range(zero, limit, two)
      }""", {"y": "n - floor(n/2)"}),
    "expand as PyTorch writes it": ("""
      (float[1, n] x, float[batch, m] z) => (float[a, b] y) {
        rows = Shape<start = 0, end = 1>(z)
        rest = Constant<value = int64[1] {-1}>()
        wanted = Concat<axis = 0>(rows, rest)
        two = Constant<value = int64[1] {2}>()
        ones = ConstantOfShape<value = int64[1] {1}>(two)
        kept = Mul(ones, rest)
        same = Equal(wanted, kept)
        target = Where(same, ones, wanted)
        y = Expand(x, target)
      }""", {"y": "batch n"}),
    "what only a run can tell": ("""
      (float[batch, 4] x) => (int64[r, n] y) {
        found = NonZero(x)
        y = Neg(found)
      }""", {"found": "2 nonzero", "y": "2 nonzero"}),
    "a loop that stacks": ("""
      (float[batch, 4] x) => (float[n, b, 4] y) {
        shape = Shape(x)
        zero = Constant<value = int64 {0}>()
        trips = Gather<axis = 0>(shape, zero)
        yes = Constant<value = bool {1}>()
        last, y = Loop(trips, yes, x)<body = body (int64 i, bool c, float[p, q] now) => (bool again, float[r, s] next, float[t, u] out) {
          again = Identity(c)
          next = Add(now, now)
          out = Relu(next)
        }>
      }""", {"last": "batch 4", "y": "batch batch 4", "Loop_4.body/next": "batch 4"}),
    "a loop that grows": ("""
      (float[batch, 4] x, int64 trips) => (float[a, b] y) {
        yes = Constant<value = bool {1}>()
        last = Loop(trips, yes, x)<body = body (int64 i, bool c, float[p, q] now) => (bool again, float[r, s] next) {
          again = Identity(c)
          next = Concat<axis = 0>(now, now)
        }>
        y = Relu(last)
      }""", {"last": "joined 4", "Loop_1.body/next": "2*carried 4", "y": "joined 4"}),
    "branches": ("""
      (float[batch, 4] x, bool c) => (float[a, b] y) {
        o, z = If(c)<then_branch = yes () => (float[f, g] p, float[h, i] q) {
          p = Relu(x)
          q = Concat<axis = 0>(x, x)
        }, else_branch = no () => (float[j, k] r, float[l, m] s) {
          r = Abs(x)
          s = Identity(x)
        }>
        y = Relu(o)
      }""", {"o": "batch 4", "z": "joined 4"}),
    "operators that nobody knows": ("""
      (float[batch, 4] x) => (float[a, b] y) {
        u = my.domain.Whatever(x)
        v = Relu(u)
        target = Constant<value = int64[2] {2, -1}>()
        y = Reshape(x, target)
      }""", {"u": "?", "v": "?", "y": "2 2*batch"}),
}


def parsed(text, opset=17):
    header = f'<ir_version: 8, opset_import: ["" : {opset}, "my.domain" : 1]>'
    return text if isinstance(text, onnx.ModelProto) else onnx.parser.parse_model(f"{header}\ng {text.strip()}")


def infer(tool, model, folder, *options):
    path = pathlib.Path(folder) / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return subprocess.run([tool, "infer", str(path), *options], capture_output=True, text=True)


def shapes(run):
    assert run.returncode == 0, run.stderr
    values = json.loads(run.stdout)["values"]
    return {each.get("graph", "") + each["name"]: " ".join(each["shape"]) if each["shape"] is not None else "?"
            for each in values}


def check_cases(tool, folder, part):
    for name, (text, expected) in CASES.items():
        if part not in name:
            continue
        found = shapes(infer(tool, parsed(text), folder, "--json"))
        for value, shape in expected.items():
            yield name, found.get(value) == shape, f"{value} is '{found.get(value)}', not '{shape}'"


def function_model():
    body = [helper.make_node("Concat", ["a", "a"], ["twice"], axis=0),
            helper.make_node("Constant", [], ["k"], value_int=0)]
    body[0].attribute[0].ref_attr_name = "along"
    body[0].attribute[0].ClearField("i")
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    function = helper.make_function("own", "Double", ["a"], ["twice"], body[:1], opsets[:1], ["along"])
    graph = helper.make_graph(
        [helper.make_node("Double", ["x"], ["m"], domain="own", along=1),
         helper.make_node("Double", ["m"], ["y"], domain="own", along=0)], "g",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["batch", 4])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)])
    return helper.make_model(graph, functions=[function], opset_imports=opsets, ir_version=8)


def old_model():
    nodes = [helper.make_node("Squeeze", ["x"], ["s"], axes=[1]),
             helper.make_node("ReduceMean", ["s"], ["m"], axes=[-1], keepdims=0),
             helper.make_node("Pad", ["s"], ["p"], pads=[0, 1, 0, 2]),
             helper.make_node("Slice", ["p"], ["c"], starts=[1], ends=[3], axes=[1]),
             helper.make_node("Upsample", ["x"], ["u"], scales=[1.0, 1.0, 3.0], mode="nearest"),
             helper.make_node("Split", ["p"], ["l", "r"], axis=1, split=[5, 6]),
             helper.make_node("TopK", ["p"], ["v", "i"], k=2)]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["b", 1, 8])],
                              [helper.make_tensor_value_info("m", onnx.TensorProto.FLOAT, None)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 8)], ir_version=3)


def check_models(tool, folder, part):
    for name, model, expected in (
            ("functions", function_model(), {"m": "batch 8", "y": "2*batch 8"}),
            ("forms of older opsets", old_model(),
             {"s": "b 8", "m": "b", "p": "b 11", "c": "b 2", "u": "b 1 24", "l": "b 5", "r": "b 6", "i": "b 2"})):
        if part in name:
            found = shapes(infer(tool, model, folder, "--json"))
            for value, shape in expected.items():
                yield name, found.get(value) == shape, f"{value} is '{found.get(value)}', not '{shape}'"


CONTRADICTION = """
  (float[batch, 4] x) => (float[batch, 5] y) {
    m = Relu(x)
    y = Abs(m)
  }"""
FAULTY = """
  (float[2, 4] x, float[3, 4] z) => (float[a, b] y) {
    m = Concat<axis = 7>(x, z)
    n = Add(x, z)
    o = MatMul(x, x)
    p = Relu(x, z)
    q = Add(x, nobody)
    y = Relu(x)
  }"""
FAR_OFF = """
  (float[2, 4] x, int64[2, 1] i) => (float[a, b] y) {
    m = GatherND<batch_dims = 9223372036854775807>(x, i)
    none = Constant<value = float[0] {}>()
    huge = Constant<value = float[2] {1.0, 1e30}>()
    n = Resize(x, none, huge)
    less = Constant<value = float[2] {1.0, -1.0}>()
    o = Resize(x, none, less)
    p = Scan<num_scan_inputs = 1, body = body (float[4] s, float[4] t, float[4] e) => (float[4] u) { u = Add(s, e) }>(x, x, x)
    y = Relu(x)
  }"""


def check_faults(tool, folder, part):
    def told(run, *texts):
        return all(text in run.stderr for text in texts)

    if part in "contradictions":
        run = infer(tool, parsed(CONTRADICTION), folder)
        yield "contradictions", run.returncode == 0 and told(
            run, "warning: [check] Abs (node 1): of its output 'y', f32[batch, 4] is inferred, and the file says "
            "f32[batch, 5] [type-contradiction]"), run.stderr
        run = infer(tool, parsed(CONTRADICTION), folder, "--strict")
        yield "contradictions", run.returncode == 1 and told(run, "error: [check] Abs (node 1)"), run.stderr
    if part in "faulty nodes":
        run = infer(tool, parsed(FAULTY), folder)
        yield "faulty nodes", run.returncode == 0 and told(
            run, "Concat (node 0): axis 7 is out of range for a tensor with 2 axes", "Add (node 1): sizes 2 and 3 do not broadcast [shape-mismatch]",
            "MatMul (node 2): inner sizes 4 and 2 differ", "Relu (node 3): it cannot have 2 inputs [faulty-node]",
            "Add (node 4): nothing before it makes its input 'nobody'"), run.stderr
        yield "faulty nodes", "y  f32[2, 4]" in run.stdout, run.stdout
    if part in "functions without end":
        calls = [helper.make_function("own", f"F{i}", ["x"], ["y"], [
            helper.make_node(f"F{i + 1}", ["x"], ["t"], domain="own"),
            helper.make_node(f"F{i + 1}", ["t"], ["y"], domain="own")], [helper.make_opsetid("own", 1)])
            for i in range(40)]
        calls.append(helper.make_function("own", "F40", ["x"], ["y"], [helper.make_node("Relu", ["x"], ["y"])],
                                               [helper.make_opsetid("", 17)]))
        value = [helper.make_tensor_value_info(name, 1, [2]) for name in "xy"]
        graph = helper.make_graph([helper.make_node("F0", ["x"], ["y"], domain="own")], "g", value[:1], value[1:])
        model = helper.make_model(graph, functions=calls, ir_version=8, opset_imports=[
            helper.make_opsetid("", 17), helper.make_opsetid("own", 1)])
        run = infer(tool, model, folder)
        yield "functions without end", run.returncode == 0 and told(run, "[too-large]"), run.stderr
    if part in "far-off numbers":
        run = infer(tool, parsed(FAR_OFF), folder)
        yield "far-off numbers", run.returncode == 0 and told(
            run, "GatherND (node 0): the indices are longer than the number of axes",
            "Resize (node 3): a scale does not give a valid size", "Resize (node 5): a scale does not give a valid size",
            "Scan (node 6): ", "[subgraph]"), run.stderr
        yield "far-off numbers", "y     f32[2, 4]" in run.stdout, run.stdout


def main(tool, part):
    checks = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_cases, check_models, check_faults):
            for name, fine, text in check(tool, folder, part):
                checks += 1
                failures += not fine
                if not fine:
                    print(f"{name}: {text}")
    print(f"{checks} checks, {failures} failures")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""))
