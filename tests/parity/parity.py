"""parity.py [--exporter cameo|torch] [--op NAME] [--dtype float32] [--part I/N]: every operator of PyTorch's own database,
exported, run in ONNX Runtime and compared with PyTorch.

Each operator has a process of its own. `whole.txt` lists the operators, by dtype, of which every sample must pass: with
--check it is an error if one of them does not, with --rebase the list is written anew, of those that pass with a margin:
other processors round otherwise.
"""

import argparse
import collections
import itertools
import json
import multiprocessing
import os
import sys
import time
import zlib

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exporters import EXPORTERS
from judge import judge
from samples import DTYPES, operators, samples

_LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "whole.txt")
_MARGIN = 4  # by which less may differ where the list is written
_SECONDS = 400  # for one operator and dtype, beside other work
_OPERATORS = {}


class _Tally:
    def __init__(self):
        self.passed = 0
        self.failures = []  # (stage, why)

    @property
    def samples(self):
        return self.passed + len(self.failures)

    @property
    def word(self):
        return "whole" if not self.failures else "in part" if self.passed else "not"


def _take(name, dtypes, exporter, strictness, pipe):
    """In a process of its own: tells the pipe of each sample, and of the end of each dtype."""
    torch.set_num_threads(1)
    for dtype in dtypes:
        for sample, expected in samples(name, _OPERATORS[name], dtype):
            pipe.send(("done", judge(EXPORTERS[exporter], sample, expected, strictness)))
        pipe.send(("end", None))


def _run(job):
    """[(name, dtype, tally)]. The dtypes after one that ends the process have another process."""
    name, dtypes, *how = job
    tallies = []
    while len(tallies) < len(dtypes):
        tallies += _run_process(name, dtypes[len(tallies):], *how)
    return [(name, dtype, tally) for dtype, tally in zip(dtypes, tallies)]


def _run_process(name, dtypes, *how):
    """The tallies of all dtypes, or of those until the process ends or takes too long."""
    receive, send = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_take, args=(name, dtypes, *how, send))
    process.start()
    send.close()
    tallies = []
    for _ in dtypes:
        tallies.append(_Tally())
        if not _count(receive, tallies[-1]):
            break
    process.terminate()
    process.join()
    return tallies


def _count(receive, tally):
    """Counts the samples of one dtype; whether all of them came."""
    deadline = time.monotonic() + _SECONDS
    try:
        while receive.poll(max(0, deadline - time.monotonic())):
            state, failure = receive.recv()
            if state == "end":
                return True
            if not failure:
                tally.passed += 1
            elif failure[0] != "trace":
                tally.failures.append(failure)
        tally.failures.append(("time", f"not done within {_SECONDS} s"))
    except EOFError:
        tally.failures.append(("crash", "the process died"))
    return False


class _Threaded:
    """Runs jobs side by side; each forks from this process, which has imported everything."""

    def __init__(self, jobs, workers):
        from concurrent.futures import ThreadPoolExecutor
        self.pool = ThreadPoolExecutor(workers)
        self.results = self.pool.map(_run, jobs)


def _part(text):
    """(I, N) of I/N."""
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise ValueError(text)
    return part, parts


def _is_asked_for(name, arguments):
    part, parts = arguments.part
    return (not arguments.op or arguments.op in (name, name.split(".")[0])) and zlib.crc32(name.encode()) % parts == part - 1


def _jobs(arguments):
    for name, info in _OPERATORS.items():
        if not _is_asked_for(name, arguments):
            continue
        supported = info.supported_dtypes("cpu")
        dtypes = [dtype for dtype, of in DTYPES.items() if arguments.dtype in (None, dtype) and of in supported]
        if dtypes:
            yield name, dtypes, arguments.exporter, _MARGIN if arguments.rebase else 1


def _print_table(tallies):
    print(f"\n{'dtype':<10}{'whole':>8}{'in part':>9}{'not':>6}{'samples':>10}{'passed':>9}")
    for dtype in DTYPES:
        of = [tally for (_, each), tally in tallies.items() if each == dtype]
        if of:
            words = collections.Counter(tally.word for tally in of)
            print(f"{dtype:<10}{words['whole']:>8}{words['in part']:>9}{words['not']:>6}"
                  f"{sum(t.samples for t in of):>10}{sum(t.passed for t in of):>9}")


def _check(tallies, arguments):
    with open(_LIST) as file:
        listed = {tuple(line.split()) for line in file if line.strip() and not line.startswith("#")}
    wanted = {(name, dtype) for name, dtype in listed
              if _is_asked_for(name, arguments) and arguments.dtype in (None, dtype)}
    lost = sorted(key for key in wanted if key in tallies and tallies[key].word != "whole")
    gone = sorted(wanted - set(tallies))
    new = sum(tally.word == "whole" for key, tally in tallies.items() if key not in wanted)
    if new:
        print(f"\n{new} more are whole than whole.txt says: --rebase adds them")
    for name, dtype in lost:
        print(f"LOST {name} {dtype}: {'; '.join(sorted({why for _, why in tallies[name, dtype].failures}))[:300]}")
    for name, dtype in gone:
        print(f"GONE {name} {dtype}: PyTorch's database no longer has it")
    return not lost and not gone


def _rebase(tallies):
    with open(_LIST, "w") as file:
        file.write("# Operators of PyTorch's database, by dtype, of which every sample must pass. Written by --rebase.\n")
        for name, dtype in sorted(key for key, tally in tallies.items() if tally.word == "whole"):
            file.write(f"{name} {dtype}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exporter", choices=EXPORTERS, default="cameo")
    parser.add_argument("--op", help="only this operator, with all its variants")
    parser.add_argument("--dtype", choices=DTYPES)
    parser.add_argument("--part", type=_part, default=(1, 1), metavar="I/N", help="only the operators of this part of N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json", metavar="FILE", help="write every failure there")
    parser.add_argument("--check", action="store_true", help="fail if an operator of whole.txt is not whole")
    parser.add_argument("--rebase", action="store_true", help="write whole.txt anew")
    arguments = parser.parse_args()
    _OPERATORS.update(operators())
    tallies = {}
    for name, dtype, tally in itertools.chain.from_iterable(_Threaded(list(_jobs(arguments)), arguments.jobs).results):
        if tally.samples == 0:
            continue
        tallies[name, dtype] = tally
        if arguments.op or tally.word != "whole":
            reasons = collections.Counter(f"{stage}: {' '.join(why.split(' in code/')[0].split())[:160]}"
                                          for stage, why in tally.failures)
            print(f"{name} {dtype}: {tally.word}, {tally.passed} of {tally.samples}", flush=True)
            for reason, count in reasons.most_common(20 if arguments.op else 2):
                print(f"    {count} × {reason}")
    if not tallies:
        sys.exit(f"no samples of {arguments.op or 'any operator'}")
    _print_table(tallies)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({f"{name} {dtype}": tally.failures for (name, dtype), tally in tallies.items()}, file, indent=1)
    if arguments.rebase:
        _rebase(tallies)
    if arguments.check and not _check(tallies, arguments):
        sys.exit(1)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
