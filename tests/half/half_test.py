"""Networks in half precision, f16 and bf16: exported, checked, run in ONNX Runtime and compared with a copy in single precision.

The PyTorch at hand has no kernels for most of them on a CPU. The copy has the same rounded weights and inputs; what remains is
the rounding of the results of each operator: 2^-11 of a number in f16, 2^-8 in bf16, a few times over.
"""
import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile

import numpy
import torch
import torch.nn.functional as F
import torchvision
from torch import nn

TOLERANCE = {torch.float16: 1e-3, torch.bfloat16: 1.6e-2}  # of the largest element


class Net(nn.Module):
    """Single precision outside, another one inside: NumPy has no bf16."""

    def __init__(self, body, dtype):
        super().__init__()
        self.body, self.dtype = copy.deepcopy(body).to(dtype), dtype

    def forward(self, x):
        results = []
        for y in self.body(x.to(self.dtype)):
            results.append(y.float() if y.is_floating_point() else y)
        return results


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, groups=8),
                                  nn.Hardswish(), nn.AvgPool2d(2), nn.ConvTranspose2d(8, 4, 2, stride=2), nn.Sigmoid())

    def forward(self, x):
        y = self.body(x)
        return [y, F.adaptive_avg_pool2d(y, 1).flatten(1), F.adaptive_max_pool2d(y, 2)]


class Resizing(nn.Module):
    def forward(self, x):
        y = F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
        return [y, F.interpolate(x, size=[5, 7], mode="nearest"), F.interpolate(x, scale_factor=2.0, mode="bicubic", align_corners=True),
                F.pad(x, [1, 2, 0, 1], mode="reflect"), F.pixel_shuffle(torch.cat([x, x[:, :1]], 1), 2)]


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.group, self.instance, self.layer = nn.GroupNorm(3, 3), nn.InstanceNorm2d(3, affine=True), nn.LayerNorm(8)

    def forward(self, x):
        return [self.group(x), self.instance(x), self.layer(x), F.normalize(x, dim=1)]


class Activations(nn.Module):
    def forward(self, x):
        return [F.gelu(x), F.silu(x), F.elu(x), F.softplus(x), F.leaky_relu(x), F.hardtanh(x), F.mish(x), torch.softmax(x, 1),
                F.log_softmax(x, -1), torch.erf(x), torch.sin(x), torch.sqrt(x.abs()), x.clamp(-1, 1), torch.where(x > 0, x, -x), x ** 2]


class Reductions(nn.Module):
    def forward(self, x):
        least, places = x.min(-1)
        return [x.mean([2, 3]), x.sum(1), x.amax(1), least, places, x.std(1), x.argmax(2), torch.logsumexp(x, 1), x.cumsum(1), x.norm(2.0, [1])]


class Indices(nn.Module):
    def forward(self, x):
        top, places = x.topk(2, 1)
        return [top, places, x.gather(1, places), x.masked_fill(x > 0, 1.0), torch.tril(x), x.flip(2), x.roll(1, 2), x[:, 1:, ::2],
                torch.stack([x, x]), x.repeat(1, 2, 1, 1), x.index_select(1, torch.tensor([2, 0]))]


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru, self.linear = nn.LSTM(8, 6, bidirectional=True), nn.GRU(12, 5), nn.Linear(5, 4)

    def forward(self, x):
        y, (h, _) = self.lstm(x.flatten(0, 1))
        z, _ = self.gru(y)
        return [y, h, self.linear(z)]


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.norm = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8), nn.LayerNorm(8)

    def forward(self, x):
        weights = torch.softmax(self.query(x) @ self.key(x).transpose(-1, -2) / 8 ** 0.5, -1)
        return [self.norm(x + weights @ self.value(x)), weights]


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(10, 64), nn.Linear(64, 300)

    def forward(self, x):
        y = self.table((x[:, 0, 0].abs() * 3).long().clamp(0, 9))
        return [self.out(y), torch.einsum("bij,bkj->bik", y, y)]


class Detector(nn.Module):
    """Boxes around centres that lie apart, each twice; suppression keeps one of both."""

    def __init__(self):
        super().__init__()
        self.register_buffer("centres", torch.arange(8.0).mul(8).add(4))
        self.scale = nn.Conv2d(3, 1, 1)

    def forward(self, x):
        width = torch.sigmoid(self.scale(x)).mean([0, 1, 2]) + 1
        boxes = torch.stack([self.centres - width, self.centres - width, self.centres + width, self.centres + width], 1)
        both, scores = torch.cat([boxes, boxes]), torch.linspace(0.9, 0.1, 16, dtype=x.dtype)
        kept = torchvision.ops.nms(both.float(), scores.float(), 0.5)
        # Rounded corners would read other pixels.
        corners = torch.stack([self.centres * 0, self.centres - 2, self.centres - 2, self.centres + 2, self.centres + 2], 1)[:1]
        return [both[kept], scores[kept], kept, torchvision.ops.roi_align(x.float(), corners.float(), [2, 2]).to(x.dtype)]


class Autocast(nn.Module):
    """Layers as torch.autocast runs them: weights are cast where they are read, sums stay in single precision."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(8, 16).float(), nn.Linear(16, 4).float()

    def forward(self, x):
        y = F.linear(x, self.first.weight.to(x.dtype), self.first.bias.to(x.dtype))
        y = F.linear(torch.relu(y), self.last.weight.to(x.dtype), self.last.bias.to(x.dtype))
        return [y, torch.softmax(y.float(), -1), y.float().mean(-1)]


NETWORKS = (Convolutions, Resizing, Norms, Activations, Reductions, Indices, Sequence, Attention, Embedding, Detector, Autocast)


def entries_of(folder):
    for make in NETWORKS:
        for dtype, label in ((torch.float16, "f16"), (torch.bfloat16, "bf16")):
            torch.manual_seed(0)
            net = Net(make().eval(), dtype).eval()
            twin = Net(make().eval(), dtype).eval()
            twin.load_state_dict(net.state_dict())
            twin.body, twin.dtype = twin.body.float(), torch.float32
            path = os.path.join(folder, f"{make.__name__}-{label}")
            torch.jit.save(torch.jit.script(net), path + ".pt")
            runs = []
            for number, batch in enumerate((2, 3)):
                x = torch.randn(batch, 3, 8, 8).to(dtype).float()
                run = dict(label=str(number), inputs=[f"{path}-{number}.npy"], outputs=[])
                numpy.save(run["inputs"][0], x.numpy())
                with torch.no_grad():
                    results = twin(x)
                for k, result in enumerate(results):
                    run["outputs"].append(f"{path}-{number}-{k}.npy")
                    numpy.save(run["outputs"][-1], result.numpy())
                runs.append(run)
            tolerance = TOLERANCE[dtype]
            yield dict(name=f"{make.__name__}-{label}", model=path + ".pt", inputs=["x=f32[batch,3,8,8]"], runs=runs, rtol=tolerance,
                       atol=0.0, of_largest=True, save=path + ".onnx", check=True)


def traced_under_autocast(folder):
    """Its layers cast the input, so that they take other types than those of their weights."""
    path = os.path.join(folder, "trace.pt")
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())
    with torch.autocast("cpu", torch.bfloat16, cache_enabled=False), torch.no_grad():
        torch.jit.save(torch.jit.trace(model, torch.randn(2, 3, 8, 8), check_trace=False), path)
    return dict(name="traced-under-autocast", model=path, inputs=["bf16[batch,3,8,8]"], runs=[], save=path + ".onnx", check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        entries = [*entries_of(folder), traced_under_autocast(folder)]
        manifest = os.path.join(folder, "manifest.json")
        with open(manifest, "w") as file:
            json.dump(entries, file)
        process = subprocess.run([arguments.tool, manifest], capture_output=True, text=True)
        results = [json.loads(line) for line in process.stdout.splitlines()]
    failed = [result for result in results if not result["ok"]]
    for result in failed:
        print(f"FAIL {result['name']}: {result['message'][:600]}")
    print(f"{len(results) - len(failed)} of {len(entries)} passed")
    return 0 if len(results) == len(entries) and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
