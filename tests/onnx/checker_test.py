"""Models of the emitter pass the official checker with full shape inference."""
import pathlib
import subprocess
import sys
import tempfile

import onnx


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        paths = sorted(pathlib.Path(folder).glob("*.onnx"))
        assert len(paths) >= 10, paths
        for path in paths:
            onnx.checker.check_model(str(path), full_check=True)
            model = onnx.load(str(path))
            assert model.ir_version == 8 and model.producer_name == "cameo"
            assert [(o.domain, o.version) for o in model.opset_import] == [("", 17)]
            inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
            for ours, theirs in zip(model.graph.output, inferred.graph.output):
                assert ours.type.tensor_type.elem_type == theirs.type.tensor_type.elem_type, (path, ours.name)
        weights = onnx.load(f"{folder}/convolution-external.onnx").graph.initializer
        assert next(w for w in weights if w.name == "conv.weight").dims == [8, 3, 3, 3]


main()
