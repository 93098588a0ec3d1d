"""external_data_test.py CAMEO RUN_MODEL: where the weights go, and that the model finds them there."""

import os
import shutil
import subprocess
import sys
import unittest
import zipfile

import numpy
import onnx
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import CAMEO, Layers, WriterTest, traced

EXAMPLE = torch.linspace(-1, 1, 2 * 3 * 8 * 8).reshape(2, 3, 8, 8)
INPUT = "f32[2,3,8,8]"


def places(path):
    """{initialiser: {key: value}} of those that lie elsewhere."""
    model = onnx.load(path, load_external_data=False)
    return {t.name: {e.key: e.value for e in t.external_data} for t in model.graph.initializer if t.external_data}


def rezipped(source, target, compression=zipfile.ZIP_STORED, more=()):
    """The same records, packed by another tool: not aligned."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", compression) as new:
        for item in old.infolist():
            new.writestr(item.filename, old.read(item))
        for name, text in more:
            new.writestr(name, text)


class ExternalData(WriterTest):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)
        module = Layers()
        traced(module, EXAMPLE).save("model.pt")
        with torch.no_grad():
            self.expected = module(EXAMPLE).numpy()

    def check(self, path):
        numpy.testing.assert_allclose(self.run_model(path, EXAMPLE), self.expected, rtol=1e-4, atol=1e-5)

    def test_one_file(self):
        for choice in ("auto", "never"):
            self.export("model.pt", "-i", INPUT, "--external-data", choice)
            self.assertEqual(sorted(os.listdir()), ["model.onnx", "model.pt"])
            self.assertEqual(places("model.onnx"), {})
            self.check("model.onnx")

    def test_a_file_beside(self):
        self.export("model.pt", "-i", INPUT, "--external-data", "always")
        self.assertEqual(sorted(os.listdir()), ["model.onnx", "model.onnx.data", "model.pt"])
        found = places("model.onnx")
        self.assertEqual({place["location"] for place in found.values()}, {"model.onnx.data"})
        self.assertEqual({int(place["offset"]) % 4096 for place in found.values()}, {0})
        self.check("model.onnx")
        os.mkdir("elsewhere")
        for name in ("model.onnx", "model.onnx.data"):
            shutil.move(name, "elsewhere")
        self.check("elsewhere/model.onnx")

    def test_tied_weights_are_written_once(self):
        torch.manual_seed(0)
        traced(Layers(4000), EXAMPLE).save("wide.pt")
        size = os.path.getsize("wide.pt")
        self.export("wide.pt", "-i", INPUT)
        self.assertLess(os.path.getsize("wide.onnx"), size)

    def test_the_same_bytes_again(self):
        """On one processor and on several, waiting for the disk or not; the weights are many enough for a thread of their
        own."""
        traced(Layers(1500), EXAMPLE).save("model.pt")
        one, all = {min(os.sched_getaffinity(0))}, os.sched_getaffinity(0)
        for choice in ("never", "always", "link"):
            seen = set()
            for processors, *sync in ((all,), (one,), (all,), (all, "--no-sync")):
                self.export("model.pt", "-i", INPUT, "--external-data", choice, *sync,
                            preexec_fn=lambda: os.sched_setaffinity(0, processors))
                data = self.read("model.onnx.data") if choice == "always" else b""
                seen.add((self.read("model.onnx"), data))
            self.assertEqual(len(seen), 1, choice)

    def test_link(self):
        self.export("model.pt", "-i", INPUT, "--external-data", "link")
        self.assertEqual(sorted(os.listdir()), ["model.onnx", "model.pt"])
        found = places("model.onnx")
        self.assertEqual({place["location"] for place in found.values()}, {"model.pt"})
        self.assertLess(os.path.getsize("model.onnx"), 6000)
        operators = [node.op_type for node in onnx.load("model.onnx", load_external_data=False).graph.node]
        self.assertIn("BatchNormalization", operators)
        self.check("model.onnx")

    def test_link_to_a_folder_below(self):
        os.mkdir("weights")
        shutil.move("model.pt", "weights/model.pt")
        self.export("weights/model.pt", "-i", INPUT, "--external-data", "link")
        self.assertEqual({place["location"] for place in places("model.onnx").values()}, {"weights/model.pt"})
        self.check("model.onnx")

    def cannot_link(self, model, output="out.onnx"):
        told = self.export(model, "-i", INPUT, "--external-data", "link", "-o", output, code=1)
        self.assertIn("[cannot-link]", told)
        self.assertFalse(os.path.exists(output))
        return told

    def test_link_to_another_folder(self):
        os.mkdir("elsewhere")
        told = self.cannot_link("model.pt", "elsewhere/out.onnx")
        self.assertIn("does not lie in the model's folder", told)
        self.assertIn("hint: write the model beside it: -o ", told)

    def test_link_to_what_a_runtime_cannot_read(self):
        rezipped("model.pt", "deflated.pt", zipfile.ZIP_DEFLATED)
        self.assertIn("its weights are compressed", self.cannot_link("deflated.pt"))
        rezipped("model.pt", "unaligned.pt")
        self.assertIn("its weights are not aligned", self.cannot_link("unaligned.pt"))
        rezipped("model.pt", "big.pt", more=[("model/byteorder", "big")])
        self.assertIn("big-endian", self.cannot_link("big.pt"))

    def test_wrong_words(self):
        told = self.export("model.pt", "--external-data", "sometimes", code=2)
        self.assertIn("--external-data", told)
        told = self.export("model.pt", "--no-rule", "merge-cast", code=2)
        self.assertIn("there is no rule 'merge-cast', did you mean 'merge-casts'?", told)
        self.export("model.pt", "--stop-after", "-1", code=2)

    def test_rules_are_options(self):
        def norms(*arguments):
            self.export("model.pt", "-i", INPUT, *arguments)
            self.check("model.onnx")
            return sum(n.op_type == "BatchNormalization" for n in onnx.load("model.onnx").graph.node)

        listed = subprocess.run([CAMEO, "export", "--list-rules"], capture_output=True, text=True, check=True).stdout
        self.assertIn("fold-batch-norm ", listed)
        self.assertEqual(norms(), 0)
        self.assertEqual(norms("--no-rule", "fold-batch-norm"), 1)
        self.assertEqual(norms("--stop-after", "0"), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
