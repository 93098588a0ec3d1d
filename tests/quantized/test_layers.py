"""Linear layers and convolutions of quantised tensors: traced and scripted, per tensor and per channel, at other batch sizes."""
import torch
from models import static, step_of
from quantized import Quantized
from torch import nn

suite = Quantized()
batch = [{0: "batch"}]


def layer(name, module, shape, weights=("tensor", "channel"), **options):
    for kind in weights:
        x = torch.randn(shape)
        model = static(module(), [x, torch.randn(shape)], kind)
        suite.sizes(f"{name}-{kind}", model, [x], batch, how="both", rtol=0, atol=step_of(model) * 1.001, **options)


layer("linear", lambda: nn.Linear(6, 5), (3, 6), absent=["MatMul"])
layer("linear-no-bias", lambda: nn.Linear(6, 5, bias=False), (3, 6))
layer("linear-three", lambda: nn.Linear(6, 5), (3, 4, 6))
layer("conv1d", lambda: nn.Conv1d(4, 6, 3, 2, 1), (2, 4, 9))
layer("conv2d", lambda: nn.Conv2d(4, 6, 3, 2, 1), (2, 4, 9, 8))
layer("conv2d-groups", lambda: nn.Conv2d(4, 8, 3, groups=4, dilation=2), (2, 4, 9, 8))
layer("conv2d-no-bias", lambda: nn.Conv2d(4, 8, (1, 3), bias=False), (2, 4, 9, 8))
layer("conv3d", lambda: nn.Conv3d(2, 3, 3, padding=1), (2, 2, 5, 5, 5))
layer("conv_transpose2d", lambda: nn.ConvTranspose2d(4, 3, 3, 2, 1), (2, 4, 5, 6), weights=("tensor",))
layer("conv_transpose2d-groups", lambda: nn.ConvTranspose2d(4, 6, 3, groups=2), (2, 4, 5, 6), weights=("tensor",))
layer("conv_transpose1d", lambda: nn.ConvTranspose1d(4, 3, 3, 2), (2, 4, 7), weights=("tensor",))
for name, module, shape in (("linear_relu", lambda: nn.Sequential(nn.Linear(6, 5), nn.ReLU()), (3, 6)),
                            ("conv1d_relu", lambda: nn.Sequential(nn.Conv1d(4, 5, 3), nn.ReLU()), (2, 4, 9)),
                            ("conv2d_relu", lambda: nn.Sequential(nn.Conv2d(4, 5, 3), nn.ReLU()), (2, 4, 9, 8)),
                            ("conv3d_relu", lambda: nn.Sequential(nn.Conv3d(2, 3, 3), nn.ReLU()), (2, 2, 5, 5, 5))):
    for kind in ("tensor", "channel"):
        x = torch.randn(shape)
        model = static(module(), [x], kind, fuse=[("0", "1")])
        suite.sizes(f"{name}-{kind}", model, [x], batch, how="both", rtol=0, atol=step_of(model) * 1.001)

# The program itself takes and returns quantised tensors.
for dtype, zero_point in ((torch.quint8, 60), (torch.qint8, -3)):
    alone = static(nn.Conv2d(4, 6, 3), [torch.randn(2, 4, 9, 8)]).module if dtype == torch.quint8 else nn.MaxPool2d(2)
    suite.add(f"input-{str(dtype)[6:]}", alone, [torch.quantize_per_tensor(torch.randn(2, 4, 9, 8), 0.05, zero_point, dtype)],
              dynamic=[{0: "batch"}], more=[[torch.quantize_per_tensor(torch.randn(5, 4, 9, 8), 0.05, zero_point, dtype)]], how="both",
              rtol=0, atol=step_of(alone) * 1.001 + 1e-6)

# The form of PyTorch 1.3 to 1.5: the weights are packed when the program is loaded.
weight = torch.quantize_per_tensor(torch.randn(5, 6), 0.05, 0, torch.qint8)
kernel = torch.quantize_per_channel(torch.randn(5, 4, 3, 3), torch.rand(5) * 0.05 + 0.02, torch.zeros(5, dtype=torch.long), 0, torch.qint8)
bias = torch.randn(5)


class Packs(nn.Module):
    """Packs the weights in `forward`, as programs do that were saved before packed parameters were objects."""

    def __init__(self, conv):
        super().__init__()
        self.conv = conv
        self.register_buffer("weight", kernel if conv else weight)
        self.register_buffer("bias", bias)

    def forward(self, x):
        q = torch.quantize_per_tensor(x, 0.05, 60, torch.quint8)
        if self.conv:
            packed = torch.ops.quantized.conv2d_prepack(self.weight, self.bias, [1, 1], [0, 0], [1, 1], 1)
            w, b = torch.ops.quantized.conv2d_unpack(packed)
            again = torch.ops.quantized.conv2d_prepack(w, b, torch.ops.quantized.conv2d_stride(packed), torch.ops.quantized.conv2d_padding(packed),
                                                       torch.ops.quantized.conv2d_dilation(packed), torch.ops.quantized.conv2d_groups(packed))
            return torch.ops.quantized.conv2d_relu(q, again, 0.3, 5).dequantize()
        w, b = torch.ops.quantized.linear_unpack(torch.ops.quantized.linear_prepack(self.weight, self.bias))
        return torch.ops.quantized.linear(q, torch.ops.quantized.linear_prepack(w, b), 0.3, 50).dequantize()


for conv in (False, True):
    suite.sizes(f"prepack-{conv}", Packs(conv), [torch.randn(2, 4, 6, 7) if conv else torch.randn(3, 6)], batch, rtol=0, atol=0.3001)
suite.main()
