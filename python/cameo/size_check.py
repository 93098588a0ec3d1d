"""Does the model that was written from a trace compute with other sizes what the model of PyTorch does?"""

import os
import re
from typing import Any, Iterator, List, NamedTuple, Optional

from . import _cameo, dynamic
from .archive import Archive
from .check_trace import Trial
from .session import Session
from .compare import faults, feeds

_TOLERANCE = 1e-4  # relative to the largest element; ties and rounding stay below it
_LARGEST = 2 << 30  # bytes of a model that is run: a session holds its weights once more
_RANDOM = re.compile(r"Random|Bernoulli|Multinomial|Dropout")


class _Departure(NamedTuple):
    trial: Trial
    what: str  # "": the results are equal
    is_certain: bool = True  # False: ties and rounding may be the cause


def departures(archive: Archive, model: Any, report: "_cameo.ExportReport") -> List["_cameo.Diagnostic"]:
    """A warning, if the model agrees with the sizes of the example and not with others; or fails with all of them."""
    session = _session(model, archive, report)
    if session is None:
        return []
    found = _departures(session, archive)
    first = next(found, None)
    if first is None or first.what and not first.is_certain:
        return []
    departure = first if first.what else next((departure for departure in found if departure.what), None)
    if departure is None:
        return []
    known = [d for d in archive.diagnostics if d.severity == _cameo.Severity.warning]
    more = [] if known or departure is first else archive.check.at(departure.trial)
    places = next((d.python for d in known + more if d.python), [])
    return [*more, _cameo.Diagnostic(
        severity=_cameo.Severity.warning, code=_cameo.codes.departs, python=places,
        message=f"with {dynamic.text(departure.trial.sizes)} the ONNX model does not compute what the PyTorch model does: "
                f"{departure.what}",
        hint=_hint(departure is first, bool(known + more)))]


def _hint(is_example: bool, has_cause: bool) -> str:
    if is_example:
        return "report this as a fault of Cameo"
    return "it does with the sizes of the example: fix these axes, " + (
        "or see the other warnings" if has_cause else "and report this as a fault of Cameo")


def _session(model: Any, archive: Archive, report: "_cameo.ExportReport") -> Optional[Session]:
    """None if nothing can be compared: no ONNX Runtime, an operator that it does not have, random numbers."""
    size = os.path.getsize(model) if isinstance(model, str) else len(model)
    if archive.check is None or size > _LARGEST or any(_RANDOM.search(name) for name, _ in report.operators):
        return None
    try:
        session = Session(model)
    except Exception:
        return None
    needed = {info.name for info in session._session.inputs if not info.optional}
    return session if needed <= set(archive.example.names) else None


def _departures(session: Session, archive: Archive) -> Iterator[_Departure]:
    """For each trial, in which way the results differ; empty if they do not."""
    for trial in archive.check.trials():
        try:
            results = session.run(None, feeds(session, archive.example, trial.tensors))
        except Exception as error:
            yield _Departure(trial, f"ONNX Runtime fails: {str(error).strip().splitlines()[0]}")
            continue
        found = [fault for fault in faults(session, trial.expected, results) if fault.relative > _TOLERANCE]
        yield _Departure(trial, f"output '{found[0].name}' {found[0].fault}" if found else "",
                         any(fault.relative == float("inf") for fault in found))
