"""Arguments of saved programs, which are known only by what the user says of them."""

import io
from typing import Any, Mapping, Optional

import torch

from . import arguments, example as examples, options as option, shapes, spec, versions
from .models import source
from .request import Request


def set_inputs(request: Request) -> None:
    """Tells the engine of the inputs. Shapes by names that no argument has are the axes of the inputs of these names."""
    call = arguments.split(request.args, request.kwargs) if request.has_arguments else arguments.Call((), {})
    given = request.dynamic_shapes
    if isinstance(given, Mapping):
        by_name = {name: shape for name, shape in given.items() if name not in call.kwargs}
        given = {name: shape for name, shape in given.items() if name in call.kwargs}
        request.options.dynamic_axes = option.axes({**(request.dynamic_axes or {}), **shapes.axes_by_name(by_name)})
    elif given is not None and not call.args:
        raise ValueError("dynamic_shapes in order needs 'args'; without them, say dynamic_shapes by the names of the inputs")
    axes = shapes.of_call(call, [""] * len(call.args), given)
    if request.has_arguments:
        request.options.inputs = spec.specs(call, iter(axes))


def example(request: Request) -> Optional[examples.Example]:
    """The program itself, to be run."""
    given = source(request.model)

    def file() -> Any:
        return given if isinstance(given, str) else io.BytesIO(given)

    call: Any = arguments.split(request.args, request.kwargs) if request.has_arguments else None
    try:
        model = torch.jit.load(file(), map_location="cpu")
    except RuntimeError:
        if not versions.has_export():
            raise
        from . import exported

        program = torch.export.load(file())
        call = call or program.example_inputs
        ran = call and examples.of_call(program.module(), call[0], call[1], [])
        return ran and ran._replace(axes=exported.axes_of(exported.inputs_of(program), ran.tensors, {}))
    return call and examples.of_call(model, call[0], call[1], [])
