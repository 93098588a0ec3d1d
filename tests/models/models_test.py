"""The models that users begin with, traced and scripted: exported, checked by onnx.checker, run in ONNX Runtime at several
sizes, compared with PyTorch, and counted against torch.onnx's export of the same model."""

import io
import os
import sys
import tempfile
import warnings

import onnx
import onnx.shape_inference
import torch
import torchvision

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from networks import Discriminator, Generator, LanguageModel, LanguageModelLSTM, Repeated, SuperResolution, TestModel, TextCNN
from suite import Suite

warnings.filterwarnings("ignore")
torch.manual_seed(0)
FOLDER = tempfile.TemporaryDirectory()
SAVED = FOLDER.name
# 1e-5 of the largest element of an output. Of each element would ask more than PyTorch's own float32 gives: after some
# twenty layers its small elements differ from a float64 run by more than that.
OF_LARGEST = {"of_largest": True, "atol": 0}


def settled(model):
    """Random weights, and statistics that differ from the neutral ones without amplifying rounding from layer to layer."""
    for module in model.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.running_mean.normal_(0, 0.05)
            module.running_var.uniform_(0.9, 1.1)
    return model.eval()


def node_count(graph):
    """Nodes that compute: what torch.onnx leaves as Constant nodes is an initialiser elsewhere."""
    total = 0
    for node in graph.node:
        total += node.op_type != "Constant"
        total += sum(node_count(a.g) for a in node.attribute if a.HasField("g"))
    return total


def torch_nodes(model, inputs, dynamic_axes):
    buffer = io.BytesIO()
    names = [f"in_{i}" for i in range(len(dynamic_axes))]
    axes = {name: axis for name, axis in zip(names, dynamic_axes) if axis}
    torch.onnx.export(model, tuple(inputs), buffer, opset_version=17, input_names=names, dynamic_axes=axes)
    return node_count(onnx.load_model_from_string(buffer.getvalue()).graph)


def checked(path, most_nodes=None, also=None):
    """A judge of the exported file."""

    def check(result):
        model = onnx.load(path)
        onnx.checker.check_model(model, full_check=True)
        onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
        nodes = node_count(model.graph)
        if most_nodes is not None and nodes > most_nodes:
            return f"has {nodes} nodes, torch.onnx {most_nodes}: {result['operators']}"
        return also(result) if also else None

    return check


def add_checked(suite, name, *args, also=None, **options):
    """A case whose exported file goes through onnx.checker; nodes are not counted."""
    path = os.path.join(SAVED, f"{name}.onnx")
    suite.add(name, *args, save=path, check=checked(path, also=also), **options)


def add(suite, name, model, inputs, dynamic=(), more=(), how=("trace", "script"), flat_axes=None, **options):
    """Static first: no Shape node and no more nodes than torch.onnx; then dynamic, at other sizes."""
    options = {**OF_LARGEST, **options}
    for way in how:
        try:
            axes = flat_axes or [{} for _ in inputs]
            most = torch_nodes(model, inputs, [{} for _ in axes])
            path = os.path.join(SAVED, f"{name}-{way}.onnx")
            suite.add(f"{name}-{way}", model, inputs, how=way, absent=["Shape"], save=path, check=checked(path, most), **options)
            if dynamic:
                most = torch_nodes(model, inputs, axes if flat_axes else list(dynamic))
                path = os.path.join(SAVED, f"{name}-{way}-dynamic.onnx")
                suite.add(f"{name}-{way}-dynamic", model, inputs, how=way, dynamic=list(dynamic), more=more, save=path,
                          check=checked(path, most), **options)
        except Exception as error:
            raise RuntimeError(f"{name} ({way})") from error


def images(model, size, other_sizes=(), batch_only=False):
    dims = {0: "batch"} if batch_only else {0: "batch", 2: "height", 3: "width"}
    more = [[torch.randn(n, 3, size, size)] for n in (3, 2)] + [[torch.randn(2, 3, h, w)] for h, w in other_sizes]
    return settled(model), [torch.randn(1, 3, size, size)], [dims], more


suite = Suite()
vision = torchvision.models
add(suite, "alexnet", *images(vision.alexnet(weights=None), 224, batch_only=True))
add(suite, "vgg11", *images(vision.vgg11(weights=None), 224, batch_only=True))
add(suite, "vgg16_bn", *images(vision.vgg16_bn(weights=None), 224, batch_only=True))
# With other heights and widths their adaptive pooling is no plain one, and torch.onnx refuses: nothing to count against.
for name, model, sizes in (("alexnet", vision.alexnet(weights=None), [(224, 224), (96, 130), (257, 191)]),
                           ("vgg11", vision.vgg11(weights=None), [(64, 64), (96, 70), (225, 224)])):
    (h, w), *others = sizes
    for way in ("trace", "script"):
        add_checked(suite, f"{name}-{way}-any-size", settled(model), [torch.randn(1, 3, h, w)], how=way,
                    dynamic=[{0: "batch", 2: "height", 3: "width"}], more=[[torch.randn(2, 3, h, w)] for h, w in others], **OF_LARGEST)
add(suite, "resnet18", *images(vision.resnet18(weights=None), 64, [(96, 64), (65, 91)]))
add(suite, "resnet50", *images(vision.resnet50(weights=None), 64, [(96, 64), (65, 91)]))
add(suite, "densenet121", *images(vision.densenet121(weights=None), 64, [(96, 64), (65, 91)]))
add(suite, "inception_v3", *images(vision.inception_v3(weights=None, init_weights=False, aux_logits=False, transform_input=True), 128, [(160, 128), (131, 151)]),
    rtol=1e-4)
add(suite, "squeezenet", *images(vision.squeezenet1_1(weights=None), 64, [(96, 64), (65, 91)]))
gray = [{0: "batch", 2: "height", 3: "width"}]
add(suite, "super_resolution", SuperResolution().eval(), [torch.randn(1, 1, 16, 16)], gray, [[torch.randn(5, 1, 9, 20)], [torch.randn(2, 1, 30, 7)]])
add(suite, "dcgan_generator", settled(Generator()), [torch.randn(2, 100, 1, 1)], gray, [[torch.randn(5, 100, 1, 1)], [torch.randn(1, 100, 2, 3)]])
add(suite, "dcgan_discriminator", settled(Discriminator()), [torch.randn(2, 3, 64, 64)], [{0: "batch"}], [[torch.randn(5, 3, 64, 64)], [torch.randn(3, 3, 64, 64)]])
for kind in ("RNN_TANH", "RNN_RELU", "GRU"):
    sizes = [{0: "length", 1: "batch"}, {1: "batch"}]
    add(suite, f"language_{kind.lower()}", LanguageModel(kind).eval(), [torch.randint(50, (7, 3)), torch.randn(2, 3, 24)], sizes,
        [[torch.randint(50, (4, 5)), torch.randn(2, 5, 24)], [torch.randint(50, (9, 2)), torch.randn(2, 2, 24)]])
state = lambda n: (torch.randn(2, n, 24), torch.randn(2, n, 24))
add(suite, "language_lstm", LanguageModelLSTM().eval(), [torch.randint(50, (7, 3)), state(3)], [{0: "length", 1: "batch"}, {1: "batch"}],
    [[torch.randint(50, (4, 5)), state(5)], [torch.randint(50, (9, 2)), state(2)]],
    flat_axes=[{0: "length", 1: "batch"}, {1: "batch"}, {1: "batch"}])
add(suite, "linear", torch.nn.Linear(10, 2).eval(), [torch.randn(32, 10)], [{0: "batch"}], [[torch.randn(1, 10)], [torch.randn(7, 10)]])
add(suite, "text_cnn", TextCNN().eval(), [torch.randint(60, (2, 11))], how=("trace", "script"))
# Traced, the length is a number of the program.
add_checked(suite, "text_cnn-script-dynamic", TextCNN().eval(), [torch.randint(60, (2, 11))], dynamic=[{0: "batch", 1: "length"}],
            more=[[torch.randint(60, (1, 5))], [torch.randint(60, (4, 23))], [torch.randint(60, (3, 8))]])
for way in ("trace", "script"):
    add_checked(suite, f"test_model-{way}", TestModel().eval(), [torch.randn(1, 4), torch.randn(1, 4)], how=way, dynamic=[{0: "batch"}, {0: "batch"}],
                more=[[torch.randn(3, 4) * s, torch.randn(3, 4)] for s in (10, -10, 3, -3)] + [[torch.randn(1, 4) * s, torch.randn(1, 4)] for s in (10, -10)],
                operators={"If": 1, "Relu": 1})


def without_trip_count(graph):
    """What a graph is but for the number of turns of its loops."""
    counts = {node.input[0] for node in graph.node if node.op_type == "Loop"}
    return str(graph.node), str(graph.input), str(graph.output), [(t.name, t.raw_data) for t in graph.initializer if t.name not in counts]


def equal_loops(result):
    two, three = (onnx.load(os.path.join(SAVED, f"repeated_{n}-script.onnx")).graph for n in (2, 3))
    return None if without_trip_count(two) == without_trip_count(three) else "the graphs for 2 and 3 turns differ"


for n in (2, 3):
    torch.manual_seed(5)
    add_checked(suite, f"repeated_{n}-trace", Repeated(n).eval(), [torch.randn(1, 3, 10, 10)], how="trace", operators={"Conv": n, "Loop": 0})
    torch.manual_seed(5)
    add_checked(suite, f"repeated_{n}-script", Repeated(n).eval(), [torch.randn(1, 3, 10, 10)], how="script", operators={"Conv": 1, "Loop": 1},
                also=equal_loops if n == 3 else None)


def same_as_traced(result):
    traced = node_count(onnx.load(os.path.join(SAVED, "resnet50-trace.onnx")).graph)
    return None if result["nodes"] == traced else f"has {result['nodes']} nodes, traced {traced}"


suite.add("resnet50-script-like-trace", settled(vision.resnet50(weights=None)), [torch.randn(1, 3, 64, 64)], check=same_as_traced,
          **OF_LARGEST)
suite.main()
