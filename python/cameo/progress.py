"""The progress of a long export: a function of the user, or a bar in a terminal."""

import sys
import time
from typing import Callable, Union

_QUIET = 1.0  # seconds, before a bar appears without being asked for
_WIDTH = 24


class Progress:
    """The engine calls ``begin`` and ``write``. Python handles Ctrl-C during such a call, and so ends the export."""

    def __init__(self, wanted: Union[bool, Callable[[str, float], None], None]) -> None:
        self._call = wanted if callable(wanted) else None
        self._shows = wanted is True or wanted is None and sys.stderr is not None and sys.stderr.isatty()
        self._from = time.monotonic() + (0 if wanted is True else _QUIET)
        self._stage, self._percent, self._drawn = "", 0, False

    def begin(self, stage: str) -> None:
        self._stage, self._percent = stage, -1
        self._tell(0.0)

    def write(self, done: int, total: int) -> None:
        self._tell(done / total if total else 1.0)

    def end(self) -> None:
        """Removes the bar."""
        if self._drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _tell(self, part: float) -> None:
        percent = int(part * 100)
        if percent <= self._percent:
            return
        self._percent = percent
        if self._call:
            self._call(self._stage, part)
        elif self._shows and time.monotonic() >= self._from:
            self._draw(part)

    def _draw(self, part: float) -> None:
        full = int(part * _WIDTH)
        bar = f" [{'#' * full}{' ' * (_WIDTH - full)}] {part:4.0%}" if part else " ..."
        sys.stderr.write(f"\r\033[K{self._stage}{bar}")
        sys.stderr.flush()
        self._drawn = True
