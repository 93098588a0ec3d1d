import torch
import torch.nn.functional as F  # noqa: F401
from sizes import Sizes
from torch import nn

suite = Sizes()
plane = [{0: "batch", 2: "height", 3: "width"}]
image = torch.randn(2, 6, 5, 4) * 2 + 1
close = dict(rtol=1e-4, atol=1e-5)


def trained(module):
    """With running statistics and weights that are not the initial ones."""
    for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
        if tensor.is_floating_point():
            tensor.data = torch.rand_like(tensor) + 0.5
    return module


for name, make, x, axes in (
    ("1d", nn.BatchNorm1d, torch.randn(3, 6, 7), [{0: "batch", 2: "length"}]),
    ("1d-flat", nn.BatchNorm1d, torch.randn(3, 6), [{0: "batch"}]),
    ("2d", nn.BatchNorm2d, image, plane),
    ("3d", nn.BatchNorm3d, torch.randn(2, 6, 3, 4, 5), [{0: "batch", 2: "depth"}]),
):
    suite.sizes(f"batch_norm-{name}", trained(make(6)), [x], axes, how="both", operators={"BatchNormalization": 1},
                absent=["Shape"], **close)
    suite.sizes(f"batch_norm-{name}-plain", trained(make(6, affine=False)), [x], axes, **close)
    suite.sizes(f"batch_norm-{name}-no-stats", trained(make(6, track_running_stats=False)), [x], axes, **close)
suite.sizes("batch_norm-eps", trained(nn.BatchNorm2d(6, eps=0.1)), [image], plane, **close)
suite.add("batch_norm-f64", trained(nn.BatchNorm2d(6)).double(), [image.double()])
vectors = dict(m=torch.randn(6), v=torch.rand(6) + 0.5, w=torch.randn(6), b=torch.randn(6))
suite.call("batch_norm-training", "torch.batch_norm(x, w, b, None, None, True, 0.1, 1e-3, True)", plane, dict(close), x=image,
           w=vectors["w"], b=vectors["b"])
suite.call("native_batch_norm", "torch.native_batch_norm(x, w, b, m, v, False, 0.1, 1e-5)[0]", plane, dict(close), x=image, **vectors)
suite.call("native_batch_norm-training", "torch.native_batch_norm(x, w, b, None, None, True, 0.1, 1e-5)", plane, dict(close),
           x=image, w=vectors["w"], b=vectors["b"])

text = torch.randn(2, 5, 8)
words = [{0: "batch", 1: "length"}]
suite.sizes("layer_norm", trained(nn.LayerNorm(8)), [text], words, how="both", operators={"LayerNormalization": 1},
            absent=["Shape"], **close)
suite.sizes("layer_norm-two-axes", trained(nn.LayerNorm((5, 8))), [text], [{0: "batch"}], **close)
suite.sizes("layer_norm-plain", nn.LayerNorm(8, elementwise_affine=False, eps=1e-3), [text], words, **close)
suite.call("layer_norm-open", "F.layer_norm(x, [x.size(1), x.size(2)])", words, dict(close), x=text)
suite.add("layer_norm-f64", trained(nn.LayerNorm(8)).double(), [text.double()])
suite.call("native_layer_norm", "torch.native_layer_norm(x, [5, 8], w, b, 1e-5)", [{0: "batch"}], dict(close), x=text,
           w=torch.randn(5, 8), b=torch.randn(5, 8))
suite.call("native_layer_norm-f64", "torch.native_layer_norm(x, [5, 8], w, None, 1e-3)", [{0: "batch"}], dict(rtol=1e-7, atol=1e-8),
           x=text.double() + 3, w=torch.randn(5, 8).double())
suite.call("batch_norm-empty", "[torch.batch_norm(x, None, None, m, m, train, 0.1, 1e-5, True) for train in [False, True]]",
           x=torch.zeros(0), m=torch.zeros(0))
suite.sizes("group_norm", trained(nn.GroupNorm(3, 6)), [image], plane, how="both", **close)
suite.sizes("group_norm-plain", nn.GroupNorm(2, 6, affine=False, eps=0.01), [image], plane, operators={"InstanceNormalization": 1},
            absent=["Mul", "Add"], **close)
suite.sizes("group_norm-flat", trained(nn.GroupNorm(3, 6)), [torch.randn(4, 6)], [{0: "batch"}], **close)
suite.sizes("group_norm-f64", trained(nn.GroupNorm(3, 6)).double(), [image.double()], plane)
suite.call("native_group_norm", "torch.native_group_norm(x, w, b, 2, 6, 20, 3, 1e-5)", (), dict(close), x=image,
           w=torch.randn(6), b=torch.randn(6))
for n, make, x, axes in ((1, nn.InstanceNorm1d, torch.randn(3, 6, 7), [{0: "batch", 2: "length"}]),
                         (2, nn.InstanceNorm2d, image, plane),
                         (3, nn.InstanceNorm3d, torch.randn(2, 6, 3, 4, 5), [{0: "batch", 2: "depth"}])):
    suite.sizes(f"instance_norm{n}d", trained(make(6, affine=True)), [x], axes, how="both",
                operators={"InstanceNormalization": 1}, absent=["Shape"], **close)
    suite.sizes(f"instance_norm{n}d-plain", make(6), [x], axes, **close)
    suite.sizes(f"instance_norm{n}d-stats", trained(make(6, track_running_stats=True)), [x], axes, **close)
suite.sizes("instance_norm-f64", trained(nn.InstanceNorm2d(6, affine=True)).double(), [image.double()], plane)
suite.sizes("local_response_norm", nn.LocalResponseNorm(3), [image], plane, **close)
suite.sizes("local_response_norm-f64", nn.LocalResponseNorm(3), [image.double()], plane)
suite.sizes("weight_norm", nn.utils.weight_norm(nn.Linear(8, 4)), [text], words, how="trace", **close)
for dim in (0, 1, 2, -1):
    g = torch.rand(()) if dim == -1 else torch.rand([n if i == dim else 1 for i, n in enumerate((3, 4, 5))])
    suite.call(f"_weight_norm-{dim}", f"torch._weight_norm(v, g, {dim})", options=dict(close), v=torch.randn(3, 4, 5), g=g)
mean_square = "(x * x).mean({}, keepdim=True)"
suite.newer("rms_norm", "torch.rms_norm(x, [8], w, 1e-3)", f"x * torch.rsqrt({mean_square.format([-1])} + 1e-3) * w", words,
            dict(close), x=text, w=torch.randn(8))
suite.newer("rms_norm-plain", "torch.rms_norm(x, [5, 8])", f"x * torch.rsqrt({mean_square.format([-2, -1])} + 1.1920929e-07)",
            [{0: "batch"}], dict(close), x=text)
suite.call("layer_norm-misfit", "torch.ops.aten.layer_norm(x, [7])", options=dict(error="does not fit"), x=text)
legit = "torch._native_batch_norm_legit{}(x, w, b{}, 0.1, 1e-5)"
native = "torch.native_batch_norm(x, w, b, {}, 0.1, 1e-5)"
suite.newer("_native_batch_norm_legit", legit.format("", ", m, v, False") + "[0]", native.format("m, v, False") + "[0]", plane, dict(close), x=image, **vectors)
suite.newer("_native_batch_norm_legit-training", legit.format("", ", m, v, True"), native.format("None, None, True"), plane, dict(close), x=image, **vectors)
suite.newer("_native_batch_norm_legit-no-stats", legit.format("", ", True"), native.format("None, None, True"), plane, dict(close), x=image, **vectors)
suite.newer("_native_batch_norm_legit_no_training", legit.format("_no_training", ", m, v") + "[0]", native.format("m, v, False") + "[0]", plane, dict(close),
            x=image, **vectors)
trained_stats = ("0.9 * m + 0.1 * x.mean([0, 2, 3])", "0.9 * v + 0.1 * x.var([0, 2, 3])")
batch = native.format("None, None, True")
suite.newer("_native_batch_norm_legit_functional", legit.format("_functional", ", m, v, True"),
            f"({batch}[0], {batch}[1], {batch}[2], {', '.join(trained_stats)})", plane, dict(close), x=image, **vectors)
suite.newer("_native_batch_norm_legit_functional-eval", legit.format("_functional", ", m, v, False"),
            f"({native.format('m, v, False')}[0], torch.zeros([0]), torch.zeros([0]), m, v)", plane, dict(close), x=image, **vectors)
suite.newer("_batch_norm_with_update", "torch._batch_norm_with_update(x, w, b, m, v, 0.1, 1e-5)",
            f"({batch}[0], {batch}[1], {batch}[2], torch.zeros([0], dtype=torch.uint8))", plane, dict(close), x=image, **vectors)
suite.newer("_batch_norm_with_update_functional", "torch._batch_norm_with_update_functional(x, w, b, m, v, 0.1, 1e-5)",
            f"({batch}[0], {batch}[1], {batch}[2], torch.zeros([0], dtype=torch.uint8), {', '.join(trained_stats)})", plane, dict(close), x=image, **vectors)
suite.newer("_batch_norm_no_update", "torch._batch_norm_no_update(x, w, b, m, v, 0.1, 1e-5)",
            f"({native.format('m, v, False')}[0], torch.zeros([0]), torch.zeros([0]), torch.zeros([0], dtype=torch.uint8))", plane, dict(close), x=image,
            **vectors)
suite.newer("_fused_rms_norm", "torch._fused_rms_norm(x, [8], w, 1e-3)",
            f"(x * torch.rsqrt({mean_square.format([-1])} + 1e-3) * w, torch.rsqrt({mean_square.format([-1])} + 1e-3))", words, dict(close), x=text,
            w=torch.randn(8))
half = dict(rtol=1e-2, atol=1e-3)
suite.newer("rms_norm-half", "torch.rms_norm(x, [8])", "(x.float() * torch.rsqrt((x.float() * x.float()).mean([-1], keepdim=True) + 1.1920929e-07)).half()",
            words, half, x=(text * 0.01).half())
suite.call("_weight_norm_interface", "torch._weight_norm_interface(v, g)", options=dict(close), v=torch.randn(3, 4, 5), g=torch.rand(3, 1, 1))
suite.call("_weight_norm_interface-last", "torch._weight_norm_interface(v, g, 2)", options=dict(close), v=torch.randn(3, 4, 5), g=torch.rand(1, 1, 5))
suite.main()
