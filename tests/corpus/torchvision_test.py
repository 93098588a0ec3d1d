"""Every model of torchvision, traced or scripted by PyTorch, read by Cameo and compared with PyTorch."""

import gc
import sys
import tempfile
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import torch

import models
from check import Result, Tools, check
from refused import REFUSED

_PROCESSES = 2


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
    """The first process takes the largest models, the others the smallest: never two large ones at once."""
    waiting, results, lock = list(pairs), {}, threading.Lock()

    def work(end):
        with ProcessPoolExecutor(max_workers=1) as process:
            while True:
                with lock:
                    if not waiting:
                        return
                    name, form = waiting.pop(end)
                began = time.monotonic()
                found = process.submit(_check_model, tools, name, form).result()
                with lock:
                    results.update(found)
                    print(f"{time.monotonic() - began:6.1f} s  {name} {form}", flush=True)

    threads = [threading.Thread(target=work, args=(0 if i == 0 else -1,)) for i in range(_PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def main():
    tools = Tools.from_arguments()
    wanted = sys.argv[3:]
    pairs = [pair for pair in models.names() if not wanted or pair[0] in wanted]
    results = _check_all(tools, pairs)
    untried = [] if wanted else sorted(REFUSED.keys() - results.keys())
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
