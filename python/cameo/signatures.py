"""Calls with positional arguments in the orders that ``torch.onnx.export`` had before PyTorch 1.11."""

import functools
from typing import Any, Callable, Optional, Sequence

# The parameters behind output_names. Before them, all versions have the same order.
_COMMON = 8
_UNTIL_1_9 = ("aten", "export_raw_ir", "operator_export_type", "opset_version", "_retain_param_name", "do_constant_folding",
              "example_outputs", "strip_doc_string", "dynamic_axes", "keep_initializers_as_inputs", "custom_opsets",
              "enable_onnx_checker", "use_external_data_format")
_UNTIL_1_10 = _UNTIL_1_9[2:]


def _older_order(args: Sequence[Any]) -> Optional[Sequence[str]]:
    """The names of the arguments behind ``output_names``, if they have an older order.

    Until 1.9 the first of them is a bool; since then it is a type of export. Of 1.10, the fourth is a bool; since then it
    is a dict of dynamic axes.
    """
    rest = args[_COMMON:]
    if rest and isinstance(rest[0], bool):
        return _UNTIL_1_9
    if len(rest) > 3 and isinstance(rest[3], bool):
        return _UNTIL_1_10
    return None


def takes_older_orders(export: Callable) -> Callable:
    @functools.wraps(export)
    def call(*args: Any, **kwargs: Any) -> Any:
        names = _older_order(args)
        if names is None:
            return export(*args, **kwargs)
        rest = args[_COMMON:]
        if len(rest) > len(names):
            raise TypeError(f"export() takes at most {_COMMON + len(names)} positional arguments, but {len(args)} are given")
        named = dict(zip(names, rest))
        twice = sorted(named.keys() & kwargs.keys())
        if twice:
            raise TypeError(f"export() got multiple values for argument '{twice[0]}'")
        return export(*args[:_COMMON], **named, **kwargs)

    return call
