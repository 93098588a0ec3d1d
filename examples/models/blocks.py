"""Makes blocks.pt: a signal of any length in blocks of four, the last one padded; see docs/design/symbolic-sizes.md.

    /usr/bin/python3 examples/models/blocks.py
"""
import pathlib

import torch


class Blocks(torch.nn.Module):
    def forward(self, x):
        n = x.size(0)
        missing = (4 - n % 4) % 4
        return torch.nn.functional.pad(x, [0, missing]).view(-1, 4)


if __name__ == "__main__":
    torch.jit.script(Blocks().eval()).save(str(pathlib.Path(__file__).with_suffix(".pt")))
