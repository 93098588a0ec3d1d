"""Functions of Python in place of others, for the calls of one thread.

A patched attribute holds a function that looks up which replacement the current context has chosen, and calls the original if
there is none. Two threads can therefore have different replacements of the same function. The attribute is as before when no
context needs it any more.
"""

import contextlib
import contextvars
import functools
import sys
import threading
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Tuple

_MISSING: Any = object()
_lock = threading.Lock()
_patches: Dict[Tuple[int, str], "_Patch"] = {}
_replacements: "contextvars.ContextVar[Mapping[Tuple[int, str], Callable]]" = contextvars.ContextVar(
    "cameo_replacements", default={})


class Place(NamedTuple):
    """An attribute that holds a function."""

    owner: Any  # a module or a class
    name: str

    @property
    def key(self) -> Tuple[int, str]:
        return id(self.owner), self.name


class _Patch:
    """A function that is replaced at its place, and where other modules imported it."""

    def __init__(self, place: Place) -> None:
        self.users = 0
        self._place = place
        held = vars(place.owner).get(place.name, _MISSING)
        self.function = getattr(place.owner, place.name)
        if isinstance(held, (staticmethod, classmethod)):
            self.function = held.__func__
        function = _dispatcher(place.key, self.function)
        value = type(held)(function) if isinstance(held, (staticmethod, classmethod)) else function
        self._undo: List[Tuple[Any, str, Any]] = []
        self._set(place.owner, place.name, held, value)
        if not isinstance(place.owner, type):
            for owner, name in _imports(held):
                self._set(owner, name, held, value)

    def _set(self, owner: Any, name: str, before: Any, value: Any) -> None:
        setattr(owner, name, value)
        self._undo.append((owner, name, before))

    def undo(self) -> None:
        for owner, name, before in reversed(self._undo):
            if before is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, before)


def _dispatcher(key: Tuple[int, str], original: Callable) -> Callable:
    @functools.wraps(original, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        replacement = _replacements.get().get(key)
        return original(*args, **kwargs) if replacement is None else replacement(original, *args, **kwargs)

    return call


def _imports(function: Any) -> Iterator[Tuple[Any, str]]:
    """The modules that hold the same function: ``from a import f``."""
    for module in list(sys.modules.values()):
        names = vars(module) if hasattr(module, "__dict__") else {}
        for name, value in list(names.items()):
            if value is function:
                yield module, name


@contextlib.contextmanager
def replaced(functions: Mapping[Place, Callable]) -> Iterator[None]:
    """Replaces functions, in this context only. A replacement is given the original before the arguments."""
    entered: List[Place] = []
    token = None
    try:
        with _lock:
            for place in functions:
                patch = _patches.get(place.key)
                if patch is None:
                    patch = _patches[place.key] = _Patch(place)
                patch.users += 1
                entered.append(place)
        token = _replacements.set({**_replacements.get(), **{place.key: function for place, function in functions.items()}})
        yield
    finally:
        if token is not None:
            _replacements.reset(token)
        with _lock:
            for place in reversed(entered):
                patch = _patches[place.key]
                patch.users -= 1
                if patch.users == 0:
                    patch.undo()
                    del _patches[place.key]
