"""Every model of torchvision with random weights, as programs: traced and scripted, quantised ones too."""

import inspect
from unittest import mock

import torch
from torch.ao import quantization
from torchvision import models
from torchvision.models.video import mvit

from fast_init import fast_init, vary

_WEIGHT_OBSERVERS = {
    "per-tensor": quantization.default_weight_observer,
    "per-channel": quantization.default_per_channel_weight_observer,
}
_DETECTED = ([torch.rand(3, 64, 64)],)


def names():
    """(model, form) pairs, largest model first; the form is "float" or says how its weights are quantised."""
    pairs = [(name, "float") for name in models.list_models()]
    pairs += [(name, form) for name in models.list_models(models.quantization) for form in _WEIGHT_OBSERVERS]
    return sorted(pairs, key=lambda pair: -_parameters(pair[0]))


def programs(name, form):
    """Yields (way, make): `make()` gives the scripted or the traced program, or raises as PyTorch does."""
    model = build(name)
    if form != "float":
        model = _quantize(model, _WEIGHT_OBSERVERS[form], _image(name))
    yield "scripted", lambda: torch.jit.script(model)
    if _family(name) == "detection":
        yield "traced as it is", lambda: torch.jit.trace(make_small(model), _DETECTED, strict=False)
    yield "traced", lambda: _trace(name, model)


def _parameters(name):
    return max(weights.meta["num_params"] for weights in models.get_model_weights(name))


def _family(name):
    return models.get_model_builder(name).__module__.split(".")[2]


def build(name):
    builder = models.get_model_builder(name)
    absent = {"weights", "weights_backbone"} & set(inspect.signature(builder).parameters)
    with fast_init():
        model = builder(**dict.fromkeys(absent)).eval()
    vary(model)
    return model


def _quantize(model, weight_observer, image):
    """As torchvision's own builders do it, with a small image to calibrate on."""
    torch.backends.quantized.engine = "qnnpack"
    model.fuse_model()
    model.qconfig = quantization.QConfig(quantization.default_observer, weight_observer)
    quantization.prepare(model, inplace=True)
    model(image)
    return quantization.convert(model, inplace=True)


def _image(name):
    """As small as the model takes; where only one size will do, a batch of none."""
    if name.startswith(("vit", "swin", "maxvit")):
        return torch.rand(0, 3, 224, 224)
    return torch.rand(1, 3, 75, 75) if "inception" in name else torch.rand(1, 3, 64, 64)


def _trace(name, model):
    family = _family(name)
    if family == "detection":
        model, inputs = TupleOfBoxes(make_small(model)), _DETECTED
    elif family == "optical_flow":
        inputs = (torch.rand(1, 3, 128, 128), torch.rand(1, 3, 128, 128))
    elif name == "s3d":
        inputs = (torch.rand(0, 3, 16, 224, 224),)
    elif family == "video":
        model = _build_for_small_clip(name) if name.startswith("mvit") else model
        inputs = (torch.rand(1, 3, 4, 64, 64),)
    else:
        inputs = (_image(name),)
    return torch.jit.trace(model, inputs, check_trace=False, strict=False)


class TupleOfBoxes(torch.nn.Module):
    """Detectors return a list of dictionaries, which the tracer refuses; users flatten it so."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, images):
        return tuple(tuple(found.values()) for found in self.model(images))


def make_small(detector):
    detector.transform.min_size, detector.transform.max_size = (64,), 64
    if hasattr(detector, "rpn"):
        for limit in (detector.rpn._pre_nms_top_n, detector.rpn._post_nms_top_n):
            limit["testing"] = 10
    return detector


def _build_for_small_clip(name):
    make = mvit._mvit
    small = lambda **options: make(**{**options, "spatial_size": (64, 64), "temporal_size": 4})
    with mock.patch.object(mvit, "_mvit", small):
        return build(name)
