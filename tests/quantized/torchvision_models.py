#!/usr/bin/python3
"""usage: torchvision_models.py CAMEO [NAME...]

torchvision's quantised networks, static and of quantisation-aware training, traced and scripted, and MobileNet v2 as
`optimize_for_mobile` rewrites it. Each is exported with a dynamic batch and runs on 50 random images. It fails unless ONNX Runtime
chooses PyTorch's class for each image for which it is ahead by more than two steps, and 99 % of the elements are within one step
of the output's scale.

The weights are random. The statistics of batch normalisation are those of random images, so that the images still differ behind
the last layer, which recognises each of the 50: with random classes, a difference of one step would choose among the best.
"""
import os
import subprocess
import sys
import tempfile

import numpy
import torch
import torchvision
from models import NARROW, WEIGHTS
from torch import nn
from torch.ao import quantization
from torch.utils.mobile_optimizer import optimize_for_mobile

IMAGES, SHARE = 50, 0.99
STATIC = {"resnet18": 224, "resnet50": 224, "mobilenet_v2": 224, "mobilenet_v3_large": 224, "googlenet": 224, "inception_v3": 299,
          "shufflenet_v2_x1_0": 224}


def images(count, size, seed):
    """Blots of different colours, contrasts and sizes, and noise."""
    generator = torch.Generator().manual_seed(seed)
    found = []
    for _ in range(count):
        blots = int(torch.randint(2, 12, (), generator=generator))
        image = nn.functional.interpolate(torch.randn(1, 3, blots, blots, generator=generator), size=(size, size), mode="bicubic")
        contrast, colour = torch.rand(1, generator=generator) * 1.5 + 0.1, torch.randn(1, 3, 1, 1, generator=generator)
        found.append(contrast * image + colour + 0.1 * torch.randn(1, 3, size, size, generator=generator))
    return torch.cat(found)


def in_parts(model, x, size=10):
    """The first output: scripted, GoogLeNet and Inception return those of other classifiers, too."""
    with torch.no_grad():
        results = [model(part) for part in x.split(size)]
    return torch.cat([result[0] if isinstance(result, tuple) else result for result in results])


def last_layer(model, kind=nn.Linear):
    return [layer for layer in model.modules() if isinstance(layer, kind)][-1]


def settled(model, size):
    """Random weights whose activations keep their spread from layer to layer."""
    norms = [layer for layer in model.modules() if isinstance(layer, nn.BatchNorm2d)]
    for layer in norms:
        layer.momentum = 1.0
    model.eval()
    for layer in norms:
        layer.train()
    with torch.no_grad():
        model(images(16, size, 1))
    model.eval()
    for layer in [layer for layer in model.modules() if isinstance(layer, nn.Linear)][:-1]:
        normalise(layer, inputs_of(layer, model, images(16, size, 1)))
    return model


def normalise(layer, inputs):
    """A linear layer whose results differ as those of batch normalisation do."""
    with torch.no_grad():
        layer.weight.normal_()
        layer.weight.div_((inputs @ layer.weight.T).std(0).unsqueeze(1))
        layer.bias.copy_(-layer.weight @ inputs.mean(0))


def inputs_of(layer, model, x):
    found = []
    hook = layer.register_forward_pre_hook(lambda _, inputs: found.append(inputs[0].dequantize()))
    in_parts(model, x)
    hook.remove()
    return torch.cat(found)


def recognising(model, layer, size):
    """Weights of the last layer for which it recognises the test images, and its bias: the directions of its inputs."""
    inputs = inputs_of(layer, model, images(IMAGES, size, 2))
    others = torch.randn(layer.out_features - IMAGES, inputs.shape[1])
    weight = nn.functional.normalize(torch.cat([inputs - inputs.mean(0), others]), dim=1)
    return weight, -weight @ inputs.mean(0), inputs


def static(name, size):
    """Calibrated as torchvision does it. PyTorch's qnnpack rounds the bias to int32, as the exported model does."""
    torch.backends.quantized.engine = "qnnpack"
    model = getattr(torchvision.models.quantization, name)(weights=None, quantize=False, **NAMED.get(name, {}))
    settled(model, size)
    model.fuse_model(is_qat=False)
    model.qconfig = quantization.QConfig(NARROW, WEIGHTS["channel"])
    quantization.prepare(model, inplace=True)
    in_parts(model, images(16, size, 3))
    quantization.convert(model, inplace=True)
    layer = last_layer(model, nn.quantized.Linear)
    weight, bias, inputs = recognising(model, layer, size)
    weight = torch.quantize_per_channel(weight, weight.abs().amax(1) / 127, torch.zeros(len(weight), dtype=torch.long), 0, torch.qint8)
    layer.set_weight_bias(weight, bias)
    results = nn.functional.linear(inputs, weight.dequantize(), bias)
    layer.scale = float(results.max() - results.min()) / 255
    layer.zero_point = int(torch.round(-results.min() / layer.scale))
    return model


NAMED = {"googlenet": {"aux_logits": False, "init_weights": True}, "inception_v3": {"aux_logits": False, "init_weights": True}}


def aware(size):
    """A ResNet-18 after quantisation-aware training: a float network whose weights and activations are rounded."""
    torch.backends.quantized.engine = "qnnpack"
    model = settled(torchvision.models.quantization.resnet18(weights=None, quantize=False), size)
    recognise(model, size)
    model.train().fuse_model(is_qat=True)
    model.qconfig = quantization.get_default_qat_qconfig("fbgemm")
    quantization.prepare_qat(model, inplace=True).eval()
    in_parts(model, images(IMAGES, size, 2))
    return model.apply(quantization.disable_observer)


def recognise(model, size):
    layer = last_layer(model)
    weight, bias, _ = recognising(model, layer, size)
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    return model


def mobile(size):
    return optimize_for_mobile(torch.jit.script(recognise(settled(torchvision.models.mobilenet_v2(weights=None), size), size)))


def programs(chosen):
    """(name, how, program, size, one step of the output)"""
    for name, size in STATIC.items():
        if not chosen or name in chosen:
            model = static(name, size)
            for how in ("trace", "script"):
                yield name, how, model, size, last_layer(model, nn.quantized.Linear).scale
    if not chosen or "resnet18-qat" in chosen:
        model = aware(224)
        yield "resnet18-qat", "trace", model, 224, float(last_layer(model).activation_post_process.scale)
    if not chosen or "mobilenet_v2-mobile" in chosen:
        yield "mobilenet_v2-mobile", "script", mobile(224), 224, None


def saved(how, model, size, path):
    with torch.no_grad():
        program = torch.jit.trace(model, (images(1, size, 4),), check_trace=False) if how == "trace" else torch.jit.script(model)
    torch.jit.save(program, path)
    return torch.jit.load(path)


def judge(name, how, model, size, step, cameo):
    """Whether the model agrees with PyTorch, in ONNX Runtime as it is and optimised."""
    kept, x = True, images(IMAGES, size, 2)
    expected = in_parts(saved(how, model, size, "model.pt"), x).numpy()
    subprocess.run([cameo, "export", "model.pt", "-o", "model.onnx", "--quiet", "--input", f"f32[batch,3,{size},{size}]"], check=True)
    numpy.savez("in.npz", **{input_name(cameo): x.numpy()})
    for level in ("0", "99"):
        subprocess.run([cameo, "run", "model.onnx", "--npz", "in.npz", "-o", "out.npz", "--opt-level", level], check=True,
                       stdout=subprocess.DEVNULL)
        with numpy.load("out.npz") as found:
            got = found[found.files[0]]
        allowed = step * 1.001 if step else 1e-4 * numpy.abs(expected).max()
        best = numpy.sort(expected, 1)[:, -2:]
        same, ahead = got.argmax(1) == expected.argmax(1), best[:, 1] - best[:, 0] > 2 * allowed
        off = numpy.abs(got - expected)
        share = float((off <= allowed).mean())
        ok = got.shape == expected.shape and bool(same[ahead].all()) and share >= SHARE
        kept &= ok
        equal = float((off <= allowed * 1e-3).mean())
        print(f"{name:20} {how:6} opt {level:>2}  top-1 {same.sum()}/{IMAGES}, ahead {same[ahead].sum()}/{ahead.sum()}  within one step {share:.4%}  "
              f"equal {equal:.2%}  most {off.max() / allowed:.1f} steps  {'ok' if ok else 'DIFFERS'}", flush=True)
    return kept


def input_name(cameo):
    text = subprocess.run([cameo, "io", "model.onnx"], check=True, capture_output=True, text=True).stdout
    return text.split("'")[1]


def main():
    cameo, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:]
    torch.manual_seed(0)
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for program in programs(chosen):
            kept &= judge(*program, cameo)
    sys.exit(not kept)


if __name__ == "__main__":
    main()
