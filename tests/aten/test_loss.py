import torch
from expressions import Expressions

suite = Expressions()
x, y = torch.randn(4, 5), torch.randn(4, 5)
p, q = torch.rand(4, 5), torch.rand(4, 5)
scores, image = torch.randn(4, 5), torch.randn(2, 5, 3, 4)
labels, points = torch.randint(0, 5, (4,)), torch.randint(0, 5, (2, 3, 4))
weights = torch.rand(5) + 0.5
signs = torch.tensor([1.0, -1.0, 1.0, -1.0])
reductions = ["none", "mean", "sum"]


def each(name, text, more=(), **inputs):
    """The loss with each reduction, and with further arguments."""
    calls = [text.format(f"reduction='{r}'") for r in reductions] + [text.format(extra) for extra in more]
    suite.expr(name, "(" + ", ".join(calls) + ")", **inputs)


each("mse_loss", "F.mse_loss(x, y, {})", x=x, y=y)
each("l1_loss", "F.l1_loss(x, y, {})", x=x, y=y)
each("smooth_l1_loss", "F.smooth_l1_loss(x, y, {})", ["beta=0.5", "beta=0.0"], x=x, y=y)
each("huber_loss", "F.huber_loss(x, y, {})", ["delta=0.3", "reduction='sum', delta=2.0"], x=x, y=y)
each("binary_cross_entropy", "F.binary_cross_entropy(x, y, {})", x=p, y=q)
suite.expr("binary_cross_entropy-weight", "F.binary_cross_entropy(x, y, weight=w)", x=p, y=q, w=torch.rand(5))
suite.expr("binary_cross_entropy-ends", "F.binary_cross_entropy(x, y, reduction='none')", dynamic=False,
           x=torch.tensor([0.0, 1.0, 0.0, 1.0]), y=torch.tensor([0.0, 0.0, 1.0, 1.0]))
each("bce_with_logits", "F.binary_cross_entropy_with_logits(x, y, {})", x=x * 20, y=q)
suite.expr("bce_with_logits-weight", "(F.binary_cross_entropy_with_logits(x, y, weight=w), F.binary_cross_entropy_with_logits(x, y, pos_weight=w),"
           " torch.binary_cross_entropy_with_logits(x, y, w, w, 2))", x=x, y=q, w=torch.rand(5))
each("kl_div", "F.kl_div(x, y, {})", ["log_target=True"], x=p.log_softmax(1), y=q.softmax(1))
suite.expr("kl_div-zero", "F.kl_div(x, y, reduction='none')", dynamic=False, x=torch.randn(3), y=torch.tensor([0.0, 1.0, 0.5]))
suite.expr("mse_loss-f64", "(F.mse_loss(x, y), F.l1_loss(x, y, reduction='sum'), F.huber_loss(x, y))", x=x.double(), y=y.double())

each("nll_loss", "F.nll_loss(x, t, {})", ["ignore_index=1"], x=scores.log_softmax(1), t=labels)
suite.expr("nll_loss-weight", "(F.nll_loss(x, t, w), F.nll_loss(x, t, w, reduction='none'), F.nll_loss(x, t, w, reduction='sum'))",
           x=scores.log_softmax(1), t=labels, w=weights, dynamic=False)
suite.expr("nll_loss-operators", "(torch.ops.aten.nll_loss(x, t), torch.ops.aten.nll_loss_nd(x, t))", x=scores.log_softmax(1), t=labels)
suite.expr("nll_loss2d", "(F.nll_loss(x, t), torch.ops.aten.nll_loss2d(x, t, None, 0), torch.ops.aten.nll_loss2d(x, t))", x=image.log_softmax(1), t=points)
suite.expr("nll_loss-single", "(F.nll_loss(x, t), F.nll_loss(x, t, reduction='none'))", dynamic=False, x=scores[0].log_softmax(0), t=labels[0])
each("cross_entropy", "F.cross_entropy(x, t, {})", ["ignore_index=2", "label_smoothing=0.1"], dynamic=False, x=scores, t=labels)
each("cross_entropy-dynamic-sizes", "F.cross_entropy(x, t, {})", ["ignore_index=2"], x=scores, t=labels)
suite.expr("cross_entropy-weight", "(F.cross_entropy(x, t, w), F.cross_entropy(x, t, w, label_smoothing=0.2), F.cross_entropy(x, t, w, ignore_index=1, label_smoothing=0.2),"
           " F.cross_entropy(x, t, w, reduction='sum', label_smoothing=0.2), F.cross_entropy(x, t, w, reduction='none', label_smoothing=0.2))",
           x=scores, t=labels, w=weights, dynamic=False)
suite.expr("cross_entropy-image", "(F.cross_entropy(x, t), F.cross_entropy(x, t, label_smoothing=0.1), F.cross_entropy(x, t, reduction='none'))",
           dynamic=False, x=image, t=points)
suite.expr("cross_entropy-single", "(F.cross_entropy(x, t), F.cross_entropy(x, t, label_smoothing=0.1))", dynamic=False, x=scores[0], t=labels[0])
suite.expr("cross_entropy-probabilities", "(F.cross_entropy(x, t), F.cross_entropy(x, t, reduction='sum'), F.cross_entropy(x, t, w), F.cross_entropy(x, t, w, label_smoothing=0.3))",
           x=scores, t=q.softmax(1), w=weights, dynamic=False)

each("soft_margin_loss", "F.soft_margin_loss(x, t, {})", x=x * 10, t=torch.sign(y))
each("margin_ranking_loss", "F.margin_ranking_loss(x, y, t, {})", ["margin=0.5"], x=x[:, 0], y=y[:, 0], t=signs)
each("hinge_embedding_loss", "F.hinge_embedding_loss(x, t, {})", ["margin=2.0"], x=x[:, 0], t=signs)
each("cosine_embedding_loss", "F.cosine_embedding_loss(x, y, t, {})", ["margin=0.3"], x=x, y=y, t=signs)
suite.expr("cosine_embedding_loss-single", "F.cosine_embedding_loss(x, y, t)", x=x[0], y=y[0], t=torch.tensor(1.0))
each("triplet_margin_loss", "F.triplet_margin_loss(x, y, z, {})", ["margin=0.5, p=1.0", "swap=True"], x=x, y=y, z=torch.randn(4, 5))
each("poisson_nll_loss", "F.poisson_nll_loss(x, t, {})", ["log_input=False", "full=True"], x=p, t=torch.randint(0, 6, (4, 5)).float())

suite.expr("cosine_similarity", "(F.cosine_similarity(x, y), F.cosine_similarity(x, y, 0), F.cosine_similarity(x, y[0], -1, 1e-6))", x=x, y=y)
suite.expr("cosine_similarity-f64", "F.cosine_similarity(x, y)", x=x.double(), y=y.double())
suite.expr("cosine_similarity-zero-dim", "F.cosine_similarity(x, y, 0)", x=torch.tensor(-3.0), y=torch.tensor(2.0))
suite.expr("cosine_similarity-all-pairs", "F.cosine_similarity(x[:, None], y[None], -1)", x=x, y=torch.randn(3, 5))
suite.expr("pairwise_distance", "(F.pairwise_distance(x, y), F.pairwise_distance(x, y, 1.0), F.pairwise_distance(x, y, 2.0, 1e-3, True))", x=x, y=y)
suite.expr("cdist", "(torch.cdist(x, y), torch.cdist(x, y, 1.0), torch.cdist(x, y, float('inf')), torch.cdist(x, y, 3.0), torch.cdist(x, y, 0.0))", x=x, y=torch.randn(3, 5))
suite.expr("cdist-batch", "(torch.cdist(x, y), torch.ops.aten._cdist_forward(x, y, 2.0, None))", x=torch.randn(2, 4, 6), y=torch.randn(2, 3, 6))
suite.expr("cdist-large", "torch.cdist(x, y)", x=torch.randn(40, 6), y=torch.randn(30, 6), options=dict(rtol=1e-4, atol=1e-4))
suite.fails("huber_loss-delta", "F.huber_loss(x, y, delta=0.0)", "delta", x=x, y=y)
suite.fails("smooth_l1_loss-beta", "F.smooth_l1_loss(x, y, beta=-1.0)", "beta", x=x, y=y)
for reduction in (0, 1, 2):
    given = dict(x=scores.log_softmax(1), y=labels, i=image.log_softmax(1), p=points)
    kept = "[0]" if reduction == 0 else ""
    for ignored in (-100, 2):
        plain = f"(torch.ops.aten.nll_loss_forward(x, y, None, {reduction}, {ignored}){kept}, torch.ops.aten.nll_loss2d_forward(i, p, None, {reduction}, {ignored}){kept})"
        suite.expr(f"nll_loss_forward-{reduction}-{ignored}", plain, dynamic=False, **given)
        suite.expr(f"nll_loss_forward-{reduction}-{ignored}-weights", plain.replace("None", "w"), dynamic=False, **given, w=weights)
lengths = dict(n=torch.tensor([5, 4]), k=torch.tensor([2, 1]))
suite.expr("_ctc_loss", "(torch._ctc_loss(x, y, n, k)[0], torch._ctc_loss(x, y, [5, 4], [2, 1], 0, True)[0])", dynamic=False,
           x=torch.randn(5, 2, 4).log_softmax(2), y=torch.tensor([[1, 2], [3, 1]]), **lengths)
suite.expr("_euclidean_dist", "torch._euclidean_dist(x, y)", options=dict(rtol=1e-4, atol=1e-4), x=torch.randn(4, 6), y=torch.randn(3, 6))
suite.expr("_pdist_forward", "(torch.ops.aten._pdist_forward(x), torch.ops.aten._pdist_forward(x, 1.0))", dynamic=False, options=dict(rtol=1e-4), x=torch.randn(4, 6))
suite.main()
