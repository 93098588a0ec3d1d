"""input_checks_test.py CAMEO: programs whose inputs differ from those of their first layer are exported all the same.

The answers to wrong inputs are in tests/cli/mistakes.
"""
import torch
from torch import Tensor, nn

import command


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 8, 3, padding=1, groups=2)
        self.fc = nn.Linear(8, 5)

    def head(self, x: Tensor) -> Tensor:
        return self.fc(self.conv(x).mean([2, 3]))


class ChannelsLast(Layers):
    def forward(self, x: Tensor) -> Tensor:
        return self.head(x.permute(0, 3, 1, 2))


class Bytes(Layers):
    def forward(self, x: Tensor) -> Tensor:
        x = x.float() / 255
        return self.head(x)


class Either(Layers):
    """Reads the input by a layer that depends on its rank."""

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() == 2:
            return self.fc(x)
        return self.head(x)


class Early(Layers):
    def forward(self, x: Tensor) -> Tensor:
        if x.dtype == torch.int64:
            return x + 1
        return self.head(x)


class InPlace(Layers):
    def forward(self, x: Tensor) -> Tensor:
        y = x.clone()
        y.unsqueeze_(0)
        return self.head(y)


class InputChecks(command.TestCase):
    def assert_exported(self, program, example):
        self.export(program, "--input", f"{self.name(example)}[{','.join(map(str, example.shape))}]", "-o", "model.onnx")
        self.assert_runs("model.onnx", program, example)

    @staticmethod
    def name(tensor):
        return {torch.float32: "f32", torch.uint8: "u8", torch.int64: "i64"}[tensor.dtype]

    def test_permuted(self):
        self.assert_exported(self.script(ChannelsLast()), torch.randn(2, 6, 7, 4))
        self.assert_exported(self.trace(ChannelsLast(), torch.randn(2, 6, 7, 4)), torch.randn(2, 6, 7, 4))

    def test_cast(self):
        image = torch.randint(0, 256, (2, 4, 6, 7)).to(torch.uint8)
        self.assert_exported(self.script(Bytes()), image)
        self.assert_exported(self.trace(Bytes(), image), image)

    def test_branch(self):
        program = self.script(Either())
        self.assert_exported(program, torch.randn(2, 8))
        self.assert_exported(program, torch.randn(2, 4, 6, 7))

    def test_early_return(self):
        self.assert_exported(self.script(Early()), torch.arange(6).reshape(2, 3))

    def test_in_place(self):
        self.assert_exported(self.script(InPlace()), torch.randn(4, 6, 7))

    def test_groups(self):
        for program in (self.script(nn.Sequential(Layers().conv)), self.trace(Layers().conv, torch.randn(1, 4, 5, 5))):
            self.assert_exported(program, torch.randn(2, 4, 6, 7))
            self.assertIn("takes 4 channels", "\n".join(
                self.messages(program, "--input", "f32[2,2,6,7]", code=1)))

    def test_transposed(self):
        module = nn.ConvTranspose2d(6, 4, 3, groups=2)
        for program in (self.script(module), self.trace(module, torch.randn(1, 6, 5, 5))):
            self.assert_exported(program, torch.randn(2, 6, 4, 7))
            self.assertIn("takes 6 channels", "\n".join(self.messages(program, "--input", "f32[2,4,6,7]", code=1)))

    def test_dynamic_sizes(self):
        program = self.script(nn.Sequential(Layers().conv))
        self.export(program, "--input", "f32[n,c,h,w]", "-o", "model.onnx")
        self.assert_runs("model.onnx", program, torch.randn(2, 4, 6, 7))

    def test_guess(self):
        program = self.script(nn.Sequential(nn.Conv2d(2, 3, 3), nn.ReLU()))
        message, = self.messages(program, "--input", "auto", "-o", "model.onnx")
        self.assertEqual(message, "note: [evaluate] input input=f32[1,2,224,224] is a guess: 0 (Conv2d) takes 2 channels of f32 "
                                  "[inputs-needed]")
        self.assert_runs("model.onnx", program, torch.randn(1, 2, 224, 224))

    def test_nothing_to_guess_from(self):
        message, = self.messages(self.script(nn.ReLU()), "--input", "auto", code=1)
        self.assertEqual(message, "error: [evaluate] --input auto finds no layer that reads 'input' [inputs-needed]")


if __name__ == "__main__":
    command.main()
