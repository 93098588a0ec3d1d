import torch
from expressions import Expressions

suite = Expressions()
x, m, v, zero = torch.randn(2, 3, 4), torch.randn(3, 5), torch.randn(6), torch.tensor(1.5)
ones = torch.randn(1, 3, 1, 2)
ints, bools = torch.randint(-9, 9, (2, 3)), torch.rand(2, 3) > 0.5

# ---- shapes
suite.expr("view", "(x.view(6, 4), x.view(-1), x.view(2, -1), x.view(x.size(0), 12), x.view(1, 2, 3, 4, 1))", dynamic=False, x=x)
suite.expr("view-sizes", "(x.view(-1), x.view(x.size(0), -1), x.view(x.size(0) * x.size(1), x.size(2)), x.view(-1, x.size(2)))", x=x)
suite.expr("reshape", "(x.reshape(4, 6), torch.reshape(x, [-1, 3]), x.reshape(3, 2, -1))", dynamic=False, x=x)
suite.expr("reshape-sizes", "(x.reshape(-1), x.transpose(0, 1).reshape(x.size(1), -1), x.reshape(1, -1, x.size(1)))", x=x)
suite.expr("view_as", "(x.view_as(y), x.reshape_as(y))", x=x, y=torch.randn(2, 3, 4))
suite.expr("unsafe_view", "torch.ops.aten._unsafe_view(x, [6, 4])", dynamic=False, x=x)
suite.expr("flatten", "(torch.flatten(x), torch.flatten(x, 1), torch.flatten(x, 0, 1), x.flatten(-2, -1), torch.ravel(x))", x=x)
suite.expr("flatten-zero-dim", "(torch.flatten(x), torch.ravel(x), x.view(1, 1), x.reshape(-1))", x=zero)
suite.expr("unflatten", "(torch.ops.aten.unflatten(x, 2, [2, 2]), torch.ops.aten.unflatten(x, -1, [-1, 2]), torch.ops.aten.unflatten(x, 1, [3, -1]))",
           dynamic=False, x=x)
suite.expr("squeeze", "(x.squeeze(), x.squeeze(0), x.squeeze(-2), x.squeeze(1), torch.squeeze(x, 3))", dynamic=False, x=ones)
suite.expr("squeeze-sizes", "(x.squeeze(0), x.squeeze(-2))", x=ones)
suite.expr("squeeze-zero-dim", "(x.squeeze(), x.squeeze(0), x.squeeze(-1))", x=zero)
suite.expr("unsqueeze", "(x.unsqueeze(0), x.unsqueeze(-1), x.unsqueeze(2), torch.unsqueeze(x, -4))", x=x)
suite.expr("unsqueeze-zero-dim", "(x.unsqueeze(0), x.unsqueeze(-1))", x=zero)
suite.expr("atleast", "(torch.ops.aten.atleast_1d(x), torch.ops.aten.atleast_2d(x), torch.ops.aten.atleast_3d(x))", x=v)
suite.expr("atleast-zero-dim", "(torch.ops.aten.atleast_1d(x), torch.ops.aten.atleast_2d(x), torch.ops.aten.atleast_3d(x))", x=zero)
suite.expr("atleast-matrix", "(torch.ops.aten.atleast_1d(x), torch.ops.aten.atleast_2d(x), torch.ops.aten.atleast_3d(x))", x=m)
suite.expr("atleast-lists", "(torch.ops.aten.atleast_1d([x, y]), torch.ops.aten.atleast_2d([x, y]), torch.ops.aten.atleast_3d([y, x]))", x=zero, y=m)
suite.fails("view-count", "x.view(5, 5)", "invalid for a tensor", x=x)
suite.fails("view-two-open", "x.view(-1, -1)", "only one dimension", x=x)

# ---- order of dimensions
suite.expr("transpose", "(x.transpose(0, 1), x.transpose(-1, 0), torch.swapaxes(x, 1, 2), torch.swapdims(x, 0, 2))", x=x)
suite.expr("transpose-zero-dim", "(x.transpose(0, -1), x.t())", x=zero)
suite.expr("t", "(x.t(), x.T, x.mT)", x=m)
suite.expr("t-vector", "x.t()", x=v)
suite.expr("T", "(torch.ops.aten.numpy_T(x), torch.ops.aten.mT(x), x.mT, torch.ops.aten.adjoint(x))", x=x)
suite.expr("permute", "(x.permute(2, 0, 1), torch.permute(x, [-1, 1, 0]), x.permute(0, 1, 2))", x=x)
suite.expr("movedim", "(torch.movedim(x, 0, 2), torch.movedim(x, [0, 1], [-1, 0]), torch.moveaxis(x, -1, 0), torch.moveaxis(x, [2, 0], [0, 1]))", x=x)
suite.fails("permute-twice", "x.permute(0, 0, 1)", "twice", x=x)

# ---- larger ones
suite.expr("expand", "(x.expand(4, 3, 5, 2), x.expand(-1, -1, 7, -1), x.expand(2, 4, 3, 1, 2), x.expand_as(x))", dynamic=False, x=ones)
suite.expr("expand-sizes", "(x.expand(4, -1, 5, -1), x.expand(x.size(1), -1, -1, x.size(3)), torch.broadcast_to(x, [3, x.size(1), 1, x.size(3)]))", x=ones)
suite.expr("expand_as", "x.expand_as(y)", x=torch.randn(3, 1), y=x)
suite.expr("expand-zero-dim", "(x.expand(3), x.expand(2, 3))", x=zero)
suite.expr("broadcast_tensors", "torch.broadcast_tensors(x, y)", x=torch.randn(3, 1), y=x)
suite.expr("repeat", "(x.repeat(2, 1, 3), x.repeat(2, 1, 1, 1), torch.tile(x, [2]), torch.tile(x, [2, 1, 1, 2]), x.repeat(1, 1, 1))", x=x)
suite.expr("repeat-kinds", "(x.repeat(2, 2), y.repeat(1, 3), x.to(torch.int16).repeat(2, 1), x.half().repeat(1, 2))", x=ints, y=bools)
suite.expr("repeat-sizes", "x.repeat(x.size(0), 1, y.size(1))", x=x, y=m)
suite.fails("expand-new-minus-one", "x.expand(-1, 2, 3, 4)", "must not be -1", x=x)

# ---- parts
suite.expr("select", "(x[0], x[:, -1], x.select(2, 1), torch.select(x, -1, -2))", x=x)
suite.expr("select-symbolic", "x.select(1, x.size(0) - 1)", x=x)
suite.expr("slice", "(x[1:], x[:, :-1], x[:, :, 1:3], x[:, ::2], x[..., -2:], x[:5], x[:, 2:1], x[0:0])", dynamic=False, x=x)
suite.expr("slice-sizes", "(x[1:], x[:, :-1], x[:, :, 1:3], x[:, ::2], x[..., -2:], x[:x.size(1) - 1], x[:, x.size(0) - 1:])", x=x)
suite.expr("narrow", "(x.narrow(0, 1, 1), x.narrow(1, 0, 2), x.narrow(-1, -2, 2), torch.narrow(x, 2, 1, x.size(0)))", x=x)
suite.expr("narrow-tensor", "torch.narrow(x, 1, k, 2)", x=m.t().contiguous(), k=torch.tensor(1))
suite.expr("narrow-tensor-negative", "torch.narrow(x, 1, k, 2)", x=m.t().contiguous(), k=torch.tensor(-2))
suite.expr("split", "(x.split(2, 1), torch.split(x, 3, -1), x.split(5))", dynamic=False, x=x)
suite.expr("split-sizes", "(torch.split(x, [1, 2], 1), torch.split_with_sizes(x, [1, 3], 2), torch.unsafe_split_with_sizes(x, [1, 1], 0))", dynamic=False, x=x)
suite.expr("split-unsafe", "(torch.unsafe_split(x, 2, 1), torch.unsafe_chunk(x, 2, 2))", dynamic=False, x=x)
suite.expr("split-symbolic", "torch.split(x, [1, x.size(1) - 1], 1)", x=x)
suite.expr("chunk", "(x.chunk(2), x.chunk(2, 1), x.chunk(4, 2), x.chunk(5, 1), x.chunk(1))", dynamic=False, x=x)
suite.expr("chunk-symbolic", "(x.chunk(2, 1), x.chunk(2, -1))", x=x)
suite.expr("chunk-doubled", "torch.cat([x, x], 1).chunk(2, 1)", x=x, options=dict(absent=["Shape"]))
suite.expr("tensor_split", "(torch.tensor_split(x, 2, 1), torch.tensor_split(x, 3, 2), torch.tensor_split(x, [1, 3], 2), torch.tensor_split(x, [1, -1], 2))",
           dynamic=False, x=x)
suite.expr("tensor_split-symbolic", "(torch.tensor_split(x, 2, 1), torch.tensor_split(x, 3, 2), torch.tensor_split(x, [1], 1))", x=x)
suite.expr("tensor_split-tensor", "(torch.tensor_split(x, i, 2), torch.tensor_split(x, torch.tensor([1, 2]), 1), torch.tensor_split(x, torch.tensor(2), 0))",
           dynamic=False, x=x, i=torch.tensor([2, 1, -1]))
suite.expr("xsplit", "(torch.hsplit(x, 3), torch.hsplit(x, [1, 2]), torch.vsplit(x, 2), torch.vsplit(x, [1]), torch.dsplit(x, 2), torch.dsplit(x, [1, 3]))", dynamic=False, x=x)
suite.expr("hsplit-vector", "(torch.hsplit(x, 2), torch.hsplit(x, [1, 2]))", dynamic=False, x=v)
suite.expr("unbind", "(x.unbind(), x.unbind(1), torch.unbind(x, -1))", dynamic=False, x=x)
suite.expr("nodes-chunk", "x.chunk(2, 2)", dynamic=False, options=dict(operators={"Split": 1}, absent=["Slice", "Shape"]), x=x)
suite.expr("nodes-split", "x.split([1, 2], 1)", dynamic=False, options=dict(operators={"Split": 1}, absent=["Slice", "Shape"]), x=x)
suite.fails("select-outside", "x[5]", "out of range", x=x)
suite.fails("split-sum", "torch.split(x, [1, 1], 1)", "add up to", x=x)
suite.add("squeeze-unknown", "def forward(x):\n    return x.squeeze(0)\n", [x], dynamic=[{0: "n"}], error="must be known to have size 1 or not")
# Lists of other tensors cannot become sequences.
suite.add("split-unknown", "def forward(x):\n    return torch.view_as_complex(x).split(2, 0)\n", [torch.randn(4, 3, 2)], dynamic=[{0: "n"}], error="number of parts depends")
suite.add("unbind-unknown", "def forward(x):\n    return torch.view_as_complex(x).unbind(0)\n", [torch.randn(4, 3, 2)], dynamic=[{0: "n"}], error="number of parts is the size")

# ---- joined
suite.expr("cat", "(torch.cat([x, x], 1), torch.cat([x, x[:1]]), torch.concat([x, x, x], -1), torch.concatenate([x, x]))", x=x)
suite.expr("cat-kinds", "(torch.cat([x, y], 1), torch.cat([x, x * 0.5]))", x=ints, y=bools)
suite.expr("cat-empty", "torch.cat([torch.zeros([0]), x, torch.zeros([0])], 1)", x=m)
suite.expr("stack", "(torch.stack([x, x]), torch.stack([x, x], 1), torch.stack([x, x], -1))", x=x)
suite.expr("stack-zero-dim", "(torch.stack([x, x]), torch.hstack([x, x]), torch.vstack([x, x]), torch.dstack([x, x]), torch.column_stack([x, x]))", x=zero)
suite.expr("xstack", "(torch.hstack([x, x]), torch.vstack([x, x]), torch.dstack([x, x]), torch.column_stack([x, x]), torch.row_stack([x, x]))", x=m)
suite.expr("xstack-vector", "(torch.hstack([x, x]), torch.vstack([x, x]), torch.dstack([x, x]), torch.column_stack([x, x]), torch.row_stack([x, x]))", x=v)
suite.fails("stack-empty", "torch.cat(torch.jit.annotate(List[Tensor], []))", "the list of tensors is empty", x=x)

# ---- turned
suite.expr("flip", "(torch.flip(x, [0]), x.flip([1, 2]), x.flip([-1]), torch.flip(x, torch.jit.annotate(List[int], [])))", x=x)
suite.expr("roll", "(torch.roll(x, 1), torch.roll(x, 1, 0), torch.roll(x, [1, -1], [1, 2]), torch.roll(x, 5, 2))", x=x)

# ---- the same elements, other dtypes
suite.expr("itself", "(x.detach(), torch.ops.aten.alias(x), x.contiguous(), x.clone(), x.data, torch.ops.aten.lift_fresh(x))", x=x)
suite.expr("to", "(x.to(torch.float64), x.to(torch.int64), x.to('cpu'), x.to('cpu', torch.int32), x.to(y), x.type_as(y), x.to(torch.float32, copy=True))",
           x=m * 4, y=torch.randint(0, 4, (3,)))
suite.expr("to-keywords", "(x.to(dtype=torch.float64), x.to(device='cpu', dtype=torch.int64), x.to(y, non_blocking=True), x.to(False, False))", x=m, y=v.double())
suite.expr("casts", "(x.float(), x.double(), x.half(), x.long(), x.int(), x.to(torch.bool), x.byte(), x.short())", x=ints.abs())
suite.expr("casts-operators", "(torch.ops.aten.to(x, 6), torch.ops.aten.type_as(x, x.double()))", x=ints)
suite.expr("copy", "y", statements="y = torch.zeros([3, 5], dtype=torch.float64)\ny.copy_(x)\ny[0].copy_(x[1])", dynamic=False, x=m)

# ---- writing through them
writes = {
    "view": "y.view(-1)[1:3] = 9.0", "reshape": "y.reshape(-1)[0] = 9.0", "transpose": "y.t()[0] = 9.0", "permute": "y.permute(1, 0)[1:] += 1.0",
    "select": "y[1].mul_(2.0)", "slice": "y[:, 1:3].zero_()", "step": "y[:, ::2].fill_(4.0)", "narrow": "y.narrow(1, 1, 2).add_(3.0)",
    "split": "y.split([2, 3], 1)[1].zero_()", "chunk": "y.chunk(2, 1)[0].add_(1.0)", "unbind": "y.unbind(0)[2].zero_()",
    "squeeze": "y.unsqueeze(0).squeeze(0)[0] = 1.0", "flatten": "torch.flatten(y).add_(1.0)", "row": "y[0].view(1, 5).add_(1.0)",
    "movedim": "torch.movedim(y, 0, 1)[0].zero_()", "T": "y.T[0] = 7.0", "both": "a = y[0]\nb = y[:, 0]\na.add_(1.0)\nb.mul_(2.0)",
}
for name, lines in writes.items():
    suite.expr("write-" + name, "y", statements="y = x + 0\n" + lines, dynamic=False, x=m)
suite.expr("mH", "(x.mH, torch.ops.aten.matrix_H(x))", x=m)

# ---- copies instead of views: a write to one leaves the tensor as it is
copies = {
    "view_copy": "torch.view_copy(x, [6, 4])", "expand_copy": "torch.expand_copy(x, [5, 2, 3, 4])",
    "permute_copy": "torch.permute_copy(x, [2, 0, 1])", "select_copy": "torch.select_copy(x, 1, -1)",
    "slice_copy": "torch.slice_copy(x, 1, 0, 2)", "squeeze_copy": "torch.squeeze_copy(x[:1])",
    "squeeze_copy-dim": "torch.squeeze_copy(x[:1], 0)", "transpose_copy": "torch.transpose_copy(x, 0, 2)",
    "t_copy": "torch.t_copy(x[0])", "unsqueeze_copy": "torch.unsqueeze_copy(x, -1)", "unfold_copy": "torch.unfold_copy(x, 2, 2, 1)",
    "diagonal_copy": "torch.diagonal_copy(x, 0, 1, 2)", "detach_copy": "torch.detach_copy(x)", "alias_copy": "torch.alias_copy(x)",
    "lift_fresh_copy": "torch.ops.aten.lift_fresh_copy(x)", "lift": "torch.ops.aten.lift(x * 2)",
    "_reshape_alias_copy": "torch._reshape_alias_copy(x, [4, 6], [6, 1])", "as_strided_copy": "torch.as_strided_copy(x, [2, 3], [3, 1], 1)",
    "_neg_view_copy": "torch._neg_view_copy(x)",
}
for name, text in copies.items():
    suite.expr(f"copy-{name}", "(x, y)", statements=f"y = {text}\ny.add_(1.0)", dynamic=False, x=x)
for name, text in {"split_copy": "torch.split_copy(x, 2, 1)", "split_with_sizes_copy": "torch.split_with_sizes_copy(x, [1, 2], 1)",
                   "unbind_copy": "torch.unbind_copy(x, 1)"}.items():
    suite.expr(f"copy-{name}", "(x, parts)", statements=f"parts = {text}\nparts[0].add_(1.0)", dynamic=False, x=x)
suite.expr("copies-sizes", "(torch.permute_copy(x, [2, 0, 1]), torch.view_copy(x, [-1]), torch.slice_copy(x, 1, 1), torch.unsqueeze_copy(x, 0))", x=x)
suite.expr("_reshape_alias", "y", statements="y = x + 0\ntorch.ops.aten._reshape_alias(y, [4, 6], [6, 1]).add_(1.0)", dynamic=False, x=x)
suite.expr("data", "y", statements="y = x + 0\ny.data.add_(1.0)", x=x)
suite.expr("fill_diagonal_", "[x.clone().fill_diagonal_(3.0), x.t().clone().fill_diagonal_(2.0)]", x=torch.randn(7, 3))
suite.expr("fill_diagonal_-wrap", "x.clone().fill_diagonal_(3.0, True)", x=torch.randn(9, 3))
suite.expr("fill_diagonal_-cube", "x.clone().fill_diagonal_(1)", x=torch.randint(0, 9, (3, 3, 3)))
suite.main()
