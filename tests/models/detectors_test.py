#!/usr/bin/python3
"""torchvision's detectors, from an image to boxes: scripted with any height and width, traced with those of the example."""

import os
import sys
from typing import List

import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "corpus")]

import models  # noqa: E402
from suite import Suite  # noqa: E402

suite = Suite()
SIZES = ((60, 80), (96, 50), (128, 128))

# The sizes of boxes are exponents of what a deep random network says, which has the error of all its sums.
for name, rtol in (("fcos_resnet50_fpn", 1e-5), ("retinanet_resnet50_fpn", 5e-5)):
    detector = models.make_small(models.build(name))
    suite.add(f"{name}-script", detector, [[torch.rand(3, 64, 64)]], dynamic=[{1: "height", 2: "width"}],
              more=[[[torch.rand(3, h, w)]] for h, w in SIZES], of_largest=True, rtol=rtol, atol=0)



class Spread(nn.Module):
    """Scores that differ: a random network's are all but equal, and which of equal ones is best is anybody's choice."""

    def __init__(self, head, anchors):
        super().__init__()
        self.head = head
        self.register_buffer("spread", torch.randn(1, anchors, 91) * 2)

    def forward(self, features: List[torch.Tensor]):
        return self.head(features) + self.spread


detector = models.build("ssdlite320_mobilenet_v3_large")
detector.head.classification_head = Spread(detector.head.classification_head, 3234)
suite.add("ssdlite320-script", detector, [[torch.rand(3, 64, 64)]], dynamic=[{1: "height", 2: "width"}],
          more=[[[torch.rand(3, h, w)]] for h, w in SIZES], of_largest=True, atol=0)

for name in ("fasterrcnn_mobilenet_v3_large_fpn", "maskrcnn_resnet50_fpn", "keypointrcnn_resnet50_fpn"):
    detector = models.TupleOfBoxes(models.make_small(models.build(name)))
    suite.add(f"{name}-trace", detector, [[torch.rand(3, 64, 64)]], how="trace", strict=False, more=[[[torch.rand(3, 64, 64)]]],
              of_largest=True, rtol=5e-5, atol=0)

# Without proposals its boxes have a dimension less, which no graph says.
suite.add("fasterrcnn_mobilenet_v3_large_fpn-script", models.make_small(models.build("fasterrcnn_mobilenet_v3_large_fpn")),
          [[torch.rand(3, 64, 64)]], error=["the number of dimensions of a tensor must be known here"])
suite.main()
