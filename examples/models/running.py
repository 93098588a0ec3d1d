"""Makes running.pt: a scripted loop with a condition and an in-place change; see docs/design/control-flow.md.

    /usr/bin/python3 examples/models/running.py
"""
import pathlib

import torch


class Running(torch.nn.Module):
    def forward(self, x):
        state = x.clone()
        first = state[0]
        steps = 0
        for i in range(x.size(0)):
            if bool(x[i].sum() > 0):
                first += x[i]
            steps += 2
        return state, steps


if __name__ == "__main__":
    torch.jit.script(Running().eval()).save(str(pathlib.Path(__file__).with_suffix(".pt")))
