"""The dynamic axes of the inputs, and what a number has to do with their sizes."""

import math
from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import torch

_SMALL = 1 << 20  # elements of inputs
_MOST_GROWTH = 8  # of larger inputs


class Axis(NamedTuple):
    """One axis of one input. Axes that share a symbol share their size."""

    input: int
    name: str  # of the input
    axis: int
    symbol: str
    size: int  # in the example

    def text(self) -> str:
        return f"the size of axis {self.axis} of '{self.name}'"


def input_names(given: Sequence[str], own: Sequence[str]) -> List[str]:
    """The names of the inputs: those that the user gave, in order, and then those of the arguments."""
    return [*given[:len(own)], *own[len(given):]]


def find_axes(names: Sequence[str], tensors: Sequence[torch.Tensor],
              dynamic_axes: Optional[Mapping[str, Any]]) -> List[Axis]:
    """The axes of the inputs that ``dynamic_axes`` names and that exist."""
    out = []
    for key, axes in (dynamic_axes or {}).items():
        if key not in names:
            continue
        index = names.index(key)
        shape = tensors[index].shape
        symbols = axes if isinstance(axes, Mapping) else {axis: f"{key}_{axis}" for axis in axes}
        out += [Axis(index, key, axis, symbol, shape[axis]) for axis, symbol in symbols.items() if axis < len(shape)]
    return out


def other_sizes(axes: Sequence[Axis], turn: int = 0) -> Iterator[Mapping[str, int]]:
    """Sizes to try, by symbol: a little larger, each by another number; larger by a multiple of the power of two in the
    size; several times as large; a little smaller; larger by few numbers, where there are many axes. Turns 1 and 2 give others; those of turn 1 are so much larger that a
    fraction of a size is larger too."""
    sizes = {axis.symbol: axis.size for axis in axes}
    count = len(sizes)
    steps = [[1 + i, 2 * count + 1 - i, 3 * count + 1 + i * 2 % count][turn] for i in range(count)]
    yield {symbol: size + step + (min(size, 32) if turn == 1 else 0) for (symbol, size), step in zip(sizes.items(), steps)}
    yield {symbol: size + step * min(size & -size, 64) for (symbol, size), step in zip(sizes.items(), steps)}
    yield {symbol: size * (2 + turn) for symbol, size in sizes.items()}
    if any(size > step for size, step in zip(sizes.values(), steps)):
        yield {symbol: max(size - step, min(size, 1)) for (symbol, size), step in zip(sizes.items(), steps)}
    yield {symbol: size + 1 + (i + turn) % 3 for i, (symbol, size) in enumerate(sizes.items())}


def affordable(tensors: Sequence[torch.Tensor], axes: Sequence[Axis], sizes: Mapping[str, int]) -> bool:
    """Whether a run with these sizes takes a similar time and memory as the example does."""
    shapes = [list(tensor.shape) for tensor in tensors]
    for axis in axes:
        shapes[axis.input][axis.axis] = sizes[axis.symbol]
    return sum(map(math.prod, shapes)) <= max(_SMALL, _MOST_GROWTH * sum(tensor.numel() for tensor in tensors))


def text(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{symbol} = {size}" for symbol, size in sizes.items())


def resized(tensors: Sequence[torch.Tensor], axes: Sequence[Axis], sizes: Mapping[str, int]) -> List[torch.Tensor]:
    """The tensors with other sizes along the axes; what is added repeats what is there."""
    out = list(tensors)
    for axis in axes:
        index = torch.arange(sizes[axis.symbol], device=out[axis.input].device) % max(axis.size, 1)
        out[axis.input] = out[axis.input].index_select(axis.axis, index) if axis.size else out[axis.input]
    return out


def shuffled(tensors: Sequence[torch.Tensor]) -> List[torch.Tensor]:
    """The tensors of real numbers with their elements in another order. Others may be indices, whose order matters."""
    generator = torch.Generator().manual_seed(0)
    return [tensor.flatten()[torch.randperm(tensor.numel(), generator=generator).to(tensor.device)].reshape(tensor.shape)
            if tensor.is_floating_point() else tensor for tensor in tensors]


class Relation(NamedTuple):
    """A number by a size: it is the size, or the size times, plus or divided by another number."""

    index: int  # of the size
    kind: str  # is, times, plus, divided by
    number: int = 0


def relations(first: int, second: int, sizes: Sequence[Tuple[int, int]]) -> Iterator[Relation]:
    """The relations of a number that was ``first`` and then ``second`` to the sizes, the likeliest first."""
    for i, size in enumerate(sizes):
        if size == (first, second):
            yield Relation(i, "is")
    for i, (before, after) in enumerate(sizes):
        if before and before != first and first * after == second * before and first % before == 0:
            yield Relation(i, "times", first // before)
        if before != first and first - before == second - after:
            yield Relation(i, "plus", first - before)
    for i, (before, after) in enumerate(sizes):
        for divisor in range(2, 65):
            if (first, second) == (before // divisor, after // divisor):
                yield Relation(i, "divided by", divisor)


def explain(first: Any, others: Sequence[Any], axes: Sequence[Axis], sizes: Sequence[Mapping[str, int]]) -> Optional[str]:
    """What a number that was ``first``, and others with other sizes, says of the sizes, if it can be told."""
    if not all(type(value) is int for value in (first, *others)):
        return None
    fits = [set(relations(first, other, [(axis.size, at[axis.symbol]) for axis in axes])) for other, at in zip(others, sizes)]
    likeliest = relations(first, others[0], [(axis.size, sizes[0][axis.symbol]) for axis in axes])
    found = next((relation for relation in likeliest if all(relation in fit for fit in fits)), None)
    if found is not None:
        text = axes[found.index].text()
        if found.kind == "times":
            return f"{found.number} times {text}"
        if found.kind == "plus":
            return f"{text} {'plus' if found.number > 0 else 'minus'} {abs(found.number)}"
        return text if found.kind == "is" else f"{text} divided by {found.number}"
    for one in axes:
        for other in axes:
            products = [at[one.symbol] * at[other.symbol] for at in sizes]
            if first == one.size * other.size and products == list(others):
                return f"{one.text()} times {other.text()}"
    return None
