"""The ``g`` of symbolic functions: what ``torch.onnx`` hands to them, over the graph that the engine makes."""

import functools
import re
import sys
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _cameo

_SUFFIX = re.compile(r"^(.+)_([ifstgz])$")
_SCALAR_TYPES = {name: torch_name for name, _, torch_name in _cameo.ELEMENT_TYPES if torch_name}
_ELEMENT_TYPES = {name: element for element, name in _SCALAR_TYPES.items()}
_DTYPES = ("float16", "bfloat16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool", "complex64",
           "complex128")


# Operators whose operands have one type. PyTorch casts numbers among them.
_ONE_TYPE = {"Add", "Sub", "Mul", "Div", "Pow", "Mod", "Greater", "Less", "Equal", "GreaterOrEqual", "LessOrEqual"}
_FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


class Type:
    """Of a tensor: as much of ``torch._C.TensorType`` as symbolic functions ask for."""

    def __init__(self, element: str, shape: Optional[Sequence[Any]]) -> None:
        self.element, self.shape = element, None if shape is None else list(shape)

    def scalarType(self) -> Optional[str]:
        return _SCALAR_TYPES.get(self.element)

    def dtype(self) -> Any:
        return _torch_dtypes().get(self.element)

    def sizes(self) -> Optional[List[int]]:
        known = self.shape is not None and all(isinstance(size, int) for size in self.shape)
        return list(self.shape) if known and self.shape is not None else None

    def varyingSizes(self) -> Optional[List[Optional[int]]]:
        return None if self.shape is None else [size if isinstance(size, int) else None for size in self.shape]

    def dim(self) -> Optional[int]:
        return None if self.shape is None else len(self.shape)

    def with_sizes(self, sizes: Optional[Sequence[Any]]) -> "Type":
        return Type(self.element, sizes)

    def with_dtype(self, dtype: Any) -> "Type":
        return Type(element_type(dtype), self.shape)

    def isSubtypeOf(self, other: Any) -> bool:
        return other.kind() in ("TensorType", "AnyType")

    def kind(self) -> str:
        return "TensorType"

    def __str__(self) -> str:
        shape = "*" if self.shape is None else ", ".join(str(size) for size in self.shape)
        return f"{self.scalarType() or 'Tensor'}({shape})"


class _Made(NamedTuple):
    """The node that a symbolic function added."""

    kind: str
    inputs: List["Value"]
    attributes: Dict[str, tuple]  # kind and value, by name
    outputs: List["Value"]


class Node:
    """The node of a value: as much of ``torch._C.Node`` as symbolic functions ask for.

    A value that the symbolic function did not make is the output of ``onnx::Constant`` if its elements are known at
    export time. Otherwise its node is ``prim::Param``.
    """

    def __init__(self, made: _Made) -> None:
        self._made = made

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return _torch_class("Node", Node)

    def kind(self) -> str:
        return self._made.kind

    def mustBeNone(self) -> bool:
        return False

    def inputs(self) -> Iterator["Value"]:
        return iter(self._made.inputs)

    def inputsSize(self) -> int:
        return len(self._made.inputs)

    def input(self) -> "Value":
        value, = self._made.inputs
        return value

    def outputs(self) -> Iterator["Value"]:
        return iter(self._made.outputs)

    def outputsSize(self) -> int:
        return len(self._made.outputs)

    def output(self) -> "Value":
        value, = self._made.outputs
        return value

    def hasAttribute(self, name: str) -> bool:
        return name in self._made.attributes

    def attributeNames(self) -> List[str]:
        return list(self._made.attributes)

    def kindOf(self, name: str) -> str:
        kind, value = self._made.attributes[name]
        return f"{kind}s" if isinstance(value, list) else kind

    def __getattr__(self, kind: str) -> Any:
        """``i``, ``f``, ``s``, ``t``, ``is``, ``fs``, ``ss``: read an attribute."""
        if kind not in ("i", "f", "s", "t", "is", "fs", "ss"):
            raise AttributeError(f"a node of a symbolic function has no attribute '{kind}'")
        return functools.partial(self._read, kind)

    def _read(self, kind: str, name: str) -> Any:
        if not self.hasAttribute(name) or self.kindOf(name) != kind:
            raise RuntimeError(f"required keyword attribute '{name}' is undefined")
        value = self._made.attributes[name][1]
        return _torch_tensor(value) if kind == "t" else value

    def __getitem__(self, name: str) -> Any:
        return self._read(self.kindOf(name), name)


class Value:
    """A value of the graph: as much of ``torch._C.Value`` as symbolic functions ask for."""

    def __init__(self, graph: "Graph", tensor: "_cameo.Tensor", made: Optional[_Made] = None) -> None:
        self.graph, self.tensor, self._made, self._name = graph, tensor, made, ""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """``torch.onnx.symbolic_helper`` asks ``isinstance(x, torch._C.Value)``."""
        return _torch_class("Value", Value)

    def type(self) -> Type:
        return Type(self.tensor.dtype, self.tensor.shape)

    def setType(self, type: Any) -> "Value":
        """Declares the type, where the graph cannot infer it: of the result of a node of another domain."""
        self.graph.conversion.set_type(self.tensor, *type_of(type))
        return self

    def setTypeAs(self, other: "Value") -> "Value":
        return self.setType(other.type())

    def isCompleteTensor(self) -> bool:
        return self.type().sizes() is not None

    def contents(self) -> Optional[np.ndarray]:
        """The elements, if they are known at export time."""
        return self.tensor.contents

    def node(self) -> Node:
        if self._made is not None:
            return Node(self._made)
        contents = self.contents()
        if contents is None:
            return Node(_Made("prim::Param", [], {}, [self]))
        return Node(_Made("onnx::Constant", [], {"value": ("t", contents)}, [self]))

    def debugName(self) -> str:
        return self._name or f"{id(self.tensor)}"

    def setDebugName(self, name: str) -> "Value":
        self._name = name
        return self


class ValueList(list):
    """A list among the arguments of an operator. PyTorch has a value of the graph in its place."""

    def __init__(self, graph: "Graph", items: Sequence[Any]) -> None:
        super().__init__(items)
        self._graph = graph

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return _torch_class("Value", ValueList)

    def node(self) -> Node:
        items = [item if isinstance(item, Value) else self._graph.constant(item) for item in self]
        return _ListNode(self, items)


class _ListNode(Node):
    """The node of a list. Its inputs are the elements of the list, and a symbolic function may replace them."""

    def __init__(self, elements: ValueList, inputs: List[Value]) -> None:
        super().__init__(_Made("prim::ListConstruct", inputs, {}, []))
        self._elements = elements

    def removeAllInputs(self) -> None:
        self._elements.clear()
        self._made.inputs.clear()

    def addInput(self, value: Value) -> Value:
        self._elements.append(value)
        self._made.inputs.append(value)
        return value


class Graph:
    """One call that is being converted, and the graph that it becomes a part of."""

    def __init__(self, conversion: "_cameo.Conversion") -> None:
        self.conversion = conversion

    @property
    def opset(self) -> int:
        return self.conversion.opset

    def op(self, opname: str, *args: Any, outputs: int = 1, **attributes: Any) -> Union[Value, tuple]:
        """Adds a node: of ONNX's own domain, or of another as "thinker::Quant".

        Attributes end in what they are: ``axis_i``, ``scale_f``, ``mode_s``, ``value_t``; lists too. None leaves one
        out. The result is a value, or a tuple of as many as ``outputs`` says.
        """
        given = [_attribute(key, value) for key, value in sorted(attributes.items()) if value is not None]
        opname = opname[len("onnx::"):] if opname.startswith("onnx::") else opname
        if opname == "Constant":
            return self._value(self.conversion.constant(_constant(given)))
        operands = [self._operand(arg) for arg in self._of_one_type(opname, args)]
        results = self.conversion.node(opname, operands, given, outputs)
        made = _Made(opname if "::" in opname else f"onnx::{opname}", [arg for arg in args if isinstance(arg, Value)],
                     {name: (kind, value) for name, kind, value in given}, [])
        made.outputs.extend(Value(self, result, made) for result in results)
        return made.outputs[0] if outputs == 1 else tuple(made.outputs)

    def at(self, operator: str, *args: Any, overload_name: str = "", **attributes: Any) -> Union[Value, tuple]:
        """One of PyTorch's operators, as a node that only PyTorch can run."""
        return self.op("org.pytorch.aten::ATen", *args, operator_s=operator, overload_name_s=overload_name,
                       **attributes)

    aten_op = at

    def constant(self, value: Any) -> Value:
        """A tensor, an array, a number or a size as a value of the graph."""
        return self._value(self._operand(value))

    def warn(self, message: str) -> None:
        self.conversion.warn(message)

    def _of_one_type(self, opname: str, args: Sequence[Any]) -> Sequence[Any]:
        """PyTorch's symbolic functions write Python's floats as constants of 64 bits. A number has the type of the tensors."""
        if opname not in _ONE_TYPE:
            return args
        numbers = [arg.contents() if isinstance(arg, Value) else None for arg in args]
        numbers = [number if number is not None and number.ndim == 0 and number.dtype.kind == "f" else None for number in numbers]
        types = {arg.tensor.dtype for arg, number in zip(args, numbers) if isinstance(arg, Value) and number is None}
        if len(types) != 1 or not types <= set(_FLOATS):
            return args
        dtype = _FLOATS[types.pop()]
        return [arg if number is None or number.dtype == dtype else self.constant(number.astype(dtype))
                for arg, number in zip(args, numbers)]

    def _value(self, tensor: "_cameo.Tensor") -> Value:
        return Value(self, tensor)

    def _operand(self, arg: Any) -> Optional["_cameo.Tensor"]:
        if arg is None:
            return None
        if isinstance(arg, Value):
            return arg.tensor
        if isinstance(arg, (list, tuple)) and any(isinstance(item, _cameo.Size) for item in arg):
            return self.conversion.sizes(list(arg))
        if isinstance(arg, _cameo.Size):
            return self.op("Squeeze", Value(self, self.conversion.sizes([arg])), axes_i=[0]).tensor
        return self.conversion.constant(to_array(arg))


def _torch_class(name: str, own: Any) -> Any:
    """The class of ``torch._C`` that a class of this module stands for; the class itself if PyTorch is not imported."""
    torch = sys.modules.get("torch")
    return own if torch is None else getattr(torch._C, name)


def _torch_tensor(array: np.ndarray) -> Any:
    import torch

    return torch.from_numpy(np.array(array))


@functools.lru_cache(maxsize=None)
def _torch_dtypes() -> Dict[str, Any]:
    """PyTorch's types by the engine's names."""
    import torch

    return {element_type(dtype): dtype for dtype in (getattr(torch, name) for name in _DTYPES)}


def element_type(dtype: Any) -> str:
    """The engine's name of ``torch.float32`` or "Float"."""
    if isinstance(dtype, str):
        return _ELEMENT_TYPES.get(dtype, dtype)
    import torch

    return _ELEMENT_TYPES[str(torch.zeros((), dtype=dtype).type()).rpartition(".")[2].replace("Tensor", "")]


def type_of(type: Any) -> tuple:
    """Element type and shape of a type, PyTorch's own too."""
    if isinstance(type, Type):
        return type.element, type.shape
    return element_type(type.scalarType()), type.varyingSizes()


def to_array(value: Any) -> np.ndarray:
    """What a constant is made of; Python's floats are 32 bits wide, as PyTorch's are."""
    if hasattr(value, "detach"):
        return value.detach().cpu().numpy()
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype == np.float64 and not isinstance(value, np.ndarray) else array


def _attribute(key: str, value: Any) -> tuple:
    match = _SUFFIX.match(key)
    if match is None:
        raise ValueError(f"Invalid attribute specifier '{key}' names  must be suffixed with type, e.g. 'dim_i' or "
                         "'dims_i'")
    name, kind = match.groups()
    if kind == "g":
        raise ValueError(f"attribute '{name}': graphs as attributes are not supported")
    if kind in "tz":
        return name, "t", to_array(value)
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and np.ndim(value) > 0:
        return name, kind, [_number(kind, item) for item in value]
    return name, kind, _number(kind, value)


def _number(kind: str, value: Any) -> Any:
    if kind == "s":
        return value.decode() if isinstance(value, bytes) else str(value)
    return int(value) if kind == "i" else float(value)


def _constant(attributes: List[tuple]) -> np.ndarray:
    (_, kind, value), = attributes
    return value if kind == "t" else np.asarray(value, {"i": np.int64, "f": np.float32, "s": object}[kind])
