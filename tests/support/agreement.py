"""How a comparison with an official tool ends: every disagreement is a failure, or is explained."""


def conclude(compared, failures, explained, met):
    """Prints the failures and the counts; the exit code. `met` are those of the `explained` that did occur."""
    failures = [*failures, *(f"{key}: explained, but there is no such disagreement" for key in explained.keys() - met)]
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{compared}, {len(met)} explained disagreements, {len(failures)} failures")
    return 1 if failures else 0
