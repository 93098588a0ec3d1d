"""``cameo.verify``: a program and a model on the same inputs."""

import contextlib
import io
from typing import Any, Iterator, Mapping, Optional

from . import _cameo
from .export import export
from .models import Model, is_saved
from .reports import Verification
from .request import Request
from .session import Session


def verify(program: Any, args: Any = None, model: Optional[Model] = None, *, kwargs: Optional[Mapping[str, Any]] = None,
           dynamic_shapes: Any = None, dynamic_axes: Optional[Mapping[str, Any]] = None, tolerance: Optional[float] = None,
           **options: Any) -> Verification:
    """Runs a program in PyTorch and a model in ONNX Runtime on the same inputs, and compares the outputs. With dynamic
    sizes, a second run has other sizes.

    >>> assert cameo.verify(net, torch.randn(1, 3, 224, 224), "net.onnx", dynamic_shapes=({0: "batch"},))

    program, args, kwargs, dynamic_shapes, dynamic_axes, options
        As for :func:`cameo.export`.
    model
        The ONNX model. None: the program is exported first.
    tolerance
        The largest error, as a share of the largest element of an output: 1e-5, 1e-3 for float16, 1e-2 for bfloat16.
    """
    if model is None:
        model = io.BytesIO()
        export(program, args, model, kwargs=kwargs, dynamic_shapes=dynamic_shapes, dynamic_axes=dynamic_axes,
               check_trace=False, **options)
    engine = _cameo.ExportOptions()
    engine.input_names = list(options.get("input_names") or [])
    request = Request(program, args, kwargs, None, engine, dynamic_axes, dynamic_shapes, False, options.get("dynamo"),
                      verify=True, fix_numbers=options.get("fix_numbers", False))
    from .compare import verified

    with _example(request) as example:
        if example is None:
            raise ValueError("cameo.verify needs example inputs: say 'args'")
        return verified(Session(model), example, tolerance)


@contextlib.contextmanager
def _example(request: Request) -> Iterator[Any]:
    if is_saved(request.model):
        from . import saved

        yield saved.example(request)
        return
    from .archive import archive_of

    with archive_of(request) as archive:
        yield archive.example
