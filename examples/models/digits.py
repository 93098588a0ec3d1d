"""Makes digits.pt: a small classifier of 28x28 digits, traced. Its weights are random but always the same.

    /usr/bin/python3 examples/models/digits.py
    scripts/torch2 run sid python3 /cameo/examples/models/digits.py /scratch/digits.pt2

With a path, PyTorch 2 writes the same model there with torch.export.
"""
import pathlib
import sys

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels_in, channels_out):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels_out)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x)))
        return nn.functional.max_pool2d(x, 2)


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(Block(1, 8), Block(8, 16))
        self.classify = nn.Linear(16, 10)

    def forward(self, image):
        features = self.features(image).mean(dim=(2, 3))
        return torch.log_softmax(self.classify(features), dim=1)


def main():
    torch.manual_seed(0)
    model = Digits().eval()
    if len(sys.argv) > 1:
        model.load_state_dict(torch.jit.load(pathlib.Path(__file__).with_suffix(".pt")).state_dict())
        batch = torch.export.Dim("batch")
        torch.export.save(torch.export.export(model, (torch.rand(2, 1, 28, 28),), dynamic_shapes=({0: batch},)), sys.argv[1])
        return
    traced = torch.jit.trace(model, torch.rand(1, 1, 28, 28))
    torch.jit.save(traced, str(pathlib.Path(__file__).with_suffix(".pt")))


if __name__ == "__main__":
    main()
