"""Valid models to corrupt: control flow, functions, sparse and dense initialisers, beside those of the testdata."""
from onnx import TensorProto, helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def _value(name, element=FLOAT, shape=("n",)):
    return helper.make_tensor_value_info(name, element, shape)


def _model(graph, opset=17, functions=(), domains=(), ir_version=8):
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=ir_version)


def dense():
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], name="multiply"),
             helper.make_node("Add", ["y", "b"], ["z"], name="add"),
             helper.make_node("Softmax", ["z"], ["out"], name="normalise", axis=-1)]
    weights = [helper.make_tensor("w", FLOAT, [3, 2], [float(i) for i in range(6)]),
               helper.make_tensor("b", FLOAT, [2], b"\0" * 8, raw=True)]
    return _model(helper.make_graph(nodes, "dense", [_value("x", shape=("n", 3))], [_value("out", shape=("n", 2))],
                                    weights))


def early():
    """IR 3: initialisers are inputs too."""
    model = dense()
    model.ir_version, model.opset_import[0].version = 3, 8
    model.graph.input.extend([_value("w", shape=[3, 2]), _value("b", shape=[2])])
    return model


def sparse():
    values = helper.make_tensor("s", FLOAT, [2], [1.0, 2.0])
    indices = helper.make_tensor("s_indices", INT64, [2], [1, 3])
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["out"])], "sparse", [_value("x")], [_value("out")])
    graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [2, 2]))
    return _model(graph)


def branches():
    def branch(name, op):
        return helper.make_graph([helper.make_node(op, ["x"], [name + "_out"])], name, [], [_value(name + "_out")])
    node = helper.make_node("If", ["c"], ["out"], name="choose", then_branch=branch("yes", "Relu"),
                            else_branch=branch("no", "Neg"))
    return _model(helper.make_graph([node], "branches", [_value("x"), _value("c", BOOL, [])], [_value("out")]))


def loop():
    body = helper.make_graph([helper.make_node("Add", ["state", "x"], ["next"]),
                              helper.make_node("Identity", ["go"], ["still"])], "body",
                             [_value("i", INT64, []), _value("go", BOOL, []), _value("state")],
                             [_value("still", BOOL, []), _value("next")])
    node = helper.make_node("Loop", ["times", "", "x"], ["out"], name="repeat", body=body)
    return _model(helper.make_graph([node], "loop", [_value("x"), _value("times", INT64, [])], [_value("out")]))


def function():
    scaled = helper.make_node("LeakyRelu", ["a"], ["b"])
    reference = scaled.attribute.add()
    reference.name, reference.ref_attr_name, reference.type = "alpha", "slope", 1
    body = helper.make_function("com.example", "Twice", ["a"], ["c"], [scaled, helper.make_node("Add", ["b", "b"], ["c"])],
                                [helper.make_opsetid("", 17)], ["slope"])
    node = helper.make_node("Twice", ["x"], ["out"], domain="com.example", name="call", slope=0.5)
    return _model(helper.make_graph([node], "function", [_value("x")], [_value("out")]), functions=[body],
                  domains=["com.example"])


ALL = [dense, early, sparse, branches, loop, function]
