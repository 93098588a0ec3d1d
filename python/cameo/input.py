"""``cameo.Input``: an argument as text."""


class Input(str):
    """An argument in the format of ``cameo export --input``, without its name, in place of a tensor.

    >>> cameo.export("model.pt", cameo.Input("f32[batch>=1, 3, h=32..1024 step 32, w]"), "model.onnx")

    It says which sizes are dynamic, their ranges, and formulas of them: docs/export.md. A saved program or a script
    takes it. A module that is to be traced needs tensors.
    """
