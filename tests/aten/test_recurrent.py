import torch
from sizes import Sizes
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

suite = Sizes()
close = dict(rtol=1e-4, atol=1e-5)
x = torch.randn(5, 3, 4)
both = [{0: "time", 1: "batch"}]
nets = {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}
forms = {
    "plain": {}, "two-layers": dict(num_layers=2), "bidirectional": dict(bidirectional=True),
    "deep-bidirectional": dict(num_layers=2, bidirectional=True), "no-bias": dict(bias=False),
    "batch-first": dict(batch_first=True), "dropout": dict(num_layers=2, dropout=0.5),
}


class Over(nn.Module):
    """The network without states given: scripting alone keeps several forwards of it."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)


for name, net in nets.items():
    for form, arguments in forms.items():
        suite.sizes(f"{name}-{form}", Over(net(4, 6, **arguments)), [x], both, how="both", operators={name.upper(): arguments.get("num_layers", 1)},
                    absent=["Slice"], **close)
    suite.add(f"{name}-unbatched", Over(net(4, 6)), [x[:, 0]], **close)
suite.sizes("rnn-relu", Over(nn.RNN(4, 6, 2, nonlinearity="relu", bidirectional=True)), [x], both, how="both", **close)


class States(nn.Module):
    """With states given, and the last ones among the results."""

    def __init__(self, net, **arguments):
        super().__init__()
        self.net = net(4, 6, **arguments)

    def forward(self, x, h):
        return self.net(x, h)


class LstmStates(nn.Module):
    def __init__(self, **arguments):
        super().__init__()
        self.net = nn.LSTM(4, 6, **arguments)

    def forward(self, x, h, c):
        return self.net(x, (h, c))


for form, arguments in forms.items():
    count = arguments.get("num_layers", 1) * (2 if arguments.get("bidirectional") else 1)
    size = 5 if arguments.get("batch_first") else 3
    axes = [{0: "batch", 1: "time"}] if arguments.get("batch_first") else [{0: "time", 1: "batch"}]
    axes += [{1: "batch"}]
    h, c = torch.randn(count, size, 6), torch.randn(count, size, 6)
    for name in ("gru", "rnn"):
        suite.sizes(f"{name}-{form}-states", States(nets[name], **arguments), [x, h], axes, **close)
    suite.sizes(f"lstm-{form}-states", LstmStates(**arguments), [x, h, c], [*axes, axes[1]], **close)

for form, arguments in forms.items():
    arguments = dict(arguments, proj_size=2)
    count = arguments.get("num_layers", 1) * (2 if arguments.get("bidirectional") else 1)
    size = 5 if arguments.get("batch_first") else 3
    axes = [{0: "batch", 1: "time"}] if arguments.get("batch_first") else [{0: "time", 1: "batch"}]
    suite.sizes(f"lstm-projected-{form}", Over(nn.LSTM(4, 6, **arguments)), [x], axes, how="both", operators={"Scan": count},
                absent=["LSTM"], **close)
    h, c = torch.randn(count, size, 2), torch.randn(count, size, 6)
    suite.sizes(f"lstm-projected-{form}-states", LstmStates(**arguments), [x, h, c], [*axes, {1: "batch"}, {1: "batch"}], **close)
suite.add("lstm-projected-unbatched", Over(nn.LSTM(4, 6, proj_size=2)), [x[:, 0]], **close)


class Packed(nn.Module):
    def __init__(self, net, total_length=None, padding_value=0.0, **arguments):
        super().__init__()
        self.net = net(4, 6, **arguments)
        self.batch_first: bool = self.net.batch_first
        self.total_length: int = total_length or 0
        self.padding_value: float = padding_value

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, self.batch_first, True)
        out, state = self.net(packed)
        total = self.total_length if self.total_length > 0 else None
        padded, sizes = pad_packed_sequence(out, self.batch_first, self.padding_value, total)
        return padded, sizes, state


lengths = torch.tensor([5, 3, 1])
others = [[torch.randn(7, 4, 4), torch.tensor([6, 6, 2, 1])], [torch.randn(2, 1, 4), torch.tensor([2])]]
variants = {"rnn-relu": (nn.RNN, dict(nonlinearity="relu")), "lstm-projected": (nn.LSTM, dict(proj_size=2))}
for name, (net, option) in {**{name: (net, {}) for name, net in nets.items()}, **variants}.items():
    for form in ("plain", "deep-bidirectional", "batch-first"):
        arguments = dict(forms[form], **option)
        first = arguments.get("batch_first")
        turned = (lambda t: t.transpose(0, 1).contiguous()) if first else (lambda t: t)
        axes = [{0: "batch", 1: "time"} if first else {0: "time", 1: "batch"}, {0: "batch"}]
        suite.add(f"{name}-packed-{form}", Packed(net, **arguments), [turned(x), lengths], dynamic=axes,
                  more=[[turned(other), n] for other, n in others], **close)
suite.add("packed-total-length", Packed(nn.LSTM, total_length=8, padding_value=-1.0), [x, lengths], dynamic=[{1: "batch"}, {0: "batch"}],
          more=[[torch.randn(5, 2, 4), torch.tensor([3, 2])]], **close)
suite.add("pad-packed-alone", "def forward(data, sizes):\n    return torch._pad_packed_sequence(data, sizes, True, 2.0, 0)\n",
          [torch.randn(6, 4), torch.tensor([3, 2, 1])], dynamic=[{0: "n"}, {0: "time"}],
          more=[[torch.randn(5, 4), torch.tensor([3, 2])]])
suite.add("pack-alone", "def forward(x, lengths):\n    return torch._pack_padded_sequence(x, lengths, False)\n", [x, lengths],
          dynamic=[{0: "time", 1: "batch"}, {0: "batch"}], more=others)

data, sizes, h = torch.randn(6, 4), torch.tensor([3, 2, 1]), torch.randn(1, 3, 6)
steps = [{0: "n"}, {0: "time"}]
other = [torch.randn(7, 4), torch.tensor([3, 3, 1]), torch.randn(1, 3, 6)]
for name, gates in (("lstm", 4), ("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)):
    weights = [torch.randn(6 * gates, 4), torch.randn(6 * gates, 6), torch.randn(6 * gates), torch.randn(6 * gates)]
    state = "[h, h]" if name == "lstm" else "h"
    text = f"torch.{name}(data, sizes, {state}, [w, r, a, b], True, 1, 0.0, False, False)"
    suite.add(f"{name}-packed-alone", f"def forward(data, sizes, h, w, r, a, b):\n    return {text}\n", [data, sizes, h, *weights],
              dynamic=steps + [{}] * 5, more=[[*other, *weights]], **close)

cells = {"lstm_cell": nn.LSTMCell(4, 6), "gru_cell": nn.GRUCell(4, 6), "rnn_tanh_cell": nn.RNNCell(4, 6),
         "rnn_relu_cell": nn.RNNCell(4, 6, nonlinearity="relu"), "gru_cell-no-bias": nn.GRUCell(4, 6, bias=False)}
for name, cell in cells.items():
    suite.sizes(name, cell, [x[0]], [{0: "batch"}], how="both", **close)
step = "torch.{}(x, h, w, r, b, b)"
for name, gates in (("gru_cell", 3), ("rnn_tanh_cell", 1), ("rnn_relu_cell", 1)):
    suite.call(f"{name}-weights-given", step.format(name), [{0: "batch"}, {0: "batch"}], dict(close), x=torch.randn(3, 4),
               h=torch.randn(3, 6), w=torch.randn(6 * gates, 4), r=torch.randn(6 * gates, 6), b=torch.randn(6 * gates))
suite.call("lstm_cell-weights-given", "torch.lstm_cell(x, [h, c], w, r, b, b)", [{0: "batch"}, {0: "batch"}, {0: "batch"}], dict(close),
           x=torch.randn(3, 4), h=torch.randn(3, 6), c=torch.randn(3, 6), w=torch.randn(24, 4), r=torch.randn(24, 6), b=torch.randn(24))
suite.call("training-dropout", "torch.lstm(x, [h, h], [a, b, c, c, d, b, c, c], True, 2, 0.5, True, False, False)",
           options=dict(error="dropout between recurrent layers"), x=x, h=torch.zeros(2, 3, 6), a=torch.randn(24, 4),
           b=torch.randn(24, 6), c=torch.randn(24), d=torch.randn(24, 6))
suite.main()
