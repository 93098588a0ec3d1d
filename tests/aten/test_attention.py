import torch
import torch.nn.functional as F  # noqa: F401
from sizes import Sizes
from torch import nn

suite = Sizes()
close = dict(rtol=1e-4, atol=1e-5)
q, k, v = torch.randn(2, 3, 5, 8), torch.randn(2, 3, 7, 8), torch.randn(2, 3, 7, 4)
axes = [{0: "batch", 2: "queries"}, {0: "batch", 2: "keys"}, {0: "batch", 2: "keys"}]
score = "q @ k.transpose(-2, -1)"
attend = "torch.scaled_dot_product_attention(q, k, v{})"
keep = torch.rand(5, 7) > 0.3
keep[:, 0] = True
bias = torch.randn(5, 7)
suite.newer("plain", attend.format(""), f"torch.softmax({score} / 8 ** 0.5, -1) @ v", axes, dict(close), q=q, k=k, v=v)
suite.newer("scale", attend.format(", scale=0.3"), f"torch.softmax({score} * 0.3, -1) @ v", axes, dict(close), q=q, k=k, v=v)
suite.newer("causal", attend.format(", is_causal=True"),
            f"torch.softmax(({score} / 8 ** 0.5).masked_fill(torch.ones(q.size(-2), k.size(-2)).triu(1) > 0, float('-inf')), -1) @ v",
            axes, dict(close), q=q, k=k, v=v)
suite.newer("boolean-mask", attend.format(", m"), f"torch.softmax(({score} / 8 ** 0.5).masked_fill(~m, float('-inf')), -1) @ v",
            [{0: "batch"}, {0: "batch"}, {0: "batch"}], dict(close), q=q, k=k, v=v, m=keep)
suite.newer("added-mask", attend.format(", m"), f"torch.softmax({score} / 8 ** 0.5 + m, -1) @ v",
            [{0: "batch"}, {0: "batch"}, {0: "batch"}], dict(close), q=q, k=k, v=v, m=bias)
suite.newer("grouped", attend.format(", enable_gqa=True"),
            f"torch.softmax(q @ k.repeat_interleave(2, 1).transpose(-2, -1) / 8 ** 0.5, -1) @ v.repeat_interleave(2, 1)",
            axes, dict(close), q=torch.randn(2, 6, 5, 8), k=k, v=v)
suite.newer("3d", attend.format(""), f"torch.softmax({score} / 8 ** 0.5, -1) @ v", [{0: "batch"}, {0: "batch"}, {0: "batch"}],
            dict(close), q=q[0], k=k[0], v=v[0])
suite.newer("dropout-of-all", attend.format(", None, 1.0"), score, options=dict(error="a dropout of 1"), q=q, k=k, v=v)
older = "torch.ops.aten._scaled_dot_product_attention(q, k, v{})"
suite.call("older", older.format(", None, 0.0, True"), axes, dict(close), q=q, k=k, v=v)
suite.call("older-mask", older.format(", m, 0.0, True"), [{0: "batch"}, {0: "batch"}, {0: "batch"}], dict(close), q=q, k=k, v=v, m=keep)
suite.expr("dropout", "(o * 0, w * 0)", statements="o, w = " + older.format(", None, 0.5, True"), options=dict(operators={"Dropout": 1}),
           q=q, k=k, v=v)

text = torch.randn(2, 5, 8)
weights = dict(w=torch.randn(24, 8) * 0.3, b=torch.randn(24), p=torch.randn(8, 8) * 0.3, c=torch.randn(8))
native = "torch._native_multi_head_attention({}, 8, 2, w, b, p, c{})"
words = [{0: "batch", 1: "length"}]
suite.call("native", native.format("x, x, x", ""), words, dict(close), x=text, **weights)
suite.call("native-heads", native.format("x, x, x", ", None, True, False"), words, dict(close), x=text, **weights)
suite.call("native-two-sources", native.format("x, y, y", ""), [{0: "batch"}, {0: "batch"}], dict(close), x=text,
           y=torch.randn(2, 5, 8), **weights)
hidden = torch.zeros(2, 5, dtype=torch.bool)
hidden[1, 3:] = True
suite.call("native-padding", native.format("x, x, x", ", m, True, True, 1"), options=dict(close), x=text, **weights, m=hidden)
suite.newer("native-padding-older", native.format("x, x, x", ", m"), native.format("x, x, x", ", m, True, True, 1"),
            options=dict(close), x=text, **weights, m=hidden)
later = torch.ones(5, 5).triu(1) > 0
suite.call("native-full-mask", native.format("x, x, x", ", m.expand(2, 2, 5, 5).contiguous(), True, True, 2"), options=dict(close),
           x=text, **weights, m=later)
suite.newer("native-mask", native.format("x, x, x", ", m, True, True, 0"),
            native.format("x, x, x", ", m.expand(x.size(0), 2, 5, 5).contiguous(), True, True, 2"), [{0: "batch"}], dict(close), x=text,
            **weights, m=later)
for gelu in (False, True):
    for first in (False, True):
        layer = nn.TransformerEncoderLayer(8, 2, 16, activation="gelu" if gelu else "relu", norm_first=first, batch_first=True)
        suite.sizes(f"encoder-layer-{gelu}-{first}", layer, [text], words, how="trace", **close)
suite.sizes("encoder", nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2), [text], words, how="trace", **close)
suite.sizes("encoder-scripted", nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), [text], words, **close)
suite.sizes("multihead", nn.MultiheadAttention(8, 2), [text, text + 1, text + 2], [{0: "length"}] * 3, how="both", **close)


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)


suite.sizes("self-attention", SelfAttention(), [text], words, how="both", **close)
scores = "(q @ k.transpose(-2, -1) / 8 ** 0.5)"
hidden_rows = torch.zeros(5, 7)
hidden_rows[1] = float("-inf")
hidden_rows[2, 3] = float("-inf")
batches = [{0: "batch"}, {0: "batch"}, {0: "batch"}]
nothing_seen = f"torch.nan_to_num(torch.softmax({scores} + m, -1)) @ v"
suite.newer("query-without-keys", attend.format(", m"), nothing_seen, batches, dict(close), q=q, k=k, v=v, m=hidden_rows)
suite.newer("query-without-keys-boolean", attend.format(", torch.eq(m, 0)"), nothing_seen, batches, dict(close), q=q, k=k, v=v, m=hidden_rows)
fused = "torch._scaled_dot_product_{}(q, k, v{})"
weighed = f"torch.softmax({scores}, -1) @ v"
both = f"({weighed}, torch.logsumexp({scores}, -1))"
suite.newer("flash-cpu", fused.format("flash_attention_for_cpu", ""), both, axes, dict(close), q=q, k=k, v=v)
suite.newer("flash-cpu-mask", fused.format("flash_attention_for_cpu", ", attn_mask=m, scale=0.5"),
            "(torch.nan_to_num(torch.softmax(q @ k.transpose(-2, -1) * 0.5 + m, -1)) @ v, "
            "torch.nan_to_num(torch.logsumexp(q @ k.transpose(-2, -1) * 0.5 + m, -1), neginf=0.0))", batches, dict(close), q=q, k=k, v=v, m=hidden_rows)
suite.newer("flash", fused.format("flash_attention", "") + "[0]", weighed, axes, dict(close), q=q, k=k, v=v)
suite.newer("flash-lengths", f"torch.full([2], torch.add({fused.format('flash_attention', '')}[4], {fused.format('flash_attention', '')}[5]))",
            "torch.full([2], q.size(2) + k.size(2))", axes, q=q, k=k, v=v)
suite.newer("overrideable", fused.format("fused_attention_overrideable", ", None") + "[0]", weighed, axes, dict(close), q=q, k=k, v=v)
suite.newer("cudnn", fused.format("cudnn_attention", ", None, True") + "[0]", weighed, axes, dict(close), q=q, k=k, v=v)
suite.newer("efficient", fused.format("efficient_attention", ", m, True") + "[0]", nothing_seen, batches, dict(close), q=q, k=k, v=v, m=hidden_rows)
suite.newer("math", fused.format("attention_math", ", is_causal=True"),
            f"(torch.softmax({scores}.masked_fill(torch.ones(q.size(-2), k.size(-2)).triu(1) > 0, float('-inf')), -1) @ v, "
            f"torch.softmax({scores}.masked_fill(torch.ones(q.size(-2), k.size(-2)).triu(1) > 0, float('-inf')), -1))", axes, dict(close), q=q, k=k, v=v)
suite.newer("math-dropout-mask", fused.format("attention_math", ", dropout_mask=m"), weighed, options=dict(error="a given dropout mask"), q=q, k=k, v=v,
            m=keep)
suite.main()
