"""Random weights without the price of random numbers: initialisers copy from one short random pattern."""

import contextlib
import itertools

import torch

_LENGTH = 1_000_003  # prime, so that no two rows of a weight begin at the same place of the pattern
_PATTERN = torch.rand(_LENGTH, generator=torch.Generator().manual_seed(1)) * 0.1 - 0.05
_starts = itertools.count(0, 7919)


def _fill(tensor, *_, **__):
    with torch.no_grad():
        pattern = torch.roll(_PATTERN, next(_starts) % _LENGTH)
        flat = tensor.data.view(-1) if tensor.is_contiguous() else tensor.data.flatten()
        for chunk in flat.split(_LENGTH):
            chunk.copy_(pattern[: chunk.numel()])
        if not tensor.is_contiguous():
            tensor.data.copy_(flat.view(tensor.shape))
    return tensor


@contextlib.contextmanager
def fast_init():
    """Within it, every initialiser that draws random numbers draws them from the pattern."""
    kept = {name: getattr(torch.Tensor, name) for name in ("normal_", "uniform_", "erfinv_")}
    torch.Tensor.normal_ = torch.Tensor.uniform_ = _fill
    torch.Tensor.erfinv_ = lambda tensor: tensor
    try:
        yield
    finally:
        for name, method in kept.items():
            setattr(torch.Tensor, name, method)


def vary(model):
    """Gives the biases and statistics that start as all zeros or ones different, positive values."""
    for tensor in (*model.parameters(), *model.buffers()):
        if tensor.dim() == 1 and tensor.is_floating_point() and tensor.min() == tensor.max():
            _fill(tensor).data.add_(0.1)
