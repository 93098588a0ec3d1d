"""The official checker and Cameo's, asked about the same files."""
import json
import pathlib
import subprocess

import onnx
import onnx.checker

NEWEST_OPSET = onnx.defs.onnx_opset_version()


def official(path):
    """Why the official checker refuses the model in `path`; None if it does not."""
    try:
        onnx.checker.check_model(onnx.load(path, load_external_data=False))
    except Exception as error:  # ValidationError, DecodeError: whatever it has to say against the file
        return str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
    return None


def cameo(tool, paths):
    """For each path, the codes of Cameo's errors, sorted, with repetitions left out."""
    codes = {}
    for start in range(0, len(paths), 500):
        part = [str(path) for path in paths[start:start + 500]]
        run = subprocess.run([tool, "check", "--json", *part], capture_output=True, text=True)
        assert run.returncode in (0, 1) and not run.stderr, f"exit code {run.returncode}\n{run.stderr[-2000:]}"
        reports = json.loads(run.stdout)
        assert [report["file"] for report in reports] == part
        assert (run.returncode == 0) == all(report["valid"] for report in reports)
        for report in reports:
            errors = {d["code"] for d in report["diagnostics"] if d["severity"] == "error"}
            assert report["valid"] == (not errors)
            codes[report["file"]] = sorted(errors)
    return [codes[str(path)] for path in paths]


def testdata():
    """Every model of Debian's libonnx-testdata whose opset the official checker knows."""
    folder = (pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data").resolve()
    models = sorted(folder.rglob("*.onnx"))
    assert len(models) > 1000, f"{folder} has {len(models)} models; is libonnx-testdata installed?"
    return [path for path in models if opset(onnx.load(path, load_external_data=False)) <= NEWEST_OPSET]


def opset(model):
    return max((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), default=1)
