"""The types of results that a symbolic function does not state: as the model had them when it was traced.

The model is traced with the sizes of the example and, if it has dynamic axes, with other sizes. A size that is equal in
both traces is fixed. One that follows a size of the operands, or a multiple of it, is that size or multiple. Any other
one is not known, and so is one that follows several sizes: two traces do not tell sums and quotients apart.
"""

from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from . import _cameo
from .symbolic import element_type


class Run(NamedTuple):
    """One call in one trace."""

    operands: List[Optional[List[int]]]  # the shapes of the tensors among the inputs
    results: List[Any]  # the types

    @staticmethod
    def of(node: Any) -> "Run":
        operands = [value.type().sizes() for value in node.inputs() if value.type().kind() == "TensorType"]
        return Run(operands, [part for value in node.outputs() for part in _parts(value.type())])


class Call(NamedTuple):
    first: Run
    second: Optional[Run]  # None: the sizes of the example are fixed, or no other ones were traced

    def complete(self, conversion: "_cameo.Conversion", operands: Sequence["_cameo.Tensor"],
                 results: Sequence["_cameo.Tensor"], fixed_sizes: bool) -> None:
        """Declares the types of results whose rank is not known."""
        for i, (result, type) in enumerate(zip(results, self.first.results)):
            if result.shape is None and type.dim() is not None:
                shape = type.sizes() if fixed_sizes else self._shape(i, operands)
                conversion.set_type(result, element_type(type.scalarType()), shape)

    def _shape(self, index: int, operands: Sequence["_cameo.Tensor"]) -> List[Any]:
        first = self.first.results[index]
        other = self.second.results[index].sizes() if self.second else None
        if other is None or len(other) != first.dim():
            return [None] * first.dim()
        known = list(self._sizes(operands))
        return [size if size == changed else _formula(size, changed, known) for size, changed in zip(first.sizes(), other)]

    def _sizes(self, operands: Sequence["_cameo.Tensor"]) -> Iterator[tuple]:
        """The sizes of the operands: in the first trace, in the second, and as formulas of the graph."""
        for first, second, tensor in zip(self.first.operands, self.second.operands if self.second else [], operands):
            if first is not None and second is not None and tensor.shape is not None:
                yield from zip(first, second, tensor.shape)


def _formula(first: int, second: int, known: Sequence[tuple]) -> Any:
    from . import dynamic  # imports PyTorch

    formulas = {}
    for found in dynamic.relations(first, second, [(before, after) for before, after, _ in known]):
        before, _, size = known[found.index]
        if found.kind in ("is", "times") or found.kind == "divided by" and before % found.number == 0:
            formulas[found.kind, found.number, str(size)] = size * found.number if found.kind == "times" else size
    if len(formulas) != 1:
        return None
    (kind, _, _), formula = formulas.popitem()
    return None if kind == "divided by" else formula


def _parts(type: Any) -> List[Any]:
    return list(type.elements()) if type.kind() == "TupleType" else [type]


class Operators:
    """The calls of operators in the traces, for operators that only the user converts."""

    def __init__(self) -> None:
        self._calls: Mapping[str, List[Call]] = {}
        self._fixed_sizes = True

    def record(self, program: Any, other: Any, fixed_sizes: bool, kinds: Sequence[str]) -> None:
        self._fixed_sizes = fixed_sizes
        self._calls = {kind: paired(_of_kind(program, kind), _of_kind(other, kind)) for kind in kinds}

    def complete(self, conversion: "_cameo.Conversion", operands: Sequence["_cameo.Tensor"],
                 results: Sequence["_cameo.Tensor"]) -> None:
        """Declares the types of the results, if all calls with operands of such shapes agree on them."""
        calls = [call for call in self._calls.get(conversion.name, []) if _fits(call.first, operands)]
        ranks = {tuple((type.scalarType(), type.dim()) for type in call.first.results) for call in calls}
        if len(ranks) == 1:
            calls[0].complete(conversion, operands, results, self._fixed_sizes)


def paired(first: Sequence[Run], second: Sequence[Run]) -> List[Call]:
    same = len(first) == len(second)
    return [Call(run, second[i] if same else None) for i, run in enumerate(first)]


def _of_kind(program: Any, kind: str) -> List[Run]:
    if program is None:
        return []
    graph = program.inlined_graph  # owns its nodes
    return [Run.of(node) for node in graph.findAllNodes(kind)]


def _fits(run: Run, operands: Sequence["_cameo.Tensor"]) -> bool:
    return len(run.operands) == len(operands) and all(
        sizes is None or tensor.shape is None or len(sizes) == len(tensor.shape)
        and all(size == known for size, known in zip(sizes, tensor.shape) if isinstance(known, int))
        for sizes, tensor in zip(run.operands, operands))
