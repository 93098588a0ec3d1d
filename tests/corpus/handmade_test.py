"""Small programs with every feature of the format, as PyTorch writes them and as others leave them."""

import sys
import tempfile
import warnings
from pathlib import Path

import handmade_code
import handmade_tensors
import rezip
from check import Tools, check


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
