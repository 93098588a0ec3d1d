"""Writes models as programs with their inputs and results, one folder each. Runs in a root, see scripts/torch2."""
import argparse
import contextlib
import copy
import dataclasses
import json
import logging
import multiprocessing
import pathlib
import shutil
import signal
import sys
import warnings

import torch
import torch.utils._pytree as pytree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "exported"))
from files import array_of, inputs_of, type_of, write_arrays  # noqa: E402


@dataclasses.dataclass
class Model:
    """A module with example arguments, arguments of a second size, and choices of dynamic_shapes of torch.export.export. The
    first choice that it accepts is taken."""
    module: torch.nn.Module
    inputs: tuple
    more: tuple
    dynamic: list


@contextlib.contextmanager
def time_limit(seconds):
    """Of the processor: the machine may be busy with other work."""
    def stop(*_):
        raise TimeoutError(f"not done within {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def results_of(module, inputs):
    with torch.no_grad():
        return [leaf for leaf in pytree.tree_leaves(copy.deepcopy(module)(*copy.deepcopy(inputs))) if array_of(leaf) is not None]


def export(module, model):
    """With the first choice of dynamic sizes of which PyTorch's own program accepts both sizes of the inputs."""
    for number, dynamic in enumerate(model.dynamic, 1):
        try:
            with torch.no_grad():
                exported = torch.export.export(module, copy.deepcopy(model.inputs), dynamic_shapes=dynamic, strict=False)
                exported.module()(*copy.deepcopy(model.more))
            return exported
        except Exception:
            if number == len(model.dynamic):
                raise


def write_model(make, folder, seconds):
    """The entry of the manifest."""
    torch.manual_seed(0)
    try:
        with time_limit(seconds):
            model = make()
            module = model.module.eval()
            runs = [((inputs, {}), results_of(module, inputs)) for inputs in (model.inputs, model.more)]
            exported = export(module, model)
            torch.export.save(exported, folder / "model.pt2")
    except Exception as error:  # torch.export cannot export it: nothing to compare
        return {"case": "model", "not_exported": f"{type(error).__name__}: {str(error)[:300]}"}
    entry = {"case": "model", "files": ["model.pt2"], "inputs": inputs_of(exported), "outputs": [type_of(leaf) for leaf in runs[0][1]],
             "runs": len(runs), "tolerance": 1e-4}
    write_arrays(folder / "model.npz", runs, entry["inputs"])
    return entry


def entries_of_model(make, folder, seconds):
    yield write_model(make, folder, seconds)


def write_in_process(entries, folder):
    """Writes the programs of one name in a process of its own, unless they have been written. entries() yields the entries of
    the manifest, each after its files are written. Those that are complete are kept if the process dies."""
    manifest, part = folder / "manifest.json", folder / "part.json"
    if manifest.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    def write():
        torch.set_num_threads(1)
        done = []
        for entry in entries():
            done.append(entry)
            part.write_text(json.dumps({"torch": torch.__version__, "cases": done}, indent=1))

    process = multiprocessing.Process(target=write)
    process.start()
    process.join()
    if not part.exists():
        part.write_text('{"cases": []}')
    if process.exitcode != 0:
        print(f"{folder.name}: the process ended with {process.exitcode}", flush=True)
    part.rename(manifest)


def main(names, write):
    """write(name, folder) writes the programs of one of the names."""
    multiprocessing.set_start_method("fork")
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--only", nargs="*", help="these names alone")
    parser.add_argument("--list", action="store_true", help="print the names")
    arguments = parser.parse_args()
    if arguments.list:
        print(*names, sep="\n")
        return
    for name in names:
        if not arguments.only or name in arguments.only:
            write(name, arguments.folder / name)


def main_of_models(models, seconds):
    """`models` maps names to functions that make a Model."""
    def write(name, folder):
        write_in_process(lambda: entries_of_model(models[name], folder, seconds), folder)

    main(models, write)
