"""Small programs with every feature of the format, as PyTorch writes them and as others leave them."""

import sys
import tempfile
import warnings
from pathlib import Path

import handmade_code
import handmade_tensors
import rezip
from check import Result, Tools, check


def _check_notices_damage(tools, folder):
    """The comparison itself is sound: it tells of a single bit."""
    whole, damaged = folder / "whole.pt", folder / "damaged.pt"
    handmade_tensors.PROGRAMS["dtypes"]().save(str(whole))
    rezip.damaged(whole, damaged)
    told = check(tools, damaged, oracle_file=whole).faults
    return Result(faults=() if len(told) == 2 else (f"expected one tensor to differ, got {told}",))


def main():
    warnings.filterwarnings("ignore")
    tools = Tools.from_arguments()
    results = {}
    with tempfile.TemporaryDirectory(prefix="cameo-handmade-") as folder:
        for title, make in {**handmade_tensors.PROGRAMS, **handmade_code.PROGRAMS}.items():
            file = Path(folder, f"{title.replace(', ', '-').replace(' ', '-')}.pt")
            make().save(str(file))
            results[title] = check(tools, file)
            for writer, rewrite in rezip.WRITERS.items():
                rewritten = file.with_suffix(".rewritten.pt")
                rewrite(file, rewritten)
                results[f"{title}, {writer}"] = check(tools, rewritten, oracle_file=file)
        results["damaged"] = _check_notices_damage(tools, Path(folder))
    faulty = {title: result.faults for title, result in results.items() if result.faults}
    for title, faults in faulty.items():
        print(f"{title}: {len(faults)} faults", *faults[:10], sep="\n    ")
    print(
        f"{len(results)} archives, {sum(r.tensors for r in results.values())} tensors, "
        f"{sum(r.bytes for r in results.values())} bytes compared; {len(faulty)} faulty"
    )
    sys.exit(bool(faulty))


if __name__ == "__main__":
    main()
