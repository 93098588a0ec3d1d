"""Every model of torchvision with random weights, as programs: all traced, one of each family scripted, quantised ones too."""

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
# These differ from a smaller model of their family in width and depth alone. Scripted, they have the classes of that model,
# so they are only traced.
_LARGER = frozenset("""
    convnext_base convnext_large convnext_small deeplabv3_resnet101 densenet161 densenet169 densenet201
    efficientnet_b1 efficientnet_b2 efficientnet_b3 efficientnet_b4 efficientnet_b5 efficientnet_b6 efficientnet_b7
    efficientnet_v2_l efficientnet_v2_m fcn_resnet101 mnasnet0_75 mnasnet1_0 mnasnet1_3
    quantized_resnext101_64x4d quantized_shufflenet_v2_x1_0 quantized_shufflenet_v2_x1_5 quantized_shufflenet_v2_x2_0
    regnet_x_16gf regnet_x_1_6gf regnet_x_32gf regnet_x_3_2gf regnet_x_800mf regnet_x_8gf regnet_y_128gf regnet_y_16gf
    regnet_y_1_6gf regnet_y_32gf regnet_y_3_2gf regnet_y_800mf regnet_y_8gf resnet101 resnet152 resnet34
    resnext101_32x8d resnext101_64x4d shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0 swin_b swin_s swin_v2_b
    swin_v2_s vgg13 vgg13_bn vgg16 vgg16_bn vgg19 vgg19_bn vit_b_16 vit_h_14 vit_l_16 vit_l_32 wide_resnet101_2
""".split())


_LARGE = 30_000_000  # parameters


def names(size):
    """(model, form) pairs of the "large" models, the "small" ones or "all"; the form is "float" or says how the weights are
    quantised."""
    pairs = [(name, "float") for name in models.list_models()]
    pairs += [(name, form) for name in models.list_models(models.quantization) for form in _WEIGHT_OBSERVERS]
    return [pair for pair in pairs if size == "all" or (size == "large") == (_parameters(pair[0]) > _LARGE)]


def programs(name, form):
    """Yields (way, make): `make()` gives the scripted or the traced program, or raises as PyTorch does."""
    model = build(name)
    if form != "float":
        model = _quantize(model, _WEIGHT_OBSERVERS[form], _image(name))
    if name not in _LARGER:
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
