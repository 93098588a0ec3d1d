import torch
import torch.nn.functional as F  # noqa: F401
from sizes import Sizes
from torch import nn

suite = Sizes()
words = torch.randint(0, 10, (3, 5))
open_axes = [{0: "batch", 1: "length"}]
suite.sizes("embedding", nn.Embedding(10, 4), [words], open_axes, how="both", operators={"Gather": 1}, absent=["Shape"])
suite.sizes("embedding-padding", nn.Embedding(10, 4, padding_idx=2), [words.int()], open_axes)
suite.add("embedding-scalar", nn.Embedding(10, 4), [words[0, 0]])
long = torch.randn(10, 4) * 3
for p in (2.0, 1.0):
    suite.sizes(f"embedding-max-norm-{p}", nn.Embedding(10, 4, max_norm=1.5, norm_type=p, _weight=long), [words], open_axes)
suite.call("embedding_renorm", "torch.embedding_renorm_(t.clone(), i, 1.5, 2.0)", [{}, {0: "n"}], t=long, i=torch.tensor([1, 7, 1]))
table, flat = torch.randn(10, 4), torch.randint(0, 10, (7,))
for mode in ("sum", "mean", "max"):
    suite.sizes(f"bag-{mode}", nn.EmbeddingBag(10, 4, mode=mode), [words], open_axes, how="both")
    suite.sizes(f"bag-{mode}-padding", nn.EmbeddingBag(10, 4, mode=mode, padding_idx=3), [words], open_axes)
    offsets = [[flat, torch.tensor(o)] for o in ([0, 3], [0, 0, 7], [0, 1, 2, 2, 6])]
    for last in (False, True):
        suite.add(f"bag-{mode}-offsets-{last}", nn.EmbeddingBag(10, 4, mode=mode, include_last_offset=last),
                  [flat, torch.tensor([0, 2, 7])], dynamic=[{0: "n"}, {0: "bags"}],
                  more=[[i, torch.cat([o, torch.tensor([7])]) if last else o] for i, o in offsets])
suite.call("bag-weighted", "torch.embedding_bag(t, i, o, False, 0, False, w)[0]", [{}, {0: "n"}, {}, {0: "n"}], t=table, i=flat,
           o=torch.tensor([0, 3]), w=torch.randn(7))
suite.call("bag-padding", "torch.embedding_bag(t, i, o, False, 1, False, None, False, -3)[0]", [{}, {0: "n"}], t=table, i=flat,
           o=torch.tensor([0, 3]))
for name in ("_embedding_bag", "_embedding_bag_forward_only"):
    suite.call(name, f"torch.{name}(t, i, o, False, 0, False, None, False, 4)[0]", [{}, {0: "n"}], t=table, i=flat, o=torch.tensor([0, 3]))
suite.main()
