"""The models of tests/models, with the same graphs and a fraction of the weights."""

import os
import sys

import torch
import torchvision

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "models"))
from networks import Discriminator, Generator, LanguageModel, LanguageModelLSTM, Repeated, SuperResolution, TestModel, TextCNN  # noqa: E402

NARROWER = 16


def narrow(count):
    return count // NARROWER if count % NARROWER == 0 else count


def narrowed(model):
    """The same layers with fewer channels, and statistics that differ from the neutral ones."""
    for name, child in model.named_children():
        if isinstance(child, torch.nn.Conv2d):
            made = torch.nn.Conv2d(narrow(child.in_channels), narrow(child.out_channels), child.kernel_size, child.stride,
                                   child.padding, child.dilation, bias=child.bias is not None)
        elif isinstance(child, torch.nn.Linear):
            made = torch.nn.Linear(narrow(child.in_features), narrow(child.out_features))
        elif isinstance(child, torch.nn.BatchNorm2d):
            made = torch.nn.BatchNorm2d(narrow(child.num_features), eps=child.eps)
            made.running_mean.normal_(0, 0.05)
            made.running_var.uniform_(0.9, 1.1)
        else:
            made = narrowed(child)
        setattr(model, name, made)
    return model.eval()


def add_images(suite, name, model, size, other=None):
    dims = {0: "batch", 2: "height", 3: "width"} if other else {0: "batch"}
    more = [[torch.randn(2, 3, *(other or (size, size)))]]
    model = narrowed(model)
    for way in ("trace", "script"):
        suite.add(f"{name}-{way}", model, [torch.randn(1, 3, size, size)], how=way, dynamic=[dims], more=more,
                  of_largest=True, rtol=1e-4, atol=0)


def add_models(suite):
    vision = torchvision.models
    add_images(suite, "alexnet", vision.alexnet(weights=None), 224)
    add_images(suite, "vgg11", vision.vgg11(weights=None), 64)
    add_images(suite, "vgg16_bn", vision.vgg16_bn(weights=None), 64)
    add_images(suite, "resnet18", vision.resnet18(weights=None), 64, (65, 91))
    add_images(suite, "resnet50", vision.resnet50(weights=None), 64, (65, 91))
    add_images(suite, "densenet121", vision.densenet121(weights=None), 64, (65, 91))
    add_images(suite, "inception_v3", vision.inception_v3(weights=None, init_weights=False, aux_logits=False, transform_input=True), 128,
               (131, 151))
    add_images(suite, "squeezenet", vision.squeezenet1_1(weights=None), 64, (65, 91))
    for way in ("trace", "script"):
        add_networks(suite, way)


def add_networks(suite, way):
    def add(name, model, inputs, dynamic, more):
        suite.add(f"{name}-{way}", model.eval(), inputs, how=way, dynamic=dynamic, more=[more], of_largest=True, rtol=1e-4, atol=0)

    randn, tokens = torch.randn, lambda *shape: torch.randint(50, shape)
    state = lambda n: (randn(2, n, 24), randn(2, n, 24))
    gray = [{0: "batch", 2: "height", 3: "width"}]
    steps = [{0: "length", 1: "batch"}, {1: "batch"}]
    rows = [{0: "batch"}]
    add("super_resolution", SuperResolution(), [randn(1, 1, 16, 16)], gray, [randn(2, 1, 9, 20)])
    add("dcgan_generator", Generator(ngf=2), [randn(2, 100, 1, 1)], gray, [randn(1, 100, 2, 3)])
    add("dcgan_discriminator", Discriminator(ndf=2), [randn(2, 3, 64, 64)], rows, [randn(3, 3, 64, 64)])
    for kind in ("RNN_TANH", "RNN_RELU", "GRU"):
        add(f"language_{kind.lower()}", LanguageModel(kind), [tokens(7, 3), randn(2, 3, 24)], steps, [tokens(4, 5), randn(2, 5, 24)])
    add("language_lstm", LanguageModelLSTM(), [tokens(7, 3), state(3)], steps, [tokens(4, 5), state(5)])
    add("linear", torch.nn.Linear(10, 2), [randn(32, 10)], rows, [randn(7, 10)])
    # Traced, the length is a number of the program.
    sentences = [{0: "batch", 1: "length"}] if way == "script" else rows
    add("text_cnn", TextCNN(), [tokens(2, 11)], sentences, [tokens(4, 23 if way == "script" else 11)])
    add("test_model", TestModel(), [randn(1, 4), randn(1, 4)], rows * 2, [randn(3, 4) - 10, randn(3, 4)])
    add("repeated", Repeated(3), [randn(1, 3, 10, 10)], rows, [randn(2, 3, 10, 10)])
