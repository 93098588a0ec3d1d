"""Writes models as programs with their inputs and results, one folder each. Runs in a root, see scripts/torch2."""
import argparse
import contextlib
import copy
import dataclasses
import gc
import io
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
    """With the only choice of dynamic sizes, or the first one of which PyTorch's own program accepts both sizes of the inputs."""
    for number, dynamic in enumerate(model.dynamic, 1):
        try:
            with torch.no_grad():
                exported = torch.export.export(module, copy.deepcopy(model.inputs), dynamic_shapes=dynamic, strict=False)
                if len(model.dynamic) > 1:
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


def complete(folder):
    """Makes the manifest of what has been written."""
    part = folder / "part.json"
    if not part.exists():
        part.write_text('{"cases": []}')
    part.rename(folder / "manifest.json")


def write_name(entries, folder):
    """`entries` are those of the manifest, each made after its files are written."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    done = []
    for entry in entries:
        done.append(entry)
        (folder / "part.json").write_text(json.dumps({"torch": torch.__version__, "cases": done}, indent=1))
    complete(folder)


def write_in_processes(names, folder, entries, most):
    """Writes the names that have no manifest, up to `most` of them in one process. If a process dies, the programs that it wrote
    are kept, and another process goes on with the next name."""
    left = [name for name in names if not (folder / name / "manifest.json").exists()]

    def write():
        for name in left[:most]:
            write_name(entries(name, folder / name), folder / name)

    while left:
        process = multiprocessing.Process(target=write)
        process.start()
        process.join()
        if process.exitcode != 0:
            current = next(name for name in left if not (folder / name / "manifest.json").exists())
            print(f"{current}: the process ended with {process.exitcode}", flush=True)
            (folder / current).mkdir(parents=True, exist_ok=True)
            complete(folder / current)
        left = [name for name in left if not (folder / name / "manifest.json").exists()]


def warm_up():
    """The first export imports much of PyTorch. Processes that are forked afterwards need not, and share its memory."""
    torch.set_num_threads(1)
    exported = torch.export.export(torch.nn.ReLU(), (torch.zeros(2, 2),), dynamic_shapes=({0: torch.export.Dim("n")},), strict=False)
    torch.export.save(exported, io.BytesIO())
    gc.freeze()


def main(names, entries, most):
    """entries(name, folder, single) writes the programs of one of the names and yields the entries of its manifest. A process writes
    those of up to `most` names."""
    multiprocessing.set_start_method("fork")
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--only", nargs="*", help="these names alone, in this order")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--single", action="store_true", help="one sample per program")
    arguments = parser.parse_args()
    if arguments.list:
        print(*names, sep="\n")
        return
    unknown = set(arguments.only or []) - set(names)
    if unknown:
        parser.error(f"unknown names: {', '.join(sorted(unknown))}")
    warm_up()
    write_in_processes(arguments.only or names, arguments.folder, lambda name, folder: entries(name, folder, arguments.single), most)


def main_of_models(models, seconds):
    """`models` maps names to functions that make a Model."""
    def entries(name, folder, _):
        yield write_model(models[name], folder, seconds)

    main(models, entries, most=1)
