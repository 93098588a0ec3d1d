"""A trace of a model that caches tensors for one size warns, with the line and the attribute, or holds for others."""

import functools
import unittest

import torch
from support import Case

DYNAMIC = {"x": {2: "h", 3: "w"}}


class Grid(torch.nn.Module):
    """As the heads of YOLO: a grid is kept until the size changes."""

    def __init__(self):
        super().__init__()
        self.grid = torch.zeros(1)

    def forward(self, x):
        if self.grid.shape[-2:] != x.shape[-2:]:
            self.grid = torch.arange(x.shape[2])[:, None] + torch.arange(x.shape[3])[None]
        return x + self.grid


class Mask(torch.nn.Module):
    """A mask that is computed once."""

    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, x):
        if self.mask is None:
            self.mask = torch.ones(x.shape[2], x.shape[3]).tril()
        return x * self.mask


class Slices(torch.nn.Module):
    def forward(self, x):
        return torch.cat([x[:, :, i:i + 1] * (i + 1) for i in range(x.shape[2])], 2)


class Strides(torch.nn.Module):
    """Sizes as Python numbers."""

    def forward(self, x):
        h, w = int(x.shape[2] / 2), int(x.shape[3] / 2)
        return torch.nn.functional.interpolate(x, size=(h, w), mode="nearest")


class SlicedAttention(torch.nn.Module):
    """As diffusers computes attention in parts of the batch."""

    def forward(self, x):
        q = x.flatten(0, 1)
        out = torch.zeros_like(q)
        for i in range(q.shape[0] // 2):
            part = q[2 * i:2 * i + 2]
            out[2 * i:2 * i + 2] = (part @ part.transpose(1, 2)).softmax(-1) @ part
        return out


class Experts(torch.nn.Module):
    """Each row goes to one of the experts. An expert without rows is left out."""

    def __init__(self):
        super().__init__()
        self.experts = torch.nn.ModuleList(torch.nn.Linear(6, 6) for _ in range(3))

    def forward(self, x):
        rows = x.reshape(-1, 6)
        route = (rows[:, 0] > 0).long() + (rows[:, 1] > 0).long()
        out = torch.zeros_like(rows)
        for i, expert in enumerate(self.experts):
            index = torch.where(route == i)[0]
            if index.numel() == 0:
                continue
            out[index] = expert(rows[index])
        return out


@functools.lru_cache(maxsize=None)
def table(length):
    return torch.arange(length) * 2.0


class Table(torch.nn.Module):
    def forward(self, x):
        return x + table(int(x.shape[3]))


class Net(torch.nn.Module):
    def __init__(self, head):
        super().__init__()
        self.head = head

    def forward(self, x):
        return self.head(x * 2)


class CachedSizes(Case):
    def told_of(self, model, **options):
        self.export(model, torch.randn(1, 2, 4, 6), dynamic_axes=DYNAMIC, **options)
        return [d for d in self.report.warnings if d.code.startswith(("baked", "trace", "departs"))]

    def assert_holds(self, fresh):
        x = torch.randn(1, 2, 9, 5)
        self.assert_same(fresh(x), [x])

    def test_caches_of_a_model_that_has_not_run(self):
        for head in Grid, Mask:
            with self.subTest(head=head.__name__):
                self.assertEqual(self.told_of(Net(head())), [])
                self.assert_holds(Net(head()))

    def test_a_grid_that_an_earlier_run_left(self):
        model = Net(Grid())
        model(torch.randn(1, 2, 4, 6))
        grid = model.head.grid
        path, departs = self.told_of(model)
        self.assertEqual((path.code, departs.code), ("baked-path", "departs"))
        self.assertIn("in module 'head'", path.message)
        self.assertIn("the model keeps 'grid' of module 'head' from one run to the next", path.hint)
        self.assertIn("self.grid = torch.arange(x.shape[2])", path.python[0].text)
        self.assertIs(model.head.grid, grid, "the model is as before")

    def test_a_mask_that_an_earlier_run_left(self):
        model = Net(Mask())
        model(torch.randn(1, 2, 4, 6))
        path = self.told_of(model)[0]
        self.assertEqual(path.code, "baked-path")
        self.assertIn("'mask' of module 'head'", path.hint)
        self.assertIn("self.mask = torch.ones", path.python[0].text)

    def test_many_axes_of_large_inputs(self):
        shape = (3, 16, 128, 200)
        sizes = {}

        class Sum(torch.nn.Module):
            def forward(self, *inputs):
                sizes.setdefault(max(x.numel() for x in inputs))
                return sum(x.mean() for x in inputs)

        names = [f"x{i}" for i in range(4)]
        self.export(Sum(), tuple(torch.rand(shape) for _ in names), input_names=names,
                    dynamic_axes={name: {i: f"{name}_{i}" for i in range(4)} for name in names})
        self.assertEqual([d.code for d in self.report.warnings], [])
        self.assertLess(max(sizes), 32 * torch.Size(shape).numel())
        self.assertGreater(len(sizes), 1)

    def test_a_loop_over_a_size(self):
        path, departs = self.told_of(Net(Slices()))
        self.assertEqual((path.code, departs.code), ("baked-path", "departs"))
        self.assertRegex(path.message, r"a Python loop runs this line in module 'head' \d+ times in the example")
        self.assertIn("for i in range(x.shape[2])", path.python[0].text)

    def test_sizes_that_python_computed(self):
        h, w, departs = self.told_of(Net(Strides()))
        self.assertEqual([h.code, w.code, departs.code], ["baked-size", "baked-size", "departs"])
        self.assertIn("2 is baked in here in module 'head': it is the size of axis 2 of 'x' divided by 2", h.message)
        self.assertIn("3 is baked in here in module 'head': it is the size of axis 3 of 'x' divided by 2", w.message)
        for warning in h, w, departs:
            self.assertIn("interpolate(x, size=(h, w)", warning.python[0].text)

    def test_attention_in_slices(self):
        self.export(Net(SlicedAttention()), torch.randn(4, 1, 3, 5), dynamic_axes={"x": {0: "batch"}})
        path, departs = [d for d in self.report.warnings if d.code in ("baked-path", "departs")]
        self.assertRegex(path.message, r"a Python loop runs this line in module 'head' \d+ times in the example, and \d+ times with")
        self.assertIn("q[2 * i:2 * i + 2]", path.python[0].text)
        self.assertEqual((departs.code, departs.python[0].line), ("departs", path.python[0].line))

    def test_experts_that_the_example_does_not_use(self):
        x = torch.rand(5, 6)
        x[::2, 2:] *= -1
        self.export(Experts(), x, dynamic_axes={"x": {0: "rows"}})
        path, departs = [d for d in self.report.warnings if d.code in ("baked-path", "departs")]
        self.assertEqual((path.code, departs.code), ("baked-path", "departs"))
        self.assertIn("with rows = ", path.message)
        self.assertTrue(path.python and departs.python)

    def test_a_table_of_lru_cache(self):
        table(6)
        size, departs = self.told_of(Net(Table()))
        self.assertEqual((size.code, departs.code), ("baked-size", "departs"))
        self.assertIn("6 is baked in here in module 'head': it is the size of axis 3 of 'x'", size.message)
        self.assertIsInstance(table, functools._lru_cache_wrapper)


if __name__ == "__main__":
    unittest.main()
