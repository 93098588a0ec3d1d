import torch
from sizes import Sizes
from torch import nn
from torchvision import ops

suite = Sizes()


def boxes(count, size=20.0):
    corners = torch.rand(count, 2) * size
    return torch.cat([corners, corners + torch.rand(count, 2) * size / 2 + 0.5], 1)


class Suppress(nn.Module):
    def __init__(self, threshold: float):
        super().__init__()
        self.threshold = threshold

    def forward(self, found, scores):
        return ops.nms(found, scores, self.threshold)


counted = [{0: "count"}, {0: "count"}]
for threshold in (0.0, 0.3, 0.7, 1.0):
    suite.add(f"nms-{threshold}", Suppress(threshold), [boxes(40), torch.rand(40)], how="both", dynamic=counted,
              more=[[boxes(n), torch.rand(n)] for n in (7, 100, 1, 0)])
# Of equal scores the first goes first; boxes without area cover nothing.
same = boxes(6).repeat(2, 1)
suite.add("nms-ties", Suppress(0.5), [same, torch.ones(12)], how="both")
# 6 of 20, which is more than 0.3 and not more than 0.7 as PyTorch compares.
tenths = torch.tensor([[0.0, 0, 13, 1], [7, 0, 20, 1], [7, 0, 20, 1.0], [30, 0, 47, 1], [33, 0, 50, 1]])
for threshold in (0.3, 0.7):
    suite.add(f"nms-exactly-{threshold}", Suppress(threshold), [tenths, torch.tensor([0.9, 0.8, 0.7, 0.6, 0.5])], how="both")
suite.add("nms-points", Suppress(0.5), [torch.cat([same[:, :2], same[:, :2]], 1), torch.rand(12)], how="both")
suite.add("nms-double", Suppress(0.5), [boxes(9).double(), torch.rand(9).double()], how="both")


class SuppressByKind(nn.Module):
    def forward(self, found, scores, kinds):
        return ops.batched_nms(found, scores, kinds, 0.4)


suite.add("batched_nms", SuppressByKind(),
          [boxes(30), torch.rand(30), torch.randint(3, (30,))], how="script", dynamic=[{0: "count"}, {0: "count"}, {0: "count"}],
          more=[[boxes(n), torch.rand(n), torch.randint(3, (n,))] for n in (50, 4, 0)])


class Align(nn.Module):
    def __init__(self, size: int, scale: float, ratio: int, aligned: bool):
        super().__init__()
        self.size, self.scale, self.ratio, self.aligned = size, scale, ratio, aligned

    def forward(self, image, regions):
        return ops.roi_align(image, regions, [self.size, self.size + 1], self.scale, self.ratio, self.aligned)


def regions(count, images):
    return torch.cat([torch.randint(images, (count, 1)).float(), boxes(count, 30.0)], 1)


sized = [{0: "batch", 2: "height", 3: "width"}, {0: "count"}]
for scale, ratio, aligned in ((1.0, 2, False), (0.5, -1, False), (0.25, 0, True), (1.0, 3, True)):
    suite.add(f"roi_align-{scale}-{ratio}-{aligned}", Align(3, scale, ratio, aligned), [torch.randn(2, 3, 20, 24), regions(5, 2)],
              how="both", dynamic=sized, more=[[torch.randn(1, 3, 31, 9), regions(8, 1)], [torch.randn(3, 3, 16, 16), regions(1, 3)]])
suite.add("roi_align-double", Align(2, 1.0, 2, True), [torch.randn(2, 3, 20, 24).double(), regions(5, 2).double()], how="both")
suite.add("roi_align-old", Align(2, 1.0, 2, True), [torch.randn(2, 3, 20, 24), regions(5, 2)], opset=15, error=["opset"])


class Deformed(nn.Module):
    def __init__(self, stride, padding, dilation, groups, masked):
        super().__init__()
        self.conv = ops.DeformConv2d(4, 6, (3, 2), stride, padding, dilation, groups)
        self.masked = masked

    def forward(self, x, offset, mask):
        return self.conv(x, offset, mask if self.masked else None)


def out_size(size, kernel, stride, padding, dilation):
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


for stride, padding, dilation, groups, offset_groups, masked in ((1, 1, 1, 1, 1, True), (2, 0, 1, 2, 2, True), (1, 2, 2, 1, 4, False)):
    h, w = (out_size(n, k, stride, padding, dilation) for n, k in ((9, 3), (8, 2)))
    inputs = [torch.randn(2, 4, 9, 8), torch.randn(2, 12 * offset_groups, h, w), torch.rand(2, 6 * offset_groups, h, w)]
    model = Deformed(stride, padding, dilation, groups, masked)
    label = f"deform_conv2d-{stride}-{padding}-{dilation}-{groups}-{offset_groups}"
    suite.add(label, model, inputs, how="both", opset=19, dynamic=[{0: "batch"}] * 3, more=[[torch.cat([x, x[:1]]) for x in inputs]])
    suite.add(f"{label}-old", model, inputs, opset=18, error=["opset"])


class Pooled(torch.nn.Module):
    def forward(self, images, rois):
        return ops.roi_pool(images, rois, (3, 4), 0.5)


pooled = torch.tensor([[0.0, 0.0, 0.0, 10.0, 8.0], [1.0, 2.0, 3.0, 15.0, 13.0], [0.0, 4.0, 4.0, 5.0, 6.0]])
suite.add("roi_pool", Pooled(), [torch.randn(2, 3, 9, 8), pooled], how="both", dynamic=[{0: "batch"}, {0: "boxes"}],
          more=[[torch.randn(2, 3, 9, 8), pooled[:2]]])


class AlignCells(nn.Module):
    def __init__(self, scale: float, ratio: int):
        super().__init__()
        self.scale, self.ratio = scale, ratio

    def forward(self, image, regions):
        return torch.ops.torchvision.ps_roi_align(image, regions, self.scale, 2, 3, self.ratio)[0]


# The last box has no area: without a number of samples per cell, PyTorch's result is NaN.
flat = torch.cat([regions(4, 2), torch.tensor([[0.0, 3, 4, 3, 9]])])
for scale, ratio in ((1.0, 2), (0.5, -1), (0.25, 3)):
    suite.add(f"ps_roi_align-{scale}-{ratio}", AlignCells(scale, ratio), [torch.randn(2, 12, 20, 24), flat], how="both",
              dynamic=sized, more=[[torch.randn(1, 12, 31, 9), regions(8, 1)], [torch.randn(3, 12, 16, 16), regions(1, 3)]])
suite.add("ps_roi_align-double", AlignCells(1.0, 2), [torch.randn(2, 6, 20, 24).double(), regions(5, 2).double()], how="both")
suite.main()
