"""Layers whose inputs are quantised while they are computed. The integers are PyTorch's own, so that results agree as those
of float networks do, except where the rounding of one activation falls on the other side."""
import torch
from quantized import Quantized
from torch import nn
from torch.ao.quantization import quantize_dynamic

torch.backends.quantized.engine = "onednn"
suite = Quantized()
batch = [{0: "batch"}]
near = {"rtol": 1e-4, "atol": 1e-5}


def dynamic(module, kinds=(nn.Linear, nn.LSTM, nn.GRU, nn.LSTMCell, nn.GRUCell, nn.RNNCell)):
    return quantize_dynamic(module.eval(), set(kinds))


suite.sizes("linear_dynamic", dynamic(nn.Sequential(nn.Linear(6, 5))), [torch.randn(3, 6)], batch, how="both", **near,
            operators={"MatMulInteger": 1}, absent=["MatMul", "Gemm"])
suite.sizes("linear-three", dynamic(nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, 4, bias=False))), [torch.randn(2, 3, 6)], batch,
            how="both", **near)
for name, layer, x in (("linear-qdq", nn.Linear(6, 5), torch.randn(2, 3, 6)), ("linear-qdq-matrix", nn.Linear(6, 5), torch.randn(4, 6)),
                       ("linear-qdq-wide", nn.Linear(96, 64), torch.randn(2, 3, 96)),
                       ("linear-qdq-no-bias", nn.Linear(96, 64, bias=False), torch.randn(2, 3, 96))):
    suite.sizes(name, dynamic(nn.Sequential(layer)), [x], batch, dynamic_quantization=1, **near, operators={"Gemm": 1},
                absent=["MatMul", "MatMulInteger"])
suite.sizes("zeros", dynamic(nn.Sequential(nn.Linear(6, 5))), [torch.zeros(3, 6)], batch, **near)
suite.sizes("small", dynamic(nn.Sequential(nn.Linear(6, 5))), [torch.randn(3, 6) * 1e-4], batch, **near)
suite.sizes("positive", dynamic(nn.Sequential(nn.Linear(6, 5))), [torch.rand(3, 6) + 1], batch, **near)

weight = torch.quantize_per_channel(torch.randn(5, 6), torch.rand(5) * 0.02 + 0.01, torch.zeros(5, dtype=torch.long), 0, torch.qint8)
packs = "torch.ops.quantized.linear_prepack(torch._make_per_channel_quantized_tensor(w, s, z, 0), b)"
for relu in ("", "_relu"):
    suite.call(f"linear{relu}_dynamic-channel", f"torch.ops.quantized.linear{relu}_dynamic(x, {packs}, True)", batch, near, x=torch.randn(3, 6),
               w=weight.int_repr(), s=torch.rand(5) * 0.02 + 0.01, z=torch.zeros(5, dtype=torch.long), b=torch.randn(5))

kernel = torch.randint(-100, 100, (5, 4, 3, 3), dtype=torch.int8)
packs = "torch._make_per_tensor_quantized_tensor(w, 0.01, 0), b, [1, 1], [0, 1], {}[1, 1], 1)"
for name, kind, wide in (("conv2d_dynamic", "conv2d_prepack", ""), ("conv_transpose2d_dynamic", "conv_transpose2d_prepack", "[0, 0], ")):
    w = kernel if not wide else kernel.transpose(0, 1).contiguous()
    suite.call(name, f"torch.ops.quantized.{name}(x, torch.ops.quantized.{kind}({packs.format(wide)}, True)", batch,
               {"rtol": 0, "atol": 0.06}, x=torch.randn(2, 4, 6, 7), w=w, b=torch.randn(5))

words = torch.randn(7, 3, 6)
axes = [{0: "time", 1: "batch"}]
for name, network in {
        "quantized_lstm": nn.LSTM(6, 8), "lstm-two": nn.LSTM(6, 8, 2, bidirectional=True), "lstm-first": nn.LSTM(6, 8, batch_first=True),
        "quantized_gru": nn.GRU(6, 8), "gru-two": nn.GRU(6, 8, 2, bidirectional=True)}.items():
    suite.sizes(name, dynamic(nn.ModuleDict({"rnn": network}))["rnn"], [words], axes, how="trace", rtol=1e-3, atol=1e-3)


class Packed(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths)
        return nn.utils.rnn.pad_packed_sequence(self.network(packed)[0])[0]


class Cell(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x):
        h = self.cell(x)
        return h[0] if isinstance(h, tuple) else h


for name, cell in {"quantized_gru_cell_dynamic": nn.GRUCell(6, 8), "quantized_rnn_tanh_cell_dynamic": nn.RNNCell(6, 8),
                   "quantized_rnn_relu_cell_dynamic": nn.RNNCell(6, 8, nonlinearity="relu"),
                   "quantized_lstm_cell_dynamic": nn.LSTMCell(6, 8)}.items():
    suite.sizes(name, dynamic(Cell(cell)), [torch.randn(3, 6)], batch, how="trace", rtol=1e-3, atol=1e-3)
for name, network in (("lstm-packed", nn.LSTM(6, 8, bidirectional=True)), ("gru-packed", nn.GRU(6, 8))):
    suite.sizes(name, dynamic(Packed(network)), [words, torch.tensor([7, 4, 2])], [{}], how="trace", rtol=1e-3, atol=1e-3)


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 16)
        self.network = nn.LSTM(16, 24, 2)
        self.out = nn.Linear(24, 50)

    def forward(self, words):
        return self.out(self.network(self.embedding(words))[0])


suite.sizes("language-model", dynamic(Language()), [torch.randint(0, 50, (9, 2))], axes, how="both", rtol=1e-2, atol=5e-3)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32), 2, enable_nested_tensor=False)
suite.sizes("TransformerEncoder", dynamic(encoder, (nn.Linear,)), [torch.randn(5, 3, 16)], axes, how="trace", rtol=1e-2, atol=2e-2)

table = torch.quantize_per_channel(torch.randn(10, 6), torch.rand(10) * 0.02 + 0.01, torch.rand(10) * 20, 0, torch.quint8)
nibbles = torch.quantize_per_channel(torch.randn(10, 6), torch.rand(10) * 0.1 + 0.1, torch.rand(10) * 5, 0, torch.quint4x2)


class Table(nn.Module):
    def __init__(self, weight, kind):
        super().__init__()
        self.packed = torch.ops.quantized.embedding_bag_prepack(weight)
        self.kind: int = kind

    def forward(self, i, o):
        if self.kind == 0:
            return torch.ops.quantized.embedding_byte(self.packed, i)
        if self.kind == 1:
            return torch.ops.quantized.embedding_4bit(self.packed, i)
        if self.kind == 2:
            return torch.ops.quantized.embedding_bag_byte(self.packed, i, o)
        if self.kind == 3:
            return torch.ops.quantized.embedding_bag_4bit(self.packed, i, o, False, 0, False, None, None, True)
        return torch.ops.quantized.embedding_bag_unpack(self.packed).dequantize()


for name, weight, kind in (("embedding_byte", table, 0), ("embedding_4bit", nibbles, 1), ("embedding_bag_byte", table, 2),
                           ("embedding_bag_4bit", nibbles, 3), ("embedding_bag_unpack", table, 4)):
    offsets = torch.tensor([0, 2, 3, 7] if kind == 3 else [0, 2, 3])
    suite.sizes(name, Table(weight, kind), [torch.randint(0, 10, (7,)), offsets], [{0: "n"}] if kind < 2 else [{}], rtol=1e-5, atol=1e-5)
suite.main()
