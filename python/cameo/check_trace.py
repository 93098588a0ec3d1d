"""Does a trace hold for other sizes? The model is traced with two others, and the traces are compared."""

import collections
import contextlib
import re
import warnings
from typing import Any, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import torch

from . import _cameo, dynamic, source, steps
from .state import Attribute, State, empty, without_function_caches
from .steps import Step, Traced

_KEEP = ("a number that Python takes from a tensor is a constant of the trace: leave out int() and item(), say -1 or "
         "x.size(…) there, or script that part")
_PATH = "script the part that decides by sizes, or fix them"
# Schemas of views that get their sizes as a list: view, reshape, expand.
_TAKES_SHAPE = re.compile(r"\(Tensor\(a\) self, (Sym)?[iI]nt\[\] (size|shape)\b")
_MOST_CACHES = 8  # attributes that are emptied one after the other


class Trial(NamedTuple):
    sizes: Mapping[str, int]
    tensors: List[torch.Tensor]
    expected: List[torch.Tensor]


class Checked(NamedTuple):
    warnings: List["_cameo.Diagnostic"]
    other: Optional[torch.jit.ScriptModule] = None  # the trace with other sizes; None if the model does not run with them


class Check:
    """Runs of a model with other sizes. Each starts with the state that the model has before its first trace, and
    the model has the same state as before afterwards."""

    def __init__(self, tracer: Any, program: torch.jit.ScriptModule, axes: Sequence[dynamic.Axis], before: State) -> None:
        self._tracer = tracer
        self._axes = axes
        self._first = Traced({axis.symbol: axis.size for axis in axes}, program)
        self._before = before
        self._caches: List[Attribute] = []  # that are empty before each run

    def run(self) -> Checked:
        """Warnings of what the trace baked in, at the user's lines."""
        with self._kept():
            return self._run()

    def _run(self) -> Checked:
        failures: List[Tuple[Mapping[str, int], Exception]] = []
        other = self._traced(dynamic.other_sizes(self._axes), failures)
        if other is None and self._empty_caches():
            other = self._traced(dynamic.other_sizes(self._axes))
        if other is None:
            return Checked([_not_checked(*failures[0])])
        caches = self._caches or self._before.changed()
        third = self._traced(dynamic.other_sizes(self._axes, 1))
        others = [other] if third is None else [other, third]
        return Checked(list(_compare(self._first, others, self._axes, caches)), other.program)

    def trials(self) -> Iterator[Trial]:
        """Results of the model: with the example, and with other sizes and values."""
        for choices in [self._first.sizes], dynamic.other_sizes(self._axes, 2), dynamic.other_sizes(self._axes):
            with self._kept():
                trial = next((trial for sizes in self._affordable(choices) if (trial := self._trial(sizes))), None)
            if trial is not None:
                yield trial

    def at(self, trial: Trial) -> List["_cameo.Diagnostic"]:
        """Warnings of what differs in this trial."""
        with self._kept(), without_function_caches(self._tracer.model):
            self._before.restore()
            try:
                other = Traced(trial.sizes, self._trace(trial.tensors))
            except Exception:  # it ran before: it does not run twice
                return []
            return list(_compare(self._first, [other], self._axes, self._caches or self._before.changed()))

    @contextlib.contextmanager
    def _kept(self) -> Iterator[None]:
        after = State(self._tracer.model)
        try:
            yield
        finally:
            after.restore()

    def _affordable(self, choices: Iterable[Mapping[str, int]]) -> Iterator[Mapping[str, int]]:
        return (sizes for sizes in choices if dynamic.affordable(self._tracer.tensors, self._axes, sizes))

    def _trial(self, sizes: Mapping[str, int]) -> Optional[Trial]:
        """None if the model does not take these sizes."""
        tensors = dynamic.resized(self._tracer.tensors, self._axes, sizes)
        for given in [tensors] if sizes == self._first.sizes else [dynamic.shuffled(tensors), tensors]:
            self._before.restore()
            try:
                with torch.no_grad():
                    return Trial(sizes, given, [result.detach().clone() for result in self._tracer.call(given)])
            except Exception:
                continue
        return None

    def _traced(self, choices: Iterable[Mapping[str, int]],
                failures: Optional[List[Tuple[Mapping[str, int], Exception]]] = None) -> Optional[Traced]:
        """A trace with the first sizes that the model takes."""
        for sizes in self._affordable(choices):
            self._before.restore()
            try:
                return Traced(sizes, self._trace(dynamic.resized(self._tracer.tensors, self._axes, sizes)))
            except Exception as error:
                if failures is not None:
                    failures.append((sizes, error))
        return None

    def _trace(self, tensors: Sequence[torch.Tensor]) -> torch.jit.ScriptModule:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._tracer.trace(tensors)

    def _empty_caches(self) -> bool:
        """Empties the attributes that the model fills again with equal tensors. It may run with other sizes then."""
        self._before.restore()
        with torch.no_grad():
            expected = [result.clone() for result in self._tracer.call(self._tracer.tensors)]
            found = [group for group in self._before.caches()[:_MOST_CACHES] if self._computes(expected, group)]
        self._before.restore()
        for group in found:
            empty(group)
        if found:
            self._caches = self._before.attributes(found)
            self._before = State(self._tracer.model)
        return bool(found)

    def _computes(self, expected: Sequence[torch.Tensor], group: Sequence[Tuple[torch.nn.Module, str]]) -> bool:
        self._before.restore()
        empty(group)
        try:
            results = self._tracer.call(self._tracer.tensors)
        except Exception:
            return False
        filled = all(vars(module)[name] is not None for module, name in group)
        return filled and len(results) == len(expected) and all(map(steps.equal, results, expected))


def _compare(first: Traced, traces: Sequence[Traced], axes: Sequence[dynamic.Axis],
             caches: Sequence[Attribute]) -> Iterator["_cameo.Diagnostic"]:
    """Warnings at the steps that differ. A trace is compared up to the step where it takes another path."""
    seen = set()
    mine = list(steps.of(first.program))
    rest = [(trace.sizes, list(steps.of(trace.program))) for trace in traces]
    common = [_common(mine, theirs) for _, theirs in rest]
    for i, step in enumerate(mine[:max(common)]):
        others = [(sizes, theirs[i]) for (sizes, theirs), count in zip(rest, common) if i < count]
        found = _baked(step, others, axes, caches) or _stuck(step, *others[0][::-1], axes)
        if found and (key := (found.message, *source.lines(step.node)[:1])) not in seen:
            seen.add(key)
            yield found
    for (sizes, theirs), count in zip(rest, common):
        if count < max(len(mine), len(theirs)):
            yield _path(mine, theirs, count, sizes, caches)
            return


def _common(mine: Sequence[Step], others: Sequence[Step]) -> int:
    """The number of steps until one differs."""
    return next((i for i, (a, b) in enumerate(zip(mine, others)) if not a.same_as(b)), min(len(mine), len(others)))


def _path(mine: Sequence[Step], others: Sequence[Step], start: int, sizes: Mapping[str, int],
          caches: Sequence[Attribute]) -> "_cameo.Diagnostic":
    """The two traces differ from a step on: a loop has more iterations, a cache is computed anew, or a condition decides."""
    counts = [collections.Counter(map(_key, part)) for part in (mine, others)]
    for at in _computing(others[start:]), _computing(mine[start:]):
        if at is not None and len(set(times := [count[_key(at)] for count in counts])) == 2 and all(times):
            return _warning(_cameo.codes.baked_path, f"a Python loop runs this line{_where(at)} {times[0]} times in the "
                            f"example, and {times[1]} times with {dynamic.text(sizes)}: the trace holds the iterations of "
                            "the example", source.of_node(at.node), "script the loop, or write it without one")
    candidates = [_computing(mine[start:]), _computing(others[start:]), _computing(mine[start::-1])]
    if caches:
        candidates.insert(0, candidates.pop(1))
    at = next((step for step in candidates if step is not None), None)
    return _warning(_cameo.codes.baked_path, f"with {dynamic.text(sizes)} the model takes another path from here on"
                    f"{_where(at) if at else ''}: the trace holds only the one of the example",
                    source.of_node(at.node) if at else [], _cached(caches, at) or _PATH)


def _computing(candidates: Sequence[Step]) -> Optional[Step]:
    """The first step that computes something at a line of the user."""
    return next((step for step in candidates if _key(step)), None)


def _key(step: Step) -> Any:
    """The kind and the line of a step that computes something."""
    place = source.lines(step.node)[:1]
    return (step.node.kind(), place[0]) if place and step.node.kind().startswith("aten::") else None


def _baked(step: Step, others: Sequence[Tuple[Mapping[str, int], Step]], axes: Sequence[dynamic.Axis],
           caches: Sequence[Attribute]) -> Optional["_cameo.Diagnostic"]:
    """A constant that another trace has too, and not as the same."""
    if step.node.kind() != "prim::Constant":
        return None
    value, values = steps.constant(step), [steps.constant(other) for _, other in others]
    differs = next((i for i, other in enumerate(values) if not steps.equal(value, other)), None)
    if differs is None:
        return None
    places, where, sizes = source.of_node(step.node), _where(step), dynamic.text(others[differs][0])
    if meaning := dynamic.explain(value, values, axes, [at for at, _ in others]):
        return _warning(_cameo.codes.baked_size, f"{value} is baked in here{where}: it is {meaning}, and with {sizes} it would be "
                                f"{values[differs]}", places, _KEEP)
    tensor = isinstance(value, torch.Tensor) and value.dim() > 0
    return _warning(_cameo.codes.baked_number, f"{_short(value)} is baked in here{where}: with {sizes} it would be "
                            f"{_short(values[differs])}", places, tensor and _cached(caches, step) or _KEEP)


def _stuck(step: Step, other: Step, sizes: Mapping[str, int], axes: Sequence[dynamic.Axis]) -> Optional["_cameo.Diagnostic"]:
    """A shape in which a size of the example stands as a number: x.view(4, -1)."""
    node = step.node
    if not _TAKES_SHAPE.search(node.schema()):
        return None
    first = zip(_shape(node.inputsAt(0)), _shape(node.output()))
    second = zip(_shape(other.node.inputsAt(0)), _shape(other.node.output()))
    for (size, result), (other_size, other_result) in zip(first, second):
        if (size, other_size) == (result, other_result):
            continue
        for axis in axes:
            followed = (size, other_size) == (axis.size, sizes[axis.symbol])
            if followed and result == other_result == axis.size:
                return _warning(_cameo.codes.baked_size, f"{size} is {axis.text()} in the example, and stays {size} here"
                                        f"{_where(step)} with {dynamic.text(sizes)}", source.of_node(node),
                                        f"say -1 or {axis.name}.size({axis.axis}) instead of {size}")
        return None
    return None


def _cached(caches: Sequence[Attribute], step: Optional[Step]) -> str:
    """What to do about tensors that modules keep from one run to the next; those of the step's module come first."""
    if not caches:
        return ""
    ordered = sorted(caches, key=lambda attribute: step is None or attribute.module != step.module)
    names = ", ".join(attribute.text() for attribute in ordered[:3]) + (" and others" if len(ordered) > 3 else "")
    return (f"the model keeps {names} from one run to the next, and computes it anew for other sizes: compute it in each "
            "run, or export a model that has not run yet")


def _where(step: Step) -> str:
    return f" in module '{step.module}'" if step.module else ""


def _shape(value: Any) -> List[int]:
    return value.type().sizes() or [] if value.type().kind() == "TensorType" else []


def _short(value: Any) -> str:
    if isinstance(value, torch.Tensor) and value.numel() > 1:
        return f"a tensor of shape {list(value.shape)}"
    return str(value.item() if isinstance(value, torch.Tensor) and value.numel() == 1 else value)


def _not_checked(sizes: Mapping[str, int], failure: Exception) -> "_cameo.Diagnostic":
    return _warning(_cameo.codes.trace_not_checked, f"the model does not run with {dynamic.text(sizes)}, so nothing tells whether "
                    f"the trace holds for other sizes: {type(failure).__name__}: {failure}", source.of_error(failure),
                    "if these axes have to have the sizes of the example, they are not dynamic")


def _warning(code: str, message: str, places: List["_cameo.Position"], hint: str) -> "_cameo.Diagnostic":
    return _cameo.Diagnostic(severity=_cameo.Severity.warning, code=code, message=message,
                             python=places, hint=hint)
