"""Models of the tests of `cameo cast` and `cameo quantize`, each with inputs for a run."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

node = helper.make_node
tensor = helper.make_tensor_value_info
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def constant(name, array, dtype=np.float32):
    return numpy_helper.from_array(np.asarray(array, dtype), name)


def weight(name, *shape, seed=0, scale=0.3):
    return constant(name, np.random.default_rng([seed, *map(ord, name)]).normal(0, scale, shape))


def values(*shape, seed=1):
    return np.random.default_rng(seed).normal(0, 1, shape).astype(np.float32)


def model(nodes, inputs, outputs, initializers=(), opset=17, functions=(), imports=(), ir=8):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), *imports], ir_version=ir,
                             functions=list(functions))


def convolutions(opset=17):
    """A residual block, pooled, and a classifier."""
    nodes = [node("Conv", ["x", "w1", "b1"], ["c1"], pads=[1] * 4, name="/conv1/Conv"),
             node("Relu", ["c1"], ["r1"], name="/relu/Relu"),
             node("Conv", ["r1", "w2", "b2"], ["c2"], pads=[1] * 4, name="/conv2/Conv"),
             node("Add", ["c2", "r1"], ["a"], name="/Add"), node("Relu", ["a"], ["r2"], name="/relu_1/Relu"),
             node("MaxPool", ["r2"], ["m"], kernel_shape=[2, 2], strides=[2, 2], name="/pool/MaxPool"),
             node("GlobalAveragePool", ["m"], ["g"], name="/GlobalAveragePool"),
             node("Flatten", ["g"], ["f"], name="/Flatten"),
             node("Gemm", ["f", "fc.weight", "fc.bias"], ["y"], transB=1, name="/fc/Gemm")]
    weights = [weight("w1", 16, 3, 3, 3), weight("b1", 16), weight("w2", 16, 16, 3, 3, scale=0.1), weight("b2", 16),
               weight("fc.weight", 100, 16), weight("fc.bias", 100)]
    return model(nodes, [tensor("x", FLOAT, ["n", 3, 16, 16])], [tensor("y", FLOAT, ["n", 100])], weights,
                 opset), {"x": values(2, 3, 16, 16)}


def attention():
    """Attention with a mask whose constant is beyond f16, and an epsilon that is 0 in f16."""
    nodes = [node("Gather", ["embed.weight", "ids"], ["e"], name="/embed/Gather"),
             node("ReduceMean", ["e"], ["mean"], axes=[-1]), node("Sub", ["e", "mean"], ["d"]),
             node("Mul", ["d", "d"], ["dd"]), node("ReduceMean", ["dd"], ["var"], axes=[-1]),
             node("Add", ["var", "epsilon"], ["ve"]), node("Sqrt", ["ve"], ["sd"]), node("Div", ["d", "sd"], ["h"]),
             node("MatMul", ["h", "q.weight"], ["q"], name="/q/MatMul"),
             node("MatMul", ["h", "k.weight"], ["k"], name="/k/MatMul"),
             node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]), node("MatMul", ["q", "kt"], ["s0"]),
             node("Shape", ["h"], ["shape"]), node("Gather", ["shape", "last"], ["width"]),
             node("Cast", ["width"], ["widthf"], to=FLOAT), node("Sqrt", ["widthf"], ["root"]),
             node("Div", ["s0", "root"], ["s1"]), node("Cast", ["mask"], ["maskf"], to=FLOAT),
             node("Sub", ["one", "maskf"], ["hidden"]), node("Mul", ["hidden", "lowest"], ["bias"]),
             node("Unsqueeze", ["bias", "axis1"], ["bias3"]), node("Add", ["s1", "bias3"], ["s2"]),
             node("Softmax", ["s2"], ["p"], axis=-1, name="/Softmax"), node("MatMul", ["p", "h"], ["o"]),
             node("MatMul", ["o", "lm_head.weight"], ["y"], name="/lm_head/MatMul")]
    weights = [weight("embed.weight", 50, 32, scale=1), weight("q.weight", 32, 32), weight("k.weight", 32, 32),
               weight("lm_head.weight", 32, 50), constant("epsilon", 1e-12), constant("one", 1),
               constant("lowest", np.finfo(np.float32).min), constant("last", -1, np.int64),
               constant("axis1", [1], np.int64)]
    feeds = {"ids": np.arange(12, dtype=np.int64).reshape(2, 6), "mask": np.ones((2, 6), np.int64)}
    feeds["mask"][1, 4:] = 0
    return model(nodes, [tensor("ids", INT64, ["b", "t"]), tensor("mask", INT64, ["b", "t"])],
                 [tensor("y", FLOAT, ["b", "t", 50])], weights), feeds


def detector():
    """Boxes from a grid, with NonMaxSuppression, whose inputs are f32 in every opset."""
    nodes = [node("Conv", ["x", "w", "b"], ["f"], kernel_shape=[1, 1]), node("Shape", ["f"], ["fs"]),
             node("Gather", ["fs", "i3"], ["cols"]), node("Range", ["i0", "cols", "i1"], ["ri"]),
             node("Cast", ["ri"], ["rf"], to=FLOAT), node("Mul", ["rf", "stride"], ["cx"]),
             node("Reshape", ["f", "flat"], ["p"]),
             node("Slice", ["p", "s0", "s1", "ax1"], ["dx"]), node("Slice", ["p", "s1", "s2", "ax1"], ["logit"]),
             node("Add", ["dx", "cx"], ["x1"]), node("Add", ["x1", "size"], ["x2"]),
             node("Concat", ["x1", "x1", "x2", "x2"], ["b4"], axis=1), node("Transpose", ["b4"], ["boxes"], perm=[0, 2, 1]),
             node("Sigmoid", ["logit"], ["scores"]),
             node("NonMaxSuppression", ["boxes", "scores", "most", "iou", "least"], ["chosen"]),
             node("Slice", ["chosen", "s2", "s3", "ax1"], ["index"]), node("Squeeze", ["index", "ax1"], ["index1"]),
             node("Squeeze", ["boxes", "ax0"], ["boxes2"]), node("Gather", ["boxes2", "index1"], ["y"])]
    weights = [constant("w", np.eye(2).reshape(2, 2, 1, 1)), constant("b", [0, 0]), constant("stride", 16),
               constant("size", 20), constant("i0", 0, np.int64), constant("i1", 1, np.int64), constant("i3", 3, np.int64),
               constant("flat", [1, 2, -1], np.int64), constant("s0", [0], np.int64), constant("s1", [1], np.int64),
               constant("s2", [2], np.int64), constant("s3", [3], np.int64), constant("ax1", [1], np.int64),
               constant("ax0", [0], np.int64), constant("most", [5], np.int64), constant("iou", [0.5]),
               constant("least", [0.3])]
    x = np.zeros((1, 2, 1, 8), np.float32)
    x[0, 0] = np.linspace(-1, 1, 8)
    x[0, 1] = [3, -3, 2, -2, 1, -1.5, 2.5, -4]
    return model(nodes, [tensor("x", FLOAT, [1, 2, 1, "n"])], [tensor("y", FLOAT, ["k", 4])], weights), {"x": x}


def branches():
    """An If whose branches read a weight and a value from outside."""
    then = helper.make_graph([node("MatMul", ["h", "w2"], ["t"])], "then", [], [tensor("t", FLOAT, None)])
    otherwise = helper.make_graph([node("Range", ["f0", "f4", "f1"], ["r"]), node("Add", ["h", "r"], ["e"])], "else", [],
                                  [tensor("e", FLOAT, None)],
                                  [constant("f0", 0), constant("f4", 4), constant("f1", 1)])
    nodes = [node("MatMul", ["x", "w1"], ["h"]), node("ReduceSum", ["h"], ["s"], keepdims=0),
             node("Greater", ["s", "zero"], ["c"]),
             node("If", ["c"], ["y"], then_branch=then, else_branch=otherwise, name="choice")]
    return model(nodes, [tensor("x", FLOAT, ["n", 4])], [tensor("y", FLOAT, ["n", 4])],
                 [weight("w1", 4, 4), weight("w2", 4, 4), constant("zero", 0)]), {"x": values(3, 4)}


def loop():
    """A Loop that carries a tensor and collects one."""
    body = helper.make_graph(
        [node("MatMul", ["h", "w"], ["m"]), node("Tanh", ["m"], ["h2"]), node("Identity", ["c"], ["c2"]),
         node("ReduceMean", ["h2"], ["r"], keepdims=0)], "body",
        [tensor("i", INT64, []), tensor("c", BOOL, []), tensor("h", FLOAT, None)],
        [tensor("c2", BOOL, []), tensor("h2", FLOAT, None), tensor("r", FLOAT, None)])
    nodes = [node("Loop", ["trips", "", "x"], ["last", "means"], body=body, name="loop"),
             node("Add", ["last", "one"], ["y"])]
    return model(nodes, [tensor("x", FLOAT, ["n", 4])], [tensor("y", FLOAT, ["n", 4]), tensor("means", FLOAT, ["t"])],
                 [weight("w", 4, 4), constant("trips", 3, np.int64), constant("one", 1)]), {"x": values(3, 4)}


def scan():
    body = helper.make_graph([node("Add", ["s", "e"], ["s2"]), node("Mul", ["s2", "half"], ["o"])], "body",
                             [tensor("s", FLOAT, [4]), tensor("e", FLOAT, [4])],
                             [tensor("s2", FLOAT, [4]), tensor("o", FLOAT, [4])], [constant("half", 0.5)])
    nodes = [node("Scan", ["s0", "x"], ["last", "y"], body=body, num_scan_inputs=1)]
    return model(nodes, [tensor("x", FLOAT, ["n", 4])], [tensor("last", FLOAT, [4]), tensor("y", FLOAT, ["n", 4])],
                 [constant("s0", [0, 1, 2, 3])]), {"x": values(5, 4)}


def resize():
    """Scales of Resize are f32 in every opset; the sizes of the second one are computed from the input."""
    nodes = [node("Resize", ["x", "", "scales"], ["big"], mode="linear"), node("Shape", ["x"], ["s"]),
             node("Slice", ["s", "i2", "i4"], ["hw"]), node("Cast", ["hw"], ["hwf"], to=FLOAT),
             node("Mul", ["hwf", "factor"], ["f"]), node("Floor", ["f"], ["fl"]), node("Cast", ["fl"], ["sizes2"], to=INT64),
             node("Slice", ["s", "i0", "i2"], ["nc"]), node("Concat", ["nc", "sizes2"], ["sizes"], axis=0),
             node("Resize", ["x", "", "", "sizes"], ["y"], mode="nearest")]
    return model(nodes, [tensor("x", FLOAT, [1, 1, "h", "w"])], [tensor("big", FLOAT, [1, 1, "h2", "w2"]), tensor("y", FLOAT, [1, 1, "h3", "w3"])],
                 [constant("scales", [1, 1, 2, 2]), constant("factor", 1.0009766), constant("i0", [0], np.int64),
                  constant("i2", [2], np.int64), constant("i4", [4], np.int64)]), {"x": values(1, 1, 1, 2049)}


def sequence():
    nodes = [node("SplitToSequence", ["x", "two"], ["parts"], axis=0), node("SequenceAt", ["parts", "zero"], ["first"]),
             node("Relu", ["first"], ["r"]), node("SequenceInsert", ["parts", "r"], ["more"]),
             node("ConcatFromSequence", ["more"], ["y"], axis=0)]
    return model(nodes, [tensor("x", FLOAT, [4, 3])], [tensor("y", FLOAT, ["n", 3])],
                 [constant("two", 2, np.int64), constant("zero", 0, np.int64)]), {"x": values(4, 3)}


def function():
    """Calls of a function of the model, one inside of the other, with an attribute."""
    scale = helper.make_function("local", "Scale", ["a"], ["b"],
                                 [helper.make_node("Constant", [], ["k"], value_float=0.25), node("Mul", ["a", "k"], ["m"]),
                                  leaky()], [helper.make_opsetid("", 17)], ["slope"])
    twice = helper.make_function("local", "Twice", ["a"], ["b"],
                                 [node("Scale", ["a"], ["c"], domain="local", slope=0.5),
                                  node("Scale", ["c"], ["b"], domain="local", slope=0.1)],
                                 [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)])
    nodes = [node("MatMul", ["x", "w"], ["h"]), node("Twice", ["h"], ["t"], domain="local", name="call"),
             node("Add", ["t", "h"], ["y"])]
    return model(nodes, [tensor("x", FLOAT, ["n", 4])], [tensor("y", FLOAT, ["n", 4])], [weight("w", 4, 4)],
                 functions=[scale, twice], imports=[helper.make_opsetid("local", 1)]), {"x": values(3, 4)}


def leaky():
    made = node("LeakyRelu", ["m"], ["b"])
    made.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
    return made


def mixed():
    """Casts of the file itself, fills, random numbers of a fixed size, and a constant that is an output."""
    nodes = [node("Cast", ["x"], ["xh"], to=TensorProto.FLOAT16), node("Cast", ["xh"], ["xf"], to=FLOAT),
             node("Shape", ["xf"], ["s"]), node("ConstantOfShape", ["s"], ["ones"], value=constant("", [1])),
             node("Add", ["xf", "ones"], ["y"]), node("Identity", ["table"], ["z"]),
             node("QuantizeLinear", ["y", "qs", "qz"], ["q"]), node("DequantizeLinear", ["q", "qs", "qz"], ["dq"])]
    return model(nodes, [tensor("x", FLOAT, ["n", 4])], [tensor("y", FLOAT, ["n", 4]), tensor("z", FLOAT, [3]),
                                                         tensor("dq", FLOAT, ["n", 4])],
                 [constant("table", [1, 2, 3]), constant("qs", 0.05), constant("qz", 128, np.uint8)]), {"x": values(3, 4)}


def recurrent():
    nodes = [node("LSTM", ["x", "W", "R", "B"], ["h", "last"], hidden_size=16), node("Squeeze", ["h", "ax1"], ["hs"]),
             node("MatMul", ["hs", "w"], ["y"])]
    return model(nodes, [tensor("x", FLOAT, ["t", "n", 8])], [tensor("y", FLOAT, ["t", "n", 4]), tensor("last", FLOAT, [1, "n", 16])],
                 [weight("W", 1, 64, 8), weight("R", 1, 64, 16), weight("B", 1, 128), weight("w", 16, 4),
                  constant("ax1", [1], np.int64)]), {"x": values(5, 2, 8)}


ALL = {f.__name__: f for f in (convolutions, attention, detector, branches, loop, scan, resize, sequence, function, mixed,
                               recurrent)}
