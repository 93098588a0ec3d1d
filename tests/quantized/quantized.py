"""Programs with quantised tensors.

    suite = Quantized()
    suite.op("sigmoid", "torch.sigmoid(q)", (2, 3, 4))
    suite.main()

`op` quantises its input `x` to `q`, evaluates an expression of `q`, and compares the numbers of the result with PyTorch's,
at the sizes of the example and at other batch sizes. A quantised result may be off by one step of its scale: PyTorch
multiplies by the reciprocal of the scale where ONNX divides by it, and rounds a bias to no integer. `exact` allows nothing.
"""

import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "aten"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))

from sizes import Sizes  # noqa: E402

SHAPES = ((7,), (3, 1), (2, 4, 5), (2, 4, 5, 6), (2, 3, 1, 5, 3))
PARAMETERS = {torch.quint8: (0.0625, 100), torch.qint8: (0.0625, -7), torch.qint32: (0.0625, 0)}


def on_grid(shape, scale, spread=3.0):
    """Numbers that are multiples of the scale: no rounding decides about them."""
    return torch.round(torch.randn(shape) * spread / scale) * scale


class Quantized(Sizes):
    def op_of_any_shape(self, name, expression, **options):
        """From one dimension to five."""
        for shape in SHAPES:
            self.op(f"{name}-{len(shape)}d", expression, shape, **options)

    def op(self, name, expression, shape, *, types=(torch.quint8, torch.qint8), axes=({0: "batch"},), exact=False,
           setup="", atol=None, **more):
        for dtype in types:
            scale, zero_point = PARAMETERS[dtype]
            names = ", ".join(["x", *more])
            body = (f"    q = torch.quantize_per_tensor(x, {scale}, {zero_point}, {dtype})\n"
                    f"{setup}    r = {expression}\n")
            x = on_grid(shape, scale)
            result = self.evaluated(names, body, [x, *more.values()])
            quantized = isinstance(result, torch.Tensor) and result.is_quantized
            step = 0.0 if exact else self.step(result)
            program = f"def forward({names}):\n{body}    return {'r.dequantize()' if quantized else 'r'}\n"
            tolerance = {} if not quantized else {"rtol": 1e-6, "atol": step * 1.001 + 1e-7}
            if atol is not None:
                tolerance = {"rtol": 1e-5, "atol": atol}
            label = f"{name}-{str(dtype)[6:]}"
            self.sizes(label, program, [x, *more.values()], list(axes), **tolerance)

    @staticmethod
    def evaluated(names, body, inputs):
        scope = {"torch": torch}
        exec(f"def forward({names}):\n{body}    return r\n", scope)
        return scope["forward"](*inputs)

    @staticmethod
    def step(result):
        if not isinstance(result, torch.Tensor) or not result.is_quantized:
            return 0.0
        return result.q_scale()
