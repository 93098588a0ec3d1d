"""Makes digits.pt: a small classifier of 28x28 digits, traced. Its weights are random but always the same.

    /usr/bin/python3 examples/models/digits.py
"""
import pathlib

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
    traced = torch.jit.trace(model, torch.rand(1, 1, 28, 28))
    torch.jit.save(traced, str(pathlib.Path(__file__).with_suffix(".pt")))


if __name__ == "__main__":
    main()
