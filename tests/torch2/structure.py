"""structure.py CAMEO [NAME...]: the TorchScript and the torch.export program of a model give graphs with the same operators and
initialisers. PyTorch 2.14 writes both programs of each model of torchvision; `cameo diff --structure` compares the exports.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
NAMES = ["convnext_tiny", "densenet121", "efficientnet_b0", "mnasnet0_5", "mobilenet_v2", "mobilenet_v3_small",
         "regnet_y_400mf", "resnet18", "shufflenet_v2_x0_5", "squeezenet1_1", "swin_t", "vit_b_16"]


def in_root(scratch, *arguments):
    command = [PROJECT / "scripts/torch2", "run", "sid", "nice", "python3", "/cameo/tests/torch2/pairs.py", "/scratch", *arguments]
    env = {**os.environ, "TORCH2_SCRATCH": str(scratch)}
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1]


def difference(cameo, folder, name, size):
    """None, or what differs."""
    models = []
    for ending in ("pt", "pt2"):
        models.append(str(folder / f"{name}-{ending}.onnx"))
        command = [cameo, "export", folder / f"{name}.{ending}", "--input", f"f32[batch,{size}]", "--quiet", "--no-sync", "-o", models[-1]]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return done.stderr
    done = subprocess.run([cameo, "diff", "--structure", *models], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stdout + done.stderr


def main():
    cameo, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or NAMES
    failed = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="cameo-structure-") as folder:
            found = difference(cameo, pathlib.Path(folder), name, in_root(folder, name))
        failed += found is not None
        print(f"{name}: {'the same' if found is None else found}", flush=True)
    print(f"{len(names) - failed} of {len(names)} have the same structure")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
