"""What a trace bakes in is told, at its line, and what it should have been."""

import unittest

import torch
from support import Case

EXAMPLE = (4, 2, 6)
DYNAMIC = {"x": {0: "batch", 2: "width"}}


class CheckTrace(Case):
    def told_of(self, function, **options):
        """Codes, messages and lines, counted from the function's own, of what is said of a function."""
        self.export(function, torch.randn(*EXAMPLE), **{"dynamic_axes": DYNAMIC, **options})
        start = function.__code__.co_firstlineno
        return [(d.code, d.message, d.python[0].line - start if d.python else None) for d in self.report.warnings
                if d.code.startswith(("baked", "trace"))]

    def test_a_size_written_as_a_number(self):
        def model(x):
            y = x + 1
            return y.view(4, -1)

        (code, message, line), = self.told_of(model)
        self.assertEqual((code, line), ("baked-size", 2))
        self.assertEqual(message, "4 is the size of axis 0 of 'x' in the example, and stays 4 here with batch = 5, "
                                  "width = 8")
        warning, = [w for w in self.told if "is the size of axis 0" in str(w.message)]
        self.assertEqual((warning.filename, warning.lineno), (__file__, model.__code__.co_firstlineno + 2))
        self.assertIn("say -1 or x.size(0) instead of 4", str(warning.message))

    def test_a_size_that_python_read(self):
        def model(x):
            n = int(x.shape[0])
            return x.reshape(n, -1) + torch.ones(int(x.shape[1]) * int(x.shape[2]))

        first, second = self.told_of(model)
        self.assertEqual(first, ("baked-size", "4 is baked in here: it is the size of axis 0 of 'x', and with batch = 5, "
                                 "width = 8 it would be 5", 2))
        self.assertEqual(second, ("baked-size", "12 is baked in here: it is 2 times the size of axis 2 of 'x', and with "
                                  "batch = 5, width = 8 it would be 16", 2))

    def test_a_path_that_sizes_decide(self):
        def model(x):
            if x.shape[0] > 4:
                return x * 2
            return x + 1

        (code, message, line), = self.told_of(model)
        self.assertEqual((code, line), ("baked-path", 3))
        self.assertIn("with batch = 5, width = 8 the model takes another path", message)

    def test_a_number_taken_from_data(self):
        def model(x):
            return x * float(x.flatten().shape[0] * 0.37)

        (code, message, line), = self.told_of(model)
        self.assertEqual((code, line), ("baked-number", 1))
        self.assertRegex(message, r"^17\.76\d* is baked in here: with batch = 5, width = 8 it would be 29\.6\d*$")

    def test_a_model_of_one_size(self):
        def model(x):
            return x + torch.ones(4, 2, 6)

        (code, message, line), = self.told_of(model)
        self.assertEqual((code, line), ("trace-not-checked", 1))
        self.assertIn("the model does not run with batch = 5, width = 8", message)

    def test_nothing_to_say(self):
        def model(x):
            y = x.view(x.size(0), 4, -1) * 4
            return torch.cat([y.flatten(1), x.reshape(x.shape[0], -1)], 1).unsqueeze(0)

        self.assertEqual(self.told_of(model), [])

    def test_sizes_that_have_to_be_even(self):
        def model(x):
            return x.view(x.size(0), 2, 2, -1).mean(2)

        self.assertEqual(self.told_of(model, dynamic_axes={"x": {2: "width"}}), [])

    def test_it_can_be_switched_off(self):
        runs = []

        def model(x):
            runs.append(1)
            return x.view(int(x.shape[0]), -1)

        self.assertFalse(any("would be 5" in message for _, message, _ in self.told_of(model, check_trace=False)))
        self.assertEqual(len(runs), 1)
        self.told_of(model, dynamic_axes=None)
        self.assertEqual(len(runs), 2, "without dynamic axes one run is enough")


if __name__ == "__main__":
    unittest.main()
