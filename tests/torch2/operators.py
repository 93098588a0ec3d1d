"""Writes the samples of PyTorch's operator database as programs, with their inputs and results.

    scripts/torch2 run sid python3 /cameo/tests/torch2/operators.py FOLDER [--only NAME...] | --list

FOLDER/NAME/K.pt2 and K.npz are sample K of an operator with elements of float32, and FOLDER/NAME/manifest.json describes all.
"""
import pathlib
import sys

import torch

from programs import main, time_limit, write_in_process

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "parity"))
from files import inputs_of, type_of, write_arrays  # noqa: E402
from samples import operators, samples  # noqa: E402

SECONDS = 60  # for one sample


def write_sample(sample, results, folder, number):
    """The entry of the manifest."""
    entry = {"case": str(number)}
    try:
        with time_limit(SECONDS), torch.no_grad():
            exported = torch.export.export(sample.module, tuple(t.clone() for t in sample.tensors), strict=False)
            torch.export.save(exported, folder / f"{number}.pt2")
    except Exception as error:  # torch.export cannot export it: nothing to compare
        return {**entry, "not_exported": f"{type(error).__name__}: {str(error)[:200]}"}
    entry |= {"files": [f"{number}.pt2"], "inputs": inputs_of(exported), "outputs": [type_of(result) for result, _ in results],
              "meaningful": [meaningful for _, meaningful in results], "runs": 1}
    write_arrays(folder / f"{number}.npz", [((sample.tensors, {}), [result for result, _ in results])], entry["inputs"])
    return entry


def main_of_operators():
    chosen = {name: info for name, info in operators().items() if torch.float32 in info.supported_dtypes("cpu")}

    def write(name, folder):
        def entries():
            for number, (sample, results) in enumerate(samples(name, chosen[name], "float32")):
                yield write_sample(sample, results, folder, number)

        write_in_process(entries, folder)

    main(chosen, write)


if __name__ == "__main__":
    main_of_operators()
