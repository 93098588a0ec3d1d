"""deep_graph.py FILE NODES: writes an ONNX model in the form of a deep transformer, with a mask that every layer reads.

The names of the nodes have the scopes of modules, as exporters write them.
"""
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

WIDTH = 8
NODES_OF_LAYER = 20


def layer(scope, x, mask):
    """The nodes of one layer, and what leaves it."""
    attention, mlp = f"{scope}/attention", f"{scope}/mlp"
    made = []

    def add(op, inputs, place, **attributes):
        name = f"{place}/{op}_{len(made)}"
        made.append(helper.make_node(op, inputs, [name + "_out"], name=name, **attributes))
        return made[-1].output[0]

    normal = add("LayerNormalization", [x, "scale"], f"{scope}/norm1", axis=-1)
    query, key, value = (add("MatMul", [normal, "square"], f"{attention}/{name}") for name in ("query", "key", "value"))
    turned = add("Transpose", [key], attention, perm=[0, 2, 1])
    scores = add("Mul", [add("MatMul", [query, turned], attention), "factor"], attention)
    weights = add("Softmax", [add("Add", [scores, mask], attention)], attention, axis=-1)
    mixed = add("MatMul", [add("MatMul", [weights, value], attention), "square"], f"{attention}/out")
    x = add("Add", [x, mixed], scope)
    hidden = add("MatMul", [add("LayerNormalization", [x, "scale"], f"{scope}/norm2", axis=-1), "square"], f"{mlp}/up")
    gate = add("Sigmoid", [hidden], f"{mlp}/act")
    hidden = add("Mul", [hidden, gate], f"{mlp}/act")
    hidden = add("Add", [add("MatMul", [hidden, "square"], f"{mlp}/down"), "scale"], f"{mlp}/down")
    return made, add("Add", [x, add("Identity", [hidden], f"{mlp}/drop")], scope)


def model(nodes):
    made, x = [], "x"
    for number in range(nodes // NODES_OF_LAYER):
        of_layer, x = layer(f"/stage.{number // 20}/layer.{number % 20}", x, "mask")
        made += of_layer
    weights = [numpy_helper.from_array(np.ones((WIDTH, WIDTH), np.float32), "square"),
               numpy_helper.from_array(np.ones(WIDTH, np.float32), "scale"), numpy_helper.from_array(np.float32(0.5), "factor")]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", "length", WIDTH]),
              helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["batch", "length", "length"])]
    output = helper.make_tensor_value_info(made[-1].output[0], TensorProto.FLOAT, ["batch", "length", WIDTH])
    graph = helper.make_graph(made, "deep", inputs, [output], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def main():
    save(model(int(sys.argv[2])), sys.argv[1])


if __name__ == "__main__":
    main()
