"""Writes the samples of PyTorch's operator database as programs, with their inputs and results.

    scripts/torch2 run sid python3 /cameo/tests/torch2/operators.py FOLDER [--only NAME...] [--single] | --list

torch.export takes most of its time once per program, so a program computes up to GROUP samples of an operator with elements of
float32. Samples that torch.export cannot export together, and all samples with --single, are programs of their own.
FOLDER/NAME/FIRST-LAST.pt2 and .npz are such a program, and FOLDER/NAME/manifest.json describes all of an operator. Samples with
tensors of more than LARGEST elements are left out. Of an operator with more than MOST other samples, MOST are taken, spread evenly.
"""
import itertools
import pathlib
import sys

import torch

from programs import main, time_limit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "parity"))
from files import inputs_of, type_of, write_arrays  # noqa: E402
from samples import operators, samples, tensors_in  # noqa: E402

GROUP = 16
MOST = 64
LARGEST = 1 << 18
SECONDS = 60  # for one program


class Calls(torch.nn.Module):
    """The calls of several samples, whose tensors come in one after the other. Gives the tensors of their results."""

    def __init__(self, calls, counts):
        super().__init__()
        self.calls, self.counts = torch.nn.ModuleList(calls), counts

    def forward(self, *tensors):
        rest = iter(tensors)
        return [tensors_in(call(*itertools.islice(rest, count))) for call, count in zip(self.calls, self.counts)]


def write_program(numbered, folder):
    """The entry of the manifest. `numbered` are samples with their numbers and results."""
    numbers = [number for number, _, _ in numbered]
    case = "-".join(str(number) for number in sorted({numbers[0], numbers[-1]}))
    tensors = [tensor for _, sample, _ in numbered for tensor in sample.tensors]
    results = [result for _, _, results in numbered for result in results]
    module = Calls([sample.module for _, sample, _ in numbered], [len(sample.tensors) for _, sample, _ in numbered])
    entry = {"case": case, "samples": numbers}
    try:
        with time_limit(SECONDS), torch.no_grad():
            exported = torch.export.export(module, tuple(t.clone() for t in tensors), strict=False)
            torch.export.save(exported, folder / f"{case}.pt2")
    except Exception as error:  # torch.export cannot export it: nothing to compare
        return {**entry, "not_exported": f"{type(error).__name__}: {str(error)[:200]}"}
    entry |= {"files": [f"{case}.pt2"], "inputs": inputs_of(exported), "outputs": [type_of(result) for result, _ in results],
              "meaningful": [meaningful for _, meaningful in results], "runs": 1}
    write_arrays(folder / f"{case}.npz", [((tensors, {}), [result for result, _ in results])], entry["inputs"])
    return entry


def write_group(numbered, folder):
    """The entries of the manifest."""
    entry = write_program(numbered, folder)
    if "not_exported" in entry and len(numbered) > 1:
        yield from (write_program([each], folder) for each in numbered)
    else:
        yield entry


def chosen_samples(name, info):
    """Samples with their numbers and results."""
    numbered = [(number, sample, results) for number, (sample, results) in enumerate(samples(name, info, "float32"))
                if all(tensor.numel() <= LARGEST for tensor in [*sample.tensors, *(result for result, _ in results)])]
    count = min(len(numbered), MOST)
    return [numbered[i * len(numbered) // count] for i in range(count)]


def main_of_operators():
    chosen = {name: info for name, info in operators().items() if torch.float32 in info.supported_dtypes("cpu")}

    def entries(name, folder, single):
        for group in itertools.batched(chosen_samples(name, chosen[name]), 1 if single else GROUP):
            yield from write_group(group, folder)

    main(chosen, entries, most=50)


if __name__ == "__main__":
    main_of_operators()
