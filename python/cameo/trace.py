"""A model and its arguments to a TorchScript module: the model is run once, and what it does is written down."""

import contextlib
import inspect
from typing import Any, Dict, Iterator, List, Sequence, Set, Tuple

import torch
from torch.jit import _trace as jit_trace

from . import arguments, marks, outputs, versions
from .state import State


class Tracer:
    """A model and its arguments. The program's arguments are the tensors among the model's own, in their order; with
    ``numbers``, also Python's numbers, as tensors without axes."""

    def __init__(self, model: torch.nn.Module, bound: inspect.BoundArguments, numbers: bool = False) -> None:
        self.model = model
        self._bound = bound
        flat = arguments.flatten(self._bound, numbers)
        self.numbers: Dict[str, Any] = flat.numbers
        self.output_names: List[str] = []  # of the last run, if its result has names
        self.names: List[str] = flat.names
        self.tensors: List[torch.Tensor] = flat.tensors
        self.fixed: List[Tuple[str, Any]] = flat.fixed

    def takes_numbers(self) -> bool:
        """Whether tensors in place of Python's numbers give results of the same types and shapes."""
        given = [self.numbers.get(name, tensor) for name, tensor in zip(self.names, self.tensors)]
        before = State(self.model)
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            try:
                wanted = self.call(given)
                before.restore()
                found = self.call(self.tensors)
            except Exception:  # the trace raises what the model raises in any case
                return False
            finally:
                before.restore()
        return [(a.dtype, a.shape) for a in wanted] == [(a.dtype, a.shape) for a in found]

    def trace(self, tensors: Sequence[torch.Tensor], keeps_buffers: bool = False) -> torch.jit.ScriptModule:
        """Runs the model once, without gradients; twice if the first run adds parameters or modules.

        With ``keeps_buffers``, also twice if it adds buffers: they are weights then, and not computed in each run.
        """
        before = self._names(keeps_buffers)
        module = self._trace_once(tensors)
        return module if self._names(keeps_buffers) == before else self._trace_once(tensors)

    def _names(self, buffers: bool) -> Set[str]:
        return {*dict(self.model.named_parameters()), *dict(self.model.named_modules()),
                *(dict(self.model.named_buffers()) if buffers else ())}

    def _trace_once(self, tensors: Sequence[torch.Tensor]) -> torch.jit.ScriptModule:
        marks.restart()
        with _module_names(self.model), torch.no_grad(), _kept_buffers(self.model):
            with _without_ties(self.model):
                module = jit_trace.make_module(self.model, None, jit_trace._python_cu)
            lookup = jit_trace._create_interpreter_name_lookup_fn(0)
            module._c._create_method_from_trace("forward", self._run, tuple(tensors), lookup, True, False, self.names,
                                                *versions.without_inputs())
        return module

    def call(self, tensors: Sequence[torch.Tensor]) -> List[torch.Tensor]:
        """The results of the model for these tensors."""
        args = arguments.fill(self._bound.args, tensors)
        kwargs = arguments.fill(self._bound.kwargs, tensors)
        result = self.model(*args, **kwargs)
        self.output_names = outputs.names(result, self.names)
        return outputs.flatten(result)

    def _run(self, *tensors: torch.Tensor) -> Any:
        result = self.call(tensors)
        return result[0] if len(result) == 1 else tuple(result)


@contextlib.contextmanager
def _module_names(model: torch.nn.Module) -> Iterator[None]:
    """Lets the tracer know where each module stands, as torch.jit.trace_module does."""
    names: dict = {"__module": model}

    def register(module: torch.nn.Module, prefix: str) -> None:
        for name, child in module.named_children():
            names[child] = f"{prefix}.{name}"
            register(child, names[child])

    register(model, "__module")
    before = jit_trace._trace_module_map
    jit_trace._trace_module_map = names
    try:
        yield
    finally:
        jit_trace._trace_module_map = before


@contextlib.contextmanager
def _without_ties(model: torch.nn.Module) -> Iterator[None]:
    """A module that has a tensor or a name twice has it once, because PyTorch makes a program of no others."""
    tables = [table for module in model.modules() for table in (module._parameters, module._buffers)]
    kept = [(table, dict(table)) for table in tables]
    for module in model.modules():
        for name in module._parameters.keys() & module._buffers.keys():
            del module._buffers[name]
    for table in tables:
        first: Dict[int, str] = {}
        for name in [n for n, tensor in table.items() if tensor is not None and first.setdefault(id(tensor), n) != n]:
            del table[name]
    try:
        yield
    finally:
        for table, items in kept:
            table.clear()
            table.update(items)


@contextlib.contextmanager
def _kept_buffers(model: torch.nn.Module) -> Iterator[None]:
    """A run in training changes statistics; they are as before afterwards."""
    kept = [(b, b.clone()) for b in model.buffers()] if any(m.training for m in model.modules()) else []
    try:
        yield
    finally:
        with torch.no_grad():
            for buffer, value in kept:
                buffer.copy_(value)


@contextlib.contextmanager
def mode(model: torch.nn.Module, training: Any) -> Iterator[None]:
    """The mode that is asked for, None for the model's own; each module has its own again afterwards."""
    before = [(module, module.training) for module in model.modules() if hasattr(module, "training")]
    if training is not None:
        model.train(training)
    try:
        yield
    finally:
        for module, was in before:
            module.training = was


class _Function(torch.nn.Module):
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.forward = function


def as_module(model: Any) -> torch.nn.Module:
    """A function is a module without parameters."""
    return model if isinstance(model, torch.nn.Module) else _Function(model)
