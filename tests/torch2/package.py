"""package.py: builds the Python package with PyTorch 2.14 in its root, and runs package_test.py and the tests in tests/python there.

The build is kept in .cache/torch2/scratch/package. Names of tests select some: package.py package_test signature_test
"""
import os
import pathlib
import shutil
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRATCH = pathlib.Path(os.environ.get("TORCH2_SCRATCH", PROJECT / ".cache/torch2/scratch"))
TESTS = {"package_test": "torch2", **{f"{name}_test": "python" for name in (
    "arguments", "check_trace", "documents", "memory", "options", "session", "signature", "symbolic")}}
BUILD = ["sh", "-c", """
test -e /scratch/package/build.ninja || cmake --preset release -S /cameo -B /scratch/package -DCAMEO_TESTS=OFF
cmake --build /scratch/package --target cameo_python
"""]


def in_root(*command):
    environment = {**os.environ, "TORCH2_SCRATCH": str(SCRATCH)}
    return subprocess.run([PROJECT / "scripts/torch2", "run", "sid", "nice", *command], env=environment).returncode


def main():
    runtime = SCRATCH / "package/.cache/onnxruntime"
    runtime.mkdir(parents=True, exist_ok=True)
    shutil.copy(PROJECT / ".cache/onnxruntime/libonnxruntime.so.1", runtime)
    if in_root(*BUILD):
        sys.exit("the package could not be built")
    failed = []
    for name in sys.argv[1:] or TESTS:
        print(f"== {name}", flush=True)
        script = f"/cameo/tests/{TESTS[name]}/{name}.py"
        if in_root("env", "PYTHONPATH=/scratch/package/python", "python3", "-B", "-W", "ignore::FutureWarning", script):
            failed.append(name)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
