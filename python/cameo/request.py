"""What a call of ``cameo.export`` asks for, beside the options of the engine."""

import dataclasses
from typing import Any, Callable, Mapping, Optional

from .traced_types import Operators


@dataclasses.dataclass
class Request:
    model: Any
    args: Any
    kwargs: Optional[Mapping[str, Any]]
    f: Any
    options: Any  # _cameo.ExportOptions
    dynamic_axes: Optional[Mapping[str, Any]] = None
    dynamic_shapes: Any = None
    check_trace: Optional[bool] = None
    dynamo: Optional[bool] = None  # None: as PyTorch does it
    fallback: bool = False
    verify: bool = False
    dump: Optional[str] = None  # where the ExportedProgram is to be saved
    operators: Operators = dataclasses.field(default_factory=Operators)  # calls that only the user converts
    fix_numbers: bool = False
    tell_stage: Callable[[str], None] = lambda stage: None

    @property
    def has_arguments(self) -> bool:
        return self.args is not None or bool(self.kwargs)
