"""programs.py FOLDER: writes the programs that the tests of the page show: ResNet-50, Swin-T and a detector, scripted, with random weights."""
import os
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "tests", "corpus"))

import models  # noqa: E402

for name, output in (("resnet50", "resnet50.pt"), ("swin_t", "swin_t.pt"), ("ssdlite320_mobilenet_v3_large", "detector.pt")):
    torch.jit.script(models.build(name)).save(os.path.join(sys.argv[1], output))
