"""Makes gate.pt: operators whose form depends on the opset; see docs/design/opsets.md.

    /usr/bin/python3 examples/models/gate.py
"""
import pathlib

import torch


class Gate(torch.nn.Module):
    def forward(self, x):
        total = torch.nn.functional.hardswish(x).sum(dim=1)
        return total.unsqueeze(0).unsqueeze(1)


if __name__ == "__main__":
    torch.jit.script(Gate().eval()).save(str(pathlib.Path(__file__).with_suffix(".pt")))
