"""``cameo.rewrites``: other functions, modules and conversions for the time of an export."""

import contextlib
import contextvars
import copy
import difflib
import fnmatch
import importlib
import os
import sys
import warnings
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _cameo
from .converters import adapt, is_readable
from .errors import Error, ExportWarning
from .patches import Place, replaced
from .tell import depth
from .traced_types import Operators

_active: "contextvars.ContextVar[Tuple[Rewrites, ...]]" = contextvars.ContextVar("cameo_rewrites", default=())
_ANY = (0, sys.maxsize)
Opsets = Union[None, int, Tuple[int, int]]


class _Rule(NamedTuple):
    name: str  # the path of a function, the path or class of a module, the name of an operator
    function: Callable
    first: int
    last: int
    target: Optional[str]
    at: Optional[str] = None  # of an operator: the path of the module around it

    def holds(self, opset: int, target: str) -> bool:
        return self.first <= opset <= self.last and self.target in (None, target)

    @property
    def conditions(self) -> int:
        return (self.target is not None) + ((self.first, self.last) != _ANY)


class Rewrites:
    """Rules for the exports in a ``with`` block. See :func:`rewrites`."""

    def __init__(self, files: Tuple[Union[str, os.PathLike], ...]) -> None:
        self._files = [os.fspath(file) for file in files]
        self._functions: List[_Rule] = []
        self._modules: List[_Rule] = []
        self._symbolics: List[_Rule] = []
        self._tokens: List[Any] = []
        self._native()  # reports errors of the files here

    def function(self, path: str, *, opset: Opsets = None, target: Optional[str] = None) -> Callable:
        """Registers a function in place of the one at ``path``: "torch.nn.functional.gelu", "models.Detect.forward".

        It is given the function that it replaces, and then the arguments of the call.
        """
        return self._register(self._functions, path, opset, target)

    def module(self, name: str, *, opset: Opsets = None, target: Optional[str] = None) -> Callable:
        """Registers what makes another module of each module at the path ``name``, or of the class ``name``.

        Wildcards are ``*`` and ``?``. The function, or the class, is given the module and returns one.
        """
        return self._register(self._modules, name, opset, target)

    def symbolic(self, name: str, *, opset: Opsets = None, target: Optional[str] = None, at: Optional[str] = None) -> Callable:
        """Registers the symbolic function of an operator, "aten::gelu", or of a ``torch.autograd.Function``, by its path.

        ``at`` limits it to calls in modules with this path. It is given the graph and the arguments of the call, as for
        :func:`cameo.converter`.
        """
        if "::" in name:
            return self._register(self._symbolics, name, opset, target, at)
        if at is not None:
            raise ValueError("at: only a symbolic function of an operator can be limited to modules")

        def register(symbolic: Callable) -> Callable:
            self._register(self._functions, f"{name}.symbolic", opset, target)(lambda _, *args, **kw: symbolic(*args, **kw))
            return symbolic

        return register

    @staticmethod
    def _register(rules: List[_Rule], name: str, opset: Opsets, target: Optional[str],
                  at: Optional[str] = None) -> Callable[[Callable], Callable]:
        first, last = _ANY if opset is None else (opset, sys.maxsize) if isinstance(opset, int) else opset

        def register(function: Callable) -> Callable:
            rules.append(_Rule(name, function, first, last, target, at))
            return function

        return register

    def __enter__(self) -> "Rewrites":
        self._tokens.append(_active.set(_active.get() + (self,)))
        return self

    def __exit__(self, *_: Any) -> None:
        _active.reset(self._tokens.pop())

    def _native(self) -> "_cameo.Rewrites":
        native = _cameo.Rewrites()
        for file in self._files:
            native.read(file)
        return native


def rewrites(*files: Union[str, os.PathLike]) -> Rewrites:
    """Replaces functions, modules and conversions of operators in the exports of a ``with`` block.

    >>> with cameo.rewrites("deploy.rules") as r:
    ...     @r.function("models.Detect.forward")
    ...     def forward(original, self, x):
    ...         return original(self, x)[1:]
    ...     @r.symbolic("aten::gelu", opset=(9, 19), at="head.*")
    ...     def gelu(g, x, approximate):
    ...         return g.op("mmdeploy::Gelu", x)
    ...     cameo.export(model, x, "model.onnx")

    ``files`` are rules files (docs/rewrites.md), which also apply to saved programs. Replacements are in place while
    :func:`cameo.export` runs the model, and for the thread that calls it only.
    """
    return Rewrites(files)


class Applied:
    """The rules of all ``with`` blocks around one export."""

    def __init__(self, opset: int, target: str) -> None:
        self._opset, self._target = opset, target
        self._blocks = _active.get()
        self._used: List[_Rule] = []

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def _rules(self, kind: str) -> List[_Rule]:
        return [rule for block in self._blocks for rule in getattr(block, kind) if rule.holds(self._opset, self._target)]

    def native(self, registry: "_cameo.Registry", traced: Operators) -> Optional["_cameo.Rewrites"]:
        """The rules for the engine. The converters of symbolic functions are added to ``registry``."""
        if not self:
            return None
        native = _cameo.Rewrites()
        for block in self._blocks:
            for file in block._files:
                native.read(file)
        for number, rule in enumerate(self._rules("_symbolics")):
            operator = rule.name.partition("(")[0].partition(".")[0]
            own = f"cameo_symbolic::rule_{number}"
            for schema in _schemas(rule.name):
                registry.add(own + schema[schema.index("("):], adapt(rule.function, traced))
            scope = "" if rule.at is None else f' in module "{rule.at}"'
            conditions = f"  when opset >= {rule.first} and opset <= {rule.last}\n" if (rule.first, rule.last) != _ANY else ""
            conditions += "" if rule.target is None else f'  when target == "{rule.target}"\n'
            name = f"{rule.function.__name__.strip('_<>') or 'symbolic'}-{number}"
            where = rule.function.__code__.co_filename if hasattr(rule.function, "__code__") else "Python"
            native.parse(f"{where} (symbolic function of {operator})",
                         f'rule {name}\n  at operator "{operator}"{scope}\n{conditions}'
                         f'  replace converter "{own}"\n')
        return native

    @contextlib.contextmanager
    def functions(self) -> Iterator[None]:
        """Replaces the functions while the model runs, and warns of those that were not called."""
        chosen: Dict[Place, List[_Rule]] = {}
        for rule in self._rules("_functions"):
            place = _find(rule.name)
            if place is not None:
                chosen.setdefault(place, []).append(rule)
        called: set = set()
        with replaced({place: self._counted(_best(rules, f"'{rules[0].name}'"), called) for place, rules in chosen.items()}):
            yield
        for rules in chosen.values():
            if _best(rules, f"'{rules[0].name}'") not in called:
                _warn(f"the replacement of '{rules[0].name}' was never called")

    @staticmethod
    def _counted(rule: _Rule, called: set) -> Callable:
        def call(*args: Any, **kwargs: Any) -> Any:
            called.add(rule)
            return rule.function(*args, **kwargs)

        return call

    def modules(self, model: Any) -> Any:
        """The model with other modules. The model itself stays as it is: modules around others are copied, their parameters not."""
        rules = self._rules("_modules")
        if not rules or not hasattr(model, "named_modules") or hasattr(model, "_c"):
            return model
        used: set = set()
        result = _with_modules(model, "", rules, used)
        names = sorted({name for path, module in model.named_modules() for name in [path, *_class_names(module)] if name})
        for rule in rules:
            if rule not in used:
                _warn(f"no module matches '{rule.name}'" + _near(rule.name, names))
        return result


def _with_modules(module: Any, path: str, rules: List[_Rule], used: set) -> Any:
    matching = [(rank, rule) for rule in rules for rank in [_rank(rule.name, path, module)] if rank is not None]
    if matching:
        used.update(rule for _, rule in matching)
        best = max(rank for rank, _ in matching)
        return _best([rule for rank, rule in matching if rank == best], f"module '{path}'").function(module)
    children = {name: child and _with_modules(child, f"{path}.{name}" if path else name, rules, used)
                for name, child in module._modules.items()}
    if all(children[name] is child for name, child in module._modules.items()):
        return module
    changed = copy.copy(module)
    changed.__dict__["_modules"] = type(module._modules)(children)
    return changed


def _class_names(module: Any) -> List[str]:
    return [f"{cls.__module__}.{cls.__qualname__}" for cls in type(module).__mro__ if cls.__module__ != "builtins"]


def _rank(name: str, path: str, module: Any) -> Optional[Tuple[int, int]]:
    """How exactly a name matches a module: its path before its class, exact names before wildcards, near classes before far ones."""
    if name == path:
        return 3, 0
    if fnmatch.fnmatchcase(path, name):
        return 2, len(name.replace("*", ""))
    for distance, cls in enumerate(_class_names(module)):
        if fnmatch.fnmatchcase(cls, name):
            return (1, -distance) if cls == name else (0, len(name.replace("*", "")))
    return None


def _best(rules: List[_Rule], what: str) -> _Rule:
    """The rule with the most conditions."""
    most = max(rule.conditions for rule in rules)
    best = [rule for rule in rules if rule.conditions == most]
    if len(best) > 1:
        raise Error(f"{len(best)} rules replace {what}, and none is more specific; give one of them an opset or a target")
    return best[0]


def _find(path: str) -> Optional[Place]:
    """The attribute at "package.module.Class.method"; None, with a warning, if there is none."""
    parts = path.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            owner: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:-1]:
            owner = getattr(owner, part, None)
        if owner is not None and hasattr(owner, parts[-1]):
            return Place(owner, parts[-1])
        _warn(f"there is no '{path}' to replace" + _near(parts[-1], dir(owner) if owner is not None else []))
        return None
    _warn(f"there is no '{path}' to replace: '{parts[0]}' cannot be imported")
    return None


def _near(name: str, names: List[str]) -> str:
    near = difflib.get_close_matches(name, names, 3)
    return f"; did you mean {' or '.join(repr(each) for each in near)}?" if near else ""


def _warn(text: str) -> None:
    warnings.warn(text, ExportWarning, stacklevel=depth())


def _schemas(name: str) -> List[str]:
    if "(" in name:
        return [name]
    import torch

    schemas = [str(schema) for schema in torch._C._jit_get_schemas_for_operator(name)]
    readable = [schema for schema in schemas if "Tensor" in schema and "!" not in schema and is_readable(schema)]
    if not readable:
        raise Error(f"PyTorch knows no operator '{name}'; write its schema: '{name}(Tensor x) -> Tensor'")
    return readable

