"""Runs commands and says what they took; holds figures against limits."""

import os
import subprocess
import sys
import time

MEGABYTE = 1 << 20


def run(*command):
    """Seconds by the clock, and of processor time, of one run."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} failed with {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime


def least_seconds(commands, rounds, outputs):
    """The least seconds by the clock of each command, interleaved: what else the machine does only adds to them. The outputs are
    removed before each run."""
    seconds = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            for output in filter(os.path.exists, outputs):
                os.remove(output)
            seconds[name].append(run(*command)[0])
    return {name: min(all) for name, all in seconds.items()}


def peak_bytes(*command):
    """Asked of time(1): a child of this process would begin with this process's own peak."""
    measured = ["/usr/bin/time", "--format=%M", *command]
    told = subprocess.run(measured, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return int(told.stderr.split()[-1]) * 1024


def judge(figures):
    """Prints each (name, value, limit, unit); returns whether all are kept."""
    for name, value, limit, unit in figures:
        verdict = "ok" if value <= limit else "TOO MUCH"
        print(f"  {name:<36} {value:10.3g} {unit:<2}  (limit {limit:g})  {verdict}")
    return all(value <= limit for _, value, limit, _ in figures)
