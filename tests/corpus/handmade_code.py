"""Modules whose code uses every construct of serialized TorchScript."""

import enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
from torch import nn


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Name(enum.Enum):
    FIRST = "first"
    SECOND = "second"


class Point(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor
    label: str


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start
        self.last = torch.zeros(2)

    def add(self, x: torch.Tensor) -> int:
        self.count += 1
        self.last = x
        return self.count


@torch.jit.interface
class Scale(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Twice(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Classes(nn.Module):
    """Enums, named tuples, script classes, interfaces, constants, and members with odd names."""

    steps: torch.jit.Final[int]
    scale: Scale
    point: Point

    def __init__(self):
        super().__init__()
        self.steps = 3
        self.color = Color.GREEN
        self.name = Name.SECOND
        self.point = Point(torch.rand(2), torch.rand(2), "origin")
        self.counter = Counter(4)
        self.scale = Twice()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.ReLU())])
        self.heads = nn.ModuleDict({"a head": nn.Linear(2, 3), "b": nn.Linear(2, 3)})
        self.scales = nn.ParameterList([nn.Parameter(torch.rand(2)) for _ in range(2)])

    def forward(self, x: torch.Tensor, kind: Color = Color.RED) -> Tuple[torch.Tensor, Point]:
        for layer in self.layers:
            x = layer(x)
        if kind == self.color or self.name == Name.FIRST:
            x = self.scale(x)
        counter = Counter(self.steps)
        x = x + counter.add(x) + self.counter.count
        for head in self.heads.values():
            x = x + head(x).sum()
        return x, Point(x, self.point.y, f"{kind.value} and {self.point.label}")

    @torch.jit.export
    def reset(self) -> None:
        self.counter = Counter(0)


class ControlFlow(nn.Module):
    def forward(
        self, x: torch.Tensor, n: int = 3, sizes: Tuple[int, int] = (1, 2)
    ) -> Tuple[torch.Tensor, List[str]]:
        words: List[str] = []
        for i in range(n):
            if i == 1:
                continue
            for j, size in enumerate([sizes[0], sizes[1], n]):
                while size > 0:
                    size -= 1
                    x = x + j * size
                    if float(x.sum()) > 1000.0:
                        break
            words.append("step {}".format(i))
        for i in range(10, 2, -3):
            x = x[..., : i + 1]
        if x.numel() == 0:
            raise ValueError("nothing left")
        elif x.dim() > 3:
            return x.flatten(), words
        assert x.size(0) > 0, "an empty batch"
        return x, [word.upper() for word in words]


class Expressions(nn.Module):
    def forward(self, x: torch.Tensor, extra: Optional[Dict[str, torch.Tensor]] = None) -> Dict[str, torch.Tensor]:
        found: Dict[str, torch.Tensor] = {}
        if extra is not None:
            for key, value in extra.items():
                found[key] = value
        i = 7
        numbers = [i // 2, i % 3, -i, i << 2, i >> 1, i & 5, i | 8, i ^ 2]
        tests = [i < 3, i <= 3, i != 3 and not i > 4, i >= 8 or i == 7, i in numbers]
        found["x"] = x[0, ..., None, 1:-1:2] + torch.tensor(numbers).sum() * (i**2 if tests[0] else 2.5)
        found["y"] = x.to(torch.float16, copy=True) @ x.half().t() if x.dim() == 2 else x
        a, (b, c) = 1, (2.5, "three")
        found["z"] = torch.full([2, a], b, dtype=torch.float64, device=torch.device("cpu"))
        found[c] = torch.where(x > 0, x, torch.zeros_like(x)).clamp(min=-1e-05, max=1e30)
        x[0] = 4
        x[:, 0] += 1
        del found["x"]
        return found


class Literals(nn.Module):
    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, List[float], List[str], complex]:
        floats = [0.1, 1e-300, -0.0, 3.0, 1e20, 123456789.5, float("inf"), float("-inf"), float("nan")]
        words = ["", 'quote " and \\', "it's", "tab\tnew\nline", "bell\a\x01", "größe 東京"]
        return x + 9223372036854775807, floats, words, 1.5 - 2j


class Dynamic(nn.Module):
    def forward(self, value: Union[int, torch.Tensor], anything: Any) -> torch.Tensor:
        with torch.no_grad():
            if isinstance(value, int):
                result = torch.zeros([value])
            else:
                result = value
        future = torch.jit.fork(_work, result)
        if isinstance(anything, torch.Tensor):
            result = result + anything
        return result + torch.jit.wait(future)


def _work(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x) * 2


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.linear.register_forward_pre_hook(_before)
        self.linear.register_forward_hook(_after)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


def _before(self, input: Tuple[torch.Tensor]) -> Tuple[torch.Tensor]:
    return (input[0] * 2,)


def _after(self, input: Tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
    return output + input[0]


class WithState(nn.Module):
    """Custom pickling: the archive holds what __getstate__ returns."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(3))
        self.scale = 2.5

    @torch.jit.export
    def __getstate__(self):
        return (self.weight, self.scale, [self.weight * 2], self.training)

    @torch.jit.export
    def __setstate__(self, state: Tuple[torch.Tensor, float, List[torch.Tensor], bool]) -> None:
        self.weight = state[0]
        self.scale = state[1]
        self.training = state[3]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight * self.scale


class _Branch(nn.Module):
    def forward(self, x):
        values, indices = torch.max(x, 1)
        return {"values": values + torch.tensor([1.0, 2.0]), "indices": indices}


PROGRAMS = {
    module.__name__.lower(): lambda module=module: torch.jit.script(module())
    for module in (Classes, ControlFlow, Expressions, Literals, Dynamic, Hooked, WithState)
}
PROGRAMS["traced dictionary"] = lambda: torch.jit.trace(_Branch(), torch.rand(2, 3), strict=False)
