"""Layers and small networks."""
import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

from case import NEVER, Program, case, function

randn = torch.randn


def batch():
    return Dim("batch", min=1, max=64)


@case
def mlp_fixed():
    """No dynamic size."""
    return Program(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)), [randn(2, 4)], more=[[randn(2, 4)]])


@case
def mlp_dynamic_batch():
    return Program(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)), [randn(2, 4)], more=[[randn(5, 4)]], dynamic=({0: batch()},))


@case
def mlp_strict():
    """Strict mode: names and metadata differ."""
    return Program(nn.Sequential(nn.Linear(4, 8), nn.Sigmoid(), nn.Linear(8, 3)), [randn(2, 4)], more=[[randn(5, 4)]], dynamic=({0: batch()},),
                   strict=True)


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 4, 3, stride=2, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True),
                                      nn.MaxPool2d(2), nn.Conv2d(4, 6, 3, padding="same", groups=2))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(6, 5)

    def forward(self, image):
        return self.head(torch.flatten(self.pool(self.features(image)), 1))


@case(since=(2, 7))
def convolutions_dynamic():
    """Dynamic batch, height and width, with a smallest and a largest size."""
    dims = {0: batch(), 2: Dim("height", min=8, max=256), 3: Dim("width", min=8, max=256)}
    return Program(Convolutions(), [randn(2, 3, 16, 20)], more=[[randn(1, 3, 31, 9)]], dynamic=(dims,))


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(2, 4, 3, padding=1)
        self.middle = nn.Conv2d(4, 4, 3, padding=1)
        self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)
        self.last = nn.Conv2d(8, 1, 1)

    def forward(self, image):
        wide = F.relu(self.down(image))
        deep = F.relu(self.middle(F.max_pool2d(wide, 2)))
        return self.last(torch.cat([wide, self.up(deep)], dim=1))


@case
def unet_even_sizes():
    """Height and width are derived dimensions, 2*h and 2*w."""
    h, w = Dim("h", min=2, max=100), Dim("w", min=2, max=100)
    return Program(Unet(), [randn(2, 2, 8, 12)], more=[[randn(3, 2, 6, 4)]], dynamic=({0: batch(), 2: 2 * h, 3: 2 * w},))


@case
def convolution_1d_3d():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.one = nn.Conv1d(2, 3, 3, dilation=2)
            self.three = nn.Conv3d(1, 2, (1, 2, 2), padding=(0, 1, 1))
            self.back = nn.ConvTranspose1d(3, 2, 3, stride=2, output_padding=1)

        def forward(self, signal, volume):
            return self.back(self.one(signal)), self.three(volume)

    dims = ({0: batch(), 2: Dim("length", min=8, max=99)}, {0: Dim("volumes", min=1, max=9)})
    return Program(Net(), [randn(2, 2, 10), randn(2, 1, 3, 4, 4)], more=[[randn(3, 2, 15), randn(1, 1, 3, 4, 4)]], dynamic=dims)


@case
def batch_norm_eval():
    net = nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 2), nn.BatchNorm1d(2, affine=False))
    net[0].running_mean.normal_()
    net[0].running_var.uniform_(0.5, 2)
    return Program(net, [randn(4, 3)], more=[[randn(2, 3)]], dynamic=({0: Dim("batch", min=2, max=64)},))


@case
def batch_norm_train():
    """The statistics are those of the batch. The running statistics are buffers that the operator updates."""
    return Program(nn.Sequential(nn.Conv2d(2, 3, 1), nn.BatchNorm2d(3)), [randn(4, 2, 3, 3)], more=[[randn(2, 2, 3, 3)]],
                   dynamic=({0: Dim("batch", min=2, max=64)},), train=True)


@case
def normalisation():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.LayerNorm(6)
            self.layer_2 = nn.LayerNorm((4, 6), eps=1e-3, elementwise_affine=False)
            self.rms = nn.RMSNorm(6)
            self.group = nn.GroupNorm(2, 4)
            self.instance = nn.InstanceNorm1d(4, affine=True)
            self.local = nn.LocalResponseNorm(2)

        def forward(self, x):
            return self.layer(x), self.layer_2(x), self.rms(x), self.group(x), self.instance(x), self.local(x), F.normalize(x, dim=1)

    return Program(Net(), [randn(2, 4, 6)], more=[[randn(3, 4, 6)]], dynamic=({0: batch()},))


@case
def activations():
    def forward(x):
        return (F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x), F.mish(x), F.hardswish(x), F.hardsigmoid(x), F.elu(x, 0.5),
                F.selu(x), F.celu(x), F.softplus(x), F.softsign(x), F.leaky_relu(x, 0.2), F.relu6(x), F.logsigmoid(x), F.hardtanh(x),
                F.tanhshrink(x), F.glu(x), F.softmax(x, -1), F.log_softmax(x, 1), F.threshold(x, 0.1, 2.0))
    return function(forward, [randn(2, 6)], more=[[randn(5, 6)]], dynamic=({0: batch()},))


@case(decomposed=(2, 7))
def lstm():
    """The sequence length is fixed: torch.export specialises it."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.LSTM(3, 4, num_layers=2, batch_first=True, bidirectional=True)

        def forward(self, x):
            y, (h, c) = self.net(x)
            return y, h, c

    return Program(Net(), [randn(2, 5, 3)], more=[[randn(4, 5, 3)]], dynamic=({0: batch()},))


def lstm_with_states(hidden, **options):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.LSTM(3, 4, **options)

        def forward(self, x, h, c):
            return self.net(x, (h, c))

    dim = batch()
    return Program(Net(), [randn(5, 2, 3), randn(1, 2, hidden), randn(1, 2, 4)],
                   more=[[randn(5, 3, 3), randn(1, 3, hidden), randn(1, 3, 4)]], dynamic=({1: dim}, {1: dim}, {1: dim}))


@case(decomposed=(2, 7))
def lstm_states():
    return lstm_with_states(4)


@case(decomposed=NEVER)
def lstm_projected():
    return lstm_with_states(2, proj_size=2)


@case
def gru_and_rnn():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.gru = nn.GRU(3, 4, bidirectional=True)
            self.rnn = nn.RNN(8, 2, nonlinearity="relu", bias=False)

        def forward(self, x):
            return self.rnn(self.gru(x)[0])

    return Program(Net(), [randn(4, 2, 3)], more=[[randn(4, 3, 3)]], dynamic=({1: batch()},))


@case
def recurrent_cells():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm, self.gru, self.rnn = nn.LSTMCell(3, 4), nn.GRUCell(4, 4), nn.RNNCell(4, 2)

        def forward(self, x):
            h, c = self.lstm(x)
            return self.rnn(self.gru(h, c))

    return Program(Net(), [randn(2, 3)], more=[[randn(5, 3)]], dynamic=({0: batch()},))


@case
def embeddings():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(10, 4, padding_idx=0)
            self.bag = nn.EmbeddingBag(10, 4, mode="mean")

        def forward(self, indices):
            return self.table(indices), self.bag(indices), F.one_hot(indices, 10)

    make = lambda *shape: torch.randint(0, 10, shape)
    return Program(Net(), [make(2, 3)], more=[[make(4, 3)]], dynamic=({0: batch()},))


@case
def attention():
    """scaled_dot_product_attention with a mask, with is_causal, with a scale, and with a dynamic sequence length."""
    def forward(q, k, v, mask, bias):
        masked = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        biased = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=0.3)
        return masked, biased, F.scaled_dot_product_attention(q, k, v, is_causal=True)

    def make(n, length):
        mask = torch.rand(length, length) > 0.3
        mask.fill_diagonal_(True)
        return [randn(n, 2, length, 4), randn(n, 2, length, 4), randn(n, 2, length, 3), mask, randn(n, 1, length, length)]

    dim, length = batch(), Dim("length", min=2, max=32)
    axes = {0: dim, 2: length}
    return function(forward, make(2, 5), more=[make(3, 7)], dynamic=(axes, axes, axes, {0: length, 1: length}, {0: dim, 2: length, 3: length}))


@case
def attention_grouped_queries():
    def forward(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    make = lambda n: [randn(2, 4, n, 3), randn(2, 2, n, 3), randn(2, 2, n, 3)]
    axes = {2: Dim("length", min=2, max=32)}
    return function(forward, make(5), more=[make(6)], dynamic=(axes, axes, axes))


@case
def multihead_attention():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
            self.cross = nn.MultiheadAttention(8, 2, kdim=4, vdim=4)

        def forward(self, x, memory, padding):
            own, weights = self.attention(x, x, x, key_padding_mask=padding)
            other, _ = self.cross(x.transpose(0, 1), memory, memory, need_weights=False)
            return own, weights, other

    def make(n, length):
        padding = torch.zeros(n, length, dtype=torch.bool)
        padding[0, -1] = True
        return [randn(n, length, 8), randn(6, n, 4), padding]

    dim, length = batch(), Dim("length", min=2, max=32)
    return Program(Net(), make(2, 5), more=[make(3, 4)], dynamic=({0: dim, 1: length}, {1: dim}, {0: dim, 1: length}))


@case
def transformer_encoder():
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 12, batch_first=True, norm_first=True), 2, enable_nested_tensor=False)
    return Program(net, [randn(2, 5, 8)], more=[[randn(3, 7, 8)]], dynamic=({0: batch(), 1: Dim("length", min=2, max=32)},), train=False)


@case
def transformer_decoder():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(10, 8)
            self.layer = nn.TransformerDecoderLayer(8, 2, 12, dropout=0.1, batch_first=True)

        def forward(self, tokens, memory):
            mask = torch.full((tokens.shape[1], tokens.shape[1]), float("-inf")).triu(1)
            return self.layer(self.table(tokens), memory, tgt_mask=mask) @ self.table.weight.t()

    def make(n, length):
        return [torch.randint(0, 10, (n, length)), randn(n, 4, 8)]

    dim = batch()
    return Program(Net(), make(2, 5), more=[make(3, 3)], dynamic=({0: dim, 1: Dim("length", min=2, max=32)}, {0: dim}))


@case
def pooling():
    def forward(x):
        y, indices = F.max_pool2d(x, 3, stride=2, padding=1, return_indices=True)
        return (y, indices, F.avg_pool2d(x, 2, ceil_mode=True, count_include_pad=False), F.adaptive_avg_pool2d(x, (2, 3)),
                F.adaptive_max_pool2d(x, 2), F.lp_pool2d(x, 2.0, 2))
    return function(forward, [randn(2, 2, 8, 6)], more=[[randn(1, 2, 8, 6)]], dynamic=({0: batch()},))


@case
def resizing():
    def forward(x):
        return (F.interpolate(x, scale_factor=2, mode="nearest"), F.interpolate(x, size=(9, 5), mode="bilinear", align_corners=True),
                F.interpolate(x, scale_factor=1.5, mode="bilinear"), F.interpolate(x, size=(7, 7), mode="bicubic"),
                F.interpolate(x, size=(3, 4), mode="nearest-exact"), F.interpolate(x, size=(3, 3), mode="bilinear", antialias=True))
    return function(forward, [randn(2, 2, 6, 8)], more=[[randn(1, 2, 6, 8)]], dynamic=({0: batch()},))


@case
def resizing_dynamic():
    """A result size that is a formula of the input's size."""
    def forward(x, y):
        big = F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
        return big, F.interpolate(y, size=x.shape[-2:], mode="nearest")
    dims = {2: Dim("h", min=2, max=64), 3: Dim("w", min=2, max=64)}
    small = {2: Dim("h2", min=2, max=64), 3: Dim("w2", min=2, max=64)}
    return function(forward, [randn(1, 2, 6, 8), randn(1, 2, 4, 3)], more=[[randn(1, 2, 5, 4), randn(1, 2, 2, 7)]], dynamic=(dims, small))


@case
def vision_operators():
    def forward(x, grid):
        columns = F.unfold(x, 3, padding=1)
        return (F.pixel_shuffle(x, 2), F.pixel_unshuffle(x, 2), columns, F.fold(columns, (4, 6), 3, padding=1),
                F.grid_sample(x, grid, align_corners=False), F.pad(x, (1, 2, 0, 1), mode="reflect"), F.pad(x, (1, 1), value=2.5),
                F.pad(x, (1, 1, 1, 1), mode="replicate"), F.pad(x, (2, 1, 1, 1), mode="circular"), F.channel_shuffle(x, 2))
    dim = batch()
    return function(forward, [randn(2, 4, 4, 6), torch.rand(2, 3, 3, 2) * 2 - 1], more=[[randn(3, 4, 4, 6), torch.rand(3, 3, 3, 2) * 2 - 1]],
                    dynamic=({0: dim}, {0: dim}))


@case
def losses():
    def forward(x, target, y):
        return (F.cross_entropy(x, target), F.cross_entropy(x, target, label_smoothing=0.1, reduction="none"), F.mse_loss(x, y),
                F.smooth_l1_loss(x, y), F.huber_loss(x, y, delta=0.5), F.binary_cross_entropy_with_logits(x, torch.sigmoid(y)),
                F.kl_div(F.log_softmax(x, 1), F.softmax(y, 1), reduction="batchmean"), F.nll_loss(F.log_softmax(x, 1), target),
                F.cosine_similarity(x, y), F.pairwise_distance(x, y), F.triplet_margin_loss(x, y, x + y))
    make = lambda n: [randn(n, 5), torch.randint(0, 5, (n,)), randn(n, 5)]
    axes = {0: Dim("batch", min=2, max=64)}
    return function(forward, make(3), more=[make(6)], dynamic=(axes, axes, axes))


@case
def dropout_in_evaluation():
    net = nn.Sequential(nn.Dropout(0.5), nn.Linear(4, 4), nn.AlphaDropout(), nn.Dropout1d())
    return Program(net, [randn(2, 3, 4)], more=[[randn(5, 3, 4)]], dynamic=({0: batch()},))
