"""torchvision_test.py CAMEO ARCHIVE_DIGEST large|small|all [MODEL]...: every model of torchvision, traced or scripted by
PyTorch, read by Cameo and compared with PyTorch. Large and small models are two tests, so that two processes share the work
and only one of them holds large models."""

import gc
import sys
import tempfile
import time
import warnings
from pathlib import Path

import torch

import models
from check import Result, Tools, check
from refused import REFUSED


def _check_model(tools, name, form):
    """Results by program; one archive at a time is on the disk."""
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    results = {}
    with tempfile.TemporaryDirectory(prefix="cameo-corpus-") as folder:
        file = Path(folder, f"{name}.pt")
        for way, make in models.programs(name, form):
            results[f"{name} {form} {way}"] = _check_program(tools, f"{name} {form} {way}", make, file)
            gc.collect()
    return results


def _check_program(tools, title, make, file):
    try:
        make().save(str(file))
    except Exception as error:
        reason = REFUSED.get(title)
        if reason and reason in str(error):
            return None
        return Result(faults=(f"PyTorch cannot make it: {error}",))
    if title in REFUSED:
        return Result(faults=("PyTorch can make it: it is refused no longer",))
    return check(tools, file)


def _check_all(tools, pairs):
    results = {}
    for name, form in pairs:
        began = time.monotonic()
        results.update(_check_model(tools, name, form))
        print(f"{time.monotonic() - began:6.1f} s  {name} {form}", flush=True)
    return results


def main():
    tools = Tools.from_arguments()
    size, wanted = sys.argv[3], sys.argv[4:]
    pairs = [pair for pair in models.names(size) if not wanted or pair[0] in wanted]
    results = _check_all(tools, pairs)
    tried = {f"{name} {form}" for name, form in pairs}
    untried = sorted(title for title in REFUSED.keys() - results.keys() if " ".join(title.split()[:2]) in tried)
    read = {title: result for title, result in results.items() if result}
    faulty = {title: result.faults for title, result in read.items() if result.faults}
    for title, faults in sorted(faulty.items()):
        print(f"{title}: {len(faults)} faults", *faults[:10], sep="\n    ")
    if untried:
        faulty["untried"] = untried
        print("listed as refused but not tried:", *untried, sep="\n    ")
    print(
        f"{len(read)} archives of {len(pairs)} models, {sum(r.tensors for r in read.values())} tensors, "
        f"{sum(r.bytes for r in read.values())} bytes compared; {len(faulty)} faulty, "
        f"{len(results) - len(read)} refused by PyTorch itself"
    )
    sys.exit(bool(faulty))


if __name__ == "__main__":
    main()
