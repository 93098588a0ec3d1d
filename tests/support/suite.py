"""Programs that Cameo exports, ONNX Runtime runs and PyTorch judges.

    suite = Suite()
    suite.add("relu", lambda x: torch.relu(x), [torch.randn(2, 3)], dynamic={"x": {0: "batch"}}, more=[[torch.randn(5, 3)]])
    suite.main()

A case is a function or module, scripted or traced (or both), exported once, and run on the example inputs and on `more`
of them. With `dynamic` the axes named there are exported as dynamic ones. Numbers, None, tuples, lists and dicts are fixed
or taken apart as `cameo export --input` does it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import traceback

import numpy
import onnx
import torch

import sigterm  # noqa: F401

torch.manual_seed(0)  # test files make their inputs as they are read

DTYPES = {
    torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.bfloat16: "bf16", torch.uint8: "u8",
    torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64", torch.bool: "bool",
    torch.complex64: "c64", torch.complex128: "c128",
}


class Wrapped(torch.nn.Module):
    """Makes a module of a function, for tracing."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def spec_of(value, axes):
    """The text that `--input` takes for a value; `axes` names dynamic sizes."""
    if isinstance(value, torch.Tensor):
        dims = [axes.get(i, str(n)) for i, n in enumerate(value.shape)]
        kind = f"{str(value.dtype)[6:]}({value.q_scale()},{value.q_zero_point()})" if value.is_quantized else DTYPES[value.dtype]
        return f"{kind}[{','.join(dims)}]"
    if isinstance(value, tuple):
        return "(" + ", ".join(spec_of(v, axes) for v in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(spec_of(v, axes) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {spec_of(v, axes)}" for k, v in value.items()) + "}"
    return json.dumps(value) if isinstance(value, str) else repr(value)


def tensors_in(value):
    """The tensors of a value, in the order in which Cameo takes it apart."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in tensors_in(v)]
    if isinstance(value, dict):
        return [t for v in value.values() for t in tensors_in(v)]
    return []


def results_in(value):
    """Like tensors_in, with numbers as the tensors that an exported model gives."""
    if isinstance(value, bool):
        return [torch.tensor(value)]
    if isinstance(value, int):
        return [torch.tensor(value, dtype=torch.int64)]
    if isinstance(value, float):
        return [torch.tensor(value, dtype=torch.float64)]
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in results_in(v)]
    if isinstance(value, dict):
        return [t for v in value.values() for t in results_in(v)]
    return []


def array_of(tensor):
    """As models take and give it: complex numbers have a last axis for their parts, and quantised tensors become numbers."""
    tensor = tensor.detach().dequantize() if tensor.is_quantized else tensor.detach().resolve_conj()
    return (torch.view_as_real(tensor) if tensor.is_complex() else tensor).contiguous().numpy()


def copied(value):
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, tuple):
        return tuple(copied(v) for v in value)
    if isinstance(value, list):
        return [copied(v) for v in value]
    if isinstance(value, dict):
        return {k: copied(v) for k, v in value.items()}
    return value


class Suite:
    gradients = False  # whether PyTorch runs the programs with gradients enabled

    def __init__(self):
        self.cases = []

    def add(self, name, program, inputs, *, dynamic=None, more=(), how="script", error=None, codes=None, operators=None,
            absent=(), rtol=1e-5, atol=1e-6, specs=None, check=None, **options):
        """`how`: "script", "trace", "both", or "saved" for a path. `dynamic`: {argument: {axis: name}} or a list by
        position. `error`: texts that the diagnostics must contain; `codes`: their codes. `operators`: {"Loop": 1}, exact
        counts; `absent`: operators that must not occur. `check`: called with the result for anything else."""
        for way in ("script", "trace") if how == "both" else (how,):
            label = f"{name}-{way}" if how == "both" else name
            self.cases.append(dict(name=label, program=program, inputs=list(inputs), dynamic=dynamic, more=list(more), how=way,
                                   error=error, codes=codes, operators=operators or {}, absent=absent, rtol=rtol, atol=atol,
                                   specs=specs, check=check, options=options))

    def _save(self, case, folder):
        """Saves the program; the answer is what to call for the expected results."""
        path = os.path.join(folder, "model.pt")
        program, inputs = case["program"], case["inputs"]
        if case["how"] == "saved":
            return program, torch.jit.load(program)
        if isinstance(program, type):
            program = program()
        if isinstance(program, torch.nn.Module) and not isinstance(program, torch.jit.ScriptModule):
            program = program.eval()
        if case["how"] == "script":
            made = program if isinstance(program, (torch.jit.ScriptModule, torch.jit.ScriptFunction)) else torch.jit.script(program)
        else:
            with torch.no_grad():
                made = torch.jit.trace(program if isinstance(program, torch.nn.Module) else Wrapped(program), tuple(copied(inputs)),
                                       check_trace=False, strict=case["options"].get("strict", True))
        torch.jit.save(made, path)
        return path, torch.jit.load(path)

    def _prepare(self, case, folder):
        os.makedirs(folder)
        path, loaded = self._save(case, folder)
        names = [a.name for a in loaded.forward.schema.arguments if a.name != "self"] if hasattr(loaded, "forward") else []
        dynamic = case["dynamic"] or {}
        specs = case["specs"]
        if specs is None:
            specs = []
            for i, value in enumerate(case["inputs"]):
                name = names[i] if i < len(names) else None
                axes = dynamic[i] if isinstance(dynamic, list) else dynamic.get(name, {})
                specs.append((f"{name}=" if name else "") + spec_of(value, axes or {}))
        entry = dict(name=case["name"], model=path, inputs=specs, rtol=case["rtol"], atol=case["atol"], runs=[], **case["options"])
        if case["error"] is None and case["codes"] is None:
            for number, inputs in enumerate([case["inputs"], *case["more"]]):
                run = dict(label=str(number), inputs=[], outputs=[])
                for k, tensor in enumerate(tensors_in(inputs)):
                    file = os.path.join(folder, f"in_{number}_{k}.npy")
                    numpy.save(file, array_of(tensor))
                    run["inputs"].append(file)
                method = case["options"].get("method", "forward")
                torch.default_generator.manual_seed(0)  # torch.manual_seed() also records where CUDA was seeded
                with torch.set_grad_enabled(self.gradients):
                    fresh = torch.jit.load(path) if number else loaded
                    result = getattr(fresh, method)(*copied(inputs))
                for k, tensor in enumerate(results_in(result)):
                    file = os.path.join(folder, f"out_{number}_{k}.npy")
                    numpy.save(file, array_of(tensor))
                    run["outputs"].append(file)
                entry["runs"].append(run)
        return entry

    def _judge(self, case, result):
        if case["error"] is not None or case["codes"] is not None:
            if "error" not in result:
                return "was exported, though it should not be: " + result["message"]
            for text in [case["error"]] if isinstance(case["error"], str) else case["error"] or []:
                if text not in result["error"]:
                    return f"the diagnostics lack {text!r}:\n{result['error']}"
            if case["codes"] is not None and result["codes"] != list(case["codes"]):
                return f"the codes are {result['codes']} instead of {case['codes']}"
            return case["check"](result) if case["check"] else None
        if not result["ok"]:
            return result["message"]
        for op, count in case["operators"].items():
            if result["operators"].get(op, 0) != count:
                return f"has {result['operators'].get(op, 0)} {op} instead of {count}: {result['operators']}"
        for op in case["absent"]:
            if op in result["operators"]:
                return f"has {op}: {result['operators']}"
        if case["check"]:
            return case["check"](result)
        return None

    @staticmethod
    def _misprinted(entry, result):
        """`cameo print` says what onnx.helper.printable_graph says."""
        if "error" in result or result.get("printed") is None:
            return None
        graph, known = onnx.load(entry["print"]).graph, onnx.TensorProto.DataType.values()
        if any(tensor.data_type not in known for tensor in graph.initializer):
            return None  # integers of four bits are newer than the package onnx
        expected = onnx.helper.printable_graph(graph) + "\n"
        return None if result["printed"] == expected else f"is printed as\n{result['printed']}instead of\n{expected}"

    def prepare(self, cases, folder):
        """PyTorch's part: [(case, entry of the manifest)], and what went wrong as [(name, why)]."""
        prepared, failures = [], []
        for number, case in enumerate(cases):
            try:
                prepared.append((case, self._prepare(case, os.path.join(folder, f"{number:04}-{case['name'].replace('/', '_')}"))))
            except Exception:
                failures.append((case["name"], "PyTorch: " + traceback.format_exc(limit=-3)))
        return prepared, failures

    @staticmethod
    def export(tool, entries, folder):
        """A result for each entry of the manifest."""
        manifest = os.path.join(folder, "manifest.json")
        with open(manifest, "w") as file:
            json.dump(entries, file, indent=1)
        process = subprocess.run([tool, manifest], capture_output=True, text=True)
        results = [json.loads(line) for line in process.stdout.splitlines()]
        missing = f"no answer: {tool} ended with {process.returncode}: {process.stderr[-2000:]}"
        return results + [dict(ok=False, message=missing) for _ in entries[len(results):]]

    def run(self, tool, only=None, keep=None, opset=None):
        """With an opset, only what is valid at each is judged: the numbers, not the nodes."""
        passed = 0
        chosen = [c for c in self.cases if not only or any(word in c["name"] for word in only)]
        if opset:
            chosen = [dict(c, operators={}, absent=(), check=None) for c in chosen if c["error"] is None and c["codes"] is None]
        names = [c["name"] for c in chosen]
        assert len(set(names)) == len(names), "two cases share a name"
        with tempfile.TemporaryDirectory() as scratch:
            folder = keep or scratch
            prepared, failures = self.prepare(chosen, folder)
            if opset:
                entries = [dict(entry, opset=opset) for _, entry in prepared]
            else:
                entries = [dict(entry, print=os.path.join(folder, f"{i}.onnx")) for i, (_, entry) in enumerate(prepared)]
            for (case, _), entry, result in zip(prepared, entries, self.export(tool, entries, folder)):
                why = self._judge(case, result) or self._misprinted(entry, result)
                if why is None:
                    passed += 1
                else:
                    failures.append((case["name"], why))
        for name, why in failures:
            print(f"FAIL {name}: {why}")
        print(f"{passed} passed, {len(failures)} failed")
        return not failures

    def main(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("only", nargs="*", help="run the cases whose names contain one of these")
        parser.add_argument("--tool", default=os.environ.get("EXPORT_CHECK", "build/release/tests/support/export_check"))
        parser.add_argument("--keep", help="keep all files in this new folder")
        parser.add_argument("--opset", type=int, help="export at this opset and compare the numbers alone")
        args = parser.parse_args()
        torch.manual_seed(0)
        sys.exit(0 if self.run(args.tool, args.only, args.keep, args.opset) else 1)
