"""Writes the models of torchvision for classification, segmentation and video, with random weights and a dynamic batch.

    scripts/torch2 run sid python3 /cameo/tests/torch2/torchvision_models.py FOLDER [--only NAME...] | --list
"""
import functools

import torch
import torchvision
from torch.export import Dim

from programs import Model, main_of_models

# The first that a model accepts is taken: small inputs are fast.
IMAGES = [(3, 64, 64), (3, 128, 128), (3, 224, 224), (3, 299, 299)]
VIDEOS = [(3, 8, 64, 64), (3, 16, 112, 112), (3, 16, 224, 224)]


def settled(model):
    """Statistics that differ from the neutral ones without amplifying rounding from layer to layer."""
    for module in model.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.running_mean.normal_(0, 0.05)
            module.running_var.uniform_(0.9, 1.1)
    return model.eval()


def accepted(model, sizes):
    for size in sizes:
        try:
            with torch.no_grad():
                model(torch.randn(1, *size))
            return size
        except Exception as error:
            last = error
    raise last


def make(name, sizes):
    options = {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
    if "segmentation" in str(torchvision.models.get_model_builder(name).__module__):
        options["weights_backbone"] = None
    model = settled(torchvision.models.get_model(name, weights=None, **options))
    size = accepted(model, sizes)
    return Model(model, (torch.randn(2, *size),), (torch.randn(3, *size),), [({0: Dim("batch", min=1, max=64)},)])


def models():
    classification = torchvision.models.list_models(module=torchvision.models)
    segmentation = torchvision.models.list_models(module=torchvision.models.segmentation)
    video = torchvision.models.list_models(module=torchvision.models.video)
    return {name: functools.partial(make, name, VIDEOS if name in video else IMAGES)
            for name in [*classification, *segmentation, *video]}


if __name__ == "__main__":
    main_of_models(models(), seconds=1200)
