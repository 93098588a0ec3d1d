"""The networks of PyTorch's own ONNX examples that torchvision does not have."""

import torch
from torch import Tensor, nn
from typing import Tuple


class SuperResolution(nn.Module):
    def __init__(self, upscale_factor: int = 3):
        super().__init__()
        self.relu = nn.ReLU()
        self.conv1 = nn.Conv2d(1, 64, (5, 5), (1, 1), (2, 2))
        self.conv2 = nn.Conv2d(64, 64, (3, 3), (1, 1), (1, 1))
        self.conv3 = nn.Conv2d(64, 32, (3, 3), (1, 1), (1, 1))
        self.conv4 = nn.Conv2d(32, upscale_factor ** 2, (3, 3), (1, 1), (1, 1))
        self.pixel_shuffle = nn.PixelShuffle(upscale_factor)

    def forward(self, x: Tensor) -> Tensor:
        x = self.relu(self.conv1(x))
        x = self.relu(self.conv2(x))
        x = self.relu(self.conv3(x))
        return self.pixel_shuffle(self.conv4(x))


class Generator(nn.Module):
    """DCGAN's generator."""

    def __init__(self, nz: int = 100, ngf: int = 16, nc: int = 3):
        super().__init__()
        layers = []
        sizes = [(nz, ngf * 8, 1, 0), (ngf * 8, ngf * 4, 2, 1), (ngf * 4, ngf * 2, 2, 1), (ngf * 2, ngf, 2, 1)]
        for inputs, outputs, stride, padding in sizes:
            layers += [nn.ConvTranspose2d(inputs, outputs, 4, stride, padding, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True)]
        layers += [nn.ConvTranspose2d(ngf, nc, 4, 2, 1, bias=False), nn.Tanh()]
        self.main = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        return self.main(x)


class Discriminator(nn.Module):
    """DCGAN's discriminator."""

    def __init__(self, ndf: int = 16, nc: int = 3):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(nc, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 2), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, ndf * 4, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 4), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 4, ndf * 8, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 8), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 8, 1, 4, 1, 0, bias=False), nn.Sigmoid())

    def forward(self, x: Tensor) -> Tensor:
        return self.main(x).view(-1, 1).squeeze(1)


class LanguageModel(nn.Module):
    """word_language_model, with a recurrent layer of one state."""

    def __init__(self, kind: str, tokens: int = 50, width: int = 16, hidden: int = 24, layers: int = 2):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.encoder = nn.Embedding(tokens, width)
        if kind == "GRU":
            self.rnn = nn.GRU(width, hidden, layers, dropout=0.5)
        else:
            self.rnn = nn.RNN(width, hidden, layers, nonlinearity="tanh" if kind == "RNN_TANH" else "relu", dropout=0.5)
        self.decoder = nn.Linear(hidden, tokens)
        self.tokens = tokens

    def forward(self, tokens: Tensor, hidden: Tensor) -> Tuple[Tensor, Tensor]:
        embedded = self.drop(self.encoder(tokens))
        output, hidden = self.rnn(embedded, hidden)
        decoded = self.decoder(self.drop(output)).view(-1, self.tokens)
        return torch.log_softmax(decoded, dim=1), hidden


class LanguageModelLSTM(nn.Module):
    """word_language_model, with an LSTM."""

    def __init__(self, tokens: int = 50, width: int = 16, hidden: int = 24, layers: int = 2):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.encoder = nn.Embedding(tokens, width)
        self.rnn = nn.LSTM(width, hidden, layers, dropout=0.5)
        self.decoder = nn.Linear(hidden, tokens)
        self.tokens = tokens

    def forward(self, tokens: Tensor, hidden: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        embedded = self.drop(self.encoder(tokens))
        output, hidden = self.rnn(embedded, hidden)
        decoded = self.decoder(self.drop(output)).view(-1, self.tokens)
        return torch.log_softmax(decoded, dim=1), hidden


class TextCNN(nn.Module):
    """Convolutions over words, the maximum over the whole sentence."""

    def __init__(self, words: int = 60, width: int = 12, classes: int = 5):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.conv3 = nn.Conv1d(width, 8, 3)
        self.conv4 = nn.Conv1d(width, 8, 4)
        self.fc = nn.Linear(16, classes)

    def forward(self, x: Tensor) -> Tensor:
        x = self.embedding(x).permute(0, 2, 1)
        a = torch.relu(self.conv3(x))
        b = torch.relu(self.conv4(x))
        a = nn.functional.max_pool1d(a, int(a.size(2))).squeeze(2)
        b = nn.functional.max_pool1d(b, int(b.size(2))).squeeze(2)
        return self.fc(torch.cat([a, b], dim=1))


@torch.jit.script
def absolute(x: Tensor) -> Tensor:
    if bool(x.sum() > 0):
        return x
    else:
        return -x


class TestModel(nn.Module):
    """A scripted condition within a traced module, two inputs and two outputs."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: Tensor, h: Tensor) -> Tuple[Tensor, Tensor]:
        x1 = absolute(self.fc(x)) + h
        return x1, torch.relu(x1)


class Repeated(nn.Module):
    """One convolution, n times over: a loop if scripted, n convolutions if traced."""

    def __init__(self, n: int):
        super().__init__()
        self.n = n
        self.conv = nn.Conv2d(3, 3, 3)

    def forward(self, x: Tensor) -> Tensor:
        for i in range(self.n):
            x = self.conv(x)
        return x
