"""programs_test.py CHECK BRIDGE: the programs of tests/exported/programs, run call by call in libtorch.

CHECK is the program exported_check. The results are compared with those that PyTorch 2 recorded. A program may lack operators
only if no libtorch has them, or if they are named here.
"""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "exported" / "programs"

# Operators that the interpreter cannot call: the user's own ones, those that stand for torch.vmap, and those of quantised programs
# that libtorch 1.13 does not have.
NOT_RUN = ("cameo_test::", "torch._functorch.predispatch.", "quantized_decomposed::", "aten::_convert_weight_to_int4pack",
           "aten::_int_mm", "aten::_weight_int")
# libtorch 1.13 has no linear layers of f16 on the CPU.
NOT_COMPUTED = "not implemented for 'Half'"


def lines_of(check, bridge, archive):
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(archive).extractall(folder)
        (pathlib.Path(folder) / "manifest.json").write_text(archive.with_suffix(".json").read_text())
        done = subprocess.run([check, bridge, folder], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return [line for line in done.stdout.splitlines() if line.startswith(("ok ", "lacks ", "FAIL "))]


def is_expected(line):
    if line.startswith("lacks "):
        return all(name.startswith(NOT_RUN) for name in line.split(": ", 1)[1].split(", "))
    return NOT_COMPUTED in line


def main():
    ok, failed = 0, []
    for archive in sorted(PROGRAMS.glob("*.zip")):
        for line in lines_of(sys.argv[1], sys.argv[2], archive):
            if line.startswith("ok "):
                ok += 1
            elif not is_expected(line):
                failed.append(f"{archive.stem}: {line}")
    print(*failed, f"{ok} programs agree, {len(failed)} do not", sep="\n")
    sys.exit(1 if failed or not ok else 0)


if __name__ == "__main__":
    main()
