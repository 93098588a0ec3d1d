"""Small corruptions of valid models. Each takes a model and a random generator, changes the model in place and
returns whether it could."""
import inspect

from onnx import AttributeProto, TensorProto, helper


def _node(model, rng, wanted=lambda node: True):
    nodes = [node for node in model.graph.node if wanted(node)]
    return rng.choice(nodes) if nodes else None


def _has_inputs(node):
    return len(node.input) > 0


def _has_attributes(node):
    return len(node.attribute) > 0


def drop_last_input(model, rng):
    node = _node(model, rng, _has_inputs)
    if node:
        del node.input[-1]
    return node


def drop_last_output(model, rng):
    node = _node(model, rng)
    del node.output[-1]
    return True


def empty_input(model, rng):
    node = _node(model, rng, _has_inputs)
    if node:
        node.input[rng.randrange(len(node.input))] = ""
    return node


def extra_inputs(model, rng):
    node = _node(model, rng, _has_inputs)
    if node:
        node.input.extend([node.input[0]] * 8)
    return node


def extra_outputs(model, rng):
    _node(model, rng).output.extend([f"extra{i}" for i in range(8)])
    return True


def unknown_input(model, rng):
    node = _node(model, rng, _has_inputs)
    if node:
        node.input[rng.randrange(len(node.input))] = "made by nobody"
    return node


def renamed_output(model, rng):
    node = _node(model, rng)
    node.output[rng.randrange(len(node.output))] = "renamed"
    return True


def output_twice(model, rng):
    first, second = _node(model, rng), _node(model, rng)
    second.output[-1] = first.output[0]
    return first is not second


def output_named_like_input(model, rng):
    if not model.graph.input:
        return False
    _node(model, rng).output[0] = model.graph.input[0].name
    return True


def shuffled(model, rng):
    nodes = list(model.graph.node)
    rng.shuffle(nodes)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return len(nodes) > 1


def unknown_operator(model, rng):
    _node(model, rng).op_type = "Frobnicate"
    return True


def no_operator(model, rng):
    _node(model, rng).op_type = ""
    return True


def unknown_domain(model, rng):
    _node(model, rng).domain = "com.example"
    return True


def custom_domain(model, rng):
    _node(model, rng).domain = "com.example"
    model.opset_import.append(helper.make_opsetid("com.example", 1))
    return True


def unknown_attribute(model, rng):
    _node(model, rng).attribute.append(helper.make_attribute("frobnication", 1))
    return True


def private_attribute(model, rng):
    _node(model, rng).attribute.append(helper.make_attribute("__private", 1))
    return True


def attribute_twice(model, rng):
    node = _node(model, rng, _has_attributes)
    if node:
        node.attribute.append(node.attribute[0])
    return node


def dropped_attribute(model, rng):
    node = _node(model, rng, _has_attributes)
    if node:
        del node.attribute[rng.randrange(len(node.attribute))]
    return node


def attribute_of_other_type(model, rng):
    node = _node(model, rng, _has_attributes)
    if node:
        old = rng.choice(node.attribute)
        other = "text" if old.type != AttributeProto.STRING else 7
        old.CopyFrom(helper.make_attribute(old.name, other))
    return node


def attribute_says_other_type(model, rng):
    node = _node(model, rng, _has_attributes)
    if node:
        attribute = rng.choice(node.attribute)
        attribute.type = AttributeProto.FLOAT if attribute.type != AttributeProto.FLOAT else AttributeProto.INT
    return node


def attribute_without_type(model, rng):
    node = _node(model, rng, _has_attributes)
    if node:
        rng.choice(node.attribute).ClearField("type")
    return node


def attribute_with_two_values(model, rng):
    node = _node(model, rng, lambda n: any(a.type == AttributeProto.INT for a in n.attribute))
    if node:
        next(a for a in node.attribute if a.type == AttributeProto.INT).f = 1.5
    return node


def attribute_without_name(model, rng):
    node = _node(model, rng, _has_attributes)
    if node:
        rng.choice(node.attribute).name = ""
    return node


def no_imports(model, rng):
    del model.opset_import[:]
    return True


def other_opset(model, rng):
    for each in model.opset_import:
        if each.domain == "":
            each.version = rng.choice([1, 6, 7, 9, 11, 13, 17])
    return True


def other_ir_version(model, rng):
    model.ir_version = rng.choice([0, 1, 2, 3, 4, 999])
    return True


def metadata_twice(model, rng):
    for value in ("a", "b"):
        entry = model.metadata_props.add()
        entry.key, entry.value = "key", value
    return True


def no_graph(model, rng):
    model.ClearField("graph")
    return True


def graph_without_name(model, rng):
    model.graph.name = ""
    return True


def input_twice(model, rng):
    if model.graph.input:
        model.graph.input.append(model.graph.input[0])
    return len(model.graph.input) > 0


def input_without_name(model, rng):
    if model.graph.input:
        model.graph.input[0].name = ""
    return len(model.graph.input) > 0


def input_without_type(model, rng):
    if model.graph.input:
        model.graph.input[0].ClearField("type")
    return len(model.graph.input) > 0


def input_without_shape(model, rng):
    typed = [i for i in model.graph.input if i.type.HasField("tensor_type")]
    if typed:
        typed[0].type.tensor_type.ClearField("shape")
    return typed


def output_without_element_type(model, rng):
    typed = [i for i in model.graph.output if i.type.HasField("tensor_type")]
    if typed:
        typed[0].type.tensor_type.ClearField("elem_type")
    return typed


def output_of_nobody(model, rng):
    model.graph.output[-1].name = "made by nobody"
    return True


def _initializer(model, rng):
    return rng.choice(model.graph.initializer) if model.graph.initializer else None


def initializer_twice(model, rng):
    tensor = _initializer(model, rng)
    if tensor is not None:
        model.graph.initializer.append(tensor)
    return tensor is not None


def initializer_without_name(model, rng):
    tensor = _initializer(model, rng)
    if tensor is not None:
        tensor.name = ""
    return tensor is not None


def initializer_without_data(model, rng):
    tensor = _initializer(model, rng)
    if tensor is not None:
        for field in ("raw_data", "float_data", "int64_data", "int32_data"):
            tensor.ClearField(field)
    return tensor is not None


def initializer_with_data_twice(model, rng):
    tensor = _initializer(model, rng)
    if tensor is not None:
        tensor.double_data.append(1)
    return tensor is not None


def initializer_of_no_type(model, rng):
    tensor = _initializer(model, rng)
    if tensor is not None:
        tensor.data_type = TensorProto.UNDEFINED
    return tensor is not None


def initializer_too_short(model, rng):
    tensor = _initializer(model, rng)
    if tensor is not None:
        tensor.dims.append(3)
    return tensor is not None and 0 not in tensor.dims


def initializer_elsewhere(model, rng):
    tensor = _initializer(model, rng)
    if tensor is not None:
        for field in ("raw_data", "float_data", "int64_data", "int32_data"):
            tensor.ClearField(field)
        tensor.data_location = TensorProto.EXTERNAL
    return tensor is not None


def cut_off(model, rng):
    data = model.SerializeToString()
    return data[:rng.randrange(1, len(data))]


ALL = [value for name, value in list(globals().items()) if inspect.isfunction(value) and name[0] != "_"]
