"""The user's own lines of Python."""

import functools
import itertools
import linecache
import os
import re
import traceback
from typing import List, Sequence, Tuple

import torch

from . import _cameo

_FRAME = re.compile(r"^(.*)\((\d+)\): (.*)$")
_TORCH, _CAMEO = (os.path.join(os.path.dirname(os.path.realpath(path)), "") for path in (torch.__file__, __file__))


@functools.lru_cache(maxsize=None)
def _is_in(file: str, folder: str) -> bool:
    return os.path.realpath(file).startswith(folder)


def _is_users(file: str) -> bool:
    return not _is_in(file, _TORCH) and not _is_in(file, _CAMEO)


def _place(file: str, line: int) -> "_cameo.Position":
    return _cameo.Position(file=file, line=line, text=linecache.getline(file, line).rstrip("\n"))


def lines(node: "torch._C.Node") -> List[Tuple[str, int]]:
    """The files and lines of the model that a node of a trace comes from, innermost call first."""
    frames = [frame for line in node.sourceRange().splitlines() if (frame := _FRAME.match(line))]
    inner = itertools.takewhile(lambda frame: not _is_in(frame[1], _CAMEO), frames)
    return [(f[1], int(f[2])) for f in inner if _is_users(f[1])]


def of_node(node: "torch._C.Node") -> List["_cameo.Position"]:
    """The same with the text of the lines."""
    return [_place(file, line) for file, line in lines(node)]


def trim(diagnostics: Sequence["_cameo.Diagnostic"]) -> None:
    """Leaves the user's own lines, where there are any."""
    for diagnostic in diagnostics:
        own = [place for place in diagnostic.python if _is_users(place.file)]
        diagnostic.python = own or diagnostic.python


def of_error(error: BaseException) -> List["_cameo.Position"]:
    """Where an exception was raised, innermost call first."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    return [_place(frame.filename, frame.lineno or 0) for frame in frames if _is_users(frame.filename)]
