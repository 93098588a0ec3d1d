"""The numbers of a Python program in a trace have no element type of their own, as in PyTorch."""

import unittest

import torch
from support import Case

ROW = torch.arange(6)
ZERO_DIM = torch.tensor(3)


class Numbers(Case):
    def test_results_have_the_types_of_pytorch(self):
        x = torch.arange(6)
        for function in (lambda x: x.float() + torch.arange(6) * 2.5,
                         lambda x: x * 2.5,
                         lambda x: torch.ones(6, dtype=torch.int64) / 4 + x.float(),
                         lambda x: ROW * 2.5 + x.float(),
                         lambda x: 1 - torch.arange(6) * 0.5 + x,
                         lambda x: ZERO_DIM * 2.5,
                         lambda x: ZERO_DIM.int() * 3,
                         lambda x: torch.arange(6, dtype=torch.float16) * 2.5,
                         lambda x: torch.arange(6, dtype=torch.float64) * 2.5):
            with self.subTest(line=function.__code__.co_firstlineno):
                self.export(function, x)
                # A model without a use of its input has none.
                result, = self.run_exported(*[x] * len(self.inputs()))
                expected = function(x)
                self.assertEqual(torch.from_numpy(result).dtype, expected.dtype)
                self.assert_same(expected, [x] * len(self.inputs()))

    def test_numbers_are_outputs(self):
        x = torch.randn(2, 3)
        self.export(lambda x: (x * 2, True, {"count": 7, "ratio": 0.1}), x)
        results = self.run_exported(x)
        self.assertEqual([str(result.dtype) for result in results], ["float32", "bool", "int64", "float64"])
        self.assertEqual([result.tolist() for result in results[1:]], [True, 7, 0.1])

    def test_other_sizes(self):
        def model(x):
            return x + torch.arange(x.shape[1]) * 0.5

        self.export(model, torch.randn(2, 4), dynamic_axes={"x": {0: "rows", 1: "columns"}})
        self.assertEqual([d.code for d in self.report.warnings], [])
        self.assert_same(model(y := torch.randn(3, 7)), [y])


if __name__ == "__main__":
    unittest.main()
