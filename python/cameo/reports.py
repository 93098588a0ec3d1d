"""What the tools return: data with fields, which print as tables."""

import dataclasses
import json
import typing
from typing import Any, Dict, Generic, Iterable, List, Optional, Tuple, Type, TypeVar, Union

from . import _cameo
from .table import Report, Table

T = TypeVar("T")


def from_json(kind: Any, value: Any) -> Any:
    """The value of JSON as a type: dataclasses, lists, dicts and optional values of them."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if value is None:
        return None
    if origin is Union:
        return from_json(inner[0], value)
    if origin is list:
        return [from_json(inner[0], item) for item in value]
    if origin is dict:
        return {key: from_json(inner[1], item) for key, item in value.items()}
    if not dataclasses.is_dataclass(kind):
        return value
    types = typing.get_type_hints(kind)
    keys = {field.name: field.name.rstrip("_") for field in dataclasses.fields(kind) if field.init}
    return kind(**{name: from_json(types[name], value[key]) for name, key in keys.items() if key in value})


class Rows(List[T], Report, Generic[T]):
    """A list whose items are the rows of a table."""

    title = ""
    columns: Tuple[str, ...] = ()

    def tables(self) -> Iterable[Table]:
        yield Table(self.title, self.columns, [[getattr(item, name) for name in self.columns] for item in self])


class Values(Rows["_cameo.InferredValue"]):
    columns = ("name", "type", "shape", "op", "graph")


class QuantizedWeights(Rows["_cameo.QuantizedWeight"]):
    columns = ("name", "op", "shape", "bytes_before", "bytes_after", "largest", "relative")


class OperatorChanges(Dict[str, Tuple[int, int]], Report):
    """For each operator, the number of nodes before and after."""

    def tables(self) -> Iterable[Table]:
        yield Table("", ("operator", "before", "after"), [(name, *counts) for name, counts in self.items()])


@dataclasses.dataclass
class Value:
    """An input or output: its type as "f32"; its shape as [1, "batch", None], None if the rank is not known."""

    name: str
    type: str
    shape: Optional[List[Union[int, str, None]]]


def sizes_of(info: "_cameo.ValueInfo") -> Optional[List[Union[int, str, None]]]:
    return None if info.shape is None else [dim.size if dim.size >= 0 else dim.name or None for dim in info.shape]


@dataclasses.dataclass(repr=False)
class ModelIo(Report):
    """The inputs and outputs of a model."""

    inputs: List[Value]
    outputs: List[Value]

    def tables(self) -> Iterable[Table]:
        for title, values in (("Inputs", self.inputs), ("Outputs", self.outputs)):
            yield Table(title, ("name", "type", "shape"), [(value.name, value.type, value.shape) for value in values])

    @classmethod
    def of(cls, model: "_cameo.Model") -> "ModelIo":
        return cls(*([Value(info.name, info.type, sizes_of(info)) for info in infos] for infos in model.io()))


@dataclasses.dataclass
class MultiplyAdds:
    """One term of a sum: the factor times the product of the sizes."""

    factor: int
    sizes: List[str]

    def __str__(self) -> str:
        return "*".join([f"{self.factor:,}", *self.sizes])


@dataclasses.dataclass
class Uncounted:
    """Nodes whose multiply-adds are not counted, and the reason."""

    op: str
    nodes: int
    why: str


@dataclasses.dataclass
class WeightsOfType:
    elements: int
    bytes: int


@dataclasses.dataclass(repr=False)
class Stats(Report):
    """The size of a model, and the work of one run."""

    nodes: int
    operators: Dict[str, int]
    parameters: int
    bytes: int
    external_bytes: int
    weights: Dict[str, WeightsOfType]
    multiply_adds: List[MultiplyAdds]
    uncounted: List[Uncounted]

    @classmethod
    def of(cls, stats: "_cameo.ModelStats") -> "Stats":
        return cls(stats.nodes, dict(stats.operators), stats.parameters, stats.bytes, stats.external_bytes,
                   {name: WeightsOfType(elements, size) for name, elements, size in stats.weights},
                   [MultiplyAdds(term.factor, list(term.sizes)) for term in stats.multiply_adds],
                   [Uncounted(each.op, each.nodes, each.why) for each in stats.uncounted])

    def tables(self) -> Iterable[Table]:
        work = " + ".join(map(str, self.multiply_adds)) or "0"
        yield Table("ONNX model", (), [("nodes", _cell(self.nodes)), ("parameters", _cell(self.parameters)),
                                       ("bytes", _cell(self.bytes)), ("multiply-adds", work)])
        yield Table("Operators", ("operator", "nodes"), list(self.operators.items()))
        if self.weights:
            yield Table("Parameters by type", ("type", "elements", "bytes"),
                        [(name, each.elements, each.bytes) for name, each in self.weights.items()])
        if self.uncounted:
            yield Table("Not counted", ("operator", "nodes", "why"), [(e.op, e.nodes, e.why) for e in self.uncounted])


def _cell(number: int) -> str:
    return f"{number:,}"


@dataclasses.dataclass
class Difference:
    """``kind`` is removed, added, changed or renamed; ``what`` is opset, input, output, node, weight or function. The
    errors are those of weights."""

    kind: str
    what: str
    name: str
    detail: str
    where: str
    absolute: Optional[float] = None
    relative: Optional[float] = None


class Differences(Rows[Difference]):
    """An empty list if the models are equal."""

    columns = ("kind", "what", "name", "detail", "where")

    @classmethod
    def of(cls, found: Iterable["_cameo.ModelDifference"]) -> "Differences":
        return cls(Difference(each.kind.name, each.what, each.name, each.detail, each.where, each.absolute, each.relative)
                   for each in found)

    def tables(self) -> Iterable[Table]:
        if self:
            yield from super().tables()
        else:
            yield Table("the models are equal", (), [])


@dataclasses.dataclass
class VerifiedOutput:
    """The largest error of an output, and its share of the largest element. ``fault`` says in which way it differs."""

    name: str
    type: str
    absolute: float
    relative: float
    agrees: bool
    fault: str = ""


@dataclasses.dataclass
class VerifiedRun:
    """One run with these values of the dynamic sizes. ``fault`` is an error of ONNX Runtime."""

    sizes: Dict[str, int]
    outputs: List[VerifiedOutput]
    fault: str = ""

    @property
    def agrees(self) -> bool:
        return not self.fault and all(output.agrees for output in self.outputs)


@dataclasses.dataclass(repr=False)
class Verification(Report):
    """Whether a model computes what a program does. It is true in a condition if all runs agree."""

    runs: List[VerifiedRun]

    @property
    def agrees(self) -> bool:
        return all(run.agrees for run in self.runs)

    def __bool__(self) -> bool:
        return self.agrees

    def tables(self) -> Iterable[Table]:
        columns = ("output", "type", "agrees", "largest error", "relative", "")
        for run in self.runs:
            sizes = ", ".join(f"{name} = {size}" for name, size in run.sizes.items()) or "as in the example"
            yield Table(f"{sizes}: {run.fault}" if run.fault else sizes, columns if run.outputs else (),
                        [(o.name, o.type, o.agrees, o.absolute, o.relative, o.fault) for o in run.outputs])


@dataclasses.dataclass
class Argument:
    name: str
    type: str
    default: Optional[str] = None


@dataclasses.dataclass
class ExampleCall:
    source: str
    arguments: List[str]


@dataclasses.dataclass
class EntryPoint:
    """A method of the root module that is called from outside."""

    name: str
    arguments: List[Argument]
    returns: str
    examples: List[ExampleCall]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{a.name}: {a.type}' for a in self.arguments)}) -> {self.returns}"


@dataclasses.dataclass
class Tensors:
    tensors: int
    elements: int
    bytes: int


@dataclasses.dataclass
class ProgramWeights:
    parameters: Tensors
    buffers: Tensors
    packed: Tensors
    constants: Tensors
    bytes: int
    dtypes: Dict[str, int]


@dataclasses.dataclass
class Module:
    """A module: the elements and bytes are those of the module and all below it."""

    path: str
    class_: str
    qualified: str
    depth: int
    parameters: int = 0
    buffers: int = 0
    packed: int = 0
    bytes: int = 0
    same_as: Optional[str] = None
    shares_weights: bool = False
    training: bool = False
    hooks: bool = False


@dataclasses.dataclass
class Saver:
    """The releases of PyTorch that may have written the file."""

    first: Optional[str] = None
    last: Optional[str] = None
    evidence: List[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(repr=False)
class ProgramReport(Report):
    """The contents of a saved program. print() shows what ``cameo inspect`` prints; docs/inspect.md explains the fields."""

    file: str
    bytes: int
    kind: str
    origin: str
    mobile: bool
    frozen: bool
    quantized: bool
    format_version: Optional[int]
    pytorch: Saver
    training: Optional[bool]
    entry_points: List[EntryPoint]
    weights: ProgramWeights
    modules: List[Module]
    operators: Dict[str, int]
    extra_files: List[str]
    _text: str = dataclasses.field(init=False, default="")

    @classmethod
    def of(cls, data: str, text: str) -> "ProgramReport":
        report: ProgramReport = from_json(cls, json.loads(data))
        report._text = text.rstrip("\n")
        return report

    def __str__(self) -> str:
        return self._text

    def tables(self) -> Iterable[Table]:
        yield Table(f"{self.file}: {self.kind}, {self.origin}", (), [(str(each),) for each in self.entry_points])
        yield Table("Modules", ("module", "class", "parameters", "bytes"),
                    [(each.path, each.class_, each.parameters, each.bytes) for each in self.modules])
        yield Table("Operators", ("operator", "calls"), list(self.operators.items()))


@dataclasses.dataclass
class OperatorForm:
    """The nodes of a call in the opsets from ``first`` to ``last``."""

    first: int
    last: int
    converts: bool
    nodes: List[str] = dataclasses.field(default_factory=list)
    reason: str = ""


@dataclasses.dataclass
class Overload:
    """One overload of an operator of PyTorch, as ``cameo ops --json`` prints it."""

    name: str
    overload: str
    schema: str
    family: str
    doc: str
    first_opset: Optional[int]
    opset: int
    outcome: str
    nodes: List[str] = dataclasses.field(default_factory=list)
    forms: List[OperatorForm] = dataclasses.field(default_factory=list)
    dynamic_forms: List[OperatorForm] = dataclasses.field(default_factory=list)
    known: List[str] = dataclasses.field(default_factory=list)
    notes: List[Any] = dataclasses.field(default_factory=list)
    sample: str = ""


@dataclasses.dataclass
class Operator:
    name: str
    in_place: bool = False
    evaluated: bool = True
    overloads: List[Overload] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class OnnxParameter:
    name: str
    type: str
    optional: bool = False
    variadic: bool = False


@dataclasses.dataclass
class OnnxAttribute:
    name: str
    type: str
    required: bool = False


@dataclasses.dataclass
class OnnxVersion:
    since: int
    deprecated: bool
    inputs: List[OnnxParameter] = dataclasses.field(default_factory=list)
    outputs: List[OnnxParameter] = dataclasses.field(default_factory=list)
    attributes: List[OnnxAttribute] = dataclasses.field(default_factory=list)
    types: Dict[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class OnnxOperator:
    name: str
    domain: str
    versions: List[OnnxVersion]


class Described(List[T], Report, Generic[T]):
    """Operators. print() shows what ``cameo ops`` prints."""

    def __init__(self, kind: Type[T], data: str, text: str) -> None:
        super().__init__(from_json(List[kind], json.loads(data)))  # type: ignore[valid-type]
        self._text = text.rstrip("\n")

    def __str__(self) -> str:
        return self._text

    def tables(self) -> Iterable[Table]:
        for item in self:
            if isinstance(item, Operator):
                yield Table(item.name, ("overload", "converts", "from opset", "nodes"),
                            [(each.schema, each.outcome, each.first_opset, ", ".join(each.nodes)) for each in item.overloads])
            elif isinstance(item, OnnxOperator):
                yield Table(item.name, ("since opset", "inputs", "outputs", "attributes"),
                            [(each.since, *(", ".join(p.name for p in part)
                                            for part in (each.inputs, each.outputs, each.attributes)))
                             for each in item.versions])


@dataclasses.dataclass(repr=False)
class OperatorCounts(Report):
    """How many operators of PyTorch are supported, and how many overloads become one node, several, or none."""

    opset: int
    operators: int
    overloads: int
    outcomes: Dict[str, int]

    def tables(self) -> Iterable[Table]:
        yield Table(f"{self.operators} of PyTorch's operators in {self.overloads} overloads, at opset {self.opset}",
                    ("become", "overloads"), list(self.outcomes.items()))
