"""Writes models of torchvision twice, traced (NAME.pt) and by torch.export (NAME.pt2), and prints the sizes of an image for each.
Runs in a root, see scripts/torch2.

    scripts/torch2 run sid python3 /cameo/tests/torch2/pairs.py FOLDER NAME...
"""
import logging
import pathlib
import sys
import warnings

import torch
import torchvision
from torch.export import Dim

from torchvision_models import IMAGES, accepted, settled


def write(name, folder):
    torch.manual_seed(0)
    model = settled(torchvision.models.get_model(name, weights=None))
    size = accepted(model, IMAGES)
    image = torch.randn(2, *size)
    torch.backends.mha.set_fastpath_enabled(False)  # torch.export does not record it, a trace would
    with torch.no_grad():
        torch.jit.trace(model, (image,), check_trace=False).save(str(folder / f"{name}.pt"))
        torch.export.save(torch.export.export(model, (image,), dynamic_shapes=({0: Dim("batch", min=1, max=64)},), strict=False),
                          folder / f"{name}.pt2")
    print(",".join(map(str, size)))


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:]:
        write(name, folder)


if __name__ == "__main__":
    main()
